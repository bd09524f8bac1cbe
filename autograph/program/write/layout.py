"""Which columns does a table of these rows have, and what stands in its lines?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autograph.language.lists import split_list
from autograph.language.text import TextError
from autograph.tables import Row, Rows
from autograph.vocabulary import FIELDS

__all__ = ["Column", "Line", "columns_of", "entries_of", "filled", "items_of", "table_columns", "table_lines"]

_NEEDED = ("name", "action")
_LIST_FIELDS = frozenset(f.name for f in FIELDS.values() if f.kind in ("list", "nodes", "numbers"))


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the key of its cells in ``Row.fields`` or ``Row.comments``, and its header as written.

    Both are empty for a column without a header.
    """

    key: str
    header: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table: its number (the header has 1), its texts, and the row that they come from."""

    number: int
    texts: tuple[str, ...]
    row: Row


def columns_of(rows: Rows) -> tuple[Column, ...]:
    """The columns in their order, with those that have no header between them."""
    headers, letters = rows.headers, rows.origin.letters
    placed = {_index(letters[key]): Column(key, header) for key, header in headers.items() if key in letters}
    ordered = [placed.get(index, Column("", "")) for index in range(max(placed, default=-1) + 1)]
    return (*ordered, *(Column(key, header) for key, header in headers.items() if key not in letters))


def table_columns(rows: Rows) -> tuple[Column, ...]:
    """The columns of a table, which cannot do without ``name`` and ``action``."""
    columns = columns_of(rows)
    known = {column.key for column in columns}
    return (*(Column(name, name) for name in _NEEDED if name not in known), *columns)


def _index(letters: str) -> int:
    """0 for ``A``, 26 for ``AA``."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def entries_of(rows: Rows) -> Iterator[Row]:
    """The rows, and between them those that hold only comments."""
    asides = iter(rows.asides)
    position, aside = next(asides, (-1, None))
    for index in range(len(rows) + 1):
        while aside is not None and position <= index:
            yield aside
            position, aside = next(asides, (-1, None))
        if index < len(rows):
            yield rows[index]


def table_lines(rows: Rows) -> Iterator[Line]:
    """The lines below the header. Blank rows of a sheet leave a gap in the numbers."""
    columns, last = table_columns(rows), 1
    for row in entries_of(rows):
        counted = row.row is not None and rows.header_row is not None
        last = row.row - rows.header_row + 1 if counted else last + 1  # type: ignore[operator]
        texts = (row.comments.get(c.key, "") if c.key.startswith("#") else row.get(c.key) for c in columns)
        yield Line(last, tuple(texts), row)


def filled(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts that are not empty."""
    return {key: text for key, text in texts.items() if text}


def items_of(row: Row, field: str) -> tuple[str, ...] | None:
    """The items of a list field as the program has them; None for another field, and where the list is malformed."""
    if field not in _LIST_FIELDS:
        return None
    given = row.items(field)
    return split_or_none(row.get(field)) if given is None else given


def split_or_none(text: str) -> tuple[str, ...] | None:
    """The items of a list cell; None if it is malformed."""
    try:
        return split_list(text)
    except TextError:
        return None
