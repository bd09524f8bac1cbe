"""What is said about nodes that nothing reaches, and about a return outside of functions."""

from __future__ import annotations

from autograph.check import check
from autograph.errors import Problem


def found(*rows: tuple[str, str, str, str]) -> list[Problem]:
    names = ("name", "action", "instruction", "transitions")
    return list(check([dict(zip(names, row, strict=True)) for row in rows]).problems)


def test_a_first_row_that_is_not_the_start() -> None:
    problems = found(("hello", "chat_exact", "Hello!", "start1"), ("start1", "chat_exact", "Hi", "quit"))
    assert [(p.code, p.location.row) for p in problems] == [("AG301", 2)]
    assert problems[0].message == '"hello" can never be reached: the conversation begins at "start1"'
    assert problems[0].hint == 'Set start_state to "hello" if it should begin there, or let a node lead to it.'


def test_a_heading_in_the_column_name_is_said_once() -> None:
    problems = found(("part one", "", "", ""), ("start1", "chat_exact", "Hi", "quit"), ("part two", "", "", ""))
    assert [(p.code, p.location.row) for p in problems] == [("AG130", 2), ("AG130", 4)]


def test_a_return_outside_says_how_it_is_reached() -> None:
    at_once = found(("start1", "chat_exact", "Hi", "return"))
    assert at_once[0].message == '"return" stands outside of any function: the conversation begins at "start1"'
    later = found(("start1", "chat_exact", "Hi", "bye"), ("bye", "chat_exact", "Bye", "return"))
    assert later[0].message == '"return" stands outside of any function: "bye" is reached by start1 → bye'
