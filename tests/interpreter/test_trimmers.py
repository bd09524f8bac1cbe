"""The host may shorten what a model is asked for a text; the instruction gets through."""

from __future__ import annotations

from typing import Any

import pytest

import autograph
from autograph.dialogue.trimming import ChatTrimmerBase
from autograph.errors import AutographError, RunError
from autograph.interpreter.events import Trimmed
from autograph.models import ScriptedModel
from locked_support import needs_lock

TALK = [
    {
        "name": "hear",
        "action": "chat",
        "instruction": "Answer.",
        "transitions": "hear",
        "user_instruction_transition_a": "Say something.",
    }
]
TOLD = "c\n\nInstruction for Agent: Answer."
SIX = [("system", "You are an agent."), ("user", "a"), ("assistant", "1"), ("user", "b"), ("assistant", "2")]
WHOLE = [*SIX, ("user", TOLD)]


def requests(trimmer: Any, trust: str = "own", **config: Any) -> tuple[ScriptedModel, Any, list[Any]]:
    """Three turns, and the events of the last."""
    model = ScriptedModel(replies=["1", "2", "3", "4", "and you?"])
    bot = autograph.load(TALK, model=model, trimmer=trimmer, trust=trust, config=autograph.AutographConfig(**config))
    memory = None
    for text in ("a", "b", "c"):
        _, memory = bot.reply(text, memory)
    return model, bot, list(memory.last_turn.trace)


def sent(trimmer: Any, trust: str = "own", **config: Any) -> list[tuple[str, str]]:
    model, _, _ = requests(trimmer, trust, **config)
    return [(message.role, message.content) for message in model.requests[2].messages]


TRUST = ["own", pytest.param("untrusted", marks=needs_lock)]


def test_without_a_trimmer_all_is_sent() -> None:
    assert sent(None) == WHOLE


@pytest.mark.parametrize("trust", TRUST)
def test_a_trimmer_shortens_the_history(trust: str) -> None:
    assert sent(ChatTrimmerBase(25, 4, 4), trust) == [WHOLE[0], ("user", TOLD)]
    assert sent(ChatTrimmerBase(31, 4, 4), trust) == [WHOLE[0], ("assistant", "2"), ("user", TOLD)]


@pytest.mark.parametrize("trust", TRUST)
def test_the_event_says_how_many_turns_were_kept(trust: str) -> None:
    _, _, trace = requests(ChatTrimmerBase(31, 4, 4), trust)
    assert [event for event in trace if isinstance(event, Trimmed)] == [Trimmed("hear", 1)]
    assert [len(event.request.messages) for event in trace if hasattr(event, "request")] == [3]
    _, _, trace = requests(lambda messages: messages, trust)
    assert not [event for event in trace if isinstance(event, Trimmed)]


def test_the_instruction_is_sent_whole() -> None:
    assert sent(ChatTrimmerBase(12, 4, 4)) == [WHOLE[0], ("user", TOLD)]
    assert sent(lambda messages: []) == [("user", TOLD)]
    assert sent(lambda messages: messages[:3]) == [*WHOLE[:3], ("user", TOLD)]
    assert sent(lambda messages: [*messages[:1], {**messages[-1], "content": "…"}]) == [WHOLE[0], ("user", TOLD)]


def test_an_instruction_in_a_message_of_its_own_is_sent_whole() -> None:
    assert sent(lambda messages: messages[-1:], instruction_role="developer") == [
        ("developer", "Instruction for Agent: Answer.")
    ]


def test_a_trimmer_is_given_dicts_of_its_own() -> None:
    def empty(messages: list[dict[str, str]]) -> list[dict[str, str]]:
        for message in messages:
            message["content"] = ""
        return [{"role": "system", "content": "summary", "name": "x"}]

    assert sent(empty) == [("system", "summary"), ("user", TOLD)]


def test_what_a_simulated_user_sees_is_shortened() -> None:
    model, bot, _ = requests(lambda messages: messages[-1:])
    _, memory = bot.reply("a", None)
    bot.simulate_user(memory)
    (last,) = model.requests[-1].messages
    assert last.content.endswith("Instruction for User: Say something.")


@pytest.mark.parametrize("trust", TRUST)
def test_a_trimmer_that_fails(trust: str) -> None:
    def fails(messages: Any) -> Any:
        raise ValueError("too long")

    with pytest.raises(RunError, match="the trimmer failed: ValueError: too long") as caught:
        requests(fails, trust)
    assert caught.value.node == "hear"


@pytest.mark.parametrize("given", [[{"role": "user", "content": ["a"]}], [{"role": "user"}], [3]])
def test_a_trimmer_that_gives_no_messages(given: Any) -> None:
    with pytest.raises(RunError, match="the trimmer failed"):
        requests(lambda messages: given)


def test_what_is_no_trimmer_is_refused_at_once() -> None:
    class Nothing:
        trim_messages = None

    async def later(messages: Any) -> Any:
        return messages

    for given in (3, Nothing(), later):
        with pytest.raises(AutographError, match=r"the trimmer is .*; it must have a method trim_messages\(messages\)"):
            autograph.load(TALK, trimmer=given)


def test_in_one_call() -> None:
    model = ScriptedModel(replies=["1"])
    autograph.reply(TALK, "a", model=model, trimmer=lambda messages: messages[-1:])
    assert [message.role for message in model.requests[0].messages] == ["user"]
