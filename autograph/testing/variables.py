"""What do variables hold? Expressions of tests run in the program's own sandbox, on a fork of the memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph.errors import StatementError, did_you_mean
from autograph.interpreter.bot import Autograph
from autograph.memory import MemoryObject
from autograph.testing.same import shown_value
from autograph.values import deep_copy

__all__ = ["Evaluated", "Undefined", "evaluate"]


class Undefined(StatementError):
    """An expression names a variable that has no value."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The value of an expression, whether it is true, and what its variables are, in words."""

    value: Any
    true: bool
    where: tuple[str, ...]


def evaluate(code: str, bot: Autograph | None, memory: MemoryObject) -> Evaluated:
    """The value of an expression as a node of the program would see it; the memory stays as it is.

    Raises ``Undefined``, ``StatementError``, ``LimitError``.
    """
    if bot is None:
        raise StatementError("there is no program to evaluate it in.")
    statement = bot.program.sandbox.expression(code)
    run = bot.start_run(memory)
    level = run.memory.own_top()
    known = dict(level.visible_items())
    for name in sorted(statement.reads):
        if name not in known and name not in statement.needs and name not in bot.program.sandbox.builtins:
            near = did_you_mean(name, known)
            raise Undefined(f"the variable {name} has no value. {near}".rstrip())
    value = run.execute(statement, level)
    reads = [name for name in sorted(statement.reads) if name in known and name != code.strip()]
    shown = tuple(f"{name} is {shown_value(known[name], 120)}" for name in reads)
    where = (f"({', '.join(shown)})",) if shown else ()
    return Evaluated(deep_copy(value, {}), bool(value), where)
