"""Do `told`, `prompt` and `user_prompt` see what the model gets?"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.testing.read_yaml import parse_cases
from autograph.testing.result import CaseResult
from autograph.testing.run import run_case

PROGRAM = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b
start1,set_prompt,You are a librarian.,start2,,,
start2,set_user_prompt,You look for a book.,hello,,,
hello,chat,Greet the reader.,"find, bye",Does the reader look for a book?,a book,something else
find,chat_exact,Second shelf.,quit,,,
bye,chat_exact,Goodbye!,quit,,,
"""


def run(tmp_path: Path, first: str, second: str = "") -> CaseResult:
    (tmp_path / "books.csv").write_text(PROGRAM, encoding="utf-8")
    text = (
        "- test: Books\n  replies: [Hello!]\n  answers: [A]\n  turns:\n"
        f"    - expect: {{{first}}}\n    - say: a book\n      expect: {{{second}}}\n"
    )
    suite = parse_cases(text, tmp_path / "books.chat.yaml")
    return run_case(suite, suite.cases[0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("told: Greet the reader.", ""),
        ("told: [You are a librarian., Greet the reader.]", ""),
        ("not: {told: Does the reader}", "told: [Does the reader look for a book?, a book, something else]"),
        ("prompt: You are a librarian.", "user_prompt: You look for a book."),
        ("prompt: [You are a cook., You are a librarian.]", ""),
    ],
)
def test_holds(tmp_path: Path, first: str, second: str) -> None:
    assert run(tmp_path, first, second).failures == ()


@pytest.mark.parametrize(
    ("first", "second", "turn", "expected", "got"),
    [
        ("told: Greet the cook.", "", 1, "that the model is told 'Greet the cook.'", "You are a librarian."),
        ("", "told: Greet", 2, "that the model is told 'Greet'", "Does the reader look for a book?"),
        ("not: {told: Greet}", "", 1, "not that the model is told 'Greet'", "Greet the reader."),
        ("prompt: You are a", "", 1, "'You are a'", "'You are a librarian.'"),
        ("", "user_prompt: You are a librarian.", 2, "'You are a librarian.'", "'You look for a book.'"),
    ],
)
def test_fails(tmp_path: Path, first: str, second: str, turn: int, expected: str, got: str) -> None:
    (failure,) = run(tmp_path, first, second).failures
    assert (failure.turn, failure.expected) == (turn, expected)
    assert got in failure.got


def test_nothing_is_told_where_no_model_is_asked(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("name,action,instruction\na,chat_exact,Hello!\n", encoding="utf-8")
    suite = parse_cases("- {test: a, turns: [{expect: {told: Hello}}]}", tmp_path / "p.chat.yaml")
    (failure,) = run_case(suite, suite.cases[0]).failures
    assert failure.got == "nothing: it was not asked"
