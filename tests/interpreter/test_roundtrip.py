"""Memory to JSON to memory is the identity at any point of any conversation, and talking goes on the same."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import autograph
from conversations import Conversation, conformance_conversations, program_conversations, snapshot

CONVERSATIONS = [*conformance_conversations(), *program_conversations()]

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3)
        | st.sets(st.integers() | st.text(max_size=3), max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(CONVERSATIONS), st.data())
def test_any_point_of_any_conversation(conversation: Conversation, data: Any) -> None:
    straight, broken = conversation.model(), conversation.model()
    bot, other = conversation.bot(straight), conversation.bot(broken)
    memory, restored = conversation.start(bot), conversation.start(other)
    stops = data.draw(st.sets(st.integers(0, len(conversation.steps) - 1)))
    for turn, step in enumerate(conversation.steps):
        if step.call:
            continue
        result = again = None
        try:
            result, memory = bot.reply(step.say, memory, **step.options)
        except autograph.RunError as error:
            result = str(error)
        try:
            again, restored = other.reply(step.say, restored, **step.options)
        except autograph.RunError as error:
            again = str(error)
        assert again == result
        if memory is None or restored is None:
            continue
        if turn in stops:
            stored = json.loads(json.dumps(restored.to_dict(), allow_nan=False))
            restored = autograph.MemoryObject.from_dict(stored)
            assert restored.to_dict() == stored
        assert snapshot(restored) == snapshot(memory)
        assert restored == memory


def comparable(value: Any) -> Any:
    """A form in which NaN equals itself, 1 is not True, and the order of a set does not count."""
    kind = type(value).__name__
    if isinstance(value, (list, tuple)):
        return kind, [comparable(item) for item in value]
    if isinstance(value, set):
        return kind, sorted(map(repr, value))
    if isinstance(value, dict):
        return kind, [(comparable(key), comparable(item)) for key, item in value.items()]
    return kind, repr(value)


KEEPER = [
    {"name": "start1", "action": "chat_exact", "transitions": "both", "instruction": "hi"},
    {"name": "both", "action": "python_function", "transitions": "call", "instruction": "pair = [a, b, a]"},
    {"name": "call", "action": "function", "transitions": "start1", "instruction": "r = f(pair)"},
    {"name": "f(p)", "action": "chat_exact", "transitions": "return p", "instruction": "inside"},
]


@settings(deadline=None, max_examples=150)
@given(values, values)
def test_any_variables(a: Any, b: Any) -> None:
    bot = autograph.load(KEEPER, model="offline")
    memory = bot.start(variables={"a": a, "b": b})
    for text in ("", "in", "out"):
        _, memory = bot.reply(text, memory)
        again = autograph.MemoryObject.from_json(memory.to_json())
        assert again.to_json() == memory.to_json()
        assert comparable(again.variables) == comparable(memory.variables)
        memory = again
    if isinstance(a, list):
        scope = memory.stack[0].scope
        assert scope["pair"][0] is scope["pair"][2] is scope["a"]
        assert scope["r"] is scope["pair"]
