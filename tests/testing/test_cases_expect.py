"""Every kind of expectation: what holds, what does not, and what is then said."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from autograph.testing import expect
from autograph.testing.expect import CHECKS
from autograph.testing.fields import COMPARISON, compare
from autograph.testing.kinds import KINDS, NEGATED
from autograph.testing.same import same
from autograph.testing.typed import typed_word
from chat_support import failures

# After two turns of the program of `chat_support`: the conversation stands at `ask`, having said "Which one?\nSay it."
TALK = """\
- test: x
  variables: {{name: Ada, none: null}}
  replies: ["Which one?\\nSay it."]
  turns:
    - expect: "Hello, Ada!"
    - say: hi
      expect: {expected}
"""


def misses(folder: Path, expected: str) -> list[tuple[str, str, str]]:
    """What an expectation of the second turn misses."""
    return [(f.what, f.expected, f.got) for f in failures(folder, TALK.format(expected=expected))]


@pytest.mark.parametrize(
    "expected",
    [
        '{reply: "Which one?\\nSay it."}',
        '{reply: "Which one?\\nSay it.\\n"}',
        '{reply: [no, "Which one?\\nSay it."]}',
        "one?",
        "[one, Say]",
        "{contains: one}",
        "{contains: [one, Say]}",
        "{matches: 'one.\\sSay'}",
        "{matches: ['^Which', '(?i)say it\\.$']}",
        "{starts: Which}",
        "{starts: [no, Which]}",
        "{ends: it.}",
        "{not_contains: [two, three]}",
        "{not_matches: ^Say}",
        "{not: {reply: x, contains: two, matches: x, starts: Say, ends: one}}",
        "{node: ask}",
        "{node: [help, ask], not: {node: [hello, bye]}}",
        "{path: [ask]}",
        "{path: ask, passes: ask, not: {path: [hello, ask], passes: [hello, help]}}",
        "{vars: {name: Ada, count: 0, items: [1, 2], 'items[0] + len(name)': 4, none: null, count == 0: true}}",
        "{vars: name.startswith('A')}",
        "{vars: [count < 1, '_last_user_reply == \"hi\"', {count: 0}]}",
        "{vars: 'visits(\"ask\") == 1 and math.floor(1.5) == 1'}",
        "{not: {vars: {name: Bo, count: 1}}}",
        "{not: {vars: [count, name == 'Bo']}}",
        "{unset: [x, y]}",
        "{finished: false, silent: false, calls: 1, stack: 1}",
        "{finished: no, calls: ['>= 1', '< 2', '!= 3'], stack: <= 1}",
        "{time: < 1000}",
        "{}",
        "",
    ],
)
def test_what_holds(tmp_path: Path, expected: str) -> None:
    assert misses(tmp_path, expected) == []


GOT = "'Which one?\\nSay it.'"


@pytest.mark.parametrize(
    ("expected", "missed"),
    [
        ("{reply: Which}", [("reply", "'Which'", GOT)]),
        ("{reply: [a, b]}", [("reply", "'a' or 'b'", GOT)]),
        ('{not: {reply: "Which one?\\nSay it."}}', [("not reply", f"not {GOT}", GOT)]),
        ("{contains: [one, two, three]}", [
            ("contains", "a text that contains 'two'", GOT),
            ("contains", "a text that contains 'three'", GOT),
        ]),
        ("{contains: which}", [("contains", "a text that contains 'which'", GOT)]),
        ("{not_contains: [one, two]}", [("not contains", "not a text that contains 'one'", GOT)]),
        ("{matches: ^Say}", [("matches", "a text that matches '^Say'", GOT)]),
        ("{not_matches: Say}", [("not matches", "not a text that matches 'Say'", GOT)]),
        ("{starts: [Say, it]}", [("starts", "a text that begins with 'Say' or 'it'", GOT)]),
        ("{ends: one}", [("ends", "a text that ends with 'one'", GOT)]),
        ("{not: {ends: it.}}", [("not ends", "not a text that ends with 'it.'", GOT)]),
        ("{node: hello}", [("node", "at hello", "at ask")]),
        ("{not: {node: [hello, ask]}}", [("not node", "not at hello or ask", "at ask")]),
        ("{path: [hello, ask]}", [("path", "hello → ask", "ask")]),
        ("{path: []}", [("path", "no node", "ask")]),
        ("{not: {path: ask}}", [("not path", "not ask", "ask")]),
        ("{passes: [ask, help]}", [("passes", "a way through help", "ask")]),
        ("{not: {passes: ask}}", [("not passes", "a way not through ask", "ask")]),
        ("{vars: {count: 1, len(items): 2}}", [("vars", "count is 1", "0")]),
        ("{vars: {len(items) + count: 3}}", [("vars", "len(items) + count is 3", "2 (count is 0, items is [1, 2])")]),
        ("{vars: count > 0}", [("vars", "count > 0 is true", "False (count is 0)")]),
        ("{not: {vars: {count: 0}}}", [("not vars", "count is not 0", "0")]),
        ("{vars: {cuont: 0}}", [("vars", "cuont is 0", 'the variable cuont has no value. Did you mean "count"?')]),
        ("{not: {vars: {zzzzz: 0}}}", [("not vars", "zzzzz is not 0", "the variable zzzzz has no value.")]),
        ("{unset: [x, name]}", [("unset", "no variable name", "name is 'Ada'")]),
        ("{finished: true}", [("finished", "the conversation has ended", "the conversation goes on")]),
        ("{silent: true}", [("silent", "no request to the model", "1: a chat text for ask")]),
        ("{calls: ['> 1', '< 9']}", [("calls", "requests to the model > 1 and < 9", "1: a chat text for ask")]),
        ("{calls: 0}", [("calls", "requests to the model 0", "1: a chat text for ask")]),
        ("{stack: 2}", [("stack", "levels 2", "1: local level at ask")]),
        ("{error: x}", [("error", "an error that contains 'x'", f"no error, and the text {GOT}")]),
    ],
)  # fmt: skip
def test_what_does_not_hold(tmp_path: Path, expected: str, missed: list[tuple[str, str, str]]) -> None:
    assert misses(tmp_path, expected) == missed


def test_expressions_stay_in_the_sandbox(tmp_path: Path) -> None:
    ((what, wanted, got),) = misses(tmp_path, "{vars: '().__class__'}")
    assert (what, wanted) == ("vars", "().__class__ is true")
    assert got.startswith("it cannot be evaluated: ")
    ((_, _, got),) = misses(tmp_path, "{vars: 'open(\"x\")'}")
    assert "open" in got


def test_expressions_leave_the_conversation_as_it_was(tmp_path: Path) -> None:
    tests = TALK.format(expected="{vars: {'items.append(3)': null, items: [1, 2]}}")
    assert failures(tmp_path, tests) == []


def test_a_pattern_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expect, "PATTERN_SECONDS", 0.05)
    tests = f"- test: x\n  start: ask\n  replies: [{'a' * 60}!]\n  turns: [{{expect: {{matches: '^(\\w|\\w\\w)+$'}}}}]"
    (found,) = failures(tmp_path, tests)
    assert found.got == "the pattern took longer than 0.05 second; repeat less inside of what is repeated"


def test_a_variable_of_a_call_and_of_a_function_level(tmp_path: Path) -> None:
    program = """\
    nodes:
      start1: {action: python_function, instruction: x = 1, transitions: in}
      in: {action: local_function, instruction: r = f(5), transitions: out}
      f(a): {action: chat_exact, instruction: "Inside $a", transitions: leave}
      leave: {action: transition, transitions: return a}
      out: {action: chat_exact, instruction: "Out $r"}
    """
    tests = """\
    - test: x
      turns:
        - expect: {node: f(), vars: {a: 5}, unset: x, stack: 2, path: start1 → in → f()}
        - say: go on
          expect: {reply: Out 5, vars: {r: 5, x: 1}, unset: a, stack: 1, path: [leave, in, out], finished: true}
    """
    import textwrap

    assert failures(tmp_path, tests, program=textwrap.dedent(program)) == []


def test_every_kind_has_a_check() -> None:
    assert CHECKS.keys() == KINDS.keys()
    assert all(KINDS[kind].negatable for kind in NEGATED.values())


@pytest.mark.parametrize(
    ("expected", "got", "equal"),
    [
        (1, 1, True), (1, 1.0, True), (1, True, False), (True, 1, False), (None, None, True), (None, 0, False),
        (0.3, 0.1 + 0.2, True), (0.3, 0.31, False), (10**30, 10**30 + 1, False), (math.inf, math.inf, True),
        (1.5, Decimal("1.5"), True), ("1.5", Decimal("1.5"), True), ("2024-01-31", date(2024, 1, 31), True),
        ("1", 1, False), (1, "1", False), ([1, 2], (1, 2), True), ([1, 2], [1, 2, 3], False), ([2, 1], {1, 2}, True),
        ([1, 3], {1, 2}, False), ([1, 1], {1, 2}, False), ("ab", ["a", "b"], False), (["a", "b"], "ab", False),
        ({"a": [1]}, {"a": (1,)}, True), ({"a": 1}, {"a": 1, "b": 2}, False), ({}, [], False), ([], {}, False),
        ([{"a": 1}], pd.DataFrame({"a": [1]}), True), ({1: "x"}, {1: "x"}, True), ({"1": "x"}, {1: "x"}, False),
        ([], None, False), (0, None, False), ("", None, False), (1, [1], False),
    ],
)  # fmt: skip
def test_what_is_the_same(expected: Any, got: Any, equal: bool) -> None:
    assert same(expected, got) is equal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5), ("-5", -5), ("+5", 5), ("0", 0), ("007", "007"), ("1.5", 1.5), ("1.", 1.0), (".5", 0.5),
        ("1e3", 1000.0), ("true", True), ("True", True), ("FALSE", False), ("null", None), ("~", None), ("", None),
        ("yes", "yes"),
        ("no", "no"), ("on", "on"), ("2024-01-01", "2024-01-01"), ("12:30", "12:30"), ("1_000", "1_000"),
        (".inf", math.inf),
        ("0x10", "0x10"), ("1,5", "1,5"), ("nan", "nan"), ("٣", "٣"),
    ],
)  # fmt: skip
def test_words_and_their_values(text: str, value: Any) -> None:
    assert typed_word(text) == value
    assert type(typed_word(text)) is type(value)


@pytest.mark.parametrize(
    ("comparison", "number", "holds"),
    [
        ("== 2", 2, True), ("== 2", 3, False), ("!= 2", 2, False), ("< 2", 1.9, True), ("< 2", 2, False),
        ("<= 2", 2, True), ("> 0.3", 0.1 + 0.2, False), (">= 0.3", 0.1 + 0.2, True), ("== 0.3", 0.1 + 0.2, True),
        ("<= -1", -1, True), ("== 0", 0, True), ("< 1e-6", 1e-7, True),
    ],
)  # fmt: skip
def test_comparisons(comparison: str, number: float, holds: bool) -> None:
    assert COMPARISON.fullmatch(comparison)
    assert compare(comparison, number) is holds
