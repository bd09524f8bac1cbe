"""How are values written as JSON?"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.errors import StorageError
from autograph.memory.codec import decode_values, encode_values
from autograph.memory.scalars import DECODERS

ZONES = st.sampled_from(
    [None, UTC, timezone(timedelta(hours=-3, microseconds=5)), timezone(timedelta(0), "X"), ZoneInfo("Asia/Tokyo")]
)
KEYS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(st.characters(exclude_categories=[]), max_size=5), st.just("$"),
    st.floats(), st.binary(max_size=5), st.dates(), st.decimals(allow_nan=False),
)  # fmt: skip
CONSTANTS = st.recursive(
    KEYS, lambda below: st.lists(below, max_size=3).map(tuple) | st.frozensets(below, max_size=3), max_leaves=6
)
LEAVES = st.one_of(
    KEYS, st.complex_numbers(), st.decimals(), st.fractions(), st.timedeltas(), st.integers(2**1990, 2**2010),
    st.builds(range, st.integers(), st.integers(), st.integers(1)),
    st.datetimes(timezones=ZONES), st.times(timezones=ZONES),
    st.datetimes().map(lambda moment: moment.replace(fold=1)),
)  # fmt: skip


@st.composite
def states(draw: st.DrawFn) -> list[Any]:
    """Roots that share objects: each new container takes its parts from scalars and from what exists already."""
    pool: list[Any] = [draw(LEAVES), draw(CONSTANTS)]
    parts = st.deferred(lambda: LEAVES | st.sampled_from(range(len(pool))).map(lambda i: pool[i]))
    for kind in draw(st.lists(st.sampled_from(["list", "tuple", "dict", "set", "frozenset"]), max_size=8)):
        if kind in ("set", "frozenset"):
            items = draw(st.sets(CONSTANTS, max_size=4))
            pool.append(items if kind == "set" else frozenset(items))
        elif kind == "dict":
            pool.append({key: draw(parts) for key in draw(st.sets(CONSTANTS, max_size=4))})
        else:
            items = [draw(parts) for _ in range(draw(st.integers(0, 4)))]
            pool.append(items if kind == "list" else tuple(items))
    return draw(st.lists(st.sampled_from(range(len(pool))).map(lambda i: pool[i]), min_size=1, max_size=4))


def shape(value: Any, numbers: dict[int, int]) -> Any:
    """What must survive: exact types, every value, the order of dicts, and which lists, dicts, sets are one."""
    kind = type(value)
    if kind in (list, dict, set):
        if id(value) in numbers:
            return ("again", numbers[id(value)])
        numbers[id(value)] = len(numbers)
    if kind in (list, tuple):
        return (kind.__name__, [shape(item, numbers) for item in value])
    if kind is dict:
        return ("dict", [(shape(k, {}), shape(v, numbers)) for k, v in value.items()])
    if kind in (set, frozenset):
        return (kind.__name__, sorted([shape(item, {}) for item in value], key=repr))
    if isinstance(value, datetime | time):
        return (kind.__name__, repr(value), repr(value.tzinfo), value.fold)
    return (kind.__name__, hex(value) if kind is int else repr(value))


def through_text(roots: list[Any]) -> list[Any]:
    return decode_values(json.loads(json.dumps(encode_values(roots), allow_nan=False)))


@settings(max_examples=100, deadline=None)
@given(states())
def test_values_types_and_sharing_survive(roots: list[Any]) -> None:
    text = json.dumps(encode_values(roots), allow_nan=False)
    text.encode()
    back = decode_values(json.loads(text))
    old: dict[int, int] = {}
    new: dict[int, int] = {}
    assert [shape(root, old) for root in roots] == [shape(root, new) for root in back]
    assert json.dumps(encode_values(back)) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.sampled_from(["$", "id", "items", "value", "zone", "fold", "a"]), below, max_size=4)
        | st.fixed_dictionaries(
            {"$": st.sampled_from(["list", "tuple", "dict", "set", "frozenset"]), "items": st.lists(below, max_size=3)},
            optional={"id": st.integers(1, 3)},
        )
        | st.fixed_dictionaries({"$": st.just("ref"), "id": st.integers(1, 3)})
        | st.fixed_dictionaries(
            {
                "$": st.sampled_from(sorted(DECODERS)),
                "value": below
                | st.sampled_from(["2024-01-01", "nan", "1e999999999", [1, 0], [0, 5, 0], "0x", [55296]]),
            },
            optional={"zone": below | st.sampled_from(["Europe/Berlin", "../x", "America", [10**30]]), "fold": below},
        )
        | st.fixed_dictionaries({"$": st.just("frame"), "columns": below, "index": below, "data": below})
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(JSON, max_size=3))
def test_any_data_is_decoded_or_refused(data: list[Any]) -> None:
    try:
        values = decode_values(data)
    except StorageError:
        return
    encode_values(values)


def test_ordinary_values_look_like_themselves() -> None:
    value = {"name": "Ada", "größe": [1, 2.5, None, True, {"x": []}], "": "é", "big": 2**60}
    assert encode_values([value]) == [value]
    assert encode_values([value])[0] is not value
    assert encode_values([5, "x"]) == [5, "x"]


def test_the_form_is_fixed() -> None:
    box = [1]
    value = {
        "a": box, "b": box, "t": (1, "x"), "s": {3, 1}, "k": {1: 2}, "d": {"$": 1}, "n": float("nan"),
        "m": datetime(2024, 5, 6, 7, 8, tzinfo=ZoneInfo("Europe/Berlin"), fold=1), "y": b"\xff",
        "e": datetime(2024, 5, 6, tzinfo=timezone(timedelta(hours=1))), "f": Fraction(1, 3), "z": Decimal("1.10"),
    }  # fmt: skip
    assert encode_values([value, box]) == [
        {
            "a": {"$": "list", "id": 1, "items": [1]},
            "b": {"$": "ref", "id": 1},
            "t": {"$": "tuple", "items": [1, "x"]},
            "s": {"$": "set", "items": [1, 3]},
            "k": {"$": "dict", "items": [[1, 2]]},
            "d": {"$": "dict", "items": [["$", 1]]},
            "n": {"$": "float", "value": "nan"},
            "m": {"$": "datetime", "value": "2024-05-06T07:08:00", "zone": "Europe/Berlin", "fold": 1},
            "y": {"$": "bytes", "value": "/w=="},
            "e": {"$": "datetime", "value": "2024-05-06T00:00:00", "zone": [3600000000]},
            "f": {"$": "Fraction", "value": [1, 3]},
            "z": {"$": "Decimal", "value": "1.10"},
        },
        {"$": "ref", "id": 1},
    ]


def test_sharing_survives_over_roots_and_levels() -> None:
    box: list[Any] = [1]
    pair = (box, 0)
    one, two, three = through_text([{"a": box, "b": [box]}, {"c": pair}, pair])
    assert one["a"] is one["b"][0] is two["c"][0]
    assert two["c"] is three
    one["a"].append(2)
    assert three == ([1, 2], 0)


def test_constants_are_values_not_objects() -> None:
    constant = (1, (2, 3), frozenset([4]))
    equal = (1, (2, 3), frozenset([4]))
    assert encode_values([constant, constant]) == encode_values([constant, equal])


def test_shared_structure_stays_small() -> None:
    value: Any = tuple(range(100))
    for _ in range(60):
        value = (value, value)
    assert len(json.dumps(encode_values([value]))) < 10_000
    (back,) = through_text([value])
    assert back[0] is back[1]


def test_large_numbers_and_surrogates_are_exact() -> None:
    values = [2**53 + 1, -(10**600), 10**5000, -(7**9000), "\ud800", "\ud83d\ude00", "😀", {"\udfff": 1}, -0.0, 5e-324]
    back = through_text(values)
    assert back == values
    assert repr(back[8]) == "-0.0"


def test_order_of_sets_does_not_depend_on_hashes() -> None:
    words = [f"w{i}" for i in range(10, 60)]
    assert encode_values([set(words)]) == [{"$": "set", "items": words}]
    mixed = {1, "1", None, (1, 2), b"x", 2.5, frozenset("ab")}
    assert through_text([mixed]) == [mixed]


TABLES = {
    "types": pandas.DataFrame(
        {
            "text": ["x", None],
            "float": [1.5, float("nan")],
            "small": pandas.Series([1, 2], dtype="int8"),
            "flag": [True, False],
            "any": pandas.Series([1, "x"], dtype=object),
            "day": pandas.to_datetime(["2020-01-01", None]),
            "fine": pandas.to_datetime(["2020-01-01 00:00:00.000000001"] * 2),
            "zone": pandas.to_datetime(["2020-01-01", "2021-07-01"]).tz_localize("Europe/Berlin"),
            "time": pandas.to_timedelta([1, 2], "s"),
            "kind": pandas.Categorical(["u", "v"], categories=["v", "u"], ordered=True),
            "nullable": pandas.array([1, None], dtype="Int64"),
            "boolean": pandas.array([True, None], dtype="boolean"),
            "string": pandas.array(["x", None], dtype="string"),
        }
    ),
    "empty": pandas.DataFrame(),
    "no rows": pandas.DataFrame({"a": pandas.Series([], dtype="float64")}),
    "labels": pandas.DataFrame([[1, 2], [3, 4]], columns=["a", "a"], index=["p", "q"]),
    "several levels": pandas.DataFrame(
        {("a", "b"): [1, 2]}, index=pandas.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["p", "q"])
    ),
    "numbers as labels": pandas.DataFrame([[1, 2]], index=pandas.Index([7], name="i")),
    "filtered": pandas.DataFrame({"a": [1, 2, 3]})[lambda table: table.a > 1],
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    table = TABLES[name]
    one, two = through_text([[table], table])
    pandas.testing.assert_frame_equal(one[0], table)
    assert one[0] is two
    assert encode_values([two]) == encode_values([table])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"$": "nothing"}, "the tag 'nothing' is unknown"),
        ({"$": 3}, "the tag '3' is unknown"),
        ({"$": "ref", "id": 1}, "there is no object 1"),
        ({"$": "list", "id": 1, "items": [{"$": "ref", "id": 1}]}, "there is no object 1"),
        ([{"$": "list", "id": 1, "items": []}, {"$": "set", "id": 1, "items": []}], "two objects 1"),
        ({"$": "list", "id": True, "items": []}, "an id is"),
        ({"$": "list", "items": {}}, "no list"),
        ({"$": "list", "items": [], "more": 1}, "has the keys"),
        ({"$": "dict", "items": [[1]]}, "pairs"),
        ({"$": "dict", "items": [[1, 2], [1, 3]]}, "two keys are the same"),
        ({"$": "dict", "items": [[[1], 2]]}, "cannot be in a set or a key"),
        ({"$": "set", "items": [{"$": "list", "items": []}]}, "tag 'list' is unknown"),
        ({"$": "set", "items": [1, 1]}, "two items are the same"),
        ({"$": "set", "items": [{"$": "Decimal", "value": "sNaN"}]}, "hash"),
        ({"$": "datetime", "value": "yesterday"}, "'yesterday' is no datetime"),
        ({"$": "datetime", "value": "2024-01-01T00:00:00", "zone": "No/Where"}, "no time zone 'No/Where'"),
        ({"$": "datetime", "value": "2024-01-01T00:00:00", "zone": {}}, "a zone is"),
        ({"$": "date", "value": "2024-01-01", "zone": "UTC"}, "has the keys"),
        ({"$": "Fraction", "value": [1, 0]}, "no Fraction"),
        ({"$": "range", "value": [1, 2, 0]}, "no range"),
        ({"$": "bytes", "value": "?"}, "no bytes"),
        ({"$": "frame", "columns": [], "index": [], "data": []}, "the table is malformed"),
        ((1, [2]), "tuple is no type of JSON data"),
        ({1: [2]}, "a key is no text"),
    ],
)
def test_malformed_data_is_refused_with_its_path(data: Any, words: str) -> None:
    with pytest.raises(StorageError) as caught:
        decode_values([0, {"a": [1, data]}], ["first", "second"])
    assert words in str(caught.value)
    assert str(caught.value).startswith('second["a"][1]')


def test_depth_is_bounded() -> None:
    data: Any = []
    for _ in range(5000):
        data = [data]
    with pytest.raises(StorageError, match="nested too deeply"):
        decode_values([data])
    with pytest.raises(StorageError, match="deeper than 100 levels"):
        encode_values([data])
    steps: list[Any] = [{"$": "list", "id": 1, "items": []}]
    steps += [{"$": "list", "id": i, "items": [{"$": "ref", "id": i - 1}]} for i in range(2, 200)]
    with pytest.raises(StorageError, match="deeper than 100 levels"):
        decode_values(steps)
    value: Any = 1
    for _ in range(100):
        value = [value]
    assert through_text([{"x": value}]) == [{"x": value}]


def test_what_cannot_be_stored_is_refused_with_its_path() -> None:
    with pytest.raises(StorageError, match=r'^level 1\["f"\] is a builtin_function_or_method'):
        encode_values([{"f": len}], ["level 1"])
    sealed: Any = frozenset([0])
    for i in range(40):
        sealed = frozenset([frozenset([sealed, i]), frozenset([sealed, -i - 1])])
    with pytest.raises(StorageError, match="inside each other cannot be stored"):
        encode_values([{sealed}])


def test_dates_keep_their_type() -> None:
    values = [date(2024, 2, 29), datetime(1, 1, 1), time(1, 2, 3, 4, tzinfo=UTC), timedelta(-1, 5, 7), timedelta.max]
    back = through_text(values)
    assert back == values
    assert [type(value) for value in back] == [type(value) for value in values]
