"""Do two tables say the same? The first difference, as the end of a sentence."""

from __future__ import annotations

from itertools import zip_longest

from autograph.program.write.layout import columns_of, entries_of, filled, items_of, table_columns
from autograph.program.write.settings_text import config_entries, same_setting
from autograph.tables import Row, Rows

__all__ = ["difference"]


def difference(one: Rows, other: Rows, *, table: bool) -> str | None:
    """What is different between rows and what was read back; None if they say the same.

    ``table``: the second is a table, which always has the columns ``name`` and ``action``.
    """
    before = table_columns(one) if table else columns_of(one)
    if before != columns_of(other):
        return "the columns are other ones"
    if [position for position, _ in one.asides] != [position for position, _ in other.asides]:
        return "rows that hold only comments are read back otherwise"
    for a, b in zip_longest(entries_of(one), entries_of(other)):
        if a is None or b is None:
            return "the number of rows is another"
        if found := _row_difference(a, b):
            return f"{found} of {_named(a)} is read back otherwise"
    return _config_difference(one, other)


def _named(row: Row) -> str:
    name = row.get("name")
    return f'"{name}"' if name else f"a row without a name ({row.location})"


def _row_difference(one: Row, other: Row) -> str | None:
    for a, b in ((filled(one.fields), filled(other.fields)), (filled(one.comments), filled(other.comments))):
        for key in {**a, **b}:
            if a.get(key) != b.get(key):
                return f'the field "{key}"'
    changed = (key for key in filled(one.fields) if items_of(one, key) != items_of(other, key))
    return next((f'the list in "{key}"' for key in changed), None)


def _config_difference(one: Rows, other: Rows) -> str | None:
    for a, b in zip_longest(config_entries(one), config_entries(other)):
        if a is None or b is None or a[0] != b[0]:
            return "the settings are other ones"
        if not same_setting(a[0], a[1], b[1]):
            return f'the setting "{a[0]}" is read back otherwise'
    return None
