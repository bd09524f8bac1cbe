"""What is a table to a program? pandas' ``DataFrame`` and ``Series``, and what is picked or grouped on the way.

A table is read, never written, and what comes out of one is plain data or a table of its own. pandas is never
imported here: a value is a table only if its type is the very class of the pandas that the process has loaded,
so that subclasses and look-alikes get nothing. This file knows the kinds of tables and of their contents and how
cells become plain values; ``table_operators``, ``table_picks`` and ``table_methods`` build on it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from autograph.errors import StatementError
from autograph.frames import is_frame
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import TABLE_COST
from autograph.values import SCALARS, deep_copy, is_leaf, to_plain

__all__ = [
    "LEAVES",
    "Groups",
    "Locator",
    "Texts",
    "Values",
    "cell_count",
    "cells",
    "charge_cells",
    "charge_content",
    "charge_table",
    "content",
    "is_column",
    "is_like_table",
    "is_table",
    "labels",
    "members",
    "plain_cell",
    "table_length",
]

LEAVES: frozenset[type] = SCALARS | {datetime, time}
"""Types of cells that programs can compare and compute with."""


@dataclass(frozen=True, slots=True, eq=False)
class Locator:
    """``table.loc``, or ``table.iloc`` with ``by_position``."""

    table: Any
    by_position: bool


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """``table.groupby(by)``; ``chosen`` is the column, or the list of columns, that was picked of it."""

    table: Any
    by: Any
    options: Mapping[str, bool]
    chosen: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """``column.str``"""

    column: Any


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """What ``column.unique()`` gives: plain values that can be run through."""

    items: tuple[Any, ...]


_PARTS = frozenset((Locator, Groups, Texts, Values))
_CELL_BYTES = 8
_TABLE_BYTES = 2_000


def is_column(value: object) -> bool:
    """Whether ``value`` is exactly a pandas ``Series``."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and type(value) is getattr(pandas, "Series", None)


def is_table(value: object) -> bool:
    """Whether the rules for tables hold for ``value``."""
    return type(value) in _PARTS or is_frame(value) or is_column(value)


def is_like_table(value: object) -> bool:
    """Whether ``value`` is an array, or a relative of tables, for which there are no rules: it may be enormous."""
    bases = [(base.__module__.partition(".")[0], base.__name__) for base in type(value).__mro__]
    return any(room in ("numpy", "pandas") for room, _ in bases) and ("numpy", "generic") not in bases


# ---------------------------------------------------------------------- what it costs


def cell_count(table: Any) -> int:
    """How many cells a table has."""
    if is_frame(table):
        rows, columns = table.shape
        return int(rows * max(columns, 1))
    if type(table) is Values:
        return len(table.items)
    return len(table) if is_column(table) else 1


def charge_cells(fuel: Units, table: Any, rounds: int = 1) -> None:
    """Charge for going through all cells of a table ``rounds`` times."""
    fuel.charge(TABLE_COST + (cell_count(table) * rounds >> 5))


def charge_table(fuel: Units, value: Any) -> Any:
    """``value``, its bytes charged if it is a table that was made."""
    if type(value) is Groups or type(value) is Texts or type(value) is Locator:  # which only point to one
        return value
    if is_table(value):
        fuel.bytes(_TABLE_BYTES + cell_count(value) * _CELL_BYTES)
    return value


def charge_content(fuel: Units, column: Any, rounds: int = 1) -> str:
    """Charge for comparing or computing with a column's cells ``rounds`` times; what they are.

    Raises ``StatementError`` if they are nothing that programs can compute with.
    """
    fuel.charge(TABLE_COST + (len(column) * rounds >> 5))
    found = content(column)
    if found in ("text", "mixed"):
        fuel.charge(text_length(column) * rounds >> 10)
    return found


def text_length(column: Any) -> int:
    """How many characters the texts in a column have together."""
    return sum([len(cell) for cell in column.tolist() if isinstance(cell, str)])


# ---------------------------------------------------------------------- what it holds


def content(column: Any) -> str:
    """What the cells of a column (or of an index) are: ``number truth moment span text`` or ``mixed``.

    ``mixed`` are plain values of Python. Raises ``StatementError`` if there are others, whose own methods would
    be run when they are compared.
    """
    dtype = column.dtype
    if str(dtype) == "category":
        column = getattr(column, "cat", column).categories
        dtype = column.dtype
    if type(dtype).__module__.partition(".")[0] not in ("numpy", "pandas"):
        raise _strange(dtype)
    kind = _KINDS.get(dtype.kind)
    if kind is not None:
        return kind
    if str(dtype).startswith("str"):
        return "text"
    if str(dtype) != "object":
        raise _strange(dtype)
    kinds = set(map(type, column.tolist()))
    if kinds <= _TEXTUAL and str in kinds:
        return "text"
    for found in kinds:
        if found not in LEAVES and not _is_missing(found) and not _is_scalar_of_pandas(found):
            raise _strange(found.__name__)
    return "mixed"


_KINDS = {"b": "truth", "i": "number", "u": "number", "f": "number", "c": "number", "M": "moment", "m": "span"}
_TEXTUAL = frozenset((str, type(None), float))


def _is_missing(kind: type) -> bool:
    return kind.__name__ in ("NaTType", "NAType") and kind.__module__.startswith("pandas.")


def _is_scalar_of_pandas(kind: type) -> bool:
    if kind.__module__ == "numpy":
        return any(base.__name__ == "generic" for base in kind.__mro__)
    return kind.__name__ in ("Timestamp", "Timedelta") and kind.__module__.startswith("pandas.")


def _strange(what: object) -> StatementError:
    return StatementError(
        f"a column with values of type {what} cannot be compared or computed with; make a list of it with .tolist()."
    )


# ---------------------------------------------------------------------- plain values


def plain_cell(fuel: Units, value: Any) -> Any:
    """One cell as plain data that no table holds; what is missing is None, but NaN stays NaN."""
    if type(value) in SCALARS:
        return value
    if type(value) is tuple:
        return tuple([plain_cell(fuel, item) for item in value])
    if _is_missing(type(value)):
        return None
    found = to_plain(value)
    if is_leaf(found):
        return found
    fuel.charge(fuel.weigh(found) >> 2)
    try:
        return deep_copy(found, {})
    except ValueError:
        kind = type(value).__name__
        raise StatementError(f"the table holds a value of type {kind}, which programs cannot have.") from None


def cells(fuel: Units, column: Any) -> list[Any]:
    """The cells of a column as plain values."""
    fuel.charge(TABLE_COST + (len(column) >> 3))
    fuel.bytes(len(column) * 4 * _CELL_BYTES)
    return _plain_cells(fuel, column.tolist())


def _plain_cells(fuel: Units, found: list[Any]) -> list[Any]:
    return found if SCALARS.issuperset(map(type, found)) else [plain_cell(fuel, value) for value in found]


def labels(fuel: Units, index: Any) -> list[Any]:
    """The labels of an index, or of the columns, as plain values."""
    fuel.charge(len(index) >> 3)
    fuel.bytes(len(index) * _CELL_BYTES)
    return _plain_cells(fuel, index.tolist())


def members(fuel: Units, value: Any) -> list[Any] | tuple[Any, ...] | None:
    """What a loop over a table runs through: the names of columns, or the cells of a column; None for no table."""
    if is_frame(value):
        return labels(fuel, value.columns)
    if is_column(value):
        return cells(fuel, value)
    return value.items if type(value) is Values else None


def table_length(value: Any) -> int | None:
    """``len(table)``; None for what has none."""
    if type(value) is Values:
        return len(value.items)
    return len(value) if is_frame(value) or is_column(value) else None


def has_label(fuel: Units, item: Any, table: Any) -> bool:
    """``item in table``: among the names of a frame's columns, or the labels of a column's rows, as in pandas."""
    if type(table) is Values:
        return item in table.items
    found = labels(fuel, table.columns if is_frame(table) else table.index)
    return item in found
