"""Which cells does an Excel workbook hold, and on which sheet is the program?"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from autograph.errors import Location, Problem, did_you_mean
from autograph.problems import problem
from autograph.tables.archive import check_archive
from autograph.tables.cells import BadCell, clean, normalise_lines, value_text
from autograph.tables.config_source import SheetConfig, config_from_grid
from autograph.tables.grid import Grid
from autograph.tables.header import find_header
from autograph.tables.rows import refused

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["NO_PROGRAM", "read_aside", "read_workbook"]

NO_PROGRAM = frozenset({"config", "tests"})  # sheets with a meaning of their own
_ESCAPED = re.compile(r"_x00(0[9ADad]|5[Ff])_")  # tab, line ends and _ itself as the file format may write them
_ERROR_HINT = (
    "If the cell is meant as a text that begins with = (or + - @), put an apostrophe before it, "
    "or format the column as text and type it again."
)


def read_workbook(data: bytes, file: str, sheet: str | None, problems: list[Problem]) -> tuple[Grid, SheetConfig]:
    """The cells of the program's sheet, and the configuration of the sheet ``config``.

    The program is on the sheet named by ``sheet``, else on the first visible one that has a header.
    Raises ``ProgramError`` if the workbook cannot be read or has no such sheet.
    """
    check_archive(data, file)
    book = _open(data, file, data_only=False)
    if not book.worksheets:
        hint = 'If it was saved as "Strict Open XML", save it as an ordinary .xlsx.'
        raise refused("unreadable-file", "no sheet is found in the workbook.", Location(file), hint)
    cached: list[Workbook] = []

    def values(title: str) -> Worksheet:
        if not cached:  # only workbooks with formulas are read a second time
            cached.append(_open(data, file, data_only=True))
        return cached[0][title]

    grids = {ws.title: _grid(ws, file, values) for ws in book.worksheets}
    title = _named(sheet, grids, file) if sheet else _first_program(book, grids, file)
    config = next((grid for name, grid in grids.items() if _plain(name) == "config"), None)
    settings = config_from_grid(config, problems) if config else SheetConfig()
    _layout_warnings(book[title], grids[title], problems)
    return grids[title], settings


def read_aside(data: bytes, file: str, name: str) -> Grid | None:
    """The cells of a sheet with a meaning of its own (``NO_PROGRAM``); None if the workbook has no such sheet.

    Raises ``ProgramError`` if the workbook cannot be read.
    """
    check_archive(data, file)
    book = _open(data, file, data_only=False)
    sheet = next((ws for ws in book.worksheets if _plain(ws.title) == name), None)
    if sheet is None:
        return None
    return _grid(sheet, file, lambda title: _open(data, file, data_only=True)[title])


def _open(data: bytes, file: str, *, data_only: bool) -> Workbook:
    import openpyxl

    try:
        with warnings.catch_warnings():  # openpyxl warns about decorations that it does not keep
            warnings.simplefilter("ignore")
            return openpyxl.load_workbook(io.BytesIO(data), data_only=data_only)
    except Exception as error:  # damaged XML makes openpyxl raise nearly anything
        message = f"the workbook is damaged: {type(error).__name__}: {error}."
        hint = "Open it in a spreadsheet and save it again."
        raise refused("unreadable-file", message, Location(file), hint) from error


def _grid(ws: Worksheet, file: str, values: Callable[[str], Worksheet]) -> Grid:
    # Not ws.iter_rows(): it makes a cell for every position up to the last formatted one.
    rows: dict[int, list[str]] = {}
    bad: dict[tuple[int, int], BadCell] = {}
    for (number, column), cell in sorted(ws._cells.items()):
        value, kind = cell.value, cell.data_type
        if kind == "f":
            cell = values(ws.title)._cells[number, column]
            text = _formula_text(value, cell.value, cell.data_type)
        else:
            text = _text(value, kind)
        if isinstance(text, BadCell):
            bad[number, column - 1] = text
            text = text.text
        if text:
            cells = rows.setdefault(number, [])
            cells += [""] * (column - 1 - len(cells))
            cells.append(text)
    return Grid(file, ws.title, list(rows.items()), bad, padded=True)


def _text(value: object, kind: str) -> str | BadCell:
    if kind == "e":
        return BadCell("spreadsheet-error", f"holds the spreadsheet error {value}.", _ERROR_HINT, str(value))
    text = value_text(value)
    if isinstance(text, str) and "_x00" in text:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    return normalise_lines(text) if isinstance(text, str) else text


def _formula_text(formula: object, value: object, kind: str) -> str | BadCell:
    """The stored value of a formula. ``kind`` ``str`` without a value is a formula whose result is empty text."""
    if value is None and kind != "str":
        source = str(getattr(formula, "text", formula))
        message = f"holds a formula ({source}) without its value; it was written by a program that does not calculate."
        hint = "Open and save the file in a spreadsheet, or type the text itself."
        return BadCell("formula-without-value", message, hint, source)
    return _text(value, kind)


def _plain(title: str) -> str:
    return clean(title).casefold()


def _named(sheet: str, grids: Mapping[str, Grid], file: str) -> str:
    title = sheet if sheet in grids else next((name for name in grids if _plain(name) == _plain(sheet)), None)
    if title is None:
        near = did_you_mean(sheet, grids) or "Its sheets are: " + ", ".join(f'"{name}"' for name in grids) + "."
        raise refused("unknown-sheet", f'the workbook has no sheet "{sheet}".', Location(file), near)
    if _plain(title) in NO_PROGRAM:
        message = f'the sheet "{title}" has a meaning of its own and cannot be the program.'
        raise refused("unknown-sheet", message, Location(file, title), "Name the sheet that has the nodes.")
    return title


def _first_program(book: Workbook, grids: Mapping[str, Grid], file: str) -> str:
    candidates = [ws for ws in book.worksheets if _plain(ws.title) not in NO_PROGRAM]
    visible = [ws.title for ws in candidates if ws.sheet_state == "visible"]
    for title in visible:
        if find_header(grids[title].rows) is not None:
            return title
    hidden = next((ws.title for ws in candidates if find_header(grids[ws.title].rows) is not None), None)
    if hidden:
        message = f'no visible sheet has a header; the hidden sheet "{hidden}" has one.'
        hint = f'Show the sheet, or name it: "{file}#{hidden}".'
        raise refused("no-header", message, Location(file), hint)
    filled = [title for title in visible if grids[title].rows]
    if len(filled) > 1:
        names = ", ".join(f'"{title}"' for title in filled)
        message = f'no sheet has a header row with the cells "name" and "action" (sheets: {names}).'
        raise refused("no-header", message, Location(file), "Write the header above the nodes.")
    if not filled:
        raise refused("empty-table", "the workbook is empty.", Location(file), "Write a header and one row per node.")
    return filled[0]


def _layout_warnings(ws: Worksheet, grid: Grid, problems: list[Problem]) -> None:
    start = find_header(grid.rows)
    if start is None:
        return
    rows = dict(grid.rows[start:])
    for merged in sorted(ws.merged_cells.ranges, key=lambda area: (area.min_row, area.min_col)):
        if ws.cell(merged.min_row, merged.min_col).value is not None and merged.min_row in rows:
            where = Location(grid.file, grid.sheet, merged.min_row, None, merged.coord.split(":")[0])
            message = f"the cells {merged.coord} are merged: the text counts for the first of them only."
            hint = "Unmerge them and write the text where it belongs."
            problems.append(problem("merged-cells", message, where, hint))
    hidden = [number for number in rows if number in ws.row_dimensions and ws.row_dimensions[number].hidden]
    if hidden:
        listed = ", ".join(map(str, hidden[:20])) + (" …" if len(hidden) > 20 else "")
        message = f"hidden or filtered rows are part of the program ({listed})."
        where = Location(grid.file, grid.sheet, hidden[0])
        problems.append(problem("hidden-rows", message, where, "Delete rows that are not meant to count."))
