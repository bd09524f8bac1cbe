"""What the interpreter lends to statements: a generator, and a clock that stands still in a turn."""

from __future__ import annotations

import datetime
from typing import Any

import autograph
from autograph.models import ScriptedModel

IMPORTS = autograph.AutographConfig(python_imports=("random", "datetime"), seed=3)
DICE = [
    {"name": "start1", "action": "python_function", "instruction": "rolls = []", "transitions": "roll"},
    {"name": "roll", "action": "python_function", "transitions": "again",
     "instruction": "rolls = rolls + [random.randint(1, 1000)]"},
    {"name": "again", "action": "python_function", "transitions": "say",
     "instruction": "rolls = rolls + [random.randint(1, 1000)]"},
    {"name": "say", "action": "chat_exact", "transitions": "roll", "instruction": "${random.randint(1, 1000)} $rolls"},
]  # fmt: skip


def load(
    rows: list[dict[str, str]], config: autograph.AutographConfig = IMPORTS, **options: Any
) -> autograph.Autograph:
    return autograph.load(rows, config=config, model=ScriptedModel(), **options)


def test_the_same_memory_and_text_give_the_same_draws() -> None:
    bot = load(DICE)
    first, memory = bot.reply()
    assert (first, memory.to_dict()) == (bot.reply()[0], bot.reply()[1].to_dict())
    second, later = bot.reply("go on", memory)
    restored = autograph.MemoryObject.from_json(memory.to_json())
    assert bot.reply("go on", restored)[0] == second
    assert load(DICE).reply("go on", memory)[0] == second
    assert bot.reply("go on", later)[0] != second
    assert bot.reply("go away", memory)[0] != second


def test_draws_differ_within_a_turn_and_between_turns_and_seeds() -> None:
    bot = load(DICE)
    memory = None
    for _ in range(3):
        _, memory = bot.reply("go on", memory)
    drawn = memory.variables["rolls"]  # type: ignore[union-attr]
    assert len(drawn) == 6
    assert len(set(drawn)) == 6
    other = autograph.AutographConfig(python_imports=("random",), seed=4)
    assert load(DICE, other).reply("go on")[0] != bot.reply("go on")[0]


def test_shuffling_leaves_older_memories_as_they_are() -> None:
    rows = [
        {"name": "start1", "action": "python_function", "instruction": "xs = list(range(20))", "transitions": "say"},
        {"name": "say", "action": "chat_exact", "instruction": "$xs", "transitions": "mix"},
        {"name": "mix", "action": "python_function", "instruction": "random.shuffle(xs)", "transitions": "say"},
    ]
    bot = load(rows)
    _, memory = bot.reply()
    reply, _ = bot.reply("mix", memory)
    assert memory.variables["xs"] == list(range(20))
    assert sorted(map(int, reply.strip("[]").split(", "))) == list(range(20))
    assert reply != str(list(range(20)))


def test_the_clock_is_looked_at_once_a_turn_and_can_be_given() -> None:
    rows = [
        {"name": "a", "action": "python_function", "transitions": "b", "instruction": "a = datetime.datetime.now()"},
        {"name": "b", "action": "python_function", "instruction": "b = datetime.date.today()", "transitions": "say"},
        {"name": "say", "action": "chat_exact", "transitions": "quit",
         "instruction": "${a == datetime.datetime.now()} ${b.isoformat()} ${f'{a:%H:%M}'}"},
    ]  # fmt: skip
    asked: list[int] = []

    def clock() -> datetime.datetime:
        asked.append(1)
        return datetime.datetime(2024, 2, 29, 9, 30)

    bot = load(rows)
    assert bot.reply(clock=clock)[0] == "True 2024-02-29 09:30"
    assert asked == [1]
    assert bot.reply()[0].startswith("True 20")


def test_nothing_that_was_lent_stays_in_the_memory() -> None:
    bot = load(DICE)
    _, memory = bot.reply()
    assert [name for name in memory.stack[0].scope if name.startswith("@")] == []


def test_exposed_types_in_a_program() -> None:
    class Order:
        def __init__(self) -> None:
            self.total = 40.0

    exposed = autograph.expose_type(Order, attrs={"total"}, to_plain=lambda order: {"total": order.total})
    rows = [
        {"name": "start1", "action": "python_function", "instruction": "o = order()", "transitions": "say"},
        {"name": "say", "action": "chat_exact", "transitions": "quit",
         "instruction": "${order().total} ${o['total']} $o ${order()}"},
    ]  # fmt: skip
    bot = load(rows, modules={"Order": exposed, "order": Order})
    reply, memory = bot.reply()
    assert reply == "40.0 40.0 {'total': 40.0} {'total': 40.0}"
    assert autograph.MemoryObject.from_json(memory.to_json()).variables == {"o": {"total": 40.0}}
