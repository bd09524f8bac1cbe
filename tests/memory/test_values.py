"""What may a variable hold, and how is it copied?"""

from __future__ import annotations

import enum
import subprocess
import sys
from collections import OrderedDict, defaultdict, namedtuple
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

import numpy
import pandas
import pytest

from autograph.values import MAX_DEPTH, Survey, check_storable, deep_copy, is_leaf, reaches, to_plain


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def refusal(value: object) -> str:
    with pytest.raises(ValueError, match="cannot be stored") as caught:
        check_storable(value, "x")
    return str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        None, True, 5, 10**5000, 1.5, float("nan"), 1j, "text", b"bytes", range(3), date(2024, 2, 29),
        datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")), timedelta(1),
        Decimal("1.10"), Fraction(1, 3), [], [1, [2, (3, {4})]], {"a": {1: frozenset([(1, 2)])}}, {(1, "a"): 2},
        [datetime(2024, 1, 1)], {datetime(2024, 1, 1)}, nested(MAX_DEPTH),
        pandas.DataFrame({"a": [1, None], "b": ["x", "y"]}),
    ],
    ids=lambda value: repr(value)[:30] if type(value) is not int else "int",
)  # fmt: skip
def test_plain_data_is_storable(value: object) -> None:
    check_storable(value)


def test_refusals_name_path_type_and_remedy() -> None:
    assert refusal([1, 2, {"k": len}]) == (
        'x[2]["k"] is a builtin_function_or_method, which cannot be stored; call it and keep its result.'
    )
    assert refusal(lambda: 0).startswith("x is a function,")
    assert refusal({3: (i for i in ())}) == (
        "x[3] is a generator, which cannot be stored; make a list of it with list(...)."
    )
    assert refusal({"s": {(1, len)}}).startswith('x["s"]{item} is a builtin')
    assert refusal({(1, len): 1}).startswith("x{key} is a builtin")
    assert refusal(object()).startswith("x is an object,")
    assert refusal([bytearray(b"x")]).startswith("x[0] is a bytearray,")
    assert ".tolist()" in refusal(numpy.array([1]))
    assert ".tolist()" in refusal(pandas.Series([1]))


@pytest.mark.parametrize(
    "value",
    [OrderedDict(a=1), defaultdict(list), numpy.float64(1), numpy.int64(1), pandas.Timestamp("2024"), Exception(), int],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_only_exact_types(value: object) -> None:
    assert refusal([value]).startswith("x[0] is a")


def test_foreign_time_zone_is_refused() -> None:
    class Odd(tzinfo):
        def utcoffset(self, dt: datetime | None) -> timedelta:
            return timedelta(0)

    value = datetime(2024, 1, 1, tzinfo=Odd())
    assert not is_leaf(value)
    assert "zoneinfo" in refusal({"t": value})
    assert is_leaf(datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1), "X")))


def test_cycles_are_refused() -> None:
    one: list[Any] = [1]
    one.append({"k": (one,)})
    assert refusal(one) == 'x[1]["k"][0] contains itself, which cannot be stored; keep a copy instead.'


def test_depth_is_bounded_also_through_shared_objects() -> None:
    assert "deeper than 100 levels" in refusal(nested(MAX_DEPTH + 1))
    lower, upper = nested(60), nested(1)
    check_storable([lower, lower])
    for _ in range(50):
        upper = [upper]
    upper = [lower, upper]
    deep: Any = lower
    for _ in range(41):
        deep = [deep]
    assert "deeper than" in refusal([lower, deep])
    sealed: Any = frozenset()
    for _ in range(200):
        sealed = frozenset([sealed])
    assert "deeper than" in refusal({sealed})


def test_shared_objects_are_visited_once() -> None:
    value: Any = [1]
    for _ in range(90):
        value = [value, value]
    check_storable(value)
    assert not reaches(value, [])
    copy = deep_copy(value, {})
    assert copy[0] is copy[1]
    assert copy[0] is not value[0]


def test_survey_notes_what_occurs_more_than_once() -> None:
    shared, lone = [1], [2]
    survey = Survey()
    survey.add({"a": shared, "b": lone})
    survey.add((shared,))
    assert survey.shared == {id(shared)}


def test_tables_are_checked() -> None:
    assert refusal(pandas.DataFrame({"a": [[1], 2]})).startswith("x['a'] is a list,")
    assert "period" in refusal(pandas.DataFrame({"a": pandas.period_range("2024-01", periods=2, freq="M")}))
    check_storable(pandas.DataFrame({"c": pandas.Categorical(["u", "v"])}))


def test_reaches() -> None:
    inner: list[Any] = [1]
    assert reaches(inner, inner)
    assert reaches({"a": [0, ({"b": inner},)]}, inner)
    assert not reaches({"a": [0, [1]]}, inner)
    key = (1, (2, 3))
    assert reaches({key: 1}, key)
    inner.append(inner)
    assert not reaches(inner, [])


def test_copy_keeps_sharing_over_roots_and_shares_nothing_mutable() -> None:
    box, table = [1], pandas.DataFrame({"a": [1]})
    constant, mixed = (1, (2, "x")), (1, box)
    one, two = {"box": box, "c": constant, "m": mixed, "t": table, "s": {1}}, [box, table, mixed]
    memo: dict[int, Any] = {}
    new_one, new_two = deep_copy(one, memo), deep_copy(two, memo)
    assert new_one["box"] == [1]
    assert new_one["box"] is new_two[0] is new_one["m"][1]
    assert new_one["m"] is new_two[2]
    assert new_one["c"] is constant
    assert new_one["t"] is new_two[1]
    new_one["box"].append(2)
    new_one["s"].add(2)
    new_one["t"].loc[0, "a"] = 9
    assert (box, one["s"], table["a"].tolist()) == ([1], {1}, [1])


@pytest.mark.parametrize("value", [[len], {"a": [len]}, {(1, len)}, (object(),), len, nested(200)])
def test_copy_refuses_what_cannot_be_stored(value: object) -> None:
    with pytest.raises(ValueError, match="cannot be stored"):
        deep_copy(value, {})


def test_copy_refuses_cycles() -> None:
    value: list[Any] = []
    value.append([value])
    with pytest.raises(ValueError, match="contains itself"):
        deep_copy(value, {})


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Text(str):
    pass


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (numpy.int64(3), 3), (numpy.float32(0.5), 0.5), (numpy.float64(0.5), 0.5), (numpy.bool_(True), True),
        (numpy.str_("x"), "x"), (numpy.complex128(1j), 1j), (numpy.datetime64("2024-01-01"), date(2024, 1, 1)),
        (OrderedDict(a=numpy.int64(1)), {"a": 1}), (defaultdict(list, a=[1]), {"a": [1]}),
        (MappingProxyType({"a": 1}), {"a": 1}), (namedtuple("P", "x")(numpy.int64(1)), (1,)),
        (Colour.RED, "red"), (Level.LOW, 1), (Text("t"), "t"), ({Colour.RED: [Level.LOW]}, {"red": [1]}),
        ({Text("a"), "b"}, {"a", "b"}), (pandas.Timestamp("2024-01-01 10:00"), datetime(2024, 1, 1, 10)),
        (pandas.Timedelta(5, "s"), timedelta(seconds=5)), ([[Text("a")]], [["a"]]),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_to_plain(value: object, plain: object) -> None:
    result = to_plain(value)
    assert result == plain
    assert type(result) is type(plain)
    check_storable(result)


def test_to_plain_leaves_the_rest() -> None:
    value = {"a": [1, (2, {3})], "b": datetime(2024, 1, 1)}
    assert to_plain(value) is value
    for odd in (numpy.array([1]), pandas.NaT, pandas.Timestamp("2024-01-01 00:00:00.000000001"), len, object()):
        assert to_plain(odd) is odd
    shared = [numpy.int64(1)]
    one, two = to_plain((shared, shared))
    assert one is two
    cycle: list[Any] = [numpy.int64(1)]
    cycle.append(cycle)
    with pytest.raises(ValueError, match="cannot be stored"):
        check_storable(to_plain(cycle))
    deep = nested(5000)
    assert to_plain(deep)[0][0]


def test_import_is_light() -> None:
    heavy = "{'pandas', 'numpy', 'zoneinfo', 'lark'}"
    code = f"import sys, autograph.values, autograph.memory.codec; print({heavy} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
