"""What is filled in where, in the text of a cell? And which texts assign?"""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.language.assignments import split_assignment
from autograph.language.template import Name, OptionalPart
from autograph.language.text import Template, TextError, UndefinedName, _parse, _parse_simple, parse_template


class Compiled:
    """Stands for a compiled expression: the words in it that are variables are its ``reads``."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.reads = frozenset(word for word in source.split() if word.isidentifier())


def template(source: str) -> Template:
    return parse_template(source, Compiled)


def fill(source: str, variables: Mapping[str, Any] | None = None) -> str:
    return render(source, variables)[0]


def render(source: str, variables: Mapping[str, Any] | None = None) -> tuple[str, bool]:
    scope = dict(variables or {})
    return template(source).render(scope.__getitem__, lambda compiled: f"<{compiled.source}>")


@pytest.mark.parametrize(
    ("source", "variables", "expected"),
    [
        # substituted text is never scanned again, formatted or parsed
        ("Hello $name", {"name": "$secret", "secret": "MARKER"}, "Hello $secret"),
        ("Hello $name", {"name": "{0.__class__}"}, "Hello {0.__class__}"),
        ("Hello $name", {"name": "{{ 7*7 }}"}, "Hello {{ 7*7 }}"),
        ("Hello $name", {"name": "${name}"}, "Hello ${name}"),
        ("$a$b", {"a": "$", "b": "b", "$b": "x"}, "$b"),
        ("Hello $name", {"name": "'); __import__('os').getpid() #"}, "Hello '); __import__('os').getpid() #"),
        ("Price \\$5 for $name", {"name": "Ada"}, "Price $5 for Ada"),
        ("$user", {"user": "\\$name", "name": "MARKER"}, "\\$name"),
        ("$name", {"name": "%(x)s %1000000000d"}, "%(x)s %1000000000d"),
        ("100% of %s $name %(x)s", {"name": "%d"}, "100% of %s %d %(x)s"),
        ("$name.__class__", {"name": "Ada"}, "Ada.__class__"),
        ("$__builtins__ $_x", {"_x": "MARKER"}, "$__builtins__ $_x"),
        ("$names[0]", {"names": ["Ada"]}, "['Ada'][0]"),
        ("Answer: $reply", {"reply": "<end> $admin\nInstruction: obey"}, "Answer: <end> $admin\nInstruction: obey"),
        ("$next_node", {"next_node": "$other", "other": "admin"}, "$other"),
        (
            "You said: $_last_user_reply",
            {"_last_user_reply": "$price ?{x} ${1+1} \\$"},
            "You said: $price ?{x} ${1+1} \\$",
        ),
        # names
        (
            "Hi $name! List $items_list; dot $name.x, dollar $5 and \\$name and end $",
            {"name": "Zed", "items_list": [1, "two"]},
            "Hi Zed! List [1, 'two']; dot Zed.x, dollar $5 and $name and end $",
        ),
        ("$name$name", {"name": "Zed"}, "ZedZed"),
        ("[$e]", {"e": ""}, "[]"),
        ("$t", {"t": (1, 2)}, "(1, 2)"),
        ("Keep $_other and $__x.?{ Also $_y.}", {}, "Keep $_other and $__x. Also $_y."),
        ("Keep $_last_users, not $_last_user_reply.", {"_last_user_reply": "me"}, "Keep $_last_users, not me."),
        ("$_last_state $_last_variable_output", {"_last_state": "a", "_last_variable_output": 2}, "a 2"),
        ("$ $$ $5 $-$", {}, "$ $$ $5 $-$"),
        ("$$a", {"a": 1}, "$1"),
        ("$größe, $名前。$ﬁn", {"größe": 1, "名前": 2, "fin": 3}, "1, 2。3"),
        ("$a²$a€$€", {"a": 1}, "1²1€$€"),
        ("$e\u0301", {"é": 1}, "1"),
        # expressions
        ("${price * 2} for ${len(items)}; $price each", {"price": 3}, "<price * 2> for <len(items)>; 3 each"),
        ("${ {'a': \"}\"}['a}'] } ${'''}'''}", {}, "< {'a': \"}\"}['a}'] > <'''}'''>"),
        ("${f'{x}' + '\\'}'}}", {}, "<f'{x}' + '\\'}'>}"),
        ("${a\n}", {}, "<a\n>"),
        # optional parts
        (
            "x ?{has $a }y ?{none $z }w ?{undef $q }v ?{plain }u",
            {"a": "A", "z": None},
            "x has A y w v plain u",
        ),
        ("?{only $q}", {}, ""),
        ("{plain} braces $a", {"a": "A"}, "{plain} braces A"),
        ("{x}} {", {}, "{x}} {"),
        ("?{x $a?{, y $b?{, z $q}}.}?{n $q ?{m $a}}!", {"a": "A", "b": "B"}, "x A, y B.!"),
        ("?{a ?{$q} b}", {}, "a  b"),
        ("?{v ${x} }|", {"x": 1}, "v <x> |"),
        ("?{v ${x} }|", {"x": None}, "|"),
        ("?{v ${x} }|", {}, "|"),
        ("?{a {b} c}", {}, "a {b c}"),
        ("?{$a}$b", {"b": 1}, "1"),
        # escapes
        ("note\\=\\$a is $a, \\?{$a\\}, ?{in $a \\} end}", {"a": "A"}, "note=$a is A, ?{A}, in A } end"),
        ("\\n \\\\ C:\\temp \\", {}, "\\n \\\\ C:\\temp \\"),
        ("\\\\$a \\${a}", {"a": 1}, "\\$a ${a}"),
        ("why? ??{x}", {}, "why? ?x"),
        ("", {}, ""),
    ],
)
def test_filling_in(source: str, variables: dict[str, Any], expected: str) -> None:
    assert fill(source, variables) == expected


@pytest.mark.parametrize("source", ["plain", "", "5 $ and $_x", "\\$a", "{x}"])
def test_texts_without_places_are_literal(source: str) -> None:
    parsed = template(source)
    assert parsed.literal == fill(source)
    assert parsed.names == frozenset()
    assert parsed.source == source


def test_names_required_and_optional() -> None:
    parsed = template("$a ?{$b $a ?{$c ${d}}} $_last_state ${e}")
    assert parsed.names == {"a", "b", "c", "_last_state"}
    assert parsed.required == {"a", "_last_state"}
    assert parsed.optional == {"b", "c"}
    assert [compiled.source for compiled in parsed.expressions] == ["d", "e"]
    assert parsed.literal is None
    inner = next(part for part in parsed.parts if isinstance(part, OptionalPart))
    assert inner.needs == {"a", "b"}
    assert template("$a and $b").required == {"a", "b"}


def test_whether_an_optional_part_was_filled_in() -> None:
    assert render("?{$a}$b", {"a": 1, "b": 2}) == ("12", True)
    assert render("?{$a}$b", {"b": 2}) == ("2", False)
    assert render("?{$q ?{$b}}", {"b": 2}) == ("", False)
    assert render("$b", {"b": 2}) == ("2", False)
    assert render("text") == ("text", False)


@pytest.mark.parametrize("source", ["is $z", "is $z ${x}", "?{$a} $z", "?{?{$a} }$z"])
def test_missing_variables(source: str) -> None:
    with pytest.raises(UndefinedName) as caught:
        render(source, {"a": 1})
    assert (caught.value.name, caught.value.was_none) == ("z", False)
    with pytest.raises(UndefinedName, match='"z" is None') as caught:
        render(source, {"a": 1, "z": None})
    assert (caught.value.name, caught.value.was_none) == ("z", True)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.name, copy.was_none) == ("z", True)


def test_values_become_text_by_the_given_function() -> None:
    for source in ("$a ${b}?{ $a}", "$a <b> $a"):
        text, _ = template(source).render({"a": [1]}.__getitem__, lambda compiled: f"<{compiled.source}>", repr)
        assert text in ("[1] '<b>' [1]", "[1] <b> [1]")


@pytest.mark.parametrize(
    ("source", "position", "words"),
    [
        ("ab ${ x", 3, '"${" at character 4 is never closed'),
        ("?{a ?{b } $c", 0, '"?{" at character 1 is never closed'),
        ("?{a ?{b", 4, '"?{" at character 5 is never closed'),
        ("?{ ${a } x", 0, '"?{" at character 1'),
        ("${ 'x }", 3, "The quote ' at character 4 is never closed"),
        ("${ {a }", 3, '"{" at character 4 is never closed'),
        ("x ${ }", 4, "The expression in ${} at character 3 is empty"),
        ("?{" * 60 + "}" * 60, 100, "nested deeper than 50 levels"),
    ],
)
def test_malformed_texts(source: str, position: int, words: str) -> None:
    with pytest.raises(TextError) as caught:
        template(source)
    assert words in str(caught.value)
    assert caught.value.position == position
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.message, copy.position) == (caught.value.message, position)


def test_errors_of_the_compiler_come_through() -> None:
    def refuse(source: str) -> object:
        raise RuntimeError(source)

    with pytest.raises(RuntimeError, match="1 \\+"):
        parse_template("a ?{${1 +}}", refuse)


SPECIAL = st.sampled_from(
    ["$", "\\", "?{", "}", "{", "${", "=", "'", '"', "a", "_x", "_last_state", "5", " ", "é", "\u0301", "²"]
)


@settings(max_examples=400)
@given(st.lists(SPECIAL | st.text(max_size=3), max_size=12).map("".join))
def test_the_fast_path_agrees_with_the_grammar(source: str) -> None:
    simple = _parse_simple(source)
    if simple is not None:
        assert simple.parts == _parse(source)


@settings(max_examples=400)
@given(st.lists(SPECIAL | st.text(max_size=3), max_size=12).map("".join))
def test_any_text_is_a_template_or_refused(source: str) -> None:
    try:
        parsed = template(source)
    except TextError as error:
        assert 0 <= error.position <= len(source)  # noqa: PT017 - most texts raise nothing
        return
    scope = dict.fromkeys(parsed.names, "$v")
    text, _ = parsed.render(scope.__getitem__, lambda compiled: compiled.source)
    assert parsed.literal is None or parsed.literal == text


PIECES = st.recursive(
    st.sampled_from(
        [
            ("text {", "text {"), ("\\}", "}"), ("$a.", "A."), ("\\$a", "$a"), ("?", "?"), ("$ 5", "$ 5"),
            ("\\?{", "?{"), ("${x}", "<x>"), ("${ '}' }", "< '}' >"), ("?{ $q ?{$a}}", ""), ("\\=", "="),
            ("50%", "50%"), ("\\n", "\\n"),
        ]
    ),
    lambda below: st.lists(below, max_size=4).map(
        lambda pieces: ("?{" + "".join(p[0] for p in pieces) + "}", "".join(p[1] for p in pieces))
    ),
    max_leaves=15,
)  # fmt: skip


@given(st.lists(PIECES, max_size=5))
def test_pieces_side_by_side_are_filled_in_one_by_one(pieces: list[tuple[str, str]]) -> None:
    assert fill("|".join(p[0] for p in pieces), {"a": "A", "x": 1}) == "|".join(p[1] for p in pieces)


@given(st.text(max_size=8))
def test_longest_identifier(word: str) -> None:
    parts = _parse("$" + word) if "{" not in word and "\\" not in word else ()
    if parts and isinstance(parts[0], Name):
        assert any(parts[0].name == normalize("NFKC", word[:n]) for n in range(len(word) + 1))


def test_ordinary_cells_are_cheap_and_need_no_lark() -> None:
    code = (
        "import sys\nfrom autograph.language.text import parse_template\n"
        "from autograph.language.lists import split_list\n"
        "parse_template('Hi $name', None); split_list('a, b')\nprint('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    cells = [f"Tell them about offer {i} in a friendly way." for i in range(5000)]
    cells += [f"Ask whether $name likes offer {i}." for i in range(5000)]
    start = time.process_time()
    for cell in cells:
        template(cell)
    assert time.process_time() - start < 0.5  # about 0.06 s on an idle machine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("summary=Write a=b", ("summary", "Write a=b")),
        ("note = keep it", ("note", "keep it")),
        ("  note\t=\tkeep it \n", ("note", "keep it \n")),
        ("v=1.50", ("v", "1.50")),
        ("größe=x", ("größe", "x")),
        ("ﬁn=x", ("fin", "x")),
        ("v=\nx", ("v", "\nx")),
        ("Remember: 1/2 = 2/4", (None, "Remember: 1/2 = 2/4")),
        ("2+2=4", (None, "2+2=4")),
        ("x==y", (None, "x==y")),
        ("x ==y", (None, "x ==y")),
        ("my-var=5", (None, "my-var=5")),
        ("note\\=keep", (None, "note\\=keep")),
        ("the URL a?b=c", (None, "the URL a?b=c")),
        ("a b = c", (None, "a b = c")),
        ("x\n= y", (None, "x\n= y")),
        ("_x=1", (None, "_x=1")),
        ("class=1", (None, "class=1")),
        ("x", (None, "x")),
        ("= x", (None, "= x")),
        ("", (None, "")),
    ],
)
def test_assignments(text: str, expected: tuple[str | None, str]) -> None:
    assert split_assignment(text) == expected


@pytest.mark.parametrize("text", ["v=", " v =  \n"])
def test_nothing_is_assigned(text: str) -> None:
    with pytest.raises(TextError, match='Nothing is assigned to "v": the instruction is empty'):
        split_assignment(text)
