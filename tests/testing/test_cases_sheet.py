"""Tests as a sheet: NAME.tests.csv, and the sheet ``tests`` of a workbook."""

from __future__ import annotations

import json
import re
from pathlib import Path

import openpyxl
import pytest

import autograph
from autograph.cli.main import cli, run
from autograph.testing.case import Call, Case, CaseTurn, Expectation, Script
from autograph.testing.discover import load_suite
from autograph.testing.fault import SuiteError
from autograph.testing.read_sheet import has_tests
from autograph.testing.run import run_suite
from chat_support import PROGRAM

SHEET = '''\
Test,Say,Contains,node,vars,replies,answers,variables,call,args,value,finished,# remark,path,not contains
Greets,,"Hello, Ada!",,,,,name: Ada,,,,,of people,,
,hi,one?,ask,"count == 0
name == ""Ada""",Which one?,,,,,,FALSE,,ask,
,,Which,,,,,,,,,,,,two
,5,Bye!,,count == 1,,B,,,,,TRUE,,"judge, bye",

Doubles,,,,,,,,double(),[3],6,,,,
'''


def faults(path: Path) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load_suite(path)
    return [re.sub(r"^\S+demo.(tests.csv|xlsx)[,:] ", "", str(fault)) for fault in caught.value.faults]


def write(folder: Path, text: str) -> Path:
    (folder / "demo.yaml").write_text(PROGRAM)
    path = folder / "demo.tests.csv"
    path.write_text(text)
    return path


def test_a_sheet_of_tests(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, SHEET))
    assert (suite.unit, suite.sheet, suite.program) == ("row", None, tmp_path / "demo.yaml")
    assert suite.cases == (
        Case(
            name="Greets",
            variables={"name": "Ada"},
            turns=(
                CaseTurn(None, (Expectation("contains", ("Hello, Ada!",)),)),
                CaseTurn(
                    "hi",
                    (
                        Expectation("contains", ("one?",)),
                        Expectation("node", ("ask",)),
                        Expectation("path", ("ask",)),
                        Expectation("vars", ("count == 0", 'name == "Ada"')),
                        Expectation("finished", False),
                        Expectation("contains", ("Which",)),
                        Expectation("contains", ("two",), negated=True),
                    ),
                    Script(("Which one?",)),
                ),
                CaseTurn(
                    "5",
                    (
                        Expectation("contains", ("Bye!",)),
                        Expectation("path", ("judge", "bye")),
                        Expectation("vars", ("count == 1",)),
                        Expectation("finished", True),
                    ),
                    Script((), ("B",)),
                ),
            ),
        ),
        Case(name="Doubles", call=Call("double()", (3,)), expect=(Expectation("value", 6),)),
    )
    first = suite.cases[0]
    assert [turn.line for turn in first.turns] == [2, 3, 5]
    assert [e.line for e in first.turns[1].expect] == [3, 3, 3, 3, 3, 4, 4]
    assert suite.cases[1].line == 7
    assert [result.failures for result in run_suite(suite)] == [(), ()]


def test_other_cells(tmp_path: Path) -> None:
    text = (
        "test;say;answers;replies;error;passes;calls;load_error;args;call;type;model;config;start\n"
        'a;hi;[B, 0];"[""One, two"", Three]";StatementError;"ask, help";<= 2;;;;;;{max_steps: 9};ask\n'
        "b;;;;;;;AG104;;;;;;\n"
        "c;;;;;;;;{x: [1]};double;normal;;;\n"
        "d;;;;;;;;;;;offline;;\n"
    )
    one, two, three, four = load_suite(write(tmp_path, text)).cases
    assert one.start == "ask"
    assert one.config == {"max_steps": 9}
    assert one.turns == (
        CaseTurn(
            "hi",
            (
                Expectation("passes", ("ask", "help")),
                Expectation("calls", ("<= 2",)),
                Expectation("error", {"class": "StatementError"}),
            ),
            Script(("One, two", "Three"), ("B", 0)),
        ),
    )
    assert (two.turns, two.call, two.expect) == ((), None, (Expectation("load_error", ("AG104",)),))
    assert three.call == Call("double", {"x": [1]}, "normal")
    assert (four.model, four.turns) == ("offline", (CaseTurn(),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty. Write a header and one row a turn."),
        (
            "name,say\na,b\n",
            'there is no header with a column "test". The first row must name the columns: test, say, '
            "contains and so on.",
        ),
        ("test,say\n", "row 1: there is a header but no test below it."),
        (
            "test,sya\na,b\n",
            'row 1: "sya" (B1) is no column of tests. Did you mean "say"? A column for people needs a header that '
            "begins with #.",
        ),
        (
            "test,say,Say\na,b,c\n",
            'row 1: two columns have the header "say". Delete one of them.',
        ),
        ("test,say\n,b\n", 'row 2: the row stands before the first test. Name the test in the column "test".'),
        ("test,say,start\na,b,\n,c,ask\n", 'row 3: "start" belongs in the first row of a test.'),
        ("test,say,contains,\na,b,,c\n", "row 2: the cell D2 stands in a column without a header. Give the "
         "column a header."),
        ("test,say,answers\na,b,\n,,B\n", 'row 3: "answers" belongs in the row with what the user says.'),
        (
            "test,say,call\na,b,f\n",
            "row 2: a call, or a program that is refused, has no turns. Make two tests of it.",
        ),
        ("test,say,finished\na,b,perhaps\n", "row 2: `finished` must be true or false, not 'perhaps'."),
        ("test,call,args\na,f,3\n", "row 2: `args` must be a list, or a mapping of names. Write [3]."),
        ("test,call,args\na,f,[3\n", "row 2: \"args\" cannot be read: the YAML is malformed: while parsing a "
         "flow sequence, did not find expected ',' or ']'. Look at the indentation, and put texts with special "
         "characters in quotes."),
        (
            "test,say\na,b\na,c\n",
            'row 3: two tests have the name "a", in rows 2 and 3. Name each test by what it shows.',
        ),
        ('test,say\na,"b\n', 'row 2: a quotation mark that opens a cell in row 2 is never closed. Close it; '
         'a quotation mark inside a quoted cell is written twice ("").'),
    ],
)  # fmt: skip
def test_mistakes_have_a_row(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in faults(write(tmp_path, text))


def workbook(folder: Path, tests: list[list[object]], title: str = "Tests") -> Path:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = title
    for row in tests:
        book.active.append(row)
    program = book.create_sheet("program")
    for cells in (["name", "action", "instruction", "transitions"], ["a", "chat_exact", "Hello!", "b"],
                  ["b", "chat_exact", "You said ${len(_last_user_reply)}", "quit"]):  # fmt: skip
        program.append(cells)
    path = folder / "demo.xlsx"
    book.save(path)
    return path


def test_the_sheet_of_a_workbook(tmp_path: Path) -> None:
    rows: list[list[object]] = [["test", "say", "contains", "finished"], ["Counts", None, "Hello", None]]
    path = workbook(tmp_path, [*rows, [None, "abc", "You said 3", True]])
    assert has_tests(path)
    suite = load_suite(path)
    assert (suite.program, suite.sheet, suite.unit) == (path, "Tests", "row")
    assert [result.failures for result in run_suite(suite)] == [()]
    assert suite.where(3) == f'{path}, sheet "Tests", row 3'


def test_a_workbook_with_tests_is_still_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[list[object]] = [["test", "say", "name", "action"], ["x", "a", None, None]]
    path = workbook(tmp_path, rows)
    assert list(autograph.load(path, model="offline").nodes) == ["a", "b"]
    assert run(cli, "autograph", ["check", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["problems"] == []
    assert run(cli, "autograph", ["convert", str(path), str(tmp_path / "out.yaml")]) == 0
    assert list(autograph.load(tmp_path / "out.yaml", model="offline").nodes) == ["a", "b"]


def test_workbooks_without_tests(tmp_path: Path) -> None:
    path = workbook(tmp_path, [["x"]], title="notes")
    assert not has_tests(path)
    assert faults(path) == ['the workbook has no sheet "tests".']
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"no workbook")
    assert not has_tests(broken)


def test_a_cell_that_became_a_date(tmp_path: Path) -> None:
    import datetime

    path = workbook(tmp_path, [["test", "say"], ["x", datetime.date(2024, 1, 2)]])
    (found,) = faults(path)
    assert found == (
        'sheet "Tests", row 2: the cell B2 holds a date or time (2024-01-02), not the text that was typed. '
        "Format the column as text, then type the entry again."
    )
