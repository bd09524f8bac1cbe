"""Which rows does a small table of known columns hold? CSV, a sheet of a workbook, or JSON lines, with addresses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

from autograph.errors import Location, Problem, ProgramError, did_you_mean
from autograph.evaluation.fault import DataError, Fault
from autograph.tables.cells import clean, column_letter
from autograph.tables.decode import decode
from autograph.tables.delimited import read_delimited
from autograph.tables.grid import Grid
from autograph.tables.rows import Origin, Row
from autograph.vocabulary import normalise_header

__all__ = ["form_of", "grid_of", "is_json_lines", "read_columns", "read_json_lines"]

_WORKBOOKS = frozenset({".xlsx", ".xlsm"})
_JSON_LINES = frozenset({".jsonl", ".ndjson"})


def is_json_lines(path: Path) -> bool:
    """Whether the file holds one JSON object a line, by its name."""
    return path.suffix.lower() in _JSON_LINES


def read_columns(path: Path, known: Sequence[str], needed: Sequence[str], sheet: str) -> list[Row]:
    """The rows of the table in ``path``, whose header names some of the columns ``known`` and all of ``needed``.

    A column whose header begins with ``#`` is a comment. ``sheet`` is the sheet to read where the file is a workbook.
    Raises ``DataError`` with everything that is wrong.
    """
    grid = grid_of(path, sheet)
    faults: list[Fault] = [
        Fault(_at(grid, row, column), f"the cell {bad.message}", bad.hint) for (row, column), bad in grid.bad.items()
    ]
    rows = [(number, [clean(cell) for cell in cells]) for number, cells in grid.rows]
    start = next((i for i, (_, cells) in enumerate(rows) if any(cells)), None)
    if start is None:
        raise DataError([Fault(Location(grid.file, grid.sheet), "the table is empty.", _needs(needed))])
    number, header = rows[start]
    places = _places(grid, number, header, known, faults)
    missing = [name for name in needed if name not in places]
    if missing:
        listed = " and ".join(f'"{name}"' for name in missing)
        where = Location(grid.file, grid.sheet, number)
        faults.append(Fault(where, f"the header has no column {listed}.", _needs(needed)))
    if faults:
        raise DataError(faults)
    letters = {name: column_letter(index) for name, index in places.items()}
    origin = Origin(grid.file, grid.sheet, {name: header[index] for name, index in places.items()}, letters)
    return list(_rows(grid, rows[start + 1 :], len(header), places, origin))


def form_of(path: Path) -> tuple[str, list[str]]:
    """What stands between the cells of a table in a text file, and the names in its header. Raises ``DataError``."""
    grid = grid_of(path, "")
    header = next((cells for _, cells in grid.rows if any(map(clean, cells))), [])
    return grid.separator or ",", [normalise_header(clean(cell)) for cell in header]


def _needs(needed: Sequence[str]) -> str:
    return f"The first row names the columns: {', '.join(needed)} and so on."


def grid_of(path: Path, sheet: str) -> Grid:
    """The cells of a table: a text file, or the sheet of a workbook (its first one for ""). Raises ``DataError``."""
    problems: list[Problem] = []
    try:
        data = path.read_bytes()
        if path.suffix.lower() in _WORKBOOKS:
            from autograph.tables.workbook import read_workbook

            return read_workbook(data, str(path), sheet, problems)[0]
        text = decode(data, str(path), problems)
        grid = read_delimited(text, str(path), problems) if text.strip() else Grid(str(path), None, ())
    except OSError as error:
        raise DataError([Fault(Location(str(path)), f"the file cannot be read: {error.strerror or error}.")]) from error
    except ProgramError as error:
        raise DataError(_faults(error.problems)) from error
    if wrong := [found for found in problems if found.severity == "error"]:
        raise DataError(_faults(wrong))
    return grid


def _faults(problems: Sequence[Problem]) -> list[Fault]:
    return [Fault(found.location, found.message, found.hint) for found in problems]


def _at(grid: Grid, row: int, column: int, header: str | None = None) -> Location:
    return Location(grid.file, grid.sheet, row, header, f"{column_letter(column)}{row}")


def _places(grid: Grid, row: int, header: list[str], known: Sequence[str], faults: list[Fault]) -> dict[str, int]:
    """Column name to its index; a header that is unknown or stands twice is added to the faults."""
    places: dict[str, int] = {}
    for index, cell in enumerate(header):
        name, where = normalise_header(cell), _at(grid, row, index, cell)
        if not cell or cell.startswith("#"):
            continue
        if name in places:
            faults.append(Fault(where, f'two columns have the header "{name}".', "Delete one of them."))
        elif name in known:
            places[name] = index
        else:
            near = did_you_mean(name, known) or f"The columns are {', '.join(known)}; a comment's header begins with #."
            faults.append(Fault(where, f'there is no column "{cell}" in such a table.', near))
    return places


def _rows(
    grid: Grid, rows: Sequence[tuple[int, list[str]]], width: int, places: dict[str, int], origin: Origin
) -> Iterator[Row]:
    for number, cells in rows:
        if not grid.padded and any(cells[width:]):
            remedy = 'Put a text that holds a comma in quotes: "…".'
            message = f"row {number} has {len(cells)} cells but there are {width} columns."
            raise DataError([Fault(_at(grid, number, width), message, remedy)])
        found = {name: cells[index] if index < len(cells) else "" for name, index in places.items()}
        if any(found.values()):
            yield Row(found, number, origin)


def read_json_lines(path: Path) -> list[tuple[Location, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with its address; blank lines are left out. Raises ``DataError``."""
    problems: list[Problem] = []
    try:
        text = decode(path.read_bytes(), str(path), problems)
    except OSError as error:
        raise DataError([Fault(Location(str(path)), f"the file cannot be read: {error.strerror or error}.")]) from error
    except ProgramError as error:
        raise DataError(_faults(error.problems)) from error
    found, faults = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = Location(str(path), line=number)
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(where, f"this is no JSON: {error}.", "Write one JSON object a line."))
            continue
        if isinstance(data, dict):
            found.append((where, data))
        else:
            faults.append(Fault(where, f"a JSON object is expected, not {data!r:.40}.", "Write {…} on each line."))
    if faults:
        raise DataError(faults)
    if not found:
        raise DataError([Fault(Location(str(path)), f"{PurePath(path).name} is empty.", "Write one object a line.")])
    return found
