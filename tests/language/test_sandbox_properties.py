"""Properties: no random program reads what it must not, raises what it must not, or computes other than Python."""

from __future__ import annotations

import contextlib
import math
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.access import attribute
from autograph.language.sandbox.budget import Fuel
from autograph.language.sandbox.iteration import ITERATORS
from autograph.language.sandbox.modules import MODULES
from autograph.language.sandbox.table_methods import TABLE_METHODS
from autograph.language.sandbox.tokens import Function, Module, TypeToken, words
from autograph.language.sandbox.types import METHODS, READS
from sandbox_support import MARKER, interpreter, variables

SHARED = interpreter()
EVERYTHING = interpreter(AutographConfig(python_imports=tuple(MODULES)))

# -- hostile programs ---------------------------------------------------------------------------------

NAMES = [
    "order",
    "lookup",
    "add",
    "names",
    "user",
    "text",
    "score",
    "len",
    "str",
    "list",
    "type",
    "map",
    "sorted",
    "math",
    "operator",
    "Order",
    "df",
    "df.name",
    "re",
    "json",
    "random",
    "statistics",
    "datetime",
    "datetime.datetime",
    "re.search('a', 'a')",
    "f",
    "x",
    "_",
    "__builtins__",
    "eval",
]
PARTS = words(
    "__class__ __globals__ __dict__ _secret secret db items __init__ __self__ __code__ gi_frame f_globals "
    "format format_map get append __func__ __name__ mro floor attrgetter total id upper join keys "
    "__closure__ __subclasses__ items total_with_tax name price loc iloc str groupby columns to_dict to_csv eval query "
    "values index obj agg pipe dumps loads search sub group string re choice shuffle Random now date strptime mean"
)
TEXTS = ["{0.__class__}", "{0._secret}", "%(x)s", "__class__", "_secret", "$order", "$lookup", "{0}", "{0[0]}", "{}"]

atoms = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from(TEXTS).map(repr),
    st.sampled_from(["1", "[]", "{}", "()", "None", "$order", "$lookup", "(lambda x: x)", "(i for i in names)"]),
)


def bigger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    part = st.sampled_from(PARTS)
    return st.one_of(
        st.tuples(inner, part).map(lambda t: f"({t[0]}).{t[1]}"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]})({t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]})[{t[1]}]"),
        st.tuples(inner, inner, st.sampled_from(["+", "%", "*", "|", "&", "<", "==", "in", "and", "or"])).map(
            lambda t: f"({t[0]}) {t[2]} ({t[1]})"
        ),
        st.tuples(inner, part, inner).map(lambda t: f"({t[0]}).{t[1]}({t[2]})"),
        st.tuples(inner, inner).map(lambda t: f"[{t[0]} for x in {t[1]}]"),
        st.tuples(inner, inner).map(lambda t: f"sorted({t[0]}, key={t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"list(map({t[0]}, {t[1]}))"),
        inner.map(lambda t: f"(lambda f: {t})(lookup)"),
        inner.map(lambda t: f"f'{{{t}}}'" if "'" not in t else f"str({t})"),
        inner.map(lambda t: f"[{t}, order, lookup]"),
        inner.map(lambda t: f"str({t})"),
    )


programs = st.recursive(atoms, bigger, max_leaves=8)


@settings(max_examples=400, deadline=None)
@given(programs)
def test_hostile_programs_never_read_a_marker(code: str) -> None:
    try:
        value = EVERYTHING.execute_expression(code, variables())
    except (StatementError, LimitError) as error:
        check_harmless([str(error)])
    else:
        check_harmless(value)


INTERNALS = (ModuleType, CodeType, FrameType, MethodType, BuiltinFunctionType, type)


def check_harmless(value: Any) -> None:
    """No inner part of Python, and no marker, is in ``value``."""
    waiting, seen = [value], 0
    while waiting and seen < 10_000:
        item = waiting.pop()
        seen += 1
        assert not isinstance(item, INTERNALS), item
        assert not (isinstance(item, str) and MARKER in item)
        if isinstance(item, list | tuple | set | frozenset):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]


# -- any text -----------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.text(alphabet="$'\"{}[]()\\xyz_ =+-.:,!#\n\t09lambdforin", max_size=60)))
def test_any_text_is_refused_or_runs(code: str) -> None:
    for run in (SHARED.execute_expression, SHARED.execute_assignment):
        with contextlib.suppress(StatementError, LimitError):
            run(code, {"x": 1, "y": "z", "d": {}})


# -- arithmetic ---------------------------------------------------------------------------------------

numbers = st.sampled_from(["0", "1", "2", "7", "-3", "2.5", "True", "a", "b", "c", "len(t)"])
texts = st.sampled_from(["t", "'x'", "'ab'", "t[1:]", "str(a)", "t.upper()", "'%d' % b", "f'{a}-{b:>4}'"])
lists = st.sampled_from(["l", "[1, 2]", "l[::-1]", "sorted(l)", "[v * a for v in l]", "list(range(b))", "l + [c]"])


def arithmetic(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", "and", "or"])
    return st.one_of(
        st.tuples(inner, signs, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} < {t[1]} <= {t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        inner.map(lambda t: f"(-{t})"),
        inner.map(lambda t: f"abs({t})"),
        st.tuples(inner, lists).map(lambda t: f"({t[0]} in {t[1]})"),
        st.tuples(texts, st.sampled_from(["+", "<", "==", "in"]), texts).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        lists.map(lambda t: f"sum({t})"),
        st.tuples(lists, inner).map(lambda t: f"max({t[0]}, key=lambda v: v * {t[1]})"),
        lists.map(lambda t: f"[(i, v) for i, v in enumerate({t}) if v]"),
        inner.map(lambda t: f"(lambda v: v + {t})(1)"),
        inner.map(lambda t: f"math.floor({t})"),
    )


@settings(max_examples=400, deadline=None)
@given(st.recursive(st.one_of(numbers, numbers, texts, lists), arithmetic, max_leaves=8))
def test_results_are_those_of_python(code: str) -> None:
    scope: dict[str, Any] = {"a": 3, "b": 4, "c": -1.5, "t": "tea", "l": [3, 1, 2]}
    try:
        expected = eval(code, {"math": math}, dict(scope)) if "for" not in code and "lambda" not in code else eval(
            code, {"math": math, **scope}
        )  # fmt: skip
    except Exception:
        with pytest.raises((StatementError, LimitError)):
            SHARED.execute_expression(code, scope)
    else:
        value = SHARED.execute_expression(code, scope)
        assert value == expected
        assert type(value) is type(expected)


# -- what can be reached ------------------------------------------------------------------------------

BENIGN = ["", "a", b"", 1, True, 2.5, 1j, [], [1], (), {}, {"a": [1]}, set(), frozenset(), range(3), None]
GIVEN = [
    "df", "df.price", "df.name", "df.loc", "df.iloc", "df.groupby('n')", "df.groupby('n').price", "df.name.str",
    "df.name.unique()", "df.iloc[0]", "re.search('(a)', 'a')", "datetime.date(2024, 1, 1)",
    "datetime.datetime(2024, 1, 1)", "datetime.time(1)", "datetime.timedelta(1)", "order",
]  # fmt: skip


def test_nothing_internal_can_be_reached() -> None:
    """Walk all that the attribute guard gives out, and what the methods without arguments return."""
    fuel = Fuel(1 << 40, types=EVERYTHING.sandbox.types)
    given = [EVERYTHING.execute_expression(code, variables()) for code in GIVEN]
    names = {name for kind in (*METHODS, *READS, type, FunctionType, ModuleType) for name in dir(kind)}
    names |= {name for value in given for name in dir(type(value))} | {
        name for t in TABLE_METHODS.values() for name in t
    }
    names |= {"gi_frame", "gi_code", "__globals__", "__builtins__", "f_back", "real", "start"}
    builtins = EVERYTHING.sandbox.builtins
    tokens = [value for value in builtins.values() if isinstance(value, Function | TypeToken | Module)]
    waiting: list[Any] = [
        *BENIGN,
        *tokens,
        *variables().values(),
        *given,
        (i for i in "ab"),
        lambda: 1,
        map(str, [1]),
        iter([1]),
    ]
    reached = 0
    for value in waiting[:]:
        for name in names:
            try:
                found = attribute(fuel, value, name)
            except StatementError:
                continue
            reached += 1
            assert not name.startswith("_"), (value, name)
            assert not isinstance(found, INTERNALS), (value, name)
            assert not isinstance(found, FunctionType)
            if isinstance(found, Function) and name not in ("clear", "pop", "popitem", "sort", "reverse"):
                result = _called(fuel, found)
                check_harmless(result)
                assert type(result) not in ITERATORS
    assert reached > 500


def _called(fuel: Fuel, function: Function) -> Any:
    try:
        return function.run(fuel)
    except Exception:
        return None
