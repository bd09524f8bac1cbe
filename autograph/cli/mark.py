"""How does a program look with its problems marked? A workbook with coloured cells, comments, and a list of all."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograph.check import Checked
from autograph.errors import Location, Problem, ProgramError

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

    from autograph.tables import Row, Rows

__all__ = ["mark"]

_COLOURS = {"error": "FFC7CE", "warning": "FFEB9C"}
_LIST = "problems"
_TABLES = (".csv", ".tsv", ".tab", ".txt")
_MARKED_BY = "autograph check"


def mark(source: str, checked: Checked, target: Path) -> None:
    """Write a copy of the program as a workbook in which its problems are marked.

    A workbook is copied with all its sheets (pictures and charts are lost); a program in another format becomes one.
    Raises ``click.UsageError`` if nothing of the source can be shown in a sheet, ``OSError`` where the file cannot
    be written.
    """
    book, places = _copy(source, checked)
    for found in checked.problems:
        sheet, cell = _place(book, places, found)
        if sheet is not None and cell:
            _mark_cell(sheet, cell, found)
    _list(book, checked.problems, places)
    book.save(target)


# ---------------------------------------------------------------------- the copy


class _Places:
    """Where the cells of the source stand in the copy: at the same place, unless rows were written anew."""

    def __init__(self, rows: Rows | None = None, copied: Rows | None = None) -> None:
        self.sheet = copied.sheet if copied is not None else None
        self._pairs: list[tuple[Row, Row]] = []
        if rows is not None and copied is not None:
            self._pairs = list(zip(rows, copied, strict=True))

    def of(self, where: Location) -> Location:
        """The address in the copy."""
        if self.sheet is None:
            return where
        for row, copy in self._pairs:
            if (where.row is not None and row.row == where.row) or (where.row is None and self._holds(row, where.line)):
                field = next((f for f in row.fields if row.cell(f).column == where.column), None)
                return copy.cell(field or "name")
        return Location(where.file, self.sheet)

    @staticmethod
    def _holds(row: Row, line: int | None) -> bool:
        return line is not None and (row.line == line or line in row.lines.values())


def _copy(source: str, checked: Checked) -> tuple[Workbook, _Places]:
    """A workbook with what the source holds, and where it stands there."""
    import openpyxl

    path = Path(source if Path(source).exists() else source.rpartition("#")[0])
    data = path.read_bytes() if path.is_file() else b""
    if data.startswith(b"PK"):
        return openpyxl.load_workbook(io.BytesIO(data)), _Places()
    if checked.rows is not None:
        written = _written(checked.rows)
        if written is not None:
            return openpyxl.load_workbook(io.BytesIO(written[0])), _Places(checked.rows, written[1])
    if data and path.suffix.lower() in _TABLES:
        return _as_it_is(data, str(path)), _Places()
    raise click.UsageError(f"--mark: {source} holds nothing that a sheet could show: {checked.problems[0]}")


def _written(rows: Rows) -> tuple[bytes, Rows] | None:
    """The rows as a workbook, and read again from it; None if a workbook cannot hold them."""
    from autograph.program.write import rendered
    from autograph.tables import read_bytes

    try:
        data = next(iter(rendered(rows, "xlsx", "marked.xlsx").values()))
        copied = read_bytes(data, "marked.xlsx")
    except ProgramError:
        return None
    return (data, copied) if len(copied) == len(rows) else None


def _as_it_is(data: bytes, name: str) -> Workbook:
    """The cells of a text file that is refused as a table, each where it stands."""
    from openpyxl import Workbook

    from autograph.tables.decode import decode
    from autograph.tables.delimited import read_delimited

    book = Workbook()
    sheet: Any = book.active
    sheet.title = "program"
    try:
        grid = read_delimited(decode(data, name, []), name, [])
    except ProgramError as error:
        raise click.UsageError(f"--mark: {name} holds nothing that a sheet could show: {error}") from error
    for number, texts in grid.rows:
        for column, text in enumerate(texts, 1):
            if text:
                cell = sheet.cell(number, column, _printable(text))
                cell.data_type, cell.number_format = "s", "@"
    return book


def _printable(text: str) -> str:
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    return ILLEGAL_CHARACTERS_RE.sub("�", text)[:32_767]


# ---------------------------------------------------------------------- the marks


def _place(book: Workbook, places: _Places, found: Problem) -> tuple[Worksheet | None, str]:
    """The sheet and the cell of a problem; the row's first cell where only the row is known."""
    where = places.of(found.location)
    title = where.sheet or places.sheet
    sheet: Any = book[title] if title in book.sheetnames else book.worksheets[0]
    if where.cell:
        return sheet, where.cell.split(":")[0]
    return (sheet, f"A{where.row}") if where.row is not None else (None, "")


def _mark_cell(sheet: Worksheet, address: str, found: Problem) -> None:
    from openpyxl.comments import Comment
    from openpyxl.styles import PatternFill

    cell: Any = sheet[address]
    text = _printable(f"{found.code} {found.severity}: {found.message}\n{found.hint}".strip())
    before = cell.comment.text + "\n\n" if cell.comment is not None else ""
    cell.comment = Comment(before + text, _MARKED_BY, height=120, width=320)
    if found.severity == "error" or cell.fill.start_color.rgb != f"00{_COLOURS['error']}":
        cell.fill = PatternFill("solid", start_color=_COLOURS[found.severity])


def _list(book: Workbook, problems: Sequence[Problem], places: _Places) -> None:
    """A sheet that lists all problems, those without a cell included."""
    if _LIST in book.sheetnames and book[_LIST]["A1"].value == "cell":
        del book[_LIST]
    sheet = book.create_sheet(_LIST)
    for number, line in enumerate(_lines(book, problems, places), 1):
        for column, text in enumerate(line, 1):
            cell: Any = sheet.cell(number, column, _printable(text) or None)
            cell.data_type = "s" if text else cell.data_type
    for letter, width in zip("ABCDE", (22, 8, 10, 80, 60), strict=True):
        sheet.column_dimensions[letter].width = width


def _lines(book: Workbook, problems: Sequence[Problem], places: _Places) -> Iterator[tuple[str, ...]]:
    yield "cell", "code", "severity", "message", "remedy"
    for found in problems:
        sheet, cell = _place(book, places, found)
        yield (
            f"{sheet.title}!{cell}" if sheet is not None else "",
            found.code,
            found.severity,
            found.message,
            found.hint,
        )
