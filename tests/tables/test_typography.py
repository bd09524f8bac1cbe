"""Typographic quotes and operators: repaired in code, left alone in text."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.tables import read_rows, repair_code

Q, OP = "curly-quotes", "unicode-operator"


@pytest.mark.parametrize(
    ("code", "repaired", "kinds"),
    [
        ("name = “Ada”", 'name = "Ada"', [Q]),
        ("name = ‘Ada’", "name = 'Ada'", [Q]),
        ("name = „Ada“", 'name = "Ada"', [Q]),
        ("name = «Ada»", 'name = "Ada"', [Q]),
        ("name = ”Ada”", 'name = "Ada"', [Q]),
        ("name = “Ada“", 'name = "Ada"', [Q]),
        ('name = “Ada"', 'name = "Ada"', [Q]),
        ('name = "Ada”', 'name = "Ada"', [Q]),
        ("f(“a”, ‘b’)", "f(\"a\", 'b')", [Q]),
        ("x = “it’s – 5 ≤ 6”", 'x = "it’s – 5 ≤ 6"', [Q]),
        ("x = ‘it’s here’", "x = 'it’s here'", [Q]),
        ('x = “say "hi"”', "x = 'say \"hi\"'", [Q]),
        ('x = “say "it\'s"”', 'x = "say \\"it\'s\\""', [Q]),
        ("x = y – 1", "x = y - 1", [OP]),
        ("x = −5 — 2", "x = -5 - 2", [OP]),
        ("x = a × b ÷ c", "x = a * b / c", [OP]),
        ("a ≤ b and c ≥ d or e ≠ f", "a <= b and c >= d or e != f", [OP]),
        ("x[…]", "x[...]", [OP]),
        ("f（a，b）＝＝1", "f(a,b)==1", [OP]),
        ("x = “a” – 1", 'x = "a" - 1', [Q, OP]),
        ("x = '“a” – 1'", "x = '“a” – 1'", []),
        ('x = """“a”\n–"""', 'x = """“a”\n–"""', []),
        ("x = 1  # “a” – b", "x = 1  # “a” – b", []),
        ("x\u00a0= 'a\u00a0b'\u200b", "x = 'a\u00a0b'", []),
        ("x = “open", 'x = "open', [Q]),
        ("größe = 1", "größe = 1", []),
    ],
)
def test_repair(code: str, repaired: str, kinds: list[str]) -> None:
    assert repair_code(code) == (repaired, kinds)


@given(st.text(alphabet="ab ='\"“”‘’–#\n\\(…）é", max_size=30))
def test_valid_python_stays_and_repairing_twice_is_repairing_once(code: str) -> None:
    repaired, kinds = repair_code(code)
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        assert (repaired == code) <= (not kinds)
    else:
        assert (repaired, kinds) == (code, [])


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"action": "python", "instruction": "x = “a”"}, [(Q, "instruction")]),
        ({"action": " Python_Function", "instruction": "x = “a”"}, [(Q, "instruction")]),
        ({"action": "local_function", "instruction": "f(1 – 2)"}, [(OP, "instruction")]),
        ({"action": "chat", "instruction": "“Hello” – he said"}, []),
        ({"action": "chat", "boolean_condition": "x ≥ 1"}, [(OP, "boolean_condition")]),
        ({"action": "chat", "transitions": "a, return “x”"}, [(Q, "transitions")]),
        ({"action": "chat", "transitions": "don’t, returning’s"}, []),
        ({"action": "chat", "transitions": ["a’b", "return “x” – 1"]}, [(Q, "transitions"), (OP, "transitions")]),
    ],
)
def test_warnings(row: dict[str, object], found: list[tuple[str, str]]) -> None:
    problems = read_rows([{"name": "a", **row}]).problems
    assert [(p.kind, p.location.column) for p in problems] == found
    assert all(p.location.row == 2 and p.severity == "warning" for p in problems)
