"""A turn happens whole or not at all: whatever fails, the memory given is as before and a retry succeeds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from conversations import (
    Conversation,
    FaultyModel,
    Injected,
    Step,
    conformance_conversations,
    program_conversations,
    snapshot,
)

CONVERSATIONS = [*conformance_conversations(), *program_conversations()]

Result = tuple[Any, Any]
Turn = Callable[[autograph.Autograph, Step, Any, Any], Result]


def call(bot: autograph.Autograph, step: Step, memory: Any, options: Any) -> Result:
    value = bot.apply_fn(step.call, step.args, memory=memory, function_type=step.function_type, **options)
    return value, memory


def sync_turn(bot: autograph.Autograph, step: Step, memory: Any, options: Any) -> Result:
    if step.call:
        return call(bot, step, memory, options)
    return bot.reply(step.say, memory, **step.options, **options)


def async_turn(bot: autograph.Autograph, step: Step, memory: Any, options: Any) -> Result:
    if step.call:
        kind = step.function_type
        return asyncio.run(bot.aapply_fn(step.call, step.args, memory=memory, function_type=kind, **options)), memory
    return asyncio.run(bot.areply(step.say, memory, **step.options, **options))


def stream_turn(bot: autograph.Autograph, step: Step, memory: Any, options: Any) -> Result:
    if step.call:
        return call(bot, step, memory, options)
    stream = bot.stream(step.say, memory, **step.options, **options)
    assert "".join(stream) == stream.reply
    return stream.reply, stream.memory


def astream_turn(bot: autograph.Autograph, step: Step, memory: Any, options: Any) -> Result:
    async def run() -> Result:
        stream = bot.astream(step.say, memory, **step.options, **options)
        assert "".join([piece async for piece in stream]) == stream.reply
        return stream.reply, stream.memory

    return call(bot, step, memory, options) if step.call else asyncio.run(run())


TURNS = {"sync": sync_turn, "async": async_turn, "stream": stream_turn, "astream": astream_turn}


def attempt(turn: Turn, bot: autograph.Autograph, step: Step, memory: Any, **options: Any) -> Result:
    """The result of a step, or the class of the error that the program makes on purpose; the memory then stays."""
    try:
        return turn(bot, step, memory, options)
    except autograph.RunError as error:
        return type(error).__name__, memory


def reference(conversation: Conversation) -> tuple[list[Any], int, list[int]]:
    """The results, the number of requests, and the number of events of each step."""
    model = conversation.model()
    bot = conversation.bot(model)
    memory, results, events = conversation.start(bot), [], []
    for step in conversation.steps:
        heard: list[Any] = []
        result, memory = attempt(sync_turn, bot, step, memory, on_event=heard.append)
        results.append(result)
        events.append(len(heard))
    return results, model.asked, events


def test_there_are_conversations() -> None:
    assert len(CONVERSATIONS) > 160


@pytest.mark.parametrize("how", TURNS)
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_a_model_error_at_every_request(conversation: Conversation, how: str) -> None:
    results, requests, _ = reference(conversation)
    for fail_at in range(requests):
        got, failures = replay(conversation, conversation.model(fail_at), TURNS[how])
        assert got == results
        assert failures == 1


def replay(conversation: Conversation, model: FaultyModel, turn: Turn) -> tuple[list[Any], int]:
    """Talk; after a model error the memory must be unchanged, and the same step is tried again."""
    bot = conversation.bot(model)
    memory, got, failures = conversation.start(bot), [], 0
    for step in conversation.steps:
        before, position = snapshot(memory), model.position
        try:
            result, after = attempt(turn, bot, step, memory)
        except autograph.ModelError:
            failures += 1
            assert snapshot(memory) == before
            model.position = position
            result, after = attempt(turn, bot, step, memory)
        assert snapshot(memory) == before
        memory = after
        got.append(result)
    return got, failures


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_an_exception_at_every_event(conversation: Conversation) -> None:
    results, _, events = reference(conversation)
    model = conversation.model()
    bot = conversation.bot(model)
    memory = conversation.start(bot)
    for step, expected, count in zip(conversation.steps, results, events, strict=True):
        before, position = snapshot(memory), model.position
        for nth in range(min(count, 40)):
            with pytest.raises(Injected):
                sync_turn(bot, step, memory, {"on_event": _raiser(nth)})
            assert snapshot(memory) == before
            model.position = position
        result, memory = attempt(sync_turn, bot, step, memory)
        assert result == expected


def _raiser(nth: int) -> Callable[[Any], None]:
    seen = 0

    def on_event(event: Any) -> None:
        nonlocal seen
        if seen == nth:
            raise Injected(event)
        seen += 1

    return on_event


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_a_stream_cancelled_after_every_piece(conversation: Conversation, asynchronous: bool) -> None:
    results, _, _ = reference(conversation)
    model = conversation.model()
    bot = conversation.bot(model)
    memory = conversation.start(bot)
    for step, expected in zip(conversation.steps, results, strict=True):
        before, position = snapshot(memory), model.position
        for pieces in range(4):
            if not step.call:
                (_cancel_async if asynchronous else _cancel)(bot, step, memory, pieces)
            assert snapshot(memory) == before
            model.position = position
        result, memory = attempt(sync_turn, bot, step, memory)
        assert result == expected


def _cancel(bot: autograph.Autograph, step: Step, memory: Any, pieces: int) -> None:
    with contextlib.suppress(autograph.RunError):  # a step that is meant to fail may do so before it is cancelled
        stream = bot.stream(step.say, memory, **step.options)
        for _ in range(pieces):
            if next(stream, None) is None:
                break
        stream.close()


def _cancel_async(bot: autograph.Autograph, step: Step, memory: Any, pieces: int) -> None:
    async def run() -> None:
        stream = bot.astream(step.say, memory, **step.options)
        for _ in range(pieces):
            if await anext(stream, None) is None:
                break
        await stream.aclose()

    with contextlib.suppress(autograph.RunError):
        asyncio.run(run())
