"""The curated modules: they give what Python's give, within bounds, and only when the configuration names them."""

from __future__ import annotations

import contextlib
import datetime
import json
import random
import re
import statistics
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox import Sandbox
from autograph.language.sandbox.modules import MODULES
from autograph.language.sandbox.tokens import Function, TypeToken
from autograph.language.statements import StatementInterpreter

SANDBOX = Sandbox(AutographConfig(python_imports=tuple(MODULES)))
REAL = {"datetime": datetime, "json": json, "random": random, "re": re, "statistics": statistics}
NOW = datetime.datetime(2024, 2, 29, 12, 30)


def value(code: str, variables: dict[str, Any] | None = None, seed: int = 1) -> Any:
    """The value of code with a generator and a clock, as the interpreter lends them."""
    statement = SANDBOX.expression(code)
    scope = SANDBOX.scope(variables or {})
    if "random" in statement.needs:
        scope["@random"] = random.Random(seed)
    if "clock" in statement.needs:
        scope["@clock"] = lambda: NOW
    return statement.run(scope)


@pytest.mark.parametrize("name", ["statistics", "datetime", "json", "re", "random"])
def test_modules_exist_where_they_are_named(name: str) -> None:
    member = next(iter(MODULES[name].table))
    with pytest.raises(StatementError):
        StatementInterpreter().execute_expression(f"{name}.{member}", {})
    if name not in ("random", "datetime"):
        given = StatementInterpreter(modules={name: [member]})
        assert given.sandbox.expression(f"[{name}.{member}]")


@pytest.mark.parametrize("module", list(REAL))
def test_only_the_listed_names_exist(module: str) -> None:
    for name in dir(REAL[module]):
        if name not in MODULES[module].table:
            with pytest.raises(StatementError):
                value(f"{module}.{name}")
            with pytest.raises(StatementError):
                value(f"{module}.{name}()")


def test_tables_hold_nothing_real() -> None:
    for module in MODULES.values():
        for item in module.table.values():
            assert isinstance(item, Function | TypeToken | int | float)


# ---------------------------------------------------------------------- values as Python has them


@pytest.mark.parametrize(
    "code",
    [
        "statistics.mean(xs)", "statistics.median([3, 1, 2])", "statistics.median_low(xs)", "statistics.mode('aab')",
        "statistics.multimode([1, 1, 2, 2])", "statistics.stdev(xs)", "statistics.variance(xs, 2.5)",
        "statistics.pstdev(xs)", "statistics.pvariance([1.5, 2.5])", "statistics.fmean([1, 2.5])",
        "statistics.geometric_mean([1, 4])", "statistics.harmonic_mean([1, 4])", "statistics.quantiles(xs, n=3)",
        "json.dumps({'a': [1, 2.5, None, True, 'ü']})", "json.dumps(xs, indent=2)",
        "json.dumps({'b': 1, 'a': 2}, sort_keys=True, ensure_ascii=False)", "json.loads('{\"a\": [1, 2.5, null]}')",
        "datetime.date(2024, 2, 29).isoformat()", "datetime.date.fromisoformat('2024-02-29').weekday()",
        "datetime.datetime(2024, 2, 29, hour=12).strftime('%d.%m.%Y %H:%M')",
        "datetime.datetime.strptime('29.2.2024', '%d.%m.%Y').date() + datetime.timedelta(days=1)",
        "datetime.datetime.combine(datetime.date(2024, 1, 1), datetime.time(9, 30)) > datetime.datetime(2024, 1, 1)",
        "(datetime.date(2024, 3, 1) - datetime.date(2024, 2, 1)).days", "datetime.timedelta(hours=1.5).total_seconds()",
        "isinstance(datetime.date(2024, 1, 1), datetime.date)", "datetime.date.isoformat(datetime.date(1, 2, 3))",
        "datetime.date(2024, 2, 29).replace(year=2028).year", "datetime.time.fromisoformat('09:30').minute",
        "re.search('(?P<y>\\\\d+)-(\\\\d+)', 'on 2024-02').group('y', 2)", "re.match('b', 'ab')",
        "re.fullmatch('a+', 'aaa').span()", "re.search('b+', 'abbc').start() + re.search('b+', 'abbc').end(0)",
        "re.search('(a)(x)?', 'a').groups('-')", "re.search('(?P<k>a)', 'a').groupdict()", "re.search('(a)b', 'ab')[1]",
        "re.findall('[a-z]+', 'ab 1 cd')", "re.findall('(a)(b)?', 'ab a')", "re.findall('', 'ab')",
        "re.split('(,) *', 'a, b,c', maxsplit=1)", "re.split('x*', 'axb')", "re.sub('a', 'b', 'aaa', count=2)",
        "re.sub('(a)(?P<x>b)', r'\\g<x>\\1', 'ab ab')", "re.sub('a', lambda m: m.group().upper(), 'banana')",
        "re.findall('A', 'aA', re.I)", "re.findall('^a.b$', 'a\\nb', re.M | re.DOTALL)", "re.escape('a.b')",
        "re.findall('x{e}', 'x{e} xe')", "re.findall('a{,2}b', 'aaab')", "re.sub('(?i:A)b', '', 'ab')",
        "re.findall('(?<=a)b(?!c)', 'ab abc')", "re.findall('(?i)x|[^]x]', 'aX')",
    ],
)  # fmt: skip
def test_values_are_those_of_python(code: str) -> None:
    variables = {"xs": [1, 2, 2, 5.5]}
    found, expected = value(code, variables), eval(code, {**REAL, **variables})
    assert found == expected
    assert type(found) is type(expected)


def test_matches_are_read_and_not_stored() -> None:
    shared = StatementInterpreter(AutographConfig(python_imports=("re",)))
    assert shared.execute_expression("'yes' if re.search('a', 'abc') else 'no'", {}) == "yes"
    for name in ("string", "re", "pos", "regs", "found", "expand", "captures", "lastgroup", "detach_string"):
        with pytest.raises(StatementError):
            shared.execute_expression(f"re.search('a', 'abc').{name}", {})
    with pytest.raises(StatementError, match="cannot be stored"):
        shared.execute_assignment("m = re.search('a', 'abc')", {})


def test_draws_come_from_the_generator_that_is_lent() -> None:
    drawn = "random.random(), random.randint(1, 6), random.choice('abc'), random.sample([1, 2, 3], 2)"
    code = f"[{drawn}, random.uniform(1, 2)]"
    expected = random.Random(1)
    assert value(code) == [
        expected.random(), expected.randint(1, 6), expected.choice("abc"), expected.sample([1, 2, 3], 2),
        expected.uniform(1, 2),
    ]  # fmt: skip
    assert value(code) == value(code) != value(code, seed=2)
    variables: dict[str, Any] = {"xs": [1, 2, 3, 4]}
    assert value("random.shuffle(xs)", variables) is None
    assert sorted(variables["xs"]) == [1, 2, 3, 4] != variables["xs"]
    assert value("list(map(random.choice, ['a', 'b']))") == ["a", "b"]


def test_nothing_is_drawn_and_no_clock_read_where_none_is_lent() -> None:
    shared = StatementInterpreter(AutographConfig(python_imports=("random", "datetime")))
    for code in ("random.random()", "random.choice([1])", "random.shuffle([1])"):
        with pytest.raises(StatementError, match="within a conversation only"):
            shared.execute_expression(code, {})
    for code in ("datetime.datetime.now()", "datetime.date.today()", "datetime.datetime.today()"):
        with pytest.raises(StatementError, match="there is a clock within a conversation only"):
            shared.execute_expression(code, {})


def test_the_clock_is_the_one_that_is_lent() -> None:
    assert value("datetime.datetime.now()") == NOW
    assert value("datetime.date.today() + datetime.timedelta(days=1)") == datetime.date(2024, 3, 1)
    assert value("list(map(lambda d: d.today(), [datetime.date]))") == [NOW.date()]


def test_statements_know_what_they_need() -> None:
    needs = {
        "random.random()": {"random"},
        "[random.choice(xs) for x in xs]": {"random"},
        "random.shuffle(xs)": {"random"},
        "datetime.datetime.now()": {"clock"},
        "(lambda d: d.today())(datetime.date)": {"clock"},
        "datetime.date(2024, 1, 1)": set(),
        "re.search('a', 'b')": set(),
    }
    for code, expected in needs.items():
        assert SANDBOX.expression(code).needs == expected, code
    assert SANDBOX.expression("random.shuffle(xs)").mutates is True
    for code in ("random.random()", "json.dumps(xs)", "statistics.mean(xs)", "re.sub('a', 'b', 'c')"):
        assert SANDBOX.expression(code).mutates is False


# ---------------------------------------------------------------------- bounds

TEXT = "ab" * 400_000
HUGE = [10**4000] * 1000


@pytest.mark.parametrize(
    "code",
    [
        "re.search('(?:(a)|b)*$', text + 'c')",
        "re.search('(.+)+\\\\1+$', text[:10000] + 'c')",
        "re.findall('', text)",
        "re.findall('(?=(.*))', text)",
        "re.split('', text)",
        "re.sub('b', r'\\g<0>' * 80, text)",
        "re.sub('', text, text)",
        "re.sub('(?=(.*))', r'\\1\\1', text)",
        "re.sub('a', lambda m: m.group() * 1000, text)",
        "re.sub('a', 5, 'a')",
        "re.search('((a{1,100}){1,100}){1,100}', text)",
        "re.search('(' * 50 + 'a' + ')+' * 50, text)",
        "re.search('(?R)', text)",
        "re.search('(?<n>a)', text)",
        "re.search('(?x) a {2}', text)",
        "re.search(r'\\L<a>', text)",
        "re.search('(?#x)', text)",
        "re.search('(?V1)a', text)",
        "re.search('(?e)a', text)",
        "re.search('a' * 501, text)",
        "re.search('(', text)",
        "re.search('a', text, 1 << 20)",
        "re.search(b'a', b'a')",
        "re.search('a', 5)",
        "[re.search('b.*c', text) for i in range(1000)]",
        "re.sub('a', lambda m: 5, 'a')",
        "re.search('a', 'a').group([])",
        "[m.groups() for m in [re.search('(.*)', text)] for i in range(100000)]",
        "re.search('(a){4001}', text)",
        "json.loads('[' * 100000)",
        "json.loads('[' + '[],' * 200000 + '[]]')",
        "json.loads('9' * 5000)",
        "json.loads('{\"a\":' * 300 + '1' + '}' * 300)",
        "json.loads('{')",
        "json.loads(b'1')",
        "json.dumps([[xs] * 999] * 999)",
        "json.dumps(xs[:20000] and [xs[:20000]], indent=8) * 10",
        "json.dumps(xs, indent=9)",
        "json.dumps('\\x00' * 999999)",
        "json.dumps({(1, 2): 3})",
        "json.dumps({1, 2})",
        "json.dumps(lambda: 1)",
        "json.dumps(xs, default=str)",
        "json.dumps(xs, cls=int)",
        "json.loads('1', object_hook=dict)",
        "statistics.mean(text)",
        "statistics.mean([])",
        "statistics.mean([1e300, 1e-300] * 60000)",
        "statistics.variance(huge)",
        "statistics.mean(huge * 200)",
        "statistics.quantiles([1, 2], n=10**9)",
        "statistics.mean([[1]])",
        "statistics.pstdev([1], 'x')",
        "statistics.mode([[1]])",
        "datetime.date(10**400, 1, 1)",
        "datetime.date(b'abcd')",
        "datetime.timedelta(days=10**4000)",
        "datetime.timedelta(days=1) * 10**4000",
        "datetime.datetime.strptime('1', '%d%d')",
        "datetime.datetime.strptime('1' * 101, '%d')",
        "datetime.datetime.strptime('1', '%')",
        "datetime.date('2024')",
        "datetime.datetime(2024, 1, 1, tzinfo=5)",
        "datetime.date(2024, 1, 1).replace(year='x')",
        "datetime.datetime.now(5)",
        "datetime.date(2024, 1, 1).__reduce__()",
        "random.randint(2, 1)",
        "random.randint(1.5, 2)",
        "random.choice([])",
        "random.choice({1})",
        "random.choice({})",
        "random.sample([1], 2)",
        "random.sample({1, 2}, 1)",
        "random.shuffle((1, 2))",
        "random.uniform('a', 2)",
        "[random.shuffle(xs) for i in range(1000)]",
        "random.sample(xs, 200000)",
    ],
)
def test_refused_in_time(code: str) -> None:
    begun = time.process_time()
    with pytest.raises((StatementError, LimitError)):
        value(code, {"text": TEXT, "xs": list(range(200_000)), "huge": HUGE})
    assert time.process_time() - begun < 2


PATTERN = st.recursive(
    st.sampled_from(["a", "b", "ab", ".", "[ab]", "[^a]", r"\w", r"\b", "^", "$", r"\d", "(?=a)", "(?!b)", "c?"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        inner.map(lambda p: f"({p})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"])).map(
            lambda t: f"(?:{t[0]}){t[1]}"
        ),
    ),
    max_leaves=5,
)


@settings(max_examples=200, deadline=None)
@given(PATTERN, st.text("abc 1\n", max_size=10), st.sampled_from(["findall(p, s)", "split(p, s)", "sub(p, '-', s)"]))
def test_patterns_find_what_re_finds(pattern: str, text: str, code: str) -> None:
    expected = eval(f"re.{code}", {"re": re, "p": pattern, "s": text})
    assert value(f"re.{code}", {"p": pattern, "s": text}) == expected


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab(){}[]?*+|\\^$.,12:=!<>PnN-"), max_size=25))
def test_any_pattern_is_refused_or_searched(pattern: str) -> None:
    with contextlib.suppress(StatementError, LimitError):
        assert type(value("re.findall(p, s)", {"p": pattern, "s": "ab" * 20})) is list


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=15,
)


@settings(max_examples=100, deadline=None)
@given(json_values)
def test_json_there_and_back(data: Any) -> None:
    assert value("json.loads(json.dumps(x))", {"x": data}) == data
    assert value("json.dumps(x)", {"x": data}) == json.dumps(data)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(st.integers(-99, 99), st.floats(-99, 99)), min_size=2),
    st.sampled_from(["mean", "stdev", "median", "pvariance"]),
)
def test_statistics_are_those_of_python(xs: list[Any], name: str) -> None:
    assert value(f"statistics.{name}(xs)", {"xs": xs}) == getattr(statistics, name)(xs)
