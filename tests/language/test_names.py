"""What does a node's name say, and where does a transition lead?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.language.lists import split_list
from autograph.language.names import (
    VARIANT_LETTERS,
    NameProblem,
    NodeName,
    Target,
    normalise,
    parse_name,
    parse_target,
)
from autograph.problems import KINDS


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("start1", NodeName("start1")),
        (" ask again\u200b\xa0", NodeName("ask again")),
        ("cafe\u0301", NodeName("café")),
        ("don't go", NodeName("don't go")),
        ("rock 'n' roll", NodeName("rock 'n' roll")),
        ("returns_total", NodeName("returns_total")),
        ("Quit", NodeName("Quit")),
        ("a-b/c?", NodeName("a-b/c?")),
        ("p.1", NodeName("p.1", None, "p", "1")),
        ("p.12", NodeName("p.12", None, "p", "12")),
        ("p.a", NodeName("p.a", None, "p", "a")),
        ("p.B", NodeName("p.B", None, "p", "b")),
        ("a.b.2", NodeName("a.b.2", None, "a.b", "2")),
        ("a.n.x", NodeName("a.n.x", None, "a.n", "x")),
        ("v.01", NodeName("v.01")),
        ("v.0", NodeName("v.0")),
        ("v.٣", NodeName("v.٣")),
        ("v.é", NodeName("v.é")),
        ("intro.news", NodeName("intro.news")),
        ("a.b.next", NodeName("a.b.next")),
        ("p.", NodeName("p.")),
        (".a", NodeName(".a")),
        ("n", NodeName("n")),
    ],
)
def test_names(text: str, name: NodeName) -> None:
    assert parse_name(text) == name


def test_callable_names() -> None:
    parsed = parse_name("f(x, sep=', ', more=[1, (2, 3)], opt=None)")
    assert parsed.name == "f()"
    assert parsed.parameters is not None
    assert [p.name for p in parsed.parameters] == ["x", "sep", "more", "opt"]
    assert [p.has_default for p in parsed.parameters] == [False, True, True, True]
    assert [p.default for p in parsed.parameters[1:]] == [", ", [1, (2, 3)], None]
    assert parsed.parameters[1].source == "', '"
    assert parse_name("f()").parameters == ()
    assert parse_name("f( )").name == "f()"
    assert parse_name("returns_total (x)").name == "returns_total()"
    assert parse_name("ﬁnd(ﬁrst)").name == "find()"
    assert [p.name for p in parse_name("f(p, q , r,s)").parameters or ()] == ["p", "q", "r", "s"]
    assert [p.default for p in parse_name("f(a = -1.5, b={'k': \"=\"}, c=b'x')").parameters or ()] == [
        -1.5,
        {"k": "="},
        b"x",
    ]
    assert [p.name for p in parse_name("f(a,\n  b=1)").parameters or ()] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("", "missing-name", "empty"),
        ("\u200b ", "missing-name", "empty"),
        ("return", "reserved-name", '"return" is a reserved word'),
        ("quit", "reserved-name", '"quit"'),
        (" resume ", "reserved-name", '"resume"'),
        ("quit()", "reserved-name", '"quit"'),
        ("return (x)", "reserved-name", '"return"'),
        ("return policy", "reserved-name", "it would return a value"),
        ("return.a", "reserved-name", "it would return a value"),
        ("p.n", "literal-variant", 'all variants of "p"'),
        ("p.N", "literal-variant", "p.1, p.2"),
        ("a.b.*", "literal-variant", "a.b.a, a.b.b"),
        ("thing)(", "bad-name", "thing)("),
        ("f(", "bad-name", "f("),
        ("f(x)(y)", "bad-name", "malformed"),
        ("f(x) y", "bad-name", "malformed"),
        ("my node(x)", "bad-name", "malformed"),
        ("p.a(x)", "bad-name", "malformed"),
        ("1f()", "bad-name", "malformed"),
        ("_f()", "bad-name", "malformed"),
        ("class()", "bad-name", "malformed"),
        ("(x)", "bad-name", "malformed"),
        ("f(x,)", "bad-name", "Item 2 of the list is empty"),
        ("f(a, a)", "bad-name", '"a" occurs twice'),
        ("f(a=1, b)", "bad-name", '"b" has no default'),
        ("f(*a)", "bad-name", '"*a" is no name of a parameter'),
        ("f(a: int)", "bad-name", "no name of a parameter"),
        ("f(_a)", "bad-name", "no name of a parameter"),
        ("f(if=1)", "bad-name", "no name of a parameter"),
        ("f(x=[1)", "bad-name", "is never closed"),
        ("blend(x, y=len(x))", "bad-default", "literal"),
        ("f(x=)", "bad-default", "literal"),
        ("f(x=y)", "bad-default", "literal"),
        ("f(x=...)", "bad-default", "literal"),
        ("f(x=f'a')", "bad-default", "literal"),
        ("f(x=1=2)", "bad-default", "literal"),
        ("f(x=" + "[" * 150 + "]" * 150 + ")", "bad-default", "literal"),
        ("a, b", "bad-name", "with , in it"),
        ("a[1]", "bad-name", "with [ in it"),
        ("a{b}", "bad-name", "with { in it"),
        ('say "x"', "bad-name", 'with " in it'),
        ("f'", "bad-name", "with ' in it"),
        ("'tis", "bad-name", "with ' in it"),
        ("$x", "bad-name", "with $ in it"),
        ("a\nb", "bad-name", "line break"),
    ],
)
def test_unusable_names(text: str, kind: str, words: str) -> None:
    with pytest.raises(NameProblem) as caught:
        parse_name(text)
    assert caught.value.kind == kind
    assert kind in KINDS
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("b", Target("node", "b")),
        (" cafe\u0301\u200b", Target("node", "café")),
        ("returns_total", Target("node", "returns_total")),
        ("return_1", Target("node", "return_1")),
        ("f(x)", Target("node", "f(x)")),
        ("p.1", Target("node", "p.1")),
        ("p.next", Target("node", "p.next")),
        ("p.n", Target("group_n", "p")),
        ("a.b.n", Target("group_n", "a.b")),
        ("p.*", Target("group_star", "p")),
        ("return", Target("return")),
        ("return x", Target("return_value", expression="x")),
        ("return(x)", Target("return_value", expression="(x)")),
        ("return\n[x]*y ", Target("return_value", expression="[x]*y")),
        ("return-1", Target("return_value", expression="-1")),
        ("return 'e\u0301'", Target("return_value", expression="'e\u0301'")),
        ("quit", Target("quit")),
        ("resume", Target("resume")),
        ("quit()", Target("node", "quit()")),
        ("$dest", Target("dynamic", "dest")),
        ("$ﬁn", Target("dynamic", "fin")),
        ("$_last_user_reply", Target("dynamic", "_last_user_reply")),
        ("$_secret", Target("node", "$_secret")),
        ("$a b", Target("node", "$a b")),
        ("$a.n", Target("group_n", "$a")),
        ("$", Target("node", "$")),
        ("", Target("node", "")),
    ],
)
def test_targets(text: str, target: Target) -> None:
    assert parse_target(text) == target


def test_every_letter_but_n_is_a_variant() -> None:
    assert len(VARIANT_LETTERS) == 25
    assert [parse_name(f"p.{letter}").suffix for letter in VARIANT_LETTERS] == list(VARIANT_LETTERS)


def test_normalise() -> None:
    assert normalise(" a\u200b") == "a"
    assert normalise("\xa0cafe\u0301\n") == "café"
    assert normalise(" x ") == "x"


PIECES = st.sampled_from(
    [
        "f",
        "(",
        ")",
        ",",
        "=",
        ".",
        "n",
        "*",
        "1",
        "a",
        "return",
        "quit",
        " ",
        "'",
        '"',
        "[",
        "]",
        "$",
        "_",
        "é",
        "e\u0301",
    ]
)


@settings(max_examples=500)
@given(st.lists(PIECES | st.text(max_size=2), max_size=8).map("".join))
def test_any_text_is_a_name_or_refused_and_names_can_be_reached(text: str) -> None:
    parse_target(text)
    try:
        parsed = parse_name(text)
    except NameProblem as problem:
        assert problem.kind in KINDS  # noqa: PT017 - many texts raise nothing
        return
    if parsed.parameters is None:
        assert split_list(parsed.name) == (parsed.name,)
        assert parse_target(parsed.name) == Target("node", parsed.name)
    assert parse_name(parsed.name).name == parsed.name
