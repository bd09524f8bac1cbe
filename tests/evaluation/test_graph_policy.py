"""A program as a policy in a world of pydialogue's kind: what it is told, what it utters, what it remembers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import autograph
from autograph.evaluation.pydialogue.policies import GraphPolicy
from autograph.models import ScriptedModel
from programs_support import PROGRAMS
from pydialogue_world import Database, World, dialogue_in, plain

TALKS = [
    {"name": "hello", "action": "chat_exact", "instruction": "Tell me.", "transitions": "talk"},
    {"name": "talk", "action": "chat", "instruction": "Play.", "transitions": "talk"},
]
NORTH = [
    {"Arg-PAG": {"entity": "player"}, "Rel": "tries", "Arg-PPT": {"sentence": [{"Rel": "going", "AM-DIR": "north"}]}}
]
TOKENS = (
    "<sent>,<desc>,<Arg-PAG>,<entity>,Heidi,</entity>,</Arg-PAG>,<Rel>,tries,</Rel>,<Arg-PPT>,<sent>,<desc>,"
    "<Rel>,going,</Rel>,<AM-DIR>,north,</AM-DIR>,</desc>,</sent>,</Arg-PPT>,</desc>,</sent>"
)
WORLD = World()


def seated(*replies: str, **options: Any) -> tuple[GraphPolicy, ScriptedModel]:
    """A policy at a dialogue whose program says what the script says."""
    model = ScriptedModel(replies=list(replies))
    rows = TALKS if options.get("opens", True) else TALKS[1:]
    policy = GraphPolicy(WORLD.things["player"], autograph.load(rows, model=model), Database(), **options)
    policy.replace_dialogue(dialogue_in(WORLD))
    return policy, model


def told(model: ScriptedModel) -> list[str]:
    """What the program was told, turn by turn."""
    requests: list[Any] = list(model.requests)
    return [request.messages[-1].content.removesuffix("Instruction for Agent: Play.").strip() for request in requests]


@pytest.mark.parametrize(
    "reply",
    [
        "Heidi tries going north .",
        "the Heidi tries going north.",
        TOKENS,
        f"I think it is\n<output>\n{TOKENS.replace(',', ', ')}\n</output>",
        "<next_response>Heidi tries going north .</next_response>",
    ],
)
def test_what_a_program_may_answer(reply: str) -> None:
    policy, _ = seated(reply)
    found = policy.execute()
    assert plain(found, WORLD) == {"sentence": NORTH}
    assert (found.speaker, found.trusted_source, policy.failures) == (policy.player, False, [])


def test_it_is_told_what_is_new() -> None:
    policy, model = seated("", "", "", "")
    lines = policy.dialogue.dia_generator.context_strings
    lines += ["one", "two"]
    policy.execute()
    lines += ["three"]
    policy.execute()
    policy.execute()
    del lines[1:]
    lines += ["two again", "four", "five"]
    policy.execute()
    assert told(model) == ["one\ntwo", "three", "", "five"]


def test_an_empty_answer_waits() -> None:
    policy, _ = seated("  ")
    found = policy.execute(include_goal=True)
    assert (found[0].describers, found[1], policy.failures) == ([], None, [])
    assert policy.get_goal() is None


def test_failures_are_told() -> None:
    policy, _ = seated("I do not know.", "blue box tries going north .", TOKENS[:-8])
    for _ in range(4):
        policy.execute()
    assert [(failure.stage, failure.reason.split(" node ")[0]) for failure in policy.failures] == [
        ("sentence", 'ValueError: "I do not know" is no statement of the kinds that the world knows'),
        ("sentence", "Exception: blue is not recognized as a property value nor as an attribute."),
        ("sentence", "ValueError: the tokens end before the sentence does"),
        ("program", "ModelError: The script of the model has run out of replies:"),
    ]
    assert policy.failures[0].text == "I do not know."
    assert policy.dialogue.interrupt is False


def test_what_a_program_failed_at_is_told_again() -> None:
    class Shaky(ScriptedModel):
        fails = True

        def generate(self, *args: Any, **options: Any) -> Any:
            if self.fails:
                raise RuntimeError("no connection")
            return super().generate(*args, **options)

    model = Shaky(replies=["Heidi tries going north ."])
    policy = GraphPolicy(WORLD.things["player"], autograph.load(TALKS, model=model), Database())
    policy.replace_dialogue(dialogue_in(WORLD))
    policy.dialogue.dia_generator.context_strings += ["one"]
    assert policy.execute().describers == []
    assert [(f.stage, f.reason, f.line) for f in policy.failures] == [("program", "RuntimeError: no connection", 1)]
    model.fails = False
    policy.dialogue.dia_generator.context_strings += ["two"]
    assert policy.execute().describers
    assert told(model) == ["one\ntwo"]


def test_a_failure_may_end_the_dialogue() -> None:
    policy, _ = seated("?", "Heidi tries going north .", "Heidi tries going north .", interrupt_dialogue=True)
    policy.execute()
    assert policy.dialogue.interrupt is True
    policy.dialogue.interrupt = False
    policy.execute()
    assert policy.dialogue.interrupt is False
    policy.dialogue.utterances.append(SimpleNamespace(error=True))
    policy.get_steps()
    assert policy.dialogue.interrupt is True


def test_a_state_is_all_of_the_state() -> None:
    policy, model = seated("", "?", "")
    policy.dialogue.dia_generator.context_strings += ["one"]
    policy.execute()
    state, first = policy.save_state(), policy.dialogue
    policy.replace_dialogue(dialogue_in(WORLD))
    policy.dialogue.dia_generator.context_strings += ["one", "two"]
    policy.execute()
    policy.recover_state(state)
    assert (policy.dialogue, policy.failures) == (first, [])
    first.dia_generator.context_strings += ["other"]
    policy.execute()
    assert told(model) == ["one", "two", "other"]
    assert policy.memory is not None
    assert [turn.user for turn in _turns(policy.memory)] == ["one", "other"]


def _turns(memory: Any) -> list[Any]:
    return [turn for turn in memory.stack[0].turns if turn.user]


@pytest.mark.parametrize(("reset", "turns"), [(False, 2), (True, 1)])
def test_memory_goes_on_or_not(reset: bool, turns: int) -> None:
    policy, _ = seated("", "", reset=reset)
    policy.dialogue.dia_generator.context_strings += ["one"]
    policy.execute()
    policy.replace_dialogue(policy.dialogue)
    policy.dialogue.dia_generator.context_strings += ["two"]
    again = dialogue_in(WORLD)
    again.dia_generator.context_strings += ["one", "two"]
    policy.replace_dialogue(again)
    policy.execute()
    assert policy.memory is not None
    assert len(_turns(policy.memory)) == turns


def test_a_program_that_is_told_first() -> None:
    policy, model = seated("", opens=False)
    policy.dialogue.dia_generator.context_strings += ["one"]
    policy.execute()
    assert told(model) == ["one"]


def test_a_program_that_has_ended_begins_again() -> None:
    rows = [{"name": "bye", "action": "chat_exact", "instruction": "${_last_user_reply}", "transitions": "quit"}]
    policy = GraphPolicy(WORLD.things["player"], autograph.load(rows), Database(), opens=False)
    policy.replace_dialogue(dialogue_in(WORLD))
    for number in range(2):
        policy.dialogue.dia_generator.context_strings += [f"Heidi is {number}"]
        assert plain(policy.execute(), WORLD)["sentence"][0]["Arg-PRD"] == str(number)


def test_a_program_by_its_file() -> None:
    policy = GraphPolicy(WORLD.things["player"], PROGRAMS / "explorer.yaml", Database())
    policy.replace_dialogue(dialogue_in(WORLD))
    policy.dialogue.dia_generator.context_strings += ["the dog says : Heidi , go north ."]
    assert plain(policy.execute(), WORLD) == {"sentence": NORTH}
