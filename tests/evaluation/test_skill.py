"""Does a program answer as a skill that keeps nothing, and does it believe nothing that comes back?"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.dialogue.state import memory_from_state
from autograph.dialogue.state_merge import merge_human
from autograph.dialogue.state_model import Bot, BotUtterance, Dialog, Human, HumanUtterance
from autograph.errors import AutographError, ProgramChanged, RunError, StorageError
from autograph.evaluation.pipeline.connector import ProgramConnector
from autograph.evaluation.pipeline.skill import Policy, ProgramSkill
from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest, Reply
from conversations import Conversation, conformance_conversations, program_conversations

ROWS = [
    {"name": "start1", "action": "chat_exact", "instruction": "Who are you?", "transitions": "keep"},
    {"name": "keep", "action": "python_function", "instruction": "guest = _last_user_reply", "transitions": "tea"},
    {"name": "tea", "action": "chat_exact", "instruction": "Tea, $guest?", "transitions": "sure"},
    {"name": "sure", "action": "python_function", "instruction": "sure = 0.25", "transitions": "bye"},
    {"name": "bye", "action": "chat_exact", "instruction": "Bye, $guest.", "transitions": "quit"},
]
LOOP = [*ROWS[:-1], {**ROWS[-1], "transitions": "tea"}]


def bot(rows: list[dict[str, str]] = ROWS) -> autograph.Autograph:
    return autograph.load(rows, model="offline")


class Talk:
    """A dialog as an agent keeps it: JSON between the turns."""

    def __init__(self, skill: str = "tea") -> None:
        self.skill = skill
        self.dialog = Dialog("d", Human("a" * 24, "ann"), Bot("b" * 24))

    def hear(self, text: str) -> dict[str, Any]:
        """The state in which the skill is asked about ``text``."""
        said = HumanUtterance(f"{len(self.dialog.utterances):032x}", text, self.dialog.human, "2026-05-01 12:00:00")
        self.dialog = self._with(said)
        data: dict[str, Any] = json.loads(json.dumps(self.dialog.to_dict()))
        return data

    def say(self, hypothesis: dict[str, Any], skill: str | None = None) -> str:
        """Select a hypothesis."""
        human = merge_human(self.dialog.human, hypothesis["human_attributes"])
        said = BotUtterance("f" * 32, hypothesis["text"], self.dialog.bot, "2026-05-01 12:00:00", skill or self.skill)
        self.dialog = self._with(said)
        self.dialog = Dialog("d", human, self.dialog.bot, self.dialog.utterances)
        return said.text

    def _with(self, said: Any) -> Dialog:
        return Dialog("d", self.dialog.human, self.dialog.bot, (*self.dialog.utterances, said))


def turn(skill: ProgramSkill, talk: Talk, text: str) -> dict[str, Any]:
    [[hypothesis]] = skill([talk.hear(text)])
    talk.say(hypothesis)
    return hypothesis


def test_a_hypothesis_has_all_that_the_next_turn_needs() -> None:
    skill, talk = ProgramSkill(bot(), "tea"), Talk()
    first = turn(skill, talk, "hello")
    assert (first["text"], first["confidence"], first["bot_attributes"]) == ("Who are you?", 1.0, {})
    assert first["attributes"] == {"node": "start1", "finished": False}
    assert set(first["human_attributes"]) == {"tea_state"}
    assert turn(skill, talk, "Ann")["text"] == "Tea, Ann?"
    assert turn(skill, talk, "yes")["attributes"] == {"node": "bye", "finished": True}


TEXTS = st.lists(st.text(max_size=6), max_size=6)


@given(TEXTS)
def test_any_copy_of_the_skill_can_take_the_next_turn(texts: list[str]) -> None:
    program = bot(LOOP)
    copies = cycle([ProgramSkill(program, "tea", key=b"k"), ProgramSkill(bot(LOOP), "tea", key=b"k")])
    talk, memory = Talk(), None
    for text, skill in zip(texts, copies, strict=False):
        reply, memory = program.reply(text, memory)
        assert turn(skill, talk, text)["text"] == reply


def test_what_was_not_selected_has_never_happened() -> None:
    skill, talk = ProgramSkill(bot(), "tea"), Talk()
    turn(skill, talk, "hello")
    [[lost]] = skill([talk.hear("Ann")])
    assert lost["text"] == "Tea, Ann?"
    talk.say({"text": "Something else.", "human_attributes": {}}, "other")
    assert turn(skill, talk, "Bob")["text"] == "Tea, Bob?"


def test_several_dialogs_are_answered_in_order() -> None:
    skill = ProgramSkill(bot(), "tea")
    one, other = Talk(), Talk()
    turn(skill, one, "hello")
    request = [one.hear("Ann"), other.hear("hi")]
    for form in (request, {"dialogs": request}):
        assert [[h["text"] for h in found] for found in skill(form)] == [["Tea, Ann?"], ["Who are you?"]]


def test_the_batch_form_of_dff_is_understood() -> None:
    skill, talk = ProgramSkill(bot(), "tea", key=b"k"), Talk()
    turn(skill, talk, "hello")
    whole = talk.hear("Ann")
    shortened = {
        "human_utterances": [{"text": item["text"], "user": item["user"]} for item in whole["human_utterances"][-1:]],
        "bot_utterances": [],
    }
    state = whole["human"]["attributes"]["tea_state"]
    request = {
        "human_utter_index_batch": [1, 0], "dialog_batch": [shortened, {"human_utterances": [{"text": "hi"}]}],
        "tea_state_batch": [state, {}], "dialog_id_batch": ["d", "e"],
    }  # fmt: skip
    assert [[h["text"] for h in found] for found in skill(request)] == [["Tea, Ann?"], ["Who are you?"]]
    del request["tea_state_batch"]
    assert [[h["text"] for h in found] for found in skill(request)] == [["Who are you?"], ["Who are you?"]]


def test_it_works_where_an_event_loop_is_running() -> None:
    skill = ProgramSkill(bot(), "tea")

    async def within() -> list[list[dict[str, Any]]]:
        return skill([Talk().hear("hello")])

    assert asyncio.run(within())[0][0]["text"] == "Who are you?"


def test_a_program_says_how_sure_it_is() -> None:
    skill, talk = ProgramSkill(bot(), "tea", confidence="sure"), Talk()
    with pytest.raises(RunError, match="variable sure must hold a confidence from 0 to 1, not None"):
        skill([talk.hear("hello")])
    talk = Talk()
    for text in ("hello", "Ann"):
        turn(ProgramSkill(bot(), "tea"), talk, text)
    assert turn(skill, talk, "yes")["confidence"] == 0.25
    assert turn(ProgramSkill(bot(), "tea", confidence=0.5), Talk(), "hello")["confidence"] == 0.5


def test_several_hypotheses_each_have_their_own_memory() -> None:
    rows = [
        {"name": "start1", "action": "chat", "instruction": "Greet.", "transitions": "next"},
        {"name": "next", "action": "chat_exact", "instruction": "You said $_last_user_reply.", "transitions": "next"},
    ]
    program = autograph.load(rows, model=ScriptedModel(replies=["Hi.", "Hello.", "Hi."]))
    skill, talk = ProgramSkill(program, "greet", hypotheses=3), Talk("greet")
    [found] = skill([talk.hear("hey")])
    assert sorted(hypothesis["text"] for hypothesis in found) == ["Hello.", "Hi."]
    memories = {
        json.loads(h["human_attributes"]["greet_state"]["memory"])["stack"][0]["turns"][0]["agent"] for h in found
    }
    assert memories == {"Hello.", "Hi."}


# ---------------------------------------------------------------------- states that cannot be gone on with


def spoilt(**changes: Any) -> dict[str, Any]:
    talk = Talk()
    turn(ProgramSkill(bot(), "tea"), talk, "hello")
    data = talk.hear("Ann")
    data["human"]["attributes"]["tea_state"].update(changes)
    return data


def test_a_state_of_another_version_is_refused_or_begun_anew() -> None:
    rows = [{**ROWS[0], "instruction": "Your name?"}, *ROWS[1:]]
    data = spoilt()
    [[hypothesis]] = ProgramSkill(bot(rows), "tea")([data])
    assert hypothesis["text"] == "Your name?"
    assert hypothesis["attributes"]["note"] == ('began anew: the program "tea" has changed since the state was written')
    with pytest.raises(ProgramChanged):
        ProgramSkill(bot(rows), "tea", policy=Policy(changed="refuse"))([data])
    [[hypothesis]] = ProgramSkill(bot(rows), "tea", policy=Policy(changed="continue"))([data])
    assert hypothesis["text"] == "Tea, Ann?"
    assert "note" not in hypothesis["attributes"]


def test_a_renamed_node_is_found_again() -> None:
    rows = [{**ROWS[0], "name": "begin", "formerly": "start1"}, *ROWS[1:]]
    program = autograph.load(rows, model="offline", config=autograph.AutographConfig(start_state="begin"))
    [[hypothesis]] = ProgramSkill(program, "tea", policy=Policy(changed="continue"))([spoilt()])
    assert hypothesis["text"] == "Tea, Ann?"


def test_a_changed_program_without_the_node_begins_anew_or_refuses() -> None:
    rows = [{**ROWS[0], "name": "begin"}, *ROWS[1:]]
    program = autograph.load(rows, model="offline", config=autograph.AutographConfig(start_state="begin"))
    [[hypothesis]] = ProgramSkill(program, "tea", policy=Policy(changed="continue"))([spoilt()])
    assert hypothesis["text"] == "Who are you?"
    assert 'began anew: the state stands on the node "start1"' in hypothesis["attributes"]["note"]
    with pytest.raises(StorageError, match='the node "start1"'):
        ProgramSkill(program, "tea", policy=Policy(changed="continue", invalid="refuse"))([spoilt()])


@pytest.mark.parametrize("changes", [{"memory": "{}"}, {"version": 7}, {"memory": "x" * 2_000_000}, {"program": "x"}])
def test_a_state_that_is_none_is_refused_or_begun_anew(changes: dict[str, Any]) -> None:
    [[hypothesis]] = ProgramSkill(bot(), "tea")([spoilt(**changes)])
    assert hypothesis["text"] == "Who are you?"
    assert hypothesis["attributes"]["note"].startswith("began anew: ")
    with pytest.raises(StorageError):
        ProgramSkill(bot(), "tea", policy=Policy(invalid="refuse"))([spoilt(**changes)])


def test_with_a_key_only_signed_states_count() -> None:
    [[hypothesis]] = ProgramSkill(bot(), "tea", key=b"k")([spoilt()])
    assert hypothesis["text"] == "Who are you?"
    talk, skill = Talk(), ProgramSkill(bot(), "tea", key=b"k", policy=Policy(invalid="refuse"))
    turn(skill, talk, "hello")
    assert turn(skill, talk, "Ann")["text"] == "Tea, Ann?"


def test_no_dialog_suffers_from_another() -> None:
    skill = ProgramSkill(bot(), "tea", policy=Policy(invalid="refuse"))
    request = [spoilt(memory="{}"), Talk().hear("hi"), {"utterances": 5}]
    first, second, third = asyncio.run(skill.answers(request))
    assert isinstance(first, StorageError)
    assert isinstance(second, list)
    assert second[0]["text"] == "Who are you?"
    assert isinstance(third, StorageError)
    assert "dialogs/2/utterances must be a list" in str(third)


def lost() -> dict[str, Any]:
    """The skill has spoken twice, then another one; its state is gone."""
    talk, skill = Talk(), ProgramSkill(bot(LOOP), "tea")
    turn(skill, talk, "hello")
    turn(skill, talk, "Ann")
    talk.hear("and now?")
    talk.say({"text": "The weather is fine.", "human_attributes": {}}, "weather")
    data = talk.hear("yes")
    del data["human"]["attributes"]["tea_state"]
    return data


def test_a_lost_state_is_replayed_on_demand() -> None:
    [[hypothesis]] = ProgramSkill(bot(LOOP), "tea")([lost()])
    assert hypothesis["text"] == "Who are you?"
    assert hypothesis["attributes"]["note"] == "began anew: the state is missing"
    replaying = ProgramSkill(bot(LOOP), "tea", policy=Policy(missing="replay"))
    [[hypothesis]] = replaying([lost()])
    assert hypothesis["text"] == "Bye, Ann."
    assert hypothesis["attributes"]["note"] == "replayed: the state was missing"
    with pytest.raises(StorageError, match="is missing, though it has spoken"):
        ProgramSkill(bot(LOOP), "tea", policy=Policy(missing="refuse"))([lost()])
    with pytest.raises(StorageError, match="2 turns would have to be replayed; at most 1 are"):
        ProgramSkill(bot(LOOP), "tea", policy=Policy(missing="replay"), max_replayed=1)([lost()])


def test_a_skill_that_never_spoke_begins_without_a_note() -> None:
    talk = Talk()
    talk.hear("hey")
    talk.say({"text": "Fine.", "human_attributes": {}}, "weather")
    [[hypothesis]] = ProgramSkill(bot(), "tea", policy=Policy(missing="refuse"))([talk.hear("tea")])
    assert hypothesis["text"] == "Who are you?"
    assert "note" not in hypothesis["attributes"]


def test_after_the_end_it_begins_anew_or_is_silent() -> None:
    talk, skill = Talk(), ProgramSkill(bot(), "tea")
    for text in ("hello", "Ann", "yes"):
        turn(skill, talk, text)
    data = talk.hear("again")
    assert skill([data])[0][0]["text"] == "Who are you?"
    assert ProgramSkill(bot(), "tea", policy=Policy(finished="silent"))([data]) == [[]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"key": "secret"}, "the key must be bytes, at least one"),
        ({"key": b""}, "the key must be bytes, at least one"),
        ({"confidence": None}, "confidence is a number from 0 to 1, or the name of a variable, not None"),
        ({"confidence": 2}, "confidence is a number from 0 to 1, or the name of a variable, not 2"),
        ({"hypotheses": "2"}, 'at least one hypothesis, not "2"'),
        ({"timeout": -1}, "timeout is a number of seconds above 0, not -1"),
        ({"timeout": "x"}, 'timeout is a number of seconds above 0, not "x"'),
    ],
)
def test_options_that_cannot_work_are_refused_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ProgramSkill(bot(), "tea", **options)


@pytest.mark.parametrize("skill", [[[[]]], 10**5000, {"a": 1}, None], ids=["list", "long", "object", "null"])
def test_what_is_no_name_of_a_skill_has_not_answered(skill: Any) -> None:
    deep: Any = 0
    for _ in range(100_000):
        deep = [deep]
    for name in (skill, deep):
        data = {"utterances": [{"text": "hi"}, {"text": "x", "active_skill": name}, {"text": "tea"}]}
        [[hypothesis]] = ProgramSkill(bot(), "tea", policy=Policy(missing="refuse"))([data])
        assert hypothesis["text"] == "Who are you?"


class Moody(ScriptedModel):
    """A model that fails in its own way when it is asked about Bob."""

    def generate(self, request: GenerateRequest) -> Reply:
        if "Bob" in str(request.messages):
            raise ZeroDivisionError("Bob")
        return Reply("Hi.")


def test_no_dialog_suffers_from_what_nobody_expected_in_another() -> None:
    rows = [{"name": "start1", "action": "chat", "instruction": "Greet.", "transitions": "start1"}]
    skill = ProgramSkill(autograph.load(rows, model=Moody()), "tea")
    first, second = asyncio.run(skill.answers([Talk().hear("I am Bob"), Talk().hear("I am Ann")]))
    assert isinstance(first, RunError)
    assert str(first) == "ZeroDivisionError: Bob"
    assert isinstance(second, list)
    assert second[0]["text"] == "Hi."


def test_policies_and_options_are_checked() -> None:
    with pytest.raises(ValueError, match="policy changed is 'ask'; it is one of start, refuse, continue"):
        Policy(changed="ask")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one hypothesis"):
        ProgramSkill(bot(), "tea", hypotheses=0)


ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["dialogs", "utterances", "human", "attributes", "tea_state", "text", "dialog_batch",
                         "human_utterances", "bot_utterances", "active_skill", "tea_state_batch", "user"]),
        inner, max_size=4,
    ),
    max_leaves=8,
)  # fmt: skip
SKILL = ProgramSkill(bot(), "tea")


@given(ANY)
def test_whatever_is_asked_is_answered_or_refused_with_a_sentence(request: Any) -> None:
    for form in (request, [request], {"dialogs": [request]}):
        try:
            found = SKILL(form)
        except AutographError:
            continue
        assert all(hypothesis["text"] for hypotheses in found for hypothesis in hypotheses)


# ---------------------------------------------------------------------- in a real agent


def test_the_connector_calls_back_with_hypotheses_or_the_error(tmp_path: Any) -> None:
    path = tmp_path / "tea.json"
    path.write_text(json.dumps(ROWS), "utf-8")
    connector = ProgramConnector(str(path), "tea", "offline", policy={"invalid": "refuse"}, confidence=0.7)
    heard: list[tuple[str, Any]] = []

    async def callback(task_id: str, response: Any) -> None:
        heard.append((task_id, response))

    for number, dialog in enumerate((Talk().hear("hello"), spoilt(memory="{}"))):
        asyncio.run(connector.send({"task_id": str(number), "payload": dialog}, callback))
    assert [task for task, _ in heard] == ["0", "1"]
    assert (heard[0][1][0]["text"], heard[0][1][0]["confidence"]) == ("Who are you?", 0.7)
    assert isinstance(heard[1][1], StorageError)


def test_the_connector_is_made_from_json_with_what_the_agent_adds(tmp_path: Any) -> None:
    path = tmp_path / "tea.json"
    path.write_text(json.dumps(ROWS), "utf-8")
    given: dict[str, Any] = {
        "program": str(path),
        "name": "tea",
        "model": "offline",
        "key": "secret",
        "connector_name": "c",
    }
    heard: list[Any] = []

    async def callback(task_id: str, response: Any) -> None:
        heard.append(response)

    asyncio.run(ProgramConnector(**given).send({"task_id": "t", "payload": Talk().hear("hello")}, callback))
    [[hypothesis]] = heard
    talk = Talk()
    talk.hear("hello")
    talk.say(hypothesis)
    signed = ProgramSkill(bot(), "tea", key=b"secret", policy=Policy(changed="continue", invalid="refuse"))
    assert turn(signed, talk, "Ann")["text"] == "Tea, Ann?"


# ---------------------------------------------------------------------- the shipped programs

TALKS = [
    conversation
    for conversation in (*program_conversations(), *conformance_conversations())
    if not conversation.variables and not any(step.options or step.call for step in conversation.steps)
]


def direct(conversation: Conversation) -> list[Any]:
    """What is said in one conversation, with the memories."""
    program, memory = conversation.bot(conversation.model()), None
    said: list[Any] = []
    for step in conversation.steps:
        try:
            reply, memory = program.reply(step.say, memory)
        except AutographError as error:
            return [*said, type(error)]
        said.append((reply, memory))
        if memory.finished:
            break
    return said


def by_turns(conversation: Conversation) -> list[Any]:
    """The same, said by two copies of the skill by turns, with JSON between them."""
    model, talk = conversation.model(), Talk("it")
    policy = Policy(changed="refuse", invalid="refuse", missing="refuse")
    programs = [conversation.bot(model) for _ in range(2)]
    copies = cycle([ProgramSkill(program, "it", key=b"k", policy=policy) for program in programs])
    said: list[Any] = []
    for step, skill in zip(conversation.steps, copies, strict=False):
        try:
            hypothesis = json.loads(json.dumps(turn(skill, talk, step.say)))
        except AutographError as error:
            return [*said, type(error)]
        memory = memory_from_state(talk.dialog, "it", nodes=programs[0].nodes, key=b"k")
        said.append((hypothesis["text"], memory))
        if hypothesis["attributes"]["finished"]:
            break
    return said


@pytest.mark.parametrize("conversation", TALKS, ids=lambda conversation: conversation.name)
def test_two_copies_by_turns_say_what_one_program_says(conversation: Conversation) -> None:
    seeded = replace(conversation, config={**conversation.config, "seed": 7})
    assert by_turns(seeded) == direct(seeded)
