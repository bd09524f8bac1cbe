"""Which methods and attributes do tables have in a program? Reading, filtering, sorting, grouping, counting.

Never files, never code in text, never a function or the name of one: what is not in these tables does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError, did_you_mean
from autograph.frames import is_frame
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.comparison import keys
from autograph.language.sandbox.iteration import listed
from autograph.language.sandbox.limits import TABLE_COST, TABLE_TEXT
from autograph.language.sandbox.table_picks import check_columns, column, own, pick
from autograph.language.sandbox.tables import (
    LEAVES,
    Groups,
    Locator,
    Texts,
    Values,
    cells,
    charge_cells,
    charge_content,
    charge_table,
    content,
    is_column,
    labels,
    plain_cell,
    text_length,
)
from autograph.language.sandbox.tokens import Function, Native, words

__all__ = ["TABLE_METHODS", "TABLE_READS", "read_table"]

_ADDED = frozenset(("number", "truth", "span"))
_MEASURED = _ADDED | {"moment"}
_ORDERED = _MEASURED | {"text", "mixed"}


# ---------------------------------------------------------------------- checks of arguments


def _whole(name: str, value: Any, least: int = 0) -> int:
    if type(value) is not int or not least <= value < 1 << 31:
        raise StatementError(f"{name}() takes a whole number, not {str(value)[:40]}.")
    return value


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    if not any(value is other or (type(value) is str and value == other) for other in allowed):
        raise StatementError(f"{name} is one of {', '.join(map(repr, allowed))}.")
    return value


def _flag(name: str, value: Any) -> bool:
    return bool(_one_of(name, value, (True, False)))


def _rounds(table: Any) -> int:
    return len(table).bit_length() + 1


def _by(fuel: Units, table: Any, by: Any, rounds: int) -> list[Any]:
    """The names of columns that ``by`` gives, their comparison charged."""
    names = list(by) if type(by) in (list, tuple) else [by]
    check_columns(fuel, table, names)
    for name in names:
        found = table[name]
        for part in [found] if is_column(found) else [found.iloc[:, i] for i in range(found.shape[1])]:
            charge_content(fuel, part, rounds)
    return names


# ---------------------------------------------------------------------- tables and columns


def _head(fuel: Units, table: Any, n: Any = 5) -> Any:
    return own(fuel, _few(fuel, table, table.head(_whole("head", n))))


def _tail(fuel: Units, table: Any, n: Any = 5) -> Any:
    return own(fuel, _few(fuel, table, table.tail(_whole("tail", n))))


def _few(fuel: Units, table: Any, part: Any) -> Any:
    charge_cells(fuel, part)
    return part


def _sort_frame(fuel: Units, table: Any, by: Any, *, ascending: Any = True, na_position: Any = "last") -> Any:
    names = _by(fuel, table, by, _rounds(table))
    charge_cells(fuel, table)
    if type(ascending) is list and len(ascending) == len(names):
        directions: Any = [_flag("ascending", item) for item in ascending]
    else:
        directions = _flag("ascending", ascending)
    _one_of("na_position", na_position, ("first", "last"))
    return table.sort_values(names, ascending=directions, na_position=na_position, kind="stable")


def _sort_column(fuel: Units, table: Any, *, ascending: Any = True, na_position: Any = "last") -> Any:
    charge_content(fuel, table, _rounds(table))
    _one_of("na_position", na_position, ("first", "last"))
    return table.sort_values(ascending=_flag("ascending", ascending), na_position=na_position, kind="stable")


def _extreme(name: str) -> Native:
    def run(fuel: Units, table: Any, n: Any, columns: Any) -> Any:
        names = _by(fuel, table, columns, _rounds(table))
        charge_cells(fuel, table)
        return getattr(table, name)(_whole(name, n), names)

    return run


def _drop_duplicates(fuel: Units, table: Any, subset: Any = None, *, keep: Any = "first") -> Any:
    _by(fuel, table, labels(fuel, table.columns) if subset is None else subset, 2)
    charge_cells(fuel, table)
    names = list(subset) if type(subset) in (list, tuple) else subset
    return table.drop_duplicates(names, keep=_one_of("keep", keep, ("first", "last", False)))


def _groupby(fuel: Units, table: Any, by: Any, *, sort: Any = True, as_index: Any = True, dropna: Any = True) -> Groups:
    names = _by(fuel, table, by, 1)
    options = {"sort": _flag("sort", sort), "as_index": _flag("as_index", as_index), "dropna": _flag("dropna", dropna)}
    return Groups(table, names if type(by) in (list, tuple) else by, options)


def _frame_to_dict(fuel: Units, table: Any, orient: Any = "dict") -> Any:
    _one_of("orient", orient, ("dict", "list", "records", "index", "split"))
    charge_cells(fuel, table, 4)
    fuel.check_count(table.size, "the values of a table")
    fuel.bytes(100 * (table.size + len(table)))
    names = labels(fuel, table.columns)
    data = [cells(fuel, table.iloc[:, place]) for place in range(len(names))]
    if orient == "split":
        rows = [list(row) for row in zip(*data, strict=True)]
        return {"index": labels(fuel, table.index), "columns": names, "data": rows}
    _check_keys(fuel, names, "columns")
    if orient == "list":
        return dict(zip(names, data, strict=True))
    if orient == "records":
        return [dict(zip(names, row, strict=True)) for row in zip(*data, strict=True)]
    index = labels(fuel, table.index)
    _check_keys(fuel, index, "rows")
    if orient == "dict":
        return {name: dict(zip(index, values, strict=True)) for name, values in zip(names, data, strict=True)}
    return {
        label: dict(zip(names, row, strict=True)) for label, row in zip(index, zip(*data, strict=True), strict=True)
    }


def _check_keys(fuel: Units, found: list[Any], what: str) -> None:
    keys(fuel, found)
    if len(set(found)) != len(found):
        raise StatementError(f"two {what} of the table have the same name, so no dict can be made of it.")


def _column_to_dict(fuel: Units, table: Any, /) -> dict[Any, Any]:
    index = labels(fuel, table.index)
    fuel.check_count(len(index), "a dict")
    _check_keys(fuel, index, "rows")
    return dict(zip(index, cells(fuel, table), strict=True))


def _reduction(name: str, allowed: frozenset[str], rounds: int = 1) -> Native:
    """A method that makes one value of a column."""

    def run(fuel: Units, table: Any, /) -> Any:
        _check_content(name, charge_content(fuel, table, rounds), allowed)
        return plain_cell(fuel, getattr(table, name)())

    return run


def _check_content(name: str, found: str, allowed: frozenset[str]) -> None:
    if found not in allowed:
        raise StatementError(f"{name}() needs a column of numbers, not one that holds {_NAMES[found]}.")


_NAMES = {
    "number": "numbers",
    "truth": "True and False",
    "moment": "dates",
    "span": "durations",
    "text": "text",
    "mixed": "values of different kinds",
}


def _count(fuel: Units, table: Any, /) -> int:
    charge_cells(fuel, table)
    return int(table.notna().sum())


def _std(fuel: Units, table: Any, /, *, ddof: Any = 1) -> Any:
    _check_content("std", charge_content(fuel, table, 2), frozenset(("number", "truth", "span")))
    return plain_cell(fuel, table.std(ddof=_whole("std", ddof)))


def _unique(fuel: Units, table: Any, /) -> Values:
    charge_content(fuel, table, 2)
    return Values(tuple(cells(fuel, table.drop_duplicates())))


def _nunique(fuel: Units, table: Any, /) -> int:
    charge_content(fuel, table, 2)
    return int(table.nunique())


def _isin(fuel: Units, table: Any, values: Any) -> Any:
    found = listed(fuel, values)
    keys(fuel, found)
    for value in found:
        if type(value) not in LEAVES:
            raise StatementError(f"isin() takes a list of plain values, not of type {type(value).__name__}.")
    charge_content(fuel, table, 2)
    return table.isin(found)


def _whether(name: str) -> Native:
    def run(fuel: Units, table: Any, /) -> Any:
        charge_cells(fuel, table)
        return getattr(table, name)()

    return run


def _tolist(fuel: Units, table: Any, /) -> list[Any]:
    fuel.check_count(len(table), "a list")
    return cells(fuel, table)


def _abs(fuel: Units, table: Any, /) -> Any:
    _check_content("abs", charge_content(fuel, table), frozenset(("number", "span")))
    return table.abs()


def _round(fuel: Units, table: Any, decimals: Any = 0) -> Any:
    _check_content("round", charge_content(fuel, table), frozenset(("number",)))
    if type(decimals) is not int or not -300 < decimals < 300:
        raise StatementError("the number of decimals for round() is a whole number between -300 and 300.")
    return table.round(decimals)


def _value_counts(fuel: Units, table: Any, /) -> Any:
    charge_content(fuel, table, 4)
    return table.value_counts()


# ---------------------------------------------------------------------- groups and texts


def _group_method(name: str, allowed: frozenset[str]) -> Native:
    def run(fuel: Units, groups: Groups, /, *, numeric_only: Any = False) -> Any:
        only = _flag("numeric_only", numeric_only)
        chosen = groups.chosen
        left = [label for label in labels(fuel, groups.table.columns) if label not in _names(groups)]
        kinds = set()
        for label in left if chosen is None else chosen if type(chosen) is list else [chosen]:
            found = charge_content(fuel, groups.table[label], 2)
            kinds.add(found)
            if found not in allowed and not only:
                raise StatementError(
                    f"{name}() of groups needs numbers, but the column {str(label)[:60]!r} holds {_NAMES[found]}; "
                    f'pick the columns first, as in t.groupby("a")["b"].{name}().'
                )
        options = {"numeric_only": True} if only and name not in ("count", "size") else {}
        grouped = _grouped(fuel, groups)
        if not kinds <= _MEASURED and name in ("max", "min"):
            fuel.charge(grouped.ngroups << 6)  # pandas compares text group by group
        return getattr(grouped, name)(**options)

    return run


def _names(groups: Groups) -> list[Any]:
    return groups.by if type(groups.by) is list else [groups.by]


def _grouped(fuel: Units, groups: Groups) -> Any:
    charge_cells(fuel, groups.table, 4)
    found = groups.table.groupby(groups.by, observed=True, **groups.options)
    return found if groups.chosen is None else found[groups.chosen]


def _group_size(fuel: Units, groups: Groups, /) -> Any:
    return _grouped(fuel, groups).size()


def _text_method(name: str) -> Native:
    def run(fuel: Units, texts: Texts, /, *characters: Any) -> Any:
        if len(characters) > (name == "strip") or any(type(item) is not str for item in characters):
            raise StatementError(f"str.{name}() was not given the arguments it takes.")
        fuel.bytes(_charge_texts(fuel, texts.column) + 60 * len(texts.column))
        return getattr(texts.column.str, name)(*characters)

    return run


def _text_test(name: str) -> Native:
    def run(fuel: Units, texts: Texts, part: Any, /) -> Any:
        if type(part) is not str:
            raise StatementError(f"str.{name}() takes a text, not a value of type {type(part).__name__}.")
        _charge_texts(fuel, texts.column, len(part))
        return getattr(texts.column.str, name)(part, na=False)

    return run


def _contains(fuel: Units, texts: Texts, part: Any, /, *, case: Any = True, regex: Any = False) -> Any:
    if type(part) is not str:
        raise StatementError(f"str.contains() takes a text, not a value of type {type(part).__name__}.")
    if regex is not False:
        raise StatementError("str.contains() looks for plain text here; leave regex= out.")
    _charge_texts(fuel, texts.column, len(part))
    return texts.column.str.contains(part, case=_flag("case", case), regex=False, na=False)


def _charge_texts(fuel: Units, found: Any, extra: int = 0) -> int:
    """Charge for going through the texts of a column; how many characters they have."""
    size = text_length(found) + extra * len(found)
    if size > TABLE_TEXT:
        raise LimitError(f"a column of more than {TABLE_TEXT:,} characters is too large.")
    fuel.charge(TABLE_COST + (len(found) >> 4) + (size >> 7))
    return size


# ---------------------------------------------------------------------- the tables of names

_ROWS: dict[str, Native] = {"head": _head, "tail": _tail}
_FRAME: Mapping[str, Native] = MappingProxyType(
    {
        **_ROWS,
        "sort_values": _sort_frame,
        "nlargest": _extreme("nlargest"),
        "nsmallest": _extreme("nsmallest"),
        "drop_duplicates": _drop_duplicates,
        "groupby": _groupby,
        "to_dict": _frame_to_dict,
    }
)
_COLUMN: Mapping[str, Native] = MappingProxyType(
    {
        **_ROWS,
        **{name: _reduction(name, _ADDED) for name in ("sum",)},
        **{name: _reduction(name, _MEASURED, 2) for name in ("mean", "median")},
        **{name: _reduction(name, _ORDERED) for name in ("max", "min")},
        **{name: _reduction(name, _MEASURED) for name in ("idxmax", "idxmin")},
        **{name: _reduction(name, frozenset(("truth",))) for name in ("any", "all")},
        **{name: _whether(name) for name in ("isna", "notna")},
        "count": _count,
        "std": _std,
        "unique": _unique,
        "nunique": _nunique,
        "isin": _isin,
        "tolist": _tolist,
        "abs": _abs,
        "round": _round,
        "sort_values": _sort_column,
        "value_counts": _value_counts,
        "to_dict": _column_to_dict,
    }
)
_GROUPS: Mapping[str, Native] = MappingProxyType(
    {
        "sum": _group_method("sum", _ADDED),
        **{name: _group_method(name, _MEASURED) for name in ("mean", "median")},
        **{name: _group_method(name, _ORDERED) for name in ("count", "max", "min", "first", "last")},
        "size": _group_size,
    }
)
_TEXTS: Mapping[str, Native] = MappingProxyType(
    {
        **{name: _text_method(name) for name in words("upper lower strip title len")},
        **{name: _text_test(name) for name in ("startswith", "endswith")},
        "contains": _contains,
    }
)
_VALUES: Mapping[str, Native] = MappingProxyType({"tolist": lambda fuel, values, /: listed(fuel, values)})


def _shape(fuel: Units, table: Any) -> tuple[int, int]:
    rows, columns = table.shape
    return rows, columns


def _texts(fuel: Units, table: Any) -> Texts:
    if content(table) != "text":
        raise StatementError(".str is there for columns of text only.")
    return Texts(table)


Read = Callable[[Units, Any], Any]
_PLACES: dict[str, Read] = {
    "loc": lambda fuel, table: Locator(table, False),
    "iloc": lambda fuel, table: Locator(table, True),
    "empty": lambda fuel, table: bool(table.empty),
}
_FRAME_READS: Mapping[str, Read] = MappingProxyType(
    {**_PLACES, "shape": _shape, "columns": lambda fuel, table: labels(fuel, table.columns)}
)
_COLUMN_READS: Mapping[str, Read] = MappingProxyType({**_PLACES, "size": lambda fuel, table: len(table), "str": _texts})

TABLE_METHODS: Mapping[str, Mapping[str, Native]] = MappingProxyType(
    {"DataFrame": _FRAME, "Series": _COLUMN, "Groups": _GROUPS, "Texts": _TEXTS, "Values": _VALUES, "Locator": {}}
)
"""The methods of tables, by the name of their type."""

TABLE_READS: Mapping[str, Mapping[str, Read]] = MappingProxyType(
    {"DataFrame": _FRAME_READS, "Series": _COLUMN_READS, "Groups": {}, "Texts": {}, "Values": {}, "Locator": {}}
)
"""Their attributes."""


def read_table(fuel: Units, table: Any, name: str) -> Any:
    """``table.name``: a method, an attribute, or the column of that name (of a row: the cell)."""
    kind = type(table).__name__
    methods, reads = TABLE_METHODS[kind], TABLE_READS[kind]
    if name in methods:
        return Function(name, _bound(methods[name], table))
    if name in reads:
        return reads[name](fuel, table)
    if _has_label(fuel, table, name):
        if hasattr(_class(table), name):
            raise StatementError(f'"{name}" has another meaning in tables; the column is written ["{name}"].')
        return column(fuel, table, name) if is_frame(table) else pick(fuel, table, name)
    hint = did_you_mean(name, [*methods, *reads])
    raise StatementError(f'"{name}" cannot be read from a value of type {kind}. {hint}'.rstrip())


def _class(table: Any) -> type:
    return type(table.table) if type(table) is Groups else type(table)


def _has_label(fuel: Units, table: Any, name: str) -> bool:
    if type(table) is Groups:
        return name in labels(fuel, table.table.columns)
    if is_frame(table):
        return name in labels(fuel, table.columns)
    return is_column(table) and name in labels(fuel, table.index)


def _bound(run: Native, table: Any) -> Native:
    def bound(fuel: Units, /, *args: Any, **named: Any) -> Any:
        return charge_table(fuel, run(fuel, table, *args, **named))

    return bound
