"""A memory written as what was added to an earlier one is the same memory again, and can be gone on from."""

from __future__ import annotations

import json
from typing import Any

import pytest

import autograph
from autograph.errors import StorageError
from autograph.memory.stored import from_dict, to_dict
from conversations import Conversation, conformance_conversations, program_conversations

CONVERSATIONS = [*program_conversations(), *conformance_conversations()]


def memories_of(conversation: Conversation) -> list[autograph.MemoryObject]:
    """The memories of a conversation, one after each turn that succeeds."""
    bot = conversation.bot(conversation.model())
    memory = conversation.start(bot)
    found = [] if memory is None else [memory]
    for step in conversation.steps:
        if step.call or (memory is not None and memory.finished):
            continue
        try:
            memory = bot.reply(step.say, memory, **step.options)[1]
        except autograph.AutographError:
            continue
        found.append(memory)
    return found


def again(memory: autograph.MemoryObject, since: autograph.MemoryObject) -> autograph.MemoryObject:
    return from_dict(json.loads(json.dumps(to_dict(memory, since), allow_nan=False)), since)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda one: one.name)
def test_it_is_the_same_memory(conversation: Conversation) -> None:
    memories = memories_of(conversation)
    for number, memory in enumerate(memories):
        for since in memories[max(0, number - 3) : number + 1]:
            found = again(memory, since)
            assert found == memory
            assert found.trajectory == memory.trajectory
            names = set(memory.trajectory)
            assert {name: found.visits(name) for name in names} == {name: memory.visits(name) for name in names}
            assert [[turn.index for turn in level.turns] for level in found.stack] == [
                [turn.index for turn in level.turns] for level in memory.stack
            ]


def test_chains_of_additions() -> None:
    for conversation in program_conversations():
        memories = memories_of(conversation)
        found = memories[0]
        for memory, before in zip(memories[1:], memories, strict=False):
            found = from_dict(json.loads(json.dumps(to_dict(memory, before))), found)
            assert found == memory


def test_its_size_does_not_grow_with_the_conversation() -> None:
    rows = [{"name": "a", "action": "chat_exact", "instruction": "And then?", "transitions": "a"}]
    bot = autograph.load(rows)
    memory, sizes = None, []
    for _ in range(200):
        before, memory = memory, bot.reply("This happened.", memory)[1]
        if before is not None:
            sizes.append(len(json.dumps(to_dict(memory, before))))
    assert max(sizes) - min(sizes) < 10


def test_another_conversation_is_written_whole() -> None:
    rows = [{"name": "a", "action": "chat_exact", "instruction": "And then?", "transitions": "a"}]
    bot = autograph.load(rows)
    one, other = bot.reply("x")[1], bot.reply("y", bot.reply("z")[1])[1]
    assert again(other, one) == other
    assert from_dict(to_dict(other, one)) == other


@pytest.mark.parametrize("after", [-1, 1, "0", True])
def test_levels_that_are_not_there(after: Any) -> None:
    rows = [{"name": "a", "action": "chat_exact", "instruction": "And then?", "transitions": "a"}]
    bot = autograph.load(rows)
    memory = bot.reply("x")[1]
    data = to_dict(bot.reply("y", memory)[1], memory)
    data["stack"][0]["after"] = after
    with pytest.raises(StorageError):
        from_dict(data, memory)


def test_what_was_added_is_nothing_by_itself() -> None:
    rows = [{"name": "a", "action": "chat_exact", "instruction": "And then?", "transitions": "a"}]
    bot = autograph.load(rows)
    memory = bot.reply("x")[1]
    with pytest.raises(StorageError, match="without the conversation itself"):
        from_dict(to_dict(bot.reply("y", memory)[1], memory))
