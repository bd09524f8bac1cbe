"""Reading NAME.chat.yaml: what it means, and what is said of mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograph.testing.case import Call, Case, CaseTurn, Expectation, Script
from autograph.testing.fault import SuiteError
from autograph.testing.read_yaml import parse_cases
from chat_support import read_tests


def faults(folder: Path, text: str) -> list[str]:
    """The faults of a file as texts, without the file's name."""
    with pytest.raises(SuiteError) as caught:
        read_tests(folder, text)
    return [re.sub(r"^\S+demo.chat.yaml[,:] ", "", str(fault)) for fault in caught.value.faults]


def case(folder: Path, text: str) -> Case:
    """The only case of a file."""
    (found,) = read_tests(folder, text).cases
    return found


def test_a_conversation(tmp_path: Path) -> None:
    found = case(
        tmp_path,
        """\
        - test: Gives a hint
          start: ask
          variables: {name: Ada, n: 2, on: true, off: null, half: 0.5, code: 007, word: "3", day: 2024-01-01}
          replies: [Hi!, 5]
          answers: [B, yes, 0, [B, 0.4], "1"]
          turns:
            - expect: {reply: Hello!}
            - say: no
              expect:
                contains: [a, 2]
                not_contains: x
                node: ask
                path: [help, ask]
                vars: {name: Ada, "len(items)": 2}
                finished: false
                calls: "<= 2"
                not: {node: bye, contains: y}
        """,
    )
    assert found == Case(
        name="Gives a hint",
        start="ask",
        variables={
            "name": "Ada", "n": 2, "on": True, "off": None, "half": 0.5, "code": "007", "word": "3",
            "day": "2024-01-01",
        },
        script=Script(("Hi!", "5"), ("B", "yes", 0, ("B", 0.4), "1")),
        turns=(
            CaseTurn(None, (Expectation("reply", ("Hello!",)),)),
            CaseTurn(
                "no",
                (
                    Expectation("contains", ("a", "2")),
                    Expectation("contains", ("x",), negated=True),
                    Expectation("node", ("ask",)),
                    Expectation("path", ("help", "ask")),
                    Expectation("vars", (("name", "Ada"), ("len(items)", 2))),
                    Expectation("finished", False),
                    Expectation("calls", ("<= 2",)),
                    Expectation("node", ("bye",), negated=True),
                    Expectation("contains", ("y",), negated=True),
                ),
            ),
        ),
    )  # fmt: skip
    assert (found.line, found.turns[1].line, found.turns[1].expect[2].line) == (1, 8, 12)


def test_short_forms(tmp_path: Path) -> None:
    found = case(
        tmp_path,
        """\
        - test: Short
          turns:
            - expect: some text
            - say: ""
              expect: {path: help -> ask, vars: a > 1, error: true, tokens: 3, cost: [">= 1", "<2"]}
            - say: x
              expect: {vars: [a, {b: 1}], error: StatementError, passes: ask}
            - say: {repeat: "ab ", times: 3}
              expect: {error: {class: RunError, node: ask}}
            - say: z
              expect: {error: went wrong}
            - say:
        """,
    )
    values = [[(e.kind, e.value) for e in turn.expect] for turn in found.turns]
    assert values == [
        [("contains", ("some text",))],
        [
            ("path", ("help", "ask")),
            ("vars", ("a > 1",)),
            ("error", {}),
            ("tokens", ("== 3",)),
            ("cost", (">= 1", "< 2")),
        ],
        [("vars", ("a", ("b", 1))), ("error", {"class": "StatementError"}), ("passes", ("ask",))],
        [("error", {"class": "RunError", "node": "ask"})],
        [("error", {"contains": "went wrong"})],
        [],
    ]
    assert [turn.say for turn in found.turns] == [None, "", "x", "ab ab ab ", "z", ""]


def test_scripts_by_node(tmp_path: Path) -> None:
    found = case(
        tmp_path,
        """\
        - test: By node
          replies: {ask: Hi!, help: [One, Two], "*": [Three]}
          answers: {ask: [A, B], help: [B, 0.4], bye: [[A, 0.5], C], interjections: [none]}
          turns:
            - answers: [x]
              replies: {ask: y}
        """,
    )
    assert found.script == Script(
        ("Three",),
        (),
        {"ask": ("Hi!",), "help": ("One", "Two")},
        {"ask": ("A", "B"), "help": (("B", 0.4),), "bye": (("A", 0.5), "C"), "interjections": ("none",)},
    )
    assert found.turns[0].script == Script((), ("x",), {"ask": ("y",)}, {})


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("call: double()\n  args: [3]", Call("double()", (3,))),
        ("call: double", Call("double")),
        ("call: {function: double(), args: {x: [1]}, type: normal}", Call("double()", {"x": [1]}, "normal")),
    ],
)
def test_calls(tmp_path: Path, call: str, expected: Call) -> None:
    found = case(tmp_path, f"- test: Call\n  {call}\n  expect: 6\n")
    assert found.call == expected
    assert found.expect == (Expectation("value", 6),)


def test_what_a_file_shares(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("name,action,instruction\na,chat_exact,x\n")
    suite = read_tests(
        tmp_path,
        """\
        "# a remark": of people
        program: other.csv
        config: {max_steps: 5, agent_name: Bo}
        variables: {a: 1, b: 1}
        model: offline
        prices: {prompt: 0.25, completion: 2}
        tests:
          - {test: One, turns: [{say: x}]}
          - {test: Two, config: {max_steps: 6}, variables: {b: 2}, replies: [], turns: [{say: x}]}
          - {test: Three, model: "recorded:x.jsonl", call: f}
        """,
    )
    assert suite.program == tmp_path / "other.csv"
    assert suite.prices == {"prompt": 0.25, "completion": 2.0}
    one, two, three = suite.cases
    assert (one.config, one.variables, one.model) == ({"max_steps": 5, "agent_name": "Bo"}, {"a": 1, "b": 1}, "offline")
    assert (two.config, two.variables, two.model) == ({"max_steps": 6, "agent_name": "Bo"}, {"a": 1, "b": 2}, None)
    assert (three.variables, three.model) == ({}, "recorded:x.jsonl")  # a local call sees no variables


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "there are no tests in the file. Write a list of tests; each begins with - test: and its name."),
        ("[]", "line 1: there is no test in the list."),
        ("- tset: x\n  turns: [{say: a}]", 'line 1: "tset" is no key of a test. Did you mean "test"?'),
        ("- test: x\n  turns: [{sya: a}]", 'line 2: "sya" is no key of a turn. Did you mean "say"?'),
        (
            "- test: x\n  turns:\n    - expect: {contians: a}",
            'line 3: "contians" is nothing that can be expected. Did you mean "contains"?',
        ),
        (
            "- test: x\n  turns:\n    - expect: {not: {pasth: a}}",
            'line 3: "pasth" is nothing that `not` can hold. Did you mean "path"?',
        ),
        (
            "- test: x\n  turns:\n    - say: {repeat: a, times: 1000001}",
            "line 3: `say` must be repeated to between 1 and 1,000,000 characters. Write {repeat: a text, "
            "times: 100}.",
        ),
        ("- test: x", "line 1: the test has no turns. Write turns: and below it what the user says, or call:."),
        ("- turns: [{say: a}]", "line 1: a test has no name. Write test: and what it shows."),
        (
            "- test: x\n  turns: [{say: a}]\n- test: x\n  turns: [{say: b}]",
            'line 3: two tests have the name "x", in lines 1 and 3. Name each test by what it shows.',
        ),
        (
            "- test: x\n  turns:\n    - say: a\n    - expect: b",
            'line 4: only the first turn may be without `say`. If the user says nothing, write say: "".',
        ),
        (
            "- test: x\n  call: f\n  turns: [{say: a}]",
            "line 2: a test has turns or a call, not both. Make two tests of it.",
        ),
        (
            "- test: x\n  model: offline\n  replies: [a]\n  turns: [{say: a}]",
            "line 2: a test has a script or a model, not both. Delete one of them.",
        ),
        (
            "- test: x\n  turns: [{say: a, expect: {finished: maybe}}]",
            "line 2: `finished` must be true or false, not 'maybe'.",
        ),
        (
            "- test: x\n  turns: [{say: a, expect: {calls: few}}]",
            "line 2: `calls` must be a number or a comparison, not 'few'. Write a number, or a comparison "
            'in quotes: "<= 2".',
        ),
        (
            "- test: x\n  turns: [{say: a, expect: {time: 1}}]",
            'line 2: `time` is never exactly a number. Write a comparison: "< 2".',
        ),
        ("- test: x\n  turns: [{say: a, expect: {contains: ''}}]", "line 2: `contains` has an empty text."),
        ("- test: x\n  turns: [{say: a, expect: {vars: {}}}]", "line 2: `vars` is empty. Write names with "
         "their values, or expressions."),
        (
            "- test: x\n  turns: [{say: [a]}]",
            'line 2: `say` must be a text, not a list. Put a text with ": " or brackets in quotes.',
        ),
        (
            "- test: x\n  turns: [{say: a, expect: {value: 1}}]",
            "line 2: `value` cannot be expected of a turn.",
        ),
        (
            "- test: x\n  call: f(1)\n  expect: 1",
            "line 2: the call 'f(1)' has arguments in it. Write f() and args:.",
        ),
        (
            "- test: x\n  call: {function: f, type: locl}\n  expect: 1",
            'line 2: "locl" is no type of a call. Did you mean "local"?',
        ),
        (
            "- test: x\n  variables: {a: 1}\n  call: f",
            "line 2: a local call sees no variables. Write type: normal, or give the values as args.",
        ),
        (
            "- test: x\n  config: {max_step: 1}\n  turns: [{say: a}]",
            'line 2: there is no setting "max_step". Did you mean "max_steps"?',
        ),
        (
            "- test: x\n  variables: {_a: 1}\n  turns: [{say: a}]",
            'line 2: "_a" cannot be the name of a variable. Use letters, digits and underscores, a letter '
            "first.",
        ),
        (
            "- test: x\n  answers: [{a: b}]\n  turns: [{say: a}]",
            "line 2: `answers` has an entry that is no answer: {'a': 'b'}. Write a letter, a label, a number "
            "counted from 0, or [B, 0.4] with a confidence between 0 and 1.",
        ),
        (
            "- test: x\n  replies: [[a]]\n  turns: [{say: a}]",
            "line 2: each entry of `replies` must be a text, not ['a']. Put a text with \": \" or brackets "
            "in quotes.",
        ),
        (
            "prices: {prompt: free}\ntests:\n- test: x\n  turns: [{say: a}]",
            "line 1: the price of `prompt` must be a number that is not negative, per million tokens.",
        ),
        (
            "program: nope.csv\ntests:\n- test: x\n  turns: [{say: a}]",
            'line 1: there is no program "nope.csv" beside this file. Give its path from this file.',
        ),
        ("model: offline", "line 1: the key `tests` is missing. Write tests: and below it a list of tests."),
        ("- test: x\n  test: y\n  turns: [{say: a}]", 'line 2: the key "test" occurs twice, in lines 1 and '
         "2. Delete one of them."),
        (
            "- test: x\n  turns:\n    - expect: {not: {finished: true}}",
            'line 3: "finished" is nothing that `not` can hold.',
        ),
        ("- test: x\n turns: [", "line 2: the YAML is malformed: while parsing a block collection, did not "
         "find expected '-' indicator. Look at the indentation, and put texts with special characters in quotes."),
    ],
)  # fmt: skip
def test_mistakes_have_a_line_and_a_remedy(tmp_path: Path, text: str, expected: str) -> None:
    assert any(fault.startswith(expected) for fault in faults(tmp_path, text))


def test_a_malformed_pattern(tmp_path: Path) -> None:
    (found,) = faults(tmp_path, "- test: x\n  turns:\n    - expect: {matches: '(a'}")
    assert found.startswith("line 3: the pattern '(a' is malformed: ")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    found = faults(
        tmp_path, "- test: x\n  turns: [{sya: a}, {say: b, expect: {nod: c}}]\n- tets: y\n  turns: [{say: a}]"
    )
    assert len(found) == 4


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.chat.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    from autograph.testing.discover import load_suite

    with pytest.raises(SuiteError, match="no UTF-8 text"):
        load_suite(path)
    with pytest.raises(SuiteError, match="cannot be read"):
        load_suite(tmp_path / "b.chat.yaml")


def test_the_program_beside(tmp_path: Path) -> None:
    text = "- test: x\n  turns: [{say: a}]"
    with pytest.raises(SuiteError, match=r"there is no program of this name beside the file \(one.csv"):
        parse_cases(text, tmp_path / "one.chat.yaml")
    (tmp_path / "one.csv").write_text("")
    assert parse_cases(text, tmp_path / "one.chat.yaml").program == tmp_path / "one.csv"
    (tmp_path / "one.yaml").write_text("")
    with pytest.raises(SuiteError, match=r'"one\.csv" and "one\.yaml" are both there'):
        parse_cases(text, tmp_path / "one.chat.yaml")
    with pytest.raises(SuiteError, match='Did you mean "one"'):
        parse_cases(text, tmp_path / "ome.chat.yaml")
