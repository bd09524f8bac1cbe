"""What of these rows cannot be written in a format? Each such cell is a problem with its address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.program.write.layout import columns_of, entries_of, filled, items_of, split_or_none, table_lines
from autograph.program.write.settings_text import Setting, config_entries
from autograph.tables import Row, Rows

__all__ = ["unwritable"]

MOST_CHARACTERS = 32_767  # what Excel stores in a cell, in UTF-16 units
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")
_KEEP = "Keep the program in YAML or JSON."


def unwritable(rows: Rows, form: str) -> list[Problem]:
    """Everything that a file of the format ``csv``, ``xlsx``, ``yaml`` or ``json`` cannot hold."""
    found: list[Problem] = []
    if form in ("csv", "xlsx"):
        found += _empty(rows)
        found += _lists(rows)
    if form == "xlsx":
        found += _sizes(rows)
        for row in entries_of(rows):
            found += _cells(row)
    if form != "json":
        found += _settings(rows, form)
    return found


def _not_writable(message: str, where: Location, hint: str) -> Problem:
    return problem("not-writable", message, where, hint)


def _empty(rows: Rows) -> Iterator[Problem]:
    for row in rows:
        if not any(row.fields.values()):
            message = "the node has no text at all, and a blank row of a table is no node."
            yield _not_writable(message, row.location, "Delete it, or give it a name.")


def _lists(rows: Rows) -> Iterator[Problem]:
    """Lists whose items have commas or open brackets: in one cell they would be other items."""
    for row in rows:
        for field in row.lists:
            if row.get(field) and split_or_none(row.get(field)) != items_of(row, field):
                message = "the items of the list cannot be told apart when they stand in one cell."
                yield _not_writable(message, row.cell(field), f"Rename what has a comma in its name. {_KEEP}")


def _sizes(rows: Rows) -> Iterator[Problem]:
    where = Location(rows.file, rows.sheet)
    last = max((line.number for line in table_lines(rows)), default=1)
    if last > MOST_ROWS:
        yield _not_writable(f"a sheet has {MOST_ROWS:,} rows, and this program needs {last:,}.", where, _KEEP)
    width = len(columns_of(rows))
    if width > MOST_COLUMNS:
        yield _not_writable(f"a sheet has {MOST_COLUMNS:,} columns, and this program needs {width:,}.", where, _KEEP)


def _cells(row: Row) -> Iterator[Problem]:
    for key, text in {**filled(row.fields), **filled(row.comments)}.items():
        if complaint := _complaint(text):
            yield _not_writable(f"the text {complaint}", row.cell(key), f"Change the text. {_KEEP}")


def _complaint(text: str) -> str:
    """What is wrong with a text for a workbook's cell; nothing for most texts."""
    units = len(text) + sum(sign > "\uffff" for sign in text) if len(text) > MOST_CHARACTERS // 2 else 0
    if units > MOST_CHARACTERS:
        return f"has {units:,} characters; a spreadsheet's cell holds {MOST_CHARACTERS:,}."
    sign = _NOT_IN_XML.search(text)
    return f"holds the character U+{ord(sign[0]):04X}, which no workbook can hold." if sign else ""


def _settings(rows: Rows, form: str) -> Iterator[Problem]:
    for key, value in config_entries(rows):
        where = rows.config_location(key)
        if _has_null(value):
            message = f'the setting "{key}" is null, which only JSON can say.'
            yield _not_writable(message, where, "Delete the setting, or give it a value.")
        elif form == "xlsx" and (complaint := _setting_complaint(value)):
            yield _not_writable(f'the setting "{key}" {complaint}', where, _KEEP)


def _has_null(value: Setting) -> bool:
    if isinstance(value, (list, dict)):
        return any(map(_has_null, value.values() if isinstance(value, dict) else value))
    return value is None


def _setting_complaint(value: Setting) -> str:
    """What is wrong with a setting for a sheet, where it is a text or several cells with texts."""
    if isinstance(value, str):
        return _complaint(value)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return "is a mapping or holds other lists; a sheet has room for texts only."
    if "" in value:
        return "has an empty item, for which a sheet has no room."
    return next((found for item in value if (found := _complaint(str(item)))), "")
