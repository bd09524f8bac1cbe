"""A turn happens whole or not at all: whatever fails, the memory given is as before and a retry succeeds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from conversations import Conversation, FaultyModel, Injected, conformance_conversations, snapshot

CONVERSATIONS = conformance_conversations()
Turn = Callable[[autograph.Autograph, str, Any, Any], tuple[str, autograph.MemoryObject]]


def sync_turn(bot: autograph.Autograph, text: str, memory: Any, options: Any) -> tuple[str, autograph.MemoryObject]:
    return bot.reply(text, memory, **options)


def async_turn(bot: autograph.Autograph, text: str, memory: Any, options: Any) -> tuple[str, autograph.MemoryObject]:
    return asyncio.run(bot.areply(text, memory, **options))


def stream_turn(bot: autograph.Autograph, text: str, memory: Any, options: Any) -> tuple[str, autograph.MemoryObject]:
    stream = bot.stream(text, memory, **options)
    assert "".join(stream) == stream.reply
    return stream.reply, stream.memory


def astream_turn(bot: autograph.Autograph, text: str, memory: Any, options: Any) -> tuple[str, autograph.MemoryObject]:
    async def run() -> tuple[str, autograph.MemoryObject]:
        stream = bot.astream(text, memory, **options)
        assert "".join([piece async for piece in stream]) == stream.reply
        return stream.reply, stream.memory

    return asyncio.run(run())


TURNS = {"sync": sync_turn, "async": async_turn, "stream": stream_turn, "astream": astream_turn}


def reference(conversation: Conversation) -> tuple[list[str], int, list[int]]:
    """The replies, the number of requests, and the number of events of each turn."""
    model = conversation.model()
    bot = conversation.bot(model)
    memory, replies, events = None, [], []
    for text in conversation.says:
        reply, memory = bot.reply(text, memory)
        replies.append(reply)
        assert memory.last_turn is not None
        events.append(len(memory.last_turn.trace))
    return replies, model.asked, events


def test_there_are_conversations() -> None:
    assert len(CONVERSATIONS) > 100


@pytest.mark.parametrize("how", TURNS)
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_a_model_error_at_every_request(conversation: Conversation, how: str) -> None:
    replies, requests, _ = reference(conversation)
    for fail_at in range(requests):
        model = conversation.model(fail_at)
        got, failures = replay(conversation, model, TURNS[how])
        assert got == replies
        assert failures == 1


def replay(conversation: Conversation, model: FaultyModel, turn: Turn) -> tuple[list[str], int]:
    """Talk; after a model error the memory must be unchanged, and the same text is said again."""
    bot = conversation.bot(model)
    memory, got, failures = None, [], 0
    for text in conversation.says:
        before, position = snapshot(memory), model.position
        try:
            reply, after = turn(bot, text, memory, {})
        except autograph.ModelError:
            failures += 1
            assert snapshot(memory) == before
            model.position = position
            reply, after = turn(bot, text, memory, {})
        assert snapshot(memory) == before
        memory = after
        got.append(reply)
    return got, failures


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda c: c.name)
def test_an_exception_at_every_event(conversation: Conversation) -> None:
    replies, _, events = reference(conversation)
    model = conversation.model()
    bot = conversation.bot(model)
    memory = None
    for text, expected, count in zip(conversation.says, replies, events, strict=True):
        before, position = snapshot(memory), model.position
        for nth in range(min(count, 40)):
            with pytest.raises(Injected):
                bot.reply(text, memory, on_event=_raiser(nth))
            assert snapshot(memory) == before
            model.position = position
        reply, memory = bot.reply(text, memory)
        assert reply == expected


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
    replies, _, _ = reference(conversation)
    model = conversation.model()
    bot = conversation.bot(model)
    memory = None
    for text, expected in zip(conversation.says, replies, strict=True):
        before, position = snapshot(memory), model.position
        for pieces in range(4):
            cancel = _cancel_async if asynchronous else _cancel
            cancel(bot, text, memory, pieces)
            assert snapshot(memory) == before
            model.position = position
        reply, memory = bot.reply(text, memory)
        assert reply == expected


def _cancel(bot: autograph.Autograph, text: str, memory: Any, pieces: int) -> None:
    stream = bot.stream(text, memory)
    for _ in range(pieces):
        if next(stream, None) is None:
            break
    stream.close()


def _cancel_async(bot: autograph.Autograph, text: str, memory: Any, pieces: int) -> None:
    async def run() -> None:
        stream = bot.astream(text, memory)
        for _ in range(pieces):
            if await anext(stream, None) is None:
                break
        await stream.aclose()

    asyncio.run(run())
