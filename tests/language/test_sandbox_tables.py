"""Tables in programs: what can be read gives what pandas gives; files, code, callables and look-alikes give nothing."""

from __future__ import annotations

import datetime
import sys
import time
from typing import Any

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox import Sandbox
from autograph.language.sandbox.table_methods import TABLE_METHODS, TABLE_READS
from autograph.language.statements import StatementInterpreter

SHARED = StatementInterpreter()


def shop() -> pandas.DataFrame:
    return pandas.DataFrame({"name": ["a", "b", "c", "d"], "price": [4.5, 9.0, 12.0, 30.0], "n": [1, 2, 2, 3]})


def odd() -> pandas.DataFrame:
    """Types that are no plain numbers or text."""
    return pandas.DataFrame(
        {
            "day": pandas.to_datetime(["2024-01-02", None]),
            "whole": pandas.array([1, None], dtype="Int64"),
            "kind": pandas.Categorical(["x", "y"]),
            "tags": [["a"], {"b": 1}],
            "real": [1.5, float("nan")],
        }
    )


def value(code: str, **variables: Any) -> Any:
    return SHARED.execute_expression(code, {"df": shop(), "odd": odd(), **variables})


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("df.shape", (4, 3)),
        ("df.columns", ["name", "price", "n"]),
        ("[name for name in df]", ["name", "price", "n"]),
        ("'price' in df and 'x' not in df", True),
        ("len(df) + len(df.price) + df.price.size", 12),
        ("df.empty or df[df.n > 9].empty", True),
        ("sum(df.price) + max(df.price)", 85.5),
        ("dict(zip(df.name, df.n))", {"a": 1, "b": 2, "c": 2, "d": 3}),
        ("[p * 2 for p in df.price]", [9.0, 18.0, 24.0, 60.0]),
        ("(df.price * df.n - 1).tolist()", [3.5, 17.0, 23.0, 89.0]),
        ("(2 * df.n ** 2 // 3 % 4).tolist()", [0, 2, 2, 2]),
        ("(-df.n).tolist() + (+df.n).tolist()", [-1, -2, -2, -3, 1, 2, 2, 3]),
        ("(df['name'] + '!').tolist()", ["a!", "b!", "c!", "d!"]),
        ("(df.name + df.name).tolist()", ["aa", "bb", "cc", "dd"]),
        ("df[(df.price > 5) & ~(df.n == 3)].name.tolist()", ["b", "c"]),
        ("df[(df.price < 5) | (df.n == 3)].name.tolist()", ["a", "d"]),
        ("df[[True, False, False, True]].name.tolist()", ["a", "d"]),
        ("df.price[df.name == 'b'].tolist()", [9.0]),
        ("df[['name', 'n']].to_dict(orient='split')['data'][1]", ["b", 2]),
        ("df.iloc[0].price + df.iloc[-1]['price']", 34.5),
        ("df.iloc[0:2, 1].tolist() + df.iloc[:, 2].tolist()", [4.5, 9.0, 1, 2, 2, 3]),
        ("df.iloc[[0, 0, 3]].name.tolist()", ["a", "a", "d"]),
        ("df.loc[1:2, 'name'].tolist()", ["b", "c"]),
        ("df.loc[[3, 0], ['name']].name.tolist()", ["d", "a"]),
        ("df[1:3].name.tolist() + df.name[:1].tolist()", ["b", "c", "a"]),
        ("df.tail(1).to_dict('index')", {3: {"name": "d", "price": 30.0, "n": 3}}),
        ("df.head(1).to_dict()", {"name": {0: "a"}, "price": {0: 4.5}, "n": {0: 1}}),
        ("df.nsmallest(2, 'price').name.tolist()", ["a", "b"]),
        ("df.sort_values(['n', 'price'], ascending=[False, True]).name.tolist()", ["d", "b", "c", "a"]),
        ("df.price.sort_values(ascending=False).tolist()", [30.0, 12.0, 9.0, 4.5]),
        ("df.drop_duplicates('n').name.tolist()", ["a", "b", "d"]),
        ("df.drop_duplicates(subset=['n'], keep=False).name.tolist()", ["a", "d"]),
        ("df.groupby('n').price.sum().to_dict()", {1: 4.5, 2: 21.0, 3: 30.0}),
        ("df.groupby('n')[['price']].mean().to_dict()", {"price": {1: 4.5, 2: 10.5, 3: 30.0}}),
        ("df.groupby('n').sum(numeric_only=True).to_dict()", {"price": {1: 4.5, 2: 21.0, 3: 30.0}}),
        ("df.groupby('n').size().to_dict()", {1: 1, 2: 2, 3: 1}),
        ("df.groupby(['n', 'name']).price.max().loc[(2, 'c')]", 12.0),
        ("df.groupby('n').first().name.tolist()", ["a", "b", "d"]),
        ("df.groupby('n').last().name.tolist()", ["a", "c", "d"]),
        ("df.groupby('n').name.min().tolist()", ["a", "b", "d"]),
        ("df.groupby('n').price.median().tolist()", [4.5, 10.5, 30.0]),
        ("df.groupby('n', as_index=False).name.count().name.tolist()", [1, 2, 1]),
        ("df.name.str.upper().str.len().tolist()", [1, 1, 1, 1]),
        ("df.name.str.contains('.').tolist()", [False, False, False, False]),
        ("df.name.str.contains('B', case=False).tolist()", [False, True, False, False]),
        ("(df.name.str.startswith('a') | df.name.str.endswith('d')).sum()", 2),
        ("df.name.isin(['a', 'z']).any() and not df.name.isna().any() and df.name.notna().all()", True),
        ("df.n.unique().tolist()", [1, 2, 3]),
        ("('a' in df.name.unique(), len(df.n.unique()), df.n.unique()[0])", (True, 3, 1)),
        ("(df.n.nunique(), df.n.count(), df.price.idxmax(), df.price.idxmin())", (3, 4, 3, 0)),
        ("(df.price.mean(), df.price.median(), df.price.min(), df.name.max())", (13.875, 10.5, 4.5, "d")),
        ("round(df.price.std(ddof=0), 4)", 9.6849),
        ("(df.price / 4).round(decimals=1).abs().tolist()", [1.1, 2.2, 3.0, 7.5]),
        ("df.n.value_counts().to_dict()", {2: 2, 1: 1, 3: 1}),
        ("[0] * df.n.sum()", [0] * 8),
        ("type(df.n.max()) == int and type(df.price.max()) == float and type((df.n == 1).any()) == bool", True),
        ("type(df).__name__ + str(df) + f'{df.n}'", "DataFrame<DataFrame><Series>"),
        ("odd.day.tolist()", [datetime.datetime(2024, 1, 2), None]),
        ("odd.day.max().year", 2024),
        ("(odd.whole.tolist(), odd.whole.sum(), odd.kind.tolist())", ([1, None], 1, ["x", "y"])),
        ("odd.tags.tolist()", [["a"], {"b": 1}]),
        ("(odd.real.isna().tolist(), odd.real.count())", ([False, True], 1)),
        ("odd.groupby('kind').whole.sum().to_dict()", {"x": 1, "y": 0}),
    ],
)
def test_reading(code: str, expected: Any) -> None:
    found = value(code)
    assert found == expected
    assert type(found) is type(expected)


PANDAS_ONLY = sorted(
    {name for kind in (pandas.DataFrame, pandas.Series) for name in dir(kind) if not name.startswith("_")}
)


@pytest.mark.parametrize("name", PANDAS_ONLY)
def test_only_the_listed_names_exist(name: str) -> None:
    for code, kind in (("df", "DataFrame"), ("df.price", "Series")):
        if name in TABLE_METHODS[kind] or name in TABLE_READS[kind] or f"{code}.{name}" == "df.name":
            continue
        with pytest.raises(StatementError):
            value(f"{code}.{name}")
        with pytest.raises(StatementError):
            value(f"{code}.{name}('/dev/null')")


@pytest.mark.parametrize("path", ["df.loc", "df.iloc", "df.groupby('n')", "df.name.str", "df.name.unique()"])
def test_what_tables_give_on_the_way_has_no_more_names(path: str) -> None:
    real = {"df.loc": shop().loc, "df.groupby('n')": shop().groupby("n"), "df.name.str": shop()["name"].str}
    names = {name for name in dir(real.get(path, shop().iloc)) if not name.startswith("_")}
    allowed = {name for table in TABLE_METHODS.values() for name in table} | {"name", "price", "n"}
    for name in sorted((names - allowed) | {"table", "column", "items", "options", "by", "chosen", "obj", "grouper"}):
        with pytest.raises(StatementError):
            value(f"{path}.{name}")


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('n').agg('to_csv')",
        "df.groupby(lambda row: 1)",
        "df.groupby({'a': 1})",
        "df.groupby(df.n)",
        "df.sort_values('price', key=lambda p: p)",
        "df.sort_values('price', inplace=True)",
        "df.sort_values('price', na_position='to_csv')",
        "df.to_dict('series')",
        "df.to_dict('records', into=dict)",
        "df.nlargest(10**400, 'price')",
        "df.nlargest(2, 'missing')",
        "df.head('x')",
        "df.price.std(ddof='x')",
        "df.name.str.contains('a', regex=True)",
        "df.name.str.contains(lambda x: x)",
        "df.name.str.replace('a', 'b')",
        "df.price.str",
        "df[lambda d: d]",
        "df.loc[lambda d: d]",
        "df.iloc[lambda d: [0]]",
        "df.iloc['a']",
        "df.iloc[df.n > 1]",
        "df.loc[df]",
        "df[df]",
        "df['nme']",
        "df.loc[77]",
        "df.iloc[77]",
        "df.price[77]",
        "df.iloc[0].name",
        "df.iloc[0, 0, 0]",
        "df[df.n.head(2) == 1]",
        "df.price[[True]]",
        "df[odd.real > 1]",
        "df + df.price",
        "df.price + odd.real",
        "df.price == [1, 2, 3, 4]",
        "df.name * 3",
        "df.name * 3.0",
        "df.name - 'a'",
        "df.price & 1",
        "~df.price",
        "-df.name",
        "df.n << 2",
        "df.n + 10**30",
        "df.price + order",
        "df.name.sum()",
        "df.name.mean()",
        "df.groupby('n').sum()",
        "df.groupby('n').mean(numeric_only='x')",
        "df.price.any()",
        "df and 1",
        "1 if df.n > 1 else 2",
        "not df.price",
        "odd.tags.unique()",
        "odd.tags.value_counts()",
        "odd.sort_values('tags')",
        "odd.tags + odd.tags",
        "odd.groupby('tags').size()",
        "df.price.isin(5)",
        "df.price.isin([[1]])",
        "df.price.round(10**9)",
        "sorted([df, df])",
        "{df: 1}",
        "int(df.price)",
        "abs(df.price)",
        "df.iloc[0:'x', 0]",
    ],
)
def test_refused(code: str) -> None:
    with pytest.raises((StatementError, LimitError)):
        value(code, order=object())


def test_writing_is_refused() -> None:
    for code in ("df['x'] = 1", "df.loc[0, 'n'] = 5", "df.price[0] = 1", "df.x = 1", "df['n'] += 1", "del df['n']"):
        table = shop()
        with pytest.raises(StatementError):
            SHARED.execute_assignment(code, {"df": table})
        assert table.equals(shop())


def test_errors_help() -> None:
    for code, words in {
        "df['nme']": "no column 'nme'. Did you mean \"name\"",
        "df.iloc[0].name": 'written ["name"]',
        "df.n == 1 and df.price > 3": "neither true nor false; join conditions with & | ~",
        "(df.n == 1) & df.price": "stands between conditions",
        "df.groupby('n').sum()": "the column 'name' holds text",
        "df.price.men()": "Did you mean",
    }.items():
        with pytest.raises(StatementError) as caught:
            value(code)
        assert words in str(caught.value)


# ---------------------------------------------------------------------- what it is, and what it is not


class Mine(pandas.DataFrame):
    """A subclass has methods of its own, so it is none of the tables that programs know."""


class Column(pandas.Series):
    pass


def test_subclasses_and_look_alikes_get_nothing() -> None:
    fake = type("DataFrame", (), {"__module__": "pandas", "columns": ["secret"], "shape": (1, 1)})
    for table in (Mine(shop()), Column([1, 2]), fake(), type("Groups", (), {})(), type("Values", (), {"items": [1]})()):
        for code in ("t.shape", "t.columns", "t.tolist()", "t.items", "t[0]", "t[0:1]", "len(t)", "[x for x in t]",
                     "t * t", "'x' in t", "t.head()", "t.price"):  # fmt: skip
            with pytest.raises(StatementError):
                SHARED.execute_expression(code, {"t": table, "one": 1})


def test_arrays_and_relatives_of_tables_are_not_compared() -> None:
    for table in (Mine(shop()), Column([1, 2]), shop().to_numpy(), shop().index):
        for code in ("t == t", "[t != t for i in range(9)]", "[t == 1 for i in range(9)]", "[t + 1 for i in [1]]"):
            with pytest.raises(StatementError):
                SHARED.execute_expression(code, {"t": table})


def test_pandas_is_never_imported_for_a_program() -> None:
    import subprocess

    code = (
        "import sys, autograph; i = autograph.StatementInterpreter(modules=[print]);"
        "i.execute_expression('[x + 1 for x in xs]', {'xs': [1]}); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    "code",
    ["df.head(2)", "df[0:2]", "df[['n']]", "df.iloc[0:2]", "df.loc[0:1]", "df[df.n > 0]", "df.sort_values('n')",
     "df.drop_duplicates()", "df.nlargest(9, 'n')", "df.tail(9)"],
)  # fmt: skip
def test_results_are_tables_of_their_own(code: str) -> None:
    table = shop()
    result = SHARED.execute_expression(code, {"df": table})
    result["n"] = 0
    result.loc[:, "n"] = 0
    result.iloc[0, 0] = 9 if "['n']" in code else "z"
    assert table.equals(shop())


def test_cells_are_values_of_their_own() -> None:
    table = odd()
    SHARED.execute_expression("odd.tags.tolist()[0].append(1)", {"odd": table})
    SHARED.execute_expression("odd.to_dict('records')[0]['tags'].append(1)", {"odd": table})
    SHARED.execute_expression("odd.tags[0].append(1) or odd.iloc[0].tags.append(1)", {"odd": table})
    assert table["tags"][0] == ["a"]


def test_cells_that_programs_cannot_have() -> None:
    class Hidden:
        def __eq__(self, other: object) -> bool:
            raise AssertionError("run by a program")

        __lt__ = __add__ = __eq__  # type: ignore[assignment]
        __hash__ = object.__hash__

    table = pandas.DataFrame({"x": [Hidden(), Hidden()], "n": [1, 2]})
    for code in ("t.x.tolist()", "t.to_dict()", "t.x == t.x", "t.x + t.x", "t.x.max()", "t.x.unique()", "t.x[0]",
                 "t.groupby('x').size()", "t.sort_values('x')", "t.iloc[0].x", "[x for x in t.x]"):  # fmt: skip
        with pytest.raises(StatementError):
            SHARED.execute_expression(code, {"t": table})
    assert SHARED.execute_expression("t[t.n > 1].n.tolist()", {"t": table}) == [2]


def test_statements_with_tables_copy_nothing_beforehand() -> None:
    sandbox = Sandbox(AutographConfig())
    for code in ("df.sort_values('n').head(2)", "df.groupby('n').price.mean()", "df.price[0]", "df.name.str.upper()"):
        assert sandbox.expression(code).mutates is False


def test_tables_are_stored_and_columns_are_not() -> None:
    variables: dict[str, Any] = {"df": shop()}
    SHARED.execute_assignment("cheap = df[df.price < 10]", variables)
    assert SHARED.execute_expression("cheap.name.tolist()", variables) == ["a", "b"]
    for code in ("x = df.price", "x = df.groupby('n')", "x = df.loc", "x = df.n.unique()", "x = [df.n]"):
        with pytest.raises(StatementError, match="cannot be stored"):
            SHARED.execute_assignment(code, variables)


# ---------------------------------------------------------------------- limits

LARGE = pandas.DataFrame({"x": range(100_000), "t": ["a" * 30] * 100_000, "zero": [0] * 100_000})


@pytest.mark.parametrize(
    "code",
    [
        "[df + 1 for i in range(5000)]",
        "[df.x + 1 for i in range(5000)]",
        "[-df.x for i in range(5000)]",
        "[df == 1 for i in range(5000)]",
        "[1 < df.x for i in range(5000)]",
        "list(map(lambda i: df.x / 2, range(5000)))",
        "[df.x for i in range(5000)]",
        "[df.head(90000) for i in range(5000)]",
        "[df.iloc[i] for i in range(90000)]",
        "[list(df.t) for i in range(500)]",
        "[df.sort_values('t') for i in range(500)]",
        "[df.t.str.upper() for i in range(100)]",
        "df[['x'] * 2000]",
        "df.iloc[[0] * 200000, [0] * 20]",
        "dup.loc[[0] * 1000]",
        "dup.x + dup.x.head(50000)",
        "df.t + 'x' * 1000",
        "df.groupby('x').t.max()",
        "df.to_dict('records')",
        "df.loc[df.index.repeat(10**9)]",
        "[df.groupby('zero').x.sum() for i in range(1000)]",
    ],
)
def test_large_tables_are_bounded(code: str) -> None:
    begun = time.process_time()
    with pytest.raises((LimitError, StatementError)):
        SHARED.execute_expression(code, {"df": LARGE, "dup": LARGE.set_index("zero")})
    assert time.process_time() - begun < 2


def test_what_is_not_in_a_loop_runs_unguarded_a_few_times() -> None:
    sandbox = Sandbox(AutographConfig())
    few = sandbox.expression("[" + ", ".join(["df + 1"] * 12) + "]")
    many = sandbox.expression("[" + ", ".join(["df + 1"] * 13) + "]")
    assert "@+" not in few.code.co_names
    assert "@+" in many.code.co_names
    assert "@+" in sandbox.expression("[x + 1 for x in xs]").code.co_consts[0].co_names or sys.version_info >= (3, 12)


# ---------------------------------------------------------------------- as pandas has it

rows = st.lists(st.tuples(st.sampled_from("abc"), st.integers(-5, 5), st.floats(-9, 9)), min_size=1, max_size=12)
CODES = [
    "t.{n}.sum()", "t.{n}.mean()", "t.{n}.max()", "t.{n}.median()", "t.{n}.nunique()", "t.{n}.idxmin()",
    "t.groupby('k')['{n}'].sum().to_dict()", "t.groupby('k').{n}.first().to_dict()", "t.k.value_counts().to_dict()",
    "t[t.{n} > 0].to_dict('records')", "t.sort_values(['{n}', 'k']).to_dict('list')", "t.nlargest(3, '{n}').to_dict()",
    "(t.{n} * 2 + t.{n}).tolist()", "t.loc[t.k == 'a', '{n}'].tolist()", "t.iloc[-1]['{n}']", "t.{n}.round(1).tolist()",
    "t.drop_duplicates('k').{n}.tolist()", "t.{n}.abs().tolist()", "t.groupby('k').size().to_dict()", "t.shape",
    "t.{n}.isin([1, 2]).tolist()", "t.tail(2).to_dict('index')", "t[1:3].k.tolist()", "(~(t.{n} < 1)).sum()",
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(rows, st.sampled_from(CODES), st.sampled_from("ij"))
def test_results_are_those_of_pandas(data: list[Any], code: str, name: str) -> None:
    table = pandas.DataFrame(data, columns=["k", "i", "j"])
    code = code.replace("{n}", name)
    assert SHARED.execute_expression(code, {"t": table}) == eval(code, {"t": table})
