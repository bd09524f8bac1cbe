"""Where is the header of a grid, and which field does each column hold?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from autograph.errors import Problem, did_you_mean
from autograph.problems import problem
from autograph.tables.cells import clean, column_letter
from autograph.tables.rows import Origin
from autograph.vocabulary import field_names, is_field, normalise_header

__all__ = ["Header", "field_key", "find_header", "is_header", "missing_header", "read_header", "shown", "unknown_hint"]

_NEEDED = ("name", "action")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table: which column holds which field, which are comments, which have no header."""

    row: int
    origin: Origin
    fields: tuple[tuple[str, int], ...]
    comments: tuple[tuple[str, int], ...]
    headless: tuple[int, ...]
    width: int


@lru_cache(maxsize=1024)  # the keys of YAML nodes are the same for every node
def field_key(text: str) -> str:
    """The field name behind a header as it was typed."""
    return normalise_header(clean(text))


def shown(header: str) -> str:
    """A header as messages show it: in one line."""
    return " ".join(clean(header).split())


def unknown_hint(name: str) -> str:
    """What to do about a header that names no field."""
    if is_field(f"transition_{name}"):  # "question", "choice a"
        return f'Did you mean "transition_{name}"?'
    near = did_you_mean(name, field_names())
    return near or "A column that is only for people needs a header that begins with #."


def is_header(cells: Sequence[str]) -> bool:
    """Whether one cell is ``name`` and another ``action``."""
    return len(cells) > 1 and set(_NEEDED) <= {field_key(cell) for cell in cells if len(cell) < 40}


def find_header(rows: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """The position of the first row that is a header."""
    return next((position for position, (_, cells) in enumerate(rows) if is_header(cells)), None)


def read_header(place: Origin, row: int, cells: Sequence[str], problems: list[Problem]) -> Header:
    """The columns that a header row names; unknown and repeated headers are added to ``problems``."""
    fields: dict[str, int] = {}
    comments: dict[str, int] = {}
    headless: list[int] = []
    headers: dict[str, str] = {}
    for index, cell in enumerate(cells):
        header, letter = shown(cell), column_letter(index)
        if not header:
            headless.append(index)
            continue
        if header.startswith("#"):
            key = header
            while key in comments:
                key = f"{key} ({letter})"
            comments[key], headers[key] = index, header
            continue
        name = field_key(header)
        where = place.at(row, header, letter)
        if name in fields:
            first = column_letter(fields[name])
            message = f'columns {first} and {letter} both have the header "{name}".'
            hint = "Delete one, or begin its header with # to keep it as a comment."
            problems.append(problem("duplicate-column", message, where, hint))
        elif is_field(name):
            fields[name], headers[name] = index, header
        else:
            problems.append(problem("unknown-column", f'"{header}" names no field.', where, unknown_hint(name)))
    places = {**fields, **comments}
    letters = {key: column_letter(places[key]) for key in headers}
    origin = replace(place, headers=headers, letters=letters)
    return Header(row, origin, tuple(fields.items()), tuple(comments.items()), tuple(headless), len(cells))


def missing_header(place: Origin, rows: Sequence[tuple[int, Sequence[str]]]) -> list[Problem]:
    """What to say about a table without a row that has both ``name`` and ``action``."""
    filled = [(number, texts) for number, cells in rows[:100] if any(texts := [clean(cell) for cell in cells])]
    if not filled and not any(any(map(clean, cells)) for _, cells in rows):
        return [problem("empty-table", "the table is empty.", place.at(), "Write a header and one row per node.")]
    number, cells = max(filled, key=lambda row: sum(is_field(field_key(cell)) for cell in row[1]), default=(1, []))
    known = {field_key(cell) for cell in cells}
    if len({name for name in known if is_field(name)}) < 2:
        message = 'there is no header: no row has both a cell "name" and a cell "action".'
        hint = "The first row must name the columns: name, action, instruction, transitions and so on."
        return [problem("no-header", message, place.at(number), hint)]
    found: list[Problem] = []
    read_header(place, number, cells, found)
    for name in _NEEDED:
        if name not in known:
            message = f'the header in row {number} has no column "{name}".'
            found.append(problem("no-header", message, place.at(number), "Every program needs name and action."))
    return found
