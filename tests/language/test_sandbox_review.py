"""Holes that a second reader found, closed: long single operations, floods, and texts that are nearly literals."""

from __future__ import annotations

from typing import Any

import pytest

import autograph
from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox import Sandbox

BOX = Sandbox(AutographConfig(python_imports=("math", "re")))


def run(source: str, **variables: Any) -> dict[str, Any]:
    scope = BOX.scope(variables)
    for statement in BOX.statements(source):
        statement.bind(scope, statement.run(scope))
    return scope


@pytest.mark.parametrize(
    "call",
    ["s.rfind(t)", "s.rindex(t)", "s.rsplit(t)", "s.rsplit(sep=t)", "s.rpartition(t)", "s.encode().rfind(t.encode())"],
)
def test_searching_backwards_is_charged_as_the_product(call: str) -> None:
    with pytest.raises(LimitError):
        run(f"s = 'a' * 800000\nt = 'ab' + 'a' * 200000\nx = {call}")


def test_searching_backwards_for_little_is_cheap() -> None:
    assert run("x = ('ab' * 100000).rfind('ba')\ny = 'a,b,c'.rsplit(',', 1)")["x"] == 199997


@pytest.mark.parametrize("call", ["strip", "lstrip", "rstrip"])
def test_stripping_looks_at_each_character_once(call: str) -> None:
    assert run(f"x = len(('a' * 300000).{call}('\\u0101' * 300000 + 'a'))")["x"] == 0


def test_many_long_beginnings_are_charged() -> None:
    with pytest.raises(LimitError):
        run("s = 'é' * 400000\nx = s.startswith(('é' * 200000 + 'b' + 'é' * 199999,) * 90000)")


@pytest.mark.parametrize("item", ["range(k * (2**61 - 1), k * (2**61 - 1) + 1)", "(range(k * (2**61 - 1), 1),)"])
def test_a_flood_of_ranges_with_one_hash(item: str) -> None:
    with pytest.raises(LimitError, match="very large numbers"):
        run(f"x = dict.fromkeys([{item} for k in range(15000)])")


@pytest.mark.parametrize(
    "pattern", [r"\p{(?:(?:(?:a{999}){999}){9})", r"\p{(?R)}", r"\P{", r"\N{a{9}}", r"[\p{(?R)}]", r"\p{}", r"\pz"]
)
def test_what_only_looks_like_a_property_is_refused(pattern: str) -> None:
    with pytest.raises((StatementError, LimitError)):
        run("x = re.search(p, 'a')", p=pattern)


def test_properties_and_brackets_in_sets() -> None:
    scope = run("a = bool(re.search(p, 'é1'))\nb = re.findall('[[:alpha:]]', 'x:]')", p=r"\p{L}\p{N}")
    assert scope["a"] is True
    assert scope["b"] == [":]"]


@pytest.mark.parametrize("text", ["...", "[...]", "0x" + "f" * 29_000, "(1, ...)"])
def test_a_text_that_is_nearly_a_literal_stays_a_text(text: str) -> None:
    assert run("x = $said", said=text)["x"] == text


def test_a_huge_key_is_named_without_its_digits() -> None:
    nodes = [{"name": "start1", "action": "python_function", "instruction": "x = {}[big()]", "transitions": "quit"}]
    bot = autograph.load(nodes, modules={"big": lambda: 10**5000})
    with pytest.raises(autograph.RunError, match="there is no key"):
        bot.reply()


@pytest.mark.parametrize(
    "code", ["a$b = 1", "x = [a$b for a$b in [1]]", "x = (lambda a$b: 1)(1)", "x = a$b", "x = s.a$b"]
)
def test_a_dollar_inside_a_name_is_refused(code: str) -> None:
    with pytest.raises(StatementError, match=r"\$"):
        run(code, s="x")


@pytest.mark.parametrize("call", ["who(1, context='forged')", "who(1, 'forged')"])
def test_the_context_is_the_hosts_to_give(call: str) -> None:
    def who(n: int, context: Any = None) -> str:
        return f"{n} {context}"

    nodes = [
        {"name": "start1", "action": "python_function", "instruction": f"x = {call}", "transitions": "say"},
        {"name": "say", "action": "chat_exact", "instruction": "$x", "transitions": "quit"},
    ]
    with pytest.raises(StatementError, match="context"):
        autograph.load(nodes, modules={"who": who}).reply(context="Ada")
