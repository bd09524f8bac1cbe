"""The budget of a turn: no cycle of nodes fills the memory or burns minutes; heavy programs that are right go on."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import autograph
import turn_support
from autograph.config import AutographConfig
from autograph.errors import AutographError, LimitError, StatementError
from autograph.language.sandbox.budget import Turn
from autograph.language.statements import StatementInterpreter
from turn_support import BOMBS, RIGHT, bot_of, loop, row

MEGABYTES = 700

measured = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are limited as Linux does it")


def outcome_of(name: str) -> dict[str, Any]:
    """What comes of a program of ``turn_support`` in a process of its own, whose time and memory are limited."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(turn_support.__file__)), name]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    outcome: dict[str, Any] = json.loads(found.stdout)
    return outcome


@measured
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_soon(name: str) -> None:
    outcome = outcome_of(name)
    assert outcome.get("error") == "LimitError", outcome
    assert "row " in outcome["text"]
    assert outcome["megabytes"] < MEGABYTES


@measured
@pytest.mark.parametrize("name", RIGHT)
def test_heavy_programs_go_on(name: str) -> None:
    outcome = outcome_of(name)
    assert outcome.get("reply") == RIGHT[name][1], outcome
    assert outcome["megabytes"] < MEGABYTES


# ---------------------------------------------------------------------- what is said, and what stays


def test_the_budget_of_bytes_names_the_node_and_the_remedy() -> None:
    bot = bot_of(loop("s = s + 'x' * 500", start=("s = ''", "n = 0")), turn_bytes=100_000)
    with pytest.raises(LimitError) as raised:
        bot.reply()
    assert raised.value.node == "step0"
    assert "the turn's statements have made more than 100,000 bytes of data" in str(raised.value)
    assert "raise turn_bytes" in str(raised.value)


def test_the_budget_of_work_names_the_node_and_the_remedy() -> None:
    bot = bot_of(loop("s = sum([k for k in range(90)])", start=("n = 0",)), turn_fuel=5_000)
    with pytest.raises(LimitError) as raised:
        bot.reply()
    assert raised.value.node == "step0"
    assert "the turn needs more than 5,000 steps of work in all" in str(raised.value)
    assert "raise turn_fuel" in str(raised.value)


def test_a_failed_turn_leaves_the_memory_as_it_was() -> None:
    rows = [row("start1", "chat_exact", "grow", "Hello."), *loop("d[n] = 'x' * 900", "x.append(n)")]
    rows[1]["name"] = "grow"
    bot = bot_of(rows, turn_bytes=1_000_000)
    memory = bot.start({"d": {"a": 1}, "x": [1]})
    _, memory = bot.reply("", memory)
    before = memory.to_json()
    for _ in range(2):
        with pytest.raises(LimitError, match="more than 1 MB of data"):
            bot.reply("on", memory)
        assert memory.to_json() == before


def test_each_turn_has_its_own_budget() -> None:
    bot = bot_of(
        [row("start1", "python_function", "say", "s = 'x' * 60000"), row("say", "chat_exact", "start1", "on")],
        turn_bytes=100_000,
    )
    memory = None
    for _ in range(4):
        reply, memory = bot.reply("go", memory)
        assert reply == "on"


def test_a_memory_holds_no_budget() -> None:
    rows = [
        row("start1", "function", "done", "x = f([1])"),
        row("f(xs)", "python_function", "ask", "y = xs + xs"),
        row("ask", "chat_exact", "return y", "Go on?"),
        row("done", "chat_exact", "done", "$x"),
    ]
    bot = bot_of(rows)
    _, memory = bot.reply()
    assert len(memory.stack) == 2
    assert [name for level in memory.stack for name in level.scope if name.startswith("@")] == []
    reply, later = bot.reply("on", memory)
    assert reply == "[1, 1]"
    assert [name for level in later.stack for name in level.scope if name.startswith("@")] == []
    gc.collect()
    assert not [item for item in gc.get_objects() if type(item) is Turn and _is_held(item, later)]


def _is_held(turn: Turn, memory: Any) -> bool:
    return any(turn is value for level in memory.stack for value in level.scope.values())


def test_a_statement_leaves_the_turn_in_the_scope() -> None:
    sandbox = StatementInterpreter().sandbox
    turn = Turn(sandbox.limits)
    scope = {**sandbox.scope({"xs": [3, 1]}), "@fuel": turn}
    assert sandbox.expression("sorted(xs)").run(scope) == [1, 3]
    assert scope["@fuel"] is turn
    assert turn.left < sandbox.limits.turn_fuel
    with pytest.raises(StatementError):
        sandbox.expression("sorted(1)").run(scope)
    assert scope["@fuel"] is turn


def test_statements_outside_of_a_turn_have_a_budget_each() -> None:
    interpreter = StatementInterpreter(AutographConfig(turn_bytes=10_000))
    for _ in range(5):
        assert len(interpreter.execute_expression("s + s", {"s": "x" * 3_000})) == 6_000
        assert len(interpreter.execute_expression("[s + s for _ in range(1)]", {"s": "x" * 3_000})) == 1
    with pytest.raises(LimitError, match="more than 10,000 bytes"):
        interpreter.execute_expression("s + s + s", {"s": "x" * 3_000})


def test_a_turn_within_a_host_function_uses_the_budget_of_the_outer_one() -> None:
    inner = bot_of([row("f(n)", "python_function", "return s", "s = 'x' * n"), row("start1", "chat_exact", "", "-")])
    outer = autograph.load(
        loop("s = inner(9000)", start=("n = 0",)),
        config=AutographConfig(turn_bytes=100_000),
        modules={"inner": lambda n: len(inner.apply_fn("f()", [n]))},
        model="offline",
    )
    with pytest.raises(LimitError, match="more than 100,000 bytes of data"):
        outer.reply()


# ---------------------------------------------------------------------- the settings


@pytest.mark.parametrize(
    ("setting", "code", "words"),
    [
        ({"statement_items": 100}, "xs + xs", "a list of 120 items is too long; at most 100"),
        ({"statement_items": 100}, "xs * 2", "120 items"),
        ({"statement_items": 100}, "[x for x in range(101)]", "a range of 101 items"),
        ({"statement_items": 60}, "xs.append(1)", "a list of 61 items"),
        ({"statement_characters": 50}, "s + s", "a text of 80 characters is too long; at most 50"),
        ({"statement_characters": 50}, "f'{s}{s}'", "80 characters"),
        ({"statement_characters": 50}, "'-'.join([s, s])", "81 characters"),
        ({"statement_depth": 3}, "str([[[[1]]]])", "nested deeper than 3 levels"),
        ({"statement_depth": 3}, "[[[[1]]]] == xs", "nested deeper than 3 levels"),
    ],
)
def test_sizes_can_be_set(setting: dict[str, int], code: str, words: str) -> None:
    small = StatementInterpreter(AutographConfig(**setting))  # type: ignore[arg-type]
    variables = {"xs": list(range(60)), "s": "x" * 40}
    with pytest.raises(LimitError, match=words):
        small.execute_expression(code, variables)


def test_larger_sizes_can_be_allowed() -> None:
    large = StatementInterpreter(AutographConfig(statement_items=300_000, statement_characters=2_000_000))
    assert len(large.execute_expression("[0] * 250000", {})) == 250_000
    assert len(large.execute_expression("'x' * 1500000", {})) == 1_500_000


@pytest.mark.parametrize(
    "name", ["statement_items", "statement_characters", "statement_depth", "turn_fuel", "turn_bytes"]
)
def test_impossible_settings_are_refused(name: str) -> None:
    rows = [row("start1", "chat_exact", "", "Hello.")]
    with pytest.raises(autograph.ProgramError, match=f'the setting "{name}" must be at least 1'):
        autograph.load(rows, config=AutographConfig(**{name: 0}), model="offline")  # type: ignore[arg-type]
    with pytest.raises(AutographError, match=f"the setting {name} must be a whole number"):
        AutographConfig(**{name: 1.5})  # type: ignore[arg-type]


def test_a_depth_that_would_overflow_the_stack_is_refused() -> None:
    with pytest.raises(StatementError, match="statement_depth must be at most 1,000"):
        StatementInterpreter(AutographConfig(statement_depth=1_001))


def test_more_fuel_for_statements_is_more_for_the_turn_unless_that_is_set() -> None:
    assert StatementInterpreter(AutographConfig(statement_fuel=10**9)).sandbox.limits.turn_fuel == 10**9
    both = AutographConfig(statement_fuel=10**9, turn_fuel=5_000)
    assert StatementInterpreter(both).sandbox.limits.turn_fuel == 5_000
