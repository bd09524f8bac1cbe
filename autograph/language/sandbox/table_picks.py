"""What do ``table[x]``, ``table.loc[x]`` and ``table.iloc[x]`` give? A copy, never larger than allowed."""

from __future__ import annotations

from typing import Any

from autograph.errors import LimitError, StatementError, did_you_mean
from autograph.frames import is_frame
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import TABLE_CELLS, TABLE_COST
from autograph.language.sandbox.table_operators import same_rows
from autograph.language.sandbox.tables import (
    LEAVES,
    Groups,
    Locator,
    Values,
    charge_cells,
    charge_table,
    content,
    is_column,
    labels,
    plain_cell,
)

__all__ = ["check_columns", "column", "own", "pick", "pick_rows"]


def own(fuel: Units, result: Any) -> Any:
    """What pandas gave as the program may have it: one cell as plain data, a table as one of its own."""
    if is_frame(result) or is_column(result):
        return charge_table(fuel, result.copy())
    return plain_cell(fuel, result)


def pick(fuel: Units, table: Any, index: Any) -> Any:
    """``table[index]``"""
    if type(table) is Locator:
        return _locate(fuel, table, index)
    if type(table) is Values:
        return table.items[index]
    if type(table) is Groups:
        return _choose(fuel, table, index)
    if not is_frame(table):
        if not is_column(table):
            raise StatementError(f"a value of type {type(table).__name__} has no items to pick with [ ].")
        if is_column(index) or _is_mask(index):
            return _filter(fuel, table, index)
        return _locate(fuel, Locator(table, False), index)
    if is_column(index) or _is_mask(index):
        return _filter(fuel, table, index)
    if type(index) is list:
        check_columns(fuel, table, index)
        _check_size(fuel, len(table), len(index))
        return own(fuel, table[index])
    return column(fuel, table, index)


def column(fuel: Units, table: Any, name: Any) -> Any:
    """The column ``name`` of a frame."""
    check_columns(fuel, table, [name])
    fuel.charge(TABLE_COST + (len(table) >> 5))
    return own(fuel, table[name])


def check_columns(fuel: Units, table: Any, names: list[Any]) -> None:
    """Raise ``StatementError`` if ``names`` are not all names of columns."""
    fuel.charge(len(names) >> 3)
    known = labels(fuel, table.columns)
    for name in names:
        if type(name) not in LEAVES:
            raise StatementError(
                "columns are picked with a name, a list of names or a condition, not with a value of type "
                f"{type(name).__name__}."
            )
        if name not in known:
            hint = did_you_mean(name, [other for other in known if type(other) is str]) if type(name) is str else ""
            raise StatementError(f"the table has no column {str(name)[:60]!r}. {hint}".rstrip())


def _choose(fuel: Units, groups: Groups, index: Any) -> Groups:
    """One column, or several, of the groups."""
    check_columns(fuel, groups.table, index if type(index) is list else [index])
    return Groups(groups.table, groups.by, groups.options, list(index) if type(index) is list else index)


def _is_mask(index: Any) -> bool:
    return type(index) is list and bool(index) and all(type(item) is bool for item in index)


def _filter(fuel: Units, table: Any, mask: Any) -> Any:
    """The rows for which a condition holds."""
    charge_cells(fuel, table)
    return own(fuel, table[_mask(table, mask)])


def _mask(table: Any, mask: Any) -> Any:
    if len(mask) != len(table):
        raise StatementError(f"the condition has {len(mask)} values, but the table has {len(table)} rows.")
    if is_column(mask):
        if content(mask) != "truth":
            raise StatementError("a column that picks rows must be a condition, such as t.price > 3.")
        if not same_rows(table, mask):
            raise StatementError("a condition must be about the rows of the same table.")
    return mask


def pick_rows(fuel: Units, table: Any, start: Any, stop: Any, step: Any) -> Any:
    """``table[start:stop:step]``"""
    if type(table) is Values:
        return table.items[start:stop:step]
    if type(table) is Locator:
        return _locate(fuel, table, slice(start, stop, step))
    if not is_frame(table) and not is_column(table):
        raise StatementError(f"a value of type {type(table).__name__} cannot be sliced with [ : ].")
    return _locate(fuel, Locator(table, True), slice(start, stop, step))


# ---------------------------------------------------------------------- loc and iloc


def _locate(fuel: Units, locator: Locator, index: Any) -> Any:
    """``table.loc[index]``, or with ``by_position`` ``table.iloc[index]``."""
    table, by_position = locator.table, locator.by_position
    fuel.charge(TABLE_COST)
    rows, columns = index, None
    if is_frame(table) and type(index) is tuple:
        if len(index) != 2:
            raise StatementError("loc and iloc take rows, or rows and columns.")
        rows, columns = index
    count = _selected(fuel, table.index, table, rows, by_position)
    wide = table.shape[1] if is_frame(table) else 1
    if columns is not None:
        wide = _selected(fuel, table.columns, None, columns, by_position)
    _check_size(fuel, count, wide)
    place = table.iloc if by_position else table.loc
    return own(fuel, place[rows] if columns is None else place[rows, columns])


def _check_size(fuel: Units, rows: int, columns: int) -> None:
    if rows * columns > TABLE_CELLS:
        raise LimitError(f"a table of more than {TABLE_CELLS:,} cells is too large to be picked.")
    fuel.charge(TABLE_COST + (rows * columns >> 5))


def _selected(fuel: Units, index: Any, table: Any, selector: Any, by_position: bool) -> int:
    """How many rows or columns a selector can give at most. Raises ``StatementError`` for what is none."""
    if not by_position:
        _check_index(fuel, index)
    if type(selector) is slice:
        allowed = (int, type(None)) if by_position else tuple(LEAVES)
        for bound in (selector.start, selector.stop, selector.step):
            _check_label(bound, allowed)
        return len(index)
    if is_column(selector):
        if table is None or by_position:
            raise StatementError("a condition picks rows, as in t.loc[t.price > 3].")
        _mask(table, selector)
        return len(index)
    if type(selector) is list:
        fuel.charge(len(selector) >> 3)
        for label in selector:
            _check_label(label, (int, bool) if by_position else tuple(LEAVES | {tuple}))
        if _is_mask(selector) and len(selector) != len(index):
            raise StatementError(f"the condition has {len(selector)} values, but there are {len(index)}.")
        return len(selector) * (1 if by_position or index.is_unique else len(index))
    _check_label(selector, (int,) if by_position else tuple(LEAVES | {tuple}))
    return 1 if by_position or index.is_unique else len(index)


def _check_index(fuel: Units, index: Any) -> None:
    """Charge for the search for labels. Raises ``StatementError`` if their own methods would be run by it."""
    fuel.charge(len(index) >> 5)
    for level in index.levels if index.nlevels > 1 else [index]:
        content(level)


def _check_label(label: Any, allowed: tuple[type, ...]) -> None:
    kinds = map(type, label) if type(label) is tuple and tuple in allowed else [type(label)]
    for kind in kinds:
        if kind not in allowed or kind is tuple:
            what = "whole numbers" if str not in allowed else "labels"
            raise StatementError(f"rows and columns are picked with {what}, not with a value of type {kind.__name__}.")
