"""The key `cases`: one test for each row of a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograph.testing import schema
from autograph.testing.case import Call, Case, CaseTurn, Expectation
from autograph.testing.fault import SuiteError
from chat_support import failures, read_tests, run_tests


def test_sayings(tmp_path: Path) -> None:
    suite = read_tests(
        tmp_path,
        """\
        - test: Anything else leads to the end
          start: hello
          variables: {name: Ada}
          model: offline
          turns:
            - say: hello
          cases:
            - seven
            - {say: "7", expect: {node: bye}}
            - {say: "", variables: {name: Bo}}
            - say: {repeat: ab, times: 40}
          expect: {finished: true}
        """,
    )
    assert [case.name for case in suite.cases] == [
        "Anything else leads to the end: seven",
        "Anything else leads to the end: 7",
        'Anything else leads to the end: "" {name: Bo}',
        "Anything else leads to the end: {repeat: ab, times: 40}",
    ]
    assert [case.line for case in suite.cases] == [8, 9, 10, 11]
    assert suite.cases[0] == Case(
        name="Anything else leads to the end: seven",
        start="hello",
        variables={"name": "Ada"},
        model="offline",
        turns=(CaseTurn("hello"), CaseTurn("seven")),
        expect=(Expectation("finished", True),),
    )
    assert suite.cases[1].turns[1] == CaseTurn("7", (Expectation("node", ("bye",)),))
    assert suite.cases[2].variables == {"name": "Bo"}
    assert suite.cases[3].turns[1].say == "ab" * 40


def test_a_row_may_answer_for_the_model(tmp_path: Path) -> None:
    results = run_tests(
        tmp_path,
        """\
        - test: What the model takes it for
          start: ask
          variables: {count: 0}
          replies: [A number?]
          cases:
            - {say: clue, answers: [a hint], expect: {node: help}}
            - {say: clue, answers: [something else], expect: {node: bye}}
          turns: [{}]
        """,
    )
    assert [(result.case.name.partition(": ")[2], result.failures) for result in results] == [
        ("clue", ()),
        ("clue (2)", ()),
    ]


def test_calls(tmp_path: Path) -> None:
    suite = read_tests(
        tmp_path,
        """\
        - test: Doubles
          call: double()
          expect: {path: double(), not: {value: 3}}
          cases:
            - {args: [3], value: 6}
            - {args: {x: a}, expect: aa}
            - {args: [[1]], expect: {value: [1, 1], path: double}}
        """,
    )
    assert [(case.name, case.call, case.line) for case in suite.cases] == [
        ("Doubles: 3", Call("double()", (3,)), 5),
        ("Doubles: {x: a}", Call("double()", {"x": "a"}), 6),
        ("Doubles: [1]", Call("double()", ([1],)), 7),
    ]
    path, denied = Expectation("path", ("double()",)), Expectation("value", 3, negated=True)
    assert suite.cases[0].expect == (path, denied, Expectation("value", 6))
    assert suite.cases[1].expect == (path, denied, Expectation("value", "aa"))
    assert suite.cases[2].expect == (Expectation("path", ("double",)), denied, Expectation("value", [1, 1]))


def test_a_failure_points_to_its_row(tmp_path: Path) -> None:
    (failure,) = failures(
        tmp_path,
        """\
        - test: Doubles
          call: double()
          cases:
            - {args: [3], value: 6}
            - args: [4]
              value: 9
        """,
    )
    assert (failure.line, failure.got) == (6, "8")


def test_a_value_for_all(tmp_path: Path) -> None:
    assert not failures(tmp_path, "- {test: Six, call: double(), expect: 6, cases: [3, 3.0, [3], {args: {x: 3}}]}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- test: x\n  cases: []",
            ["line 2: `cases` is an empty list. Begin each with - and what the user says, or with - args: in a call."],
        ),
        (
            "- test: x\n  start: hello\n  cases: [a, {sya: b}]",
            ['line 3: "sya" is no key of a case. Did you mean "say"?'],
        ),
        (
            "- test: x\n  call: double()\n  cases: [{arg: [1]}]",
            ['line 3: "arg" is no key of a case. Did you mean "args"?'],
        ),
        (
            "- test: x\n  strat: hello\n  cases: [a, b]",
            ['line 2: "strat" is no key of a test. Did you mean "start"?'],
        ),
        ("- start: hello\n  cases: [a, b]", ["line 2: a test has no name. Write test: and what it shows."]),
        (
            "- test: x\n  call: double()\n  cases: [{args: [1], variables: {a: 1}}]",
            ["line 3: a local call sees no variables. Write type: normal, or give the values as args."],
        ),
        (
            "- {test: x, cases: [a]}\n- {test: 'x: a', turns: [{say: b}]}",
            ['line 2: two tests have the name "x: a", in lines 1 and 2. Name each test by what it shows.'],
        ),
    ],
)
def test_mistakes_are_told_once(tmp_path: Path, text: str, expected: list[str]) -> None:
    with pytest.raises(SuiteError) as caught:
        read_tests(tmp_path, text)
    told = [str(fault).replace(f"{tmp_path}/demo.chat.yaml, ", "") for fault in caught.value.faults]
    assert told == expected


@pytest.mark.parametrize(
    ("test", "good"),
    [
        ({"start": "a", "cases": ["x", {"say": "y", "expect": "z"}, {"say": {"repeat": "x", "times": 2}}]}, True),
        ({"turns": [{"say": "a"}], "cases": [{"say": "y", "variables": {"a": 1}}], "expect": {"finished": True}}, True),
        ({"call": "f()", "cases": [{"args": [1], "value": 2}, {"args": {"x": 1}, "expect": {"path": "f()"}}]}, True),
        ({"call": "f()", "cases": [{"args": [1], "expect": 2}], "expect": {"path": "f()"}}, True),
        ({"cases": []}, False),
        ({"cases": [{"args": [1]}]}, False),
        ({"call": "f()", "cases": ["x", 1, None, [1, "x"]], "expect": 1}, True),
        ({"call": "f()", "cases": [{"say": "x"}]}, False),
        ({"call": "f()", "start": "a", "cases": [{"args": []}]}, False),
        ({"cases": ["x"], "expect": {"load_error": "x"}}, False),
    ],
)
def test_the_schema(test: dict[str, object], good: bool) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    file = json.loads(json.dumps([{"test": "T", **test}]))
    assert jsonschema.Draft7Validator(schema.tests_schema()).is_valid(file) is good
