"""Wrapping, tables, problem lists, colours: text laid out for a page."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.cli.holding import _banner
from autograph.cli.problems import counted, problem_report, warning_lines
from autograph.cli.render import choices_text, error_data, error_text, listed
from autograph.cli.style import Page, Style, safe, wants_colour
from autograph.cli.wrap import Wrapped, clip, columns, table, wrap
from autograph.errors import Location, ModelError, ProgramError, RunError
from autograph.problems import problem


def test_problems_of_a_row_come_in_the_order_of_its_cells() -> None:
    cells = ("AA4", "E4", "D4")
    found = [problem("bad-list", f"in {cell}", Location("a.csv", row=4, cell=cell)) for cell in cells]
    lines = problem_report(found, Page(100)).splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["D4", "E4", "AA4"]


def test_long_choices_stand_below_their_first_word() -> None:
    question = SimpleNamespace(purpose="interjection", question="Which?", choices=["The user wants to stop", "None"])
    choice = SimpleNamespace(index=1, probabilities=None, confidence=0.5, text="B")
    event = SimpleNamespace(node="a", question=question, choice=choice, target=None)
    lines = choices_text(event, Page(30)).splitlines()
    assert lines[2:5] == ["          A. The user wants to", "             stop", "  →   50% B. None"]


def test_the_banner_fits_into_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    session: Any = SimpleNamespace(
        name="tutor",
        model_name="offline rules (no language model)",
        bot=SimpleNamespace(nodes=["a"]),
        stepper=SimpleNamespace(wanted=False),
    )
    options: Any = SimpleNamespace(no_colour=True)
    _banner(session, options)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["tutor · 1 node · offline rules (no", "language model) · /help"]


def test_columns() -> None:
    assert columns("abc") == 3
    assert columns("\x1b[31mabc\x1b[0m") == 3
    assert columns("日本") == 4
    assert columns("e\u0301") == 1


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("one\ntwo", 20, ["one", "two"]),
        ("one\n\ntwo", 20, ["one", "", "two"]),
        ("", 20, [""]),
        ("abcdefghijkl", 8, ["abcdefgh", "ijkl"]),
        ("a abcdefghijkl", 8, ["a", "abcdefgh", "ijkl"]),
        ("日本語日本語", 8, ["日本語日", "本語"]),
        ("ab 日本語日本語", 8, ["ab 日本", "語日本語"]),
        ("  indented text", 12, ["  indented", "text"]),
    ],
)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@given(st.lists(st.text("ab日 \n", max_size=12), max_size=12), st.integers(8, 20))
def test_pieces_wrap_as_the_whole(pieces: list[str], width: int) -> None:
    shown: list[str] = []
    wrapped = Wrapped(shown.append, width)
    for piece in pieces:
        wrapped.feed(piece)
    wrapped.end()
    text = "".join(shown)
    assert text.removesuffix("\n").split("\n") == wrap("".join(pieces), width)
    assert all(columns(line) <= width for line in text.split("\n"))
    assert "".join(text.split()) == "".join("".join(pieces).split())


def test_clip() -> None:
    assert clip("one\n two", 20) == "one two"
    assert clip("abcdef", 4) == "abc…"
    assert clip("日本語", 4) == "日…"


def test_a_table_shares_the_width_that_is_left() -> None:
    assert table([], 40) == []
    assert table([("a", "x"), ("bbb", "y")], 40) == ["  a    x", "  bbb  y"]
    rows = [("a", "one two three four", "five six seven eight")]
    assert table(rows, 30, wrapping=2) == ["  a  one two     five six", "     three four  seven eight"]


def test_problems_are_grouped_sorted_and_counted() -> None:
    sheet, other = Location("a.xlsx", "p"), Location("a.xlsx", "config")
    problems = [
        problem("unknown-target", 'no node "x"', Location(sheet.file, sheet.sheet, 9, "transitions", "D9"), "Add it."),
        problem("bad-config", "no setting", Location(other.file, other.sheet, 2, "key", "A2")),
        problem("unused-field", "not used", Location(sheet.file, sheet.sheet, 3, "notes", "F3")),
    ]
    assert problem_report(problems, Page(100)).splitlines() == [
        'a.xlsx, sheet "p"',
        "  F3  AG150 warning  not used",
        '  D9  AG104          no node "x"  Add it.',
        "",
        'a.xlsx, sheet "config"',
        "  A2  AG018  no setting",
        "",
        "2 errors, 1 warning",
    ]
    narrow = problem_report(problems[:1], Page(40)).splitlines()
    assert narrow == ['a.xlsx, sheet "p"', '  D9  AG104  no node "x"', "             Add it.", "", "1 error"]
    assert counted([]) == "no problems"


def test_the_places_of_yaml_and_python_data() -> None:
    found = [
        problem("bad-yaml", "odd", Location("a.yaml", column="action", line=7)),
        problem("bad-cell", "odd", Location(row=3)),
    ]
    lines = problem_report(found, Page(100)).splitlines()
    assert lines[:2] == ["a.yaml", "  line 7  AG014  action: odd"]
    assert lines[3:5] == ["the program", "  row 3  AG020  odd"]


def test_warnings_are_brief() -> None:
    found = [problem("unused-field", f"w{n}", Location("a.csv", row=n, cell=f"A{n}")) for n in range(8)]
    lines = warning_lines(found, Page(80))
    assert lines[0] == "warning: A0: w0 [AG150]"
    assert lines[-1] == "… and 3 more warnings"
    assert len(lines) == 6


def test_errors_as_text_and_data() -> None:
    page = Page(60)
    assert error_text(ModelError("Nobody there."), page) == "error: Nobody there."
    assert error_text(RunError("no such thing"), page) == "error: no such thing"
    error = RunError("it is odd", node="a", location=Location("f.csv", row=2), trace=["b", "a"])
    assert error_text(error, page).splitlines() == ['error: node "a" · f.csv, row 2:', "  it is odd", "  path: b → a"]
    assert error_data(error)["location"]["row"] == 2
    assert error_data(ModelError("x", retryable=True)) == {"kind": "ModelError", "message": "x", "retryable": True}
    assert "1 error" in error_text(ProgramError([problem("no-nodes", "empty")]), page)


def test_listed() -> None:
    assert listed(["a"]) == "a"
    assert listed("abc") == "a, b and c"
    assert listed("abcdefgh") == "a, b, c, d, e, f and 2 more"


def test_safe_keeps_lines_and_drops_codes() -> None:
    assert safe("a\x1b[2Jb\r\nc\td\x07\x9b") == "a[2Jb\nc\td"


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "refused", "screen", "file"),
    [
        ({}, False, True, False),
        ({"NO_COLOR": "1"}, False, False, False),
        ({"NO_COLOR": ""}, False, True, False),
        ({"FORCE_COLOR": "1"}, False, True, True),
        ({"FORCE_COLOR": ""}, False, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False, False),
        ({"FORCE_COLOR": "1"}, True, False, False),
        ({"TERM": "dumb"}, False, False, False),
    ],
)
def test_colours(environ: dict[str, str], refused: bool, screen: bool, file: bool) -> None:
    assert wants_colour(Screen(), refused=refused, environ=environ) is screen
    assert wants_colour(io.StringIO(), refused=refused, environ=environ) is file


def test_style_without_colour_is_plain() -> None:
    assert Style().error("x") == "x"
    assert Style(True).error("x") == "\x1b[31mx\x1b[0m"
    assert Style(True).error("") == ""
