"""Does a test name what the program has? A node that is misspelt could otherwise never be reached, or never fail."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.errors import did_you_mean
from autograph.interpreter.bot import Autograph
from autograph.language.names import normalise
from autograph.testing.case import Case, Expectation, Script
from autograph.testing.keys import INTERJECTIONS

__all__ = ["wrong_names"]

_NODES = frozenset({"node", "path", "passes"})


def wrong_names(case: Case, bot: Autograph) -> list[tuple[str, str, int]]:
    """The names that the program does not have: what to say, what should have been named, and the line."""
    found = []
    for name, line in _named(case):
        if name not in bot.node_table:
            hint = did_you_mean(name, bot.node_table)
            found.append((f'there is no node "{name}". {hint}'.rstrip(), "a node", line))
    if case.call is not None:
        name = normalise(case.call.function)
        functions = [f"{function}()" for function in bot.program.functions]
        name = name if name.endswith(")") else f"{name}()"
        if name not in bot.node_table:
            hint = did_you_mean(name, functions)
            found.append((f'there is no function "{name}". {hint}'.rstrip(), "a function", case.call.line))
    return found


def _named(case: Case) -> Iterator[tuple[str, int]]:
    """All nodes that a test names, with their lines."""
    if case.start is not None:
        yield case.start, case.line
    yield from _scripted(case.script, case.line)
    yield from _expected(case.expect)
    for turn in case.turns:
        yield from _scripted(turn.script, turn.line)
        yield from _expected(turn.expect)


def _scripted(script: Script, line: int) -> Iterator[tuple[str, int]]:
    for name in (*script.node_replies, *script.node_answers):
        if name != INTERJECTIONS:
            yield name, script.line or line


def _expected(expectations: tuple[Expectation, ...]) -> Iterator[tuple[str, int]]:
    for expectation in expectations:
        if expectation.kind in _NODES:
            for name in expectation.value:
                yield name, expectation.line
