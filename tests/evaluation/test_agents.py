"""Agents: what programs, people and baselines make of what they observe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.errors import RunError
from autograph.evaluation.agents import (
    Agent,
    FixedResponseAgent,
    IrBaselineAgent,
    PersonAgent,
    ProgramAgent,
    RandomCandidateAgent,
    RemoteAgent,
    RepeatLabelAgent,
    RepeatQueryAgent,
    agent_of,
)
from autograph.evaluation.fault import DataError
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.running import run_now
from autograph.models import ScriptedModel

TEA = [
    {"name": "welcome", "action": "chat_exact", "instruction": "Tea?", "transitions": "served"},
    {"name": "served", "action": "chat_exact", "instruction": "Here.", "transitions": "quit"},
]
ASKS = [
    {
        "name": "ask",
        "action": "chat_exact",
        "instruction": "Tea?",
        "transitions": "yes,no",
        "transition_question": "Tea?",
        "transition_choice_a": "yes",
        "transition_choice_b": "no",
    },
    {"name": "yes", "action": "chat", "instruction": "Be glad.", "transitions": "ask"},
    {"name": "no", "action": "chat_exact", "instruction": "Well.", "transitions": "ask"},
]


def program(rows: list[dict[str, str]], *, replies: list[Any] = (), answers: list[Any] = (), **options: Any) -> Any:  # type: ignore[assignment]
    model = ScriptedModel(replies=list(replies), answers=list(answers))
    agent = ProgramAgent(autograph.load(rows, model=model, classifier=model), **options)
    return agent


def say(agent: Any, text: str | None, *, done: bool = False, **fields: Any) -> Message:
    message: dict[str, Any] = {"id": "teacher", "episode_done": done, **fields}
    if text is not None:
        message["text"] = text
    assert agent.observe(message) == message
    act: Message = agent.act()
    return act


# ---------------------------------------------------------------------- programs


def test_the_first_text_is_answered_by_the_opening() -> None:
    agent = program(TEA, id="tea")
    assert say(agent, "hello") == {
        "id": "tea", "text": "Tea?", "episode_done": False, "node": "welcome", "confidence": None, "usage": None,
    }  # fmt: skip


def test_a_program_may_open_unheard() -> None:
    agent = program(TEA, opening="skip")
    act = say(agent, "yes")
    assert (act["text"], act["node"]) == ("Here.", "served")


def test_where_nobody_spoke_it_opens_and_is_heard() -> None:
    for text in (None, "", "__SILENCE__"):
        agent = program(TEA, opening="skip")
        assert say(agent, text)["text"] == "Tea?"
        assert say(agent, "yes")["text"] == "Here."


def test_after_the_last_reply_of_a_dialogue_it_begins_anew() -> None:
    agent = program(TEA)
    assert say(agent, "hi", done=True)["text"] == "Tea?"
    assert agent.memory is None
    assert say(agent, "hi")["text"] == "Tea?"
    assert say(agent, "yes", done=True)["text"] == "Here."
    assert say(agent, "hi")["text"] == "Tea?"


def test_a_dialogue_that_ended_without_an_act_is_over_too() -> None:
    agent = program(TEA)
    say(agent, "hi")
    agent.observe({"text": "bye", "episode_done": True})
    assert say(agent, "hi")["text"] == "Tea?"


def test_a_program_that_has_ended_is_silent_until_the_dialogue_ends() -> None:
    agent = program(TEA)
    say(agent, "hi")
    last = say(agent, "yes")
    assert (last["text"], last["finished"], last["episode_done"]) == ("Here.", True, True)
    act = say(agent, "more", done=True)
    assert ("text" in act, act["finished"]) == (False, True)
    assert say(agent, "hi")["text"] == "Tea?"


def test_labels_are_never_looked_at() -> None:
    agent = program(TEA)
    act = say(agent, "hi", labels=["secret"], eval_labels=["secret"], label_candidates=["secret"])
    assert "secret" not in str(act)


def test_the_act_says_how_sure_the_classifier_was_and_what_it_cost() -> None:
    agent = program(ASKS, replies=["Fine!"], answers=[["yes", 0.8]])
    say(agent, "hi")
    act = say(agent, "yes")
    assert (act["text"], act["node"], act["confidence"]) == ("Fine!", "yes", 0.8)


def test_several_messages_are_one_text() -> None:
    agent = program(ASKS, answers=[["no", 0.8]])
    say(agent, "hi")
    agent.observe({"text": "one"})
    agent.observe({"text": "two"})
    assert agent.act()["text"] == "Well."
    assert agent.memory.last_turn.user_reply == "one\ntwo"


def test_the_twin_for_many_conversations_says_the_same() -> None:
    agent = program(TEA, opening="skip")
    agent.observe({"text": "yes"})
    assert run_now(agent.aact)["text"] == "Here."
    agent.observe({"text": "more"})
    assert "text" not in run_now(agent.aact)


def test_a_turn_that_fails_is_raised_or_silence() -> None:
    rows = [{"name": "start", "action": "chat_exact", "instruction": "${1 / 0}", "transitions": "quit"}]
    with pytest.raises(RunError):
        say(program(rows), "hi")
    for act in (say(program(rows, errors="silence"), "hi"), _async_act(program(rows, errors="silence"))):
        assert "text" not in act
        assert "divided by zero" in act["error"]


def _async_act(agent: Any) -> Message:
    agent.observe({"text": "hi"})
    act: Message = run_now(agent.aact)
    return act


def test_nobody_is_there_to_be_answered() -> None:
    agent = program(TEA)
    agent.observe(Message.padding_example())
    assert "text" not in agent.act()


def test_a_copy_has_the_program_and_no_conversation() -> None:
    agent = program(TEA, id="x", opening="skip")
    say(agent, "yes")
    copy = agent.share()
    assert (copy.bot is agent.bot, copy.id, copy.memory) == (True, "x", None)
    assert say(copy, "yes")["text"] == "Here."


def test_an_answer_to_a_text_alone_disturbs_no_conversation() -> None:
    agent = program(TEA)
    say(agent, "hi")
    assert agent.respond("hello") == "Tea?"
    assert say(agent, "yes")["text"] == "Here."
    with pytest.raises(ValueError, match="no text to answer"):
        agent.respond({"reward": 1})


def test_a_program_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "tea.csv").write_text("name,action,instruction,transitions\na,chat_exact,Tea?,quit\n", "utf-8")
    agent = ProgramAgent(tmp_path / "tea.csv", model="offline")
    assert (agent.getID(), say(agent, "hi")["text"]) == ("tea", "Tea?")
    with pytest.raises(TypeError, match="loaded already"):
        ProgramAgent(agent.bot, model="offline")
    with pytest.raises(ValueError, match="opening is"):
        ProgramAgent(agent.bot, opening="loud")  # type: ignore[arg-type]


# ---------------------------------------------------------------------- baselines


def test_repeat_label() -> None:
    agent = RepeatLabelAgent()
    assert agent.act() == {"text": "Nothing to repeat yet."}
    assert say(agent, "hi", labels=["a"]) == {"id": "RepeatLabelAgent", "text": "a", "episode_done": False}
    assert say(agent, "hi", eval_labels=["b"])["text"] == "b"
    assert say(agent, "hi")["text"] == "I don't know."
    every = RepeatLabelAgent(return_one_random_answer=False)
    assert say(every, "hi", labels=["a", "b"])["text"] == "a, b"
    never = RepeatLabelAgent({"cant_answer_percent": 1, "cant_answer_message": "?"})
    assert say(never, "hi", labels=["a"])["text"] == "?"


def test_chance_begins_with_a_seed() -> None:
    # the numbers of ParlAI's own agents after random.seed(42)
    labels = list("abcdefgh")
    drawn = [say(agent, "hi", labels=labels)["text"] for agent in [RepeatLabelAgent()] for _ in range(6)]
    assert drawn == [say(agent, "hi", labels=labels)["text"] for agent in [RepeatLabelAgent()] for _ in range(6)]
    other = RepeatLabelAgent(seed=7)
    assert drawn != [say(other, "hi", labels=labels)["text"] for _ in range(6)]


def test_random_candidate(tmp_path: Path) -> None:
    agent = RandomCandidateAgent()
    assert agent.act() == {"text": "Nothing to reply to yet."}
    act = say(agent, "hi", label_candidates=["a", "b", "c", "d"])
    assert act["text_candidates"] == ["c", "b", "d", "a"]  # as random.seed(42) shuffles
    assert act["text"] == "c"
    assert say(agent, "hi") == {"id": "RandomCandidateAgent", "text": "I don't know."}
    (tmp_path / "c.txt").write_text("x", "utf-8")
    assert say(RandomCandidateAgent(label_candidates_file=str(tmp_path / "c.txt")), "hi")["text"] == "x"


def test_repeat_query_and_fixed_response() -> None:
    agent = RepeatQueryAgent()
    assert agent.act()["text"] == "Nothing to repeat yet."
    assert say(agent, "a\nb")["text"] == "b"
    assert say(agent, "a\n")["text"] == "Nothing to repeat yet."
    assert say(agent, None)["text"] == "I don't know"
    assert say(FixedResponseAgent(), "hi")["text"] == "I don't know."
    fixed = FixedResponseAgent(fixed_response="No.")
    assert say(fixed, "hi")["text"] == "No."
    assert say(fixed.share(), "hi")["text"] == "No."


# ---------------------------------------------------------------------- people


def test_a_person() -> None:
    lines = iter(["hello\\nthere", "[DONE]", "x"])
    shown: list[Any] = []
    person = PersonAgent(read=lambda prompt: next(lines), show=shown.append, candidates=["a"])
    person.observe({"id": "bot", "text": "Hi!"})
    assert shown == [{"id": "bot", "text": "Hi!"}]
    assert person.act() == {
        "id": "localHuman", "text": "hello\nthere", "episode_done": False, "label_candidates": ["a"],
    }  # fmt: skip
    assert person.act() == {"id": "localHuman", "episode_done": True}
    assert not person.epoch_done()


@pytest.mark.parametrize("ends", ["[EXIT]", EOFError])
def test_a_person_who_leaves(ends: Any) -> None:
    def read(prompt: str) -> str:
        if isinstance(ends, str):
            return ends
        raise ends

    person = PersonAgent(read=read)
    assert person.act() == {"id": "localHuman", "episode_done": True}
    assert person.epoch_done()


# ---------------------------------------------------------------------- names


class Loud(Agent):
    name = "loud"

    def act(self) -> Message:
        return self._reply(text=str((self.observation or {}).get("text", "")).upper() + self.opt.get("end", ""))


def test_agents_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(agent_of("repeat_label"), RepeatLabelAgent)
    assert isinstance(agent_of("local_human"), PersonAgent)
    found = agent_of("ir_baseline", {"history_size": 3})
    assert isinstance(found, IrBaselineAgent)
    assert found.history_size == 3
    remote = agent_of("remote:tcp://127.0.0.1:6000", {"timeout": 2})
    assert isinstance(remote, RemoteAgent)
    assert remote.address == "tcp://127.0.0.1:6000"
    Path("tea.csv").write_text("name,action,instruction,transitions\na,chat_exact,Tea?,quit\n", "utf-8")
    bot = agent_of("tea.csv", {"opening": "skip", "unknown": 1}, model="offline")
    assert isinstance(bot, ProgramAgent)
    Path("loud_agents.py").write_text(
        "from autograph.evaluation.agents import RepeatQueryAgent\n\n"
        "class Loud(RepeatQueryAgent):\n    pass\n\nclass Odd:\n    def __init__(self, opt): pass\n",
        "utf-8",
    )
    assert say(agent_of("loud_agents:Loud"), "hi")["text"] == "hi"
    with pytest.raises(DataError, match=r"has no observe\(\) and act\(\)"):
        agent_of("loud_agents:Odd")
    with pytest.raises(DataError, match=r"has no class Lowd\. Did you mean"):
        agent_of("loud_agents:Lowd")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("repeat_lable", 'no agent and no file of this name. Did you mean "repeat_label"?'),
        ("xyz", "There are repeat_label, repeat_query"),
        ("seq2seq", "Models that are trained are not offered"),
        ("transformer/generator", "Models that are trained are not offered"),
        ("no_such_module_here:X", "cannot be imported"),
        ("remote:tcp://x:y:z", "is no address"),
    ],
)
def test_names_of_nothing(spec: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        agent_of(spec)
    assert message in str(caught.value)


def test_an_agent_of_ones_own() -> None:
    agent = Loud({"end": "!"})
    assert agent.respond("hi") == "HI!"
    assert run_now(agent.aact)["text"] == "!"
    assert (agent.report(), agent.epoch_done(), agent.clone().id) == ({}, False, "loud")
    with pytest.raises(NotImplementedError):
        Agent().act()
