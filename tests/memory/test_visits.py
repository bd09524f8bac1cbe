"""Visits are counted when they are asked for, and a memory that goes on never changes an older one's counts."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.memory.trajectory import Block, Visits, names_of

names = st.sampled_from([f"n{i}" for i in range(60)])


@given(st.lists(st.lists(names, max_size=30), max_size=12), st.integers(0, 11))
def test_counts_equal_a_recount_and_forks_do_not_disturb(turns: list[list[str]], fork_at: int) -> None:
    visits = Visits({"n0": 2}, None)
    kept: tuple[Visits, Counter[str]] | None = None
    expected = Counter({"n0": 2})
    for index, turn in enumerate(turns):
        if index == fork_at:
            kept = visits, Counter(expected)
        visits = visits.fork()
        visits.add(turn)
        expected.update(turn)
    assert {name: visits(name) for name in expected} == dict(expected)
    assert visits.counts() == dict(expected)
    if kept is not None:
        assert kept[0].counts() == dict(kept[1])


def test_names_of_blocks() -> None:
    first = Block(("a",), None, 1)
    second = Block(("b", "c"), first, 3)
    assert names_of(second) == ["a", "b", "c"]
    assert names_of(second, first) == ["b", "c"]
    assert names_of(None) == []


PROGRAM = [
    {"name": "start1", "action": "chat_exact", "transitions": "p", "instruction": "hi"},
    {"name": "p", "action": "python", "transitions": "start1", "instruction": "n = visits('p') + visits('start1')"},
]


def test_two_continuations_of_one_memory_count_for_themselves() -> None:
    bot = autograph.load(PROGRAM, model="offline")
    _, memory = bot.reply()
    _, first = bot.reply("a", memory)
    _, second = bot.reply("b", memory)
    assert first.variables == second.variables == {"n": 2}
    assert memory.visits("p") == 0
    _, third = bot.reply("c", first)
    assert third.variables == {"n": 4}
    assert (first.visits("p"), third.visits("p"), third.visits("start1")) == (1, 2, 3)


def test_a_memory_can_be_copied_and_pickled() -> None:
    bot = autograph.load(PROGRAM, model="offline")
    _, memory = bot.reply("x", bot.reply()[1])
    assert deepcopy(memory) is memory
    again = pickle.loads(pickle.dumps(memory))
    assert again == memory
    assert bot.reply("y", again)[1] == bot.reply("y", memory)[1]
