"""Which tests does a sheet hold? One row a turn: ``NAME.tests.csv``, or the sheet ``tests`` of a workbook."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograph.errors import Problem, ProgramError, did_you_mean
from autograph.tables.cells import clean, column_letter
from autograph.tables.decode import decode
from autograph.tables.delimited import read_delimited
from autograph.tables.grid import Grid
from autograph.testing.beside import program_beside
from autograph.testing.case import Suite
from autograph.testing.fault import Fault, SuiteError
from autograph.testing.fields import Reader
from autograph.testing.read_case import Shared, read_cases
from autograph.testing.sheet_tree import COLUMNS, SheetRow, tree_of_rows
from autograph.vocabulary import normalise_header

__all__ = ["SHEET", "has_tests", "read_sheet"]

SHEET = "tests"
_SHEET_NAME = re.compile(rb"<sheet\b[^>]*?\bname=\"\s*tests\s*\"", re.IGNORECASE)


def has_tests(path: Path) -> bool:
    """Whether a workbook has a sheet ``tests``."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _SHEET_NAME.search(archive.read("xl/workbook.xml")) is not None
    except (OSError, KeyError, zipfile.BadZipFile):
        return False  # what is no workbook has no tests; reading the program will say what is wrong with it


def read_sheet(path: str | Path) -> Suite:
    """The tests of a sheet. Raises ``SuiteError`` with everything that is wrong in it."""
    path = Path(path)
    reader = Reader(str(path), unit="row")
    workbook = path.suffix.lower() == ".xlsx"
    try:
        grid = _workbook(path) if workbook else _table(path)
        program = path if workbook else program_beside(path)
    except OSError as error:
        raise SuiteError([Fault(f"the file cannot be read: {error.strerror or error}.", str(path))]) from error
    except ProgramError as error:
        raise SuiteError(_fault(found, path) for found in error.problems) from error
    rows = _rows(grid, reader)
    cases = read_cases(tree_of_rows(rows, reader), Shared(), reader) if rows else ()
    if reader.faults:
        raise SuiteError(replace(fault, file=_place(path, grid)) for fault in reader.faults)
    return Suite(path, program, cases, sheet=grid.sheet, unit="row")


def _workbook(path: Path) -> Grid:
    from autograph.tables.workbook import read_aside

    grid = read_aside(path.read_bytes(), str(path), SHEET)
    if grid is None:
        raise SuiteError([Fault(f'the workbook has no sheet "{SHEET}".', str(path))])
    return grid


def _table(path: Path) -> Grid:
    problems: list[Problem] = []
    text = decode(path.read_bytes(), str(path), problems)
    if not text.strip():
        raise SuiteError([Fault("the file is empty.", str(path), hint="Write a header and one row a turn.")])
    grid = read_delimited(text, str(path), problems)
    wrong = [_fault(found, path) for found in problems if found.severity == "error"]
    if wrong:
        raise SuiteError(wrong)
    return grid


def _place(path: Path, grid: Grid) -> str:
    return f'{path}, sheet "{grid.sheet}"' if grid.sheet else str(path)


def _fault(found: Problem, path: Path) -> Fault:
    return Fault(found.message, str(path), found.location.row or 0, found.hint, "row")


def _rows(grid: Grid, reader: Reader) -> list[SheetRow]:
    """The rows below the header, without those that are empty."""
    position = next((i for i, (_, cells) in enumerate(grid.rows) if "test" in map(_key, cells)), None)
    if position is None:
        hint = "The first row must name the columns: test, say, contains and so on."
        reader.fault('there is no header with a column "test".', 0, hint)
        return []
    columns = _columns(*grid.rows[position], reader)
    rows = [_row(number, texts, columns, grid, reader) for number, texts in grid.rows[position + 1 :]]
    found = [row for row in rows if row.cells]
    if not found and not reader.faults:
        reader.fault("there is a header but no test below it.", grid.rows[position][0])
    return found


def _columns(row: int, cells: Sequence[str], reader: Reader) -> Mapping[int, str]:
    columns: dict[int, str] = {}
    for index, cell in enumerate(cells):
        name = _key(cell)
        if name not in COLUMNS and name and not name.startswith("#"):
            hint = f"{did_you_mean(name, COLUMNS)} A column for people needs a header that begins with #.".strip()
            reader.fault(f'"{clean(cell)}" ({column_letter(index)}{row}) is no column of tests.', row, hint)
        elif name and name in columns.values() and not name.startswith("#"):
            reader.fault(f'two columns have the header "{name}".', row, "Delete one of them.")
        columns[index] = name
    return columns


def _row(row: int, texts: Sequence[str], columns: Mapping[int, str], grid: Grid, reader: Reader) -> SheetRow:
    found: dict[str, str] = {}
    for index, text in enumerate(texts):
        name, cell = columns.get(index, ""), f"{column_letter(index)}{row}"
        bad = grid.bad.get((row, index))
        if name.startswith("#") or not (bad or clean(text)):
            continue
        if not name:
            reader.fault(f"the cell {cell} stands in a column without a header.", row, "Give the column a header.")
        elif bad is not None:
            reader.fault(f"the cell {cell} {bad.message}", row, bad.hint)
        else:
            found[name] = clean(text)
    return SheetRow(row, found)


def _key(header: str) -> str:
    return normalise_header(clean(header))
