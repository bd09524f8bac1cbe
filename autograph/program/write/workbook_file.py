"""How is a program written as a workbook? Header with explanations, drop-down lists, every cell a text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from autograph.program.write.layout import Column, table_columns, table_lines
from autograph.program.write.settings_text import Setting, config_entries
from autograph.program.write.zipped import repacked
from autograph.tables import Rows
from autograph.tables.cells import clean, column_letter
from autograph.tables.workbook import read_workbook
from autograph.vocabulary import ACTIONS, FIELDS, choice_index

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.styles import Alignment
    from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["other_sheets", "workbook_bytes"]

_LAST_ROW = 300
"""How far down the drop-down lists reach at least, and how many rows they go on below the last node."""
_ROOM = 100

_LIKE_A_FORMULA = ("=", "+", "-", "@")
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # a workbook takes _x000D_ for a character
_NO_DATE = datetime(2000, 1, 1)  # the same program gives the same bytes, whenever it is written
_TARGETS = ("transitions", "on_unclear")
_WIDTHS: Mapping[str, int] = MappingProxyType(
    {
        "name": 18,
        "action": 18,
        "instruction": 50,
        "transitions": 22,
        "transition_question": 32,
        "transition_choice": 20,
        "condition_interjection": 28,
        "notes": 50,
        "lineno": 8,
    }
)
_OTHER_WIDTH, _COMMENT_WIDTH = 24, 36


def workbook_bytes(rows: Rows, kept: bytes | None = None) -> bytes:
    """The workbook with the sheets ``program`` and ``config`` (without settings only the first).

    ``kept``: the workbook from which the rows come. Its other sheets stay, and so do the titles of the two and
    their places among the others.
    """
    book = _book(kept)
    title = rows.sheet if kept and rows.sheet else "program"
    program = _fresh(book, title, 0)
    columns = table_columns(rows)
    _fill(program, 1, [column.header for column in columns])
    last = 1
    for line in table_lines(rows):
        _fill(program, line.number, line.texts)
        last = line.number
    _style(program, [_width(column) for column in columns])
    _explain(program, columns)
    _add_lists(program, columns, max(_LAST_ROW, last + _ROOM))
    _write_config(book, program, list(config_entries(rows)))
    _show(book, program)
    data = _saved(book)
    if kept and read_workbook(data, "", None, [])[0].sheet != title:  # an earlier sheet looks like a program, too
        book.move_sheet(program, -book.index(program))
        data = _saved(book)
    return data


def other_sheets(data: bytes, program: str) -> tuple[str, ...]:
    """The titles of the sheets that are neither the program nor its settings."""
    return tuple(ws.title for ws in _book(data).worksheets if ws.title != program and not _is_config(ws.title))


# ---------------------------------------------------------------------- the workbook


def _book(kept: bytes | None) -> Workbook:
    import warnings

    import openpyxl

    if kept is None:
        book = openpyxl.Workbook()
        book.remove(book.worksheets[0])
        book.properties.creator, book.properties.created = "autograph", _NO_DATE
        return book
    with warnings.catch_warnings():  # openpyxl warns about decorations that it does not keep
        warnings.simplefilter("ignore")
        return openpyxl.load_workbook(io.BytesIO(kept), rich_text=True)


def _is_config(title: str) -> bool:
    return clean(title).casefold() == "config"


def _fresh(book: Workbook, title: str, place: int) -> Worksheet:
    """An empty sheet with a title; where the workbook has one already, in its place."""
    if title in book.sheetnames:
        place = book.sheetnames.index(title)
        book.remove(book[title])
    return book.create_sheet(title, place)  # type: ignore[no-any-return]


def _write_config(book: Workbook, program: Worksheet, settings: Sequence[tuple[str, Setting]]) -> None:
    """The settings on their sheet; a sheet that is there already goes if there are none."""
    there = next((title for title in book.sheetnames if _is_config(title)), None)
    if not settings:
        if there is not None:
            book.remove(book[there])
        return
    sheet = _fresh(book, there or "config", book.index(program) + 1)
    _fill(sheet, 1, ["key", "value"])
    for number, (key, value) in enumerate(settings, 2):
        _fill(sheet, number, [key, *map(str, value)] if isinstance(value, list) else [key, str(value)])
    _style(sheet, (24, 80))


def _show(book: Workbook, program: Worksheet) -> None:
    """The program is the sheet that is seen first; only one sheet is selected."""
    book.active = program
    for sheet in book.worksheets:
        sheet.sheet_view.tabSelected = sheet is program


def _saved(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return repacked(stream.getvalue(), _NO_DATE)


# ---------------------------------------------------------------------- cells


def _fill(sheet: Worksheet, row: int, texts: Iterable[str]) -> None:
    """The texts of a row, each as a text: nothing becomes a date, a number, an error or a formula."""
    for column, text in enumerate(texts, 1):
        if text:
            cell = sheet.cell(row, column, _ESCAPE.sub("_x005F_", text))
            cell.data_type = "s"
            cell.number_format = "@"
            cell.alignment = _alignment()
            if text.startswith(_LIKE_A_FORMULA):
                cell.quotePrefix = True


@cache
def _alignment() -> Alignment:
    from openpyxl.styles import Alignment

    return Alignment(wrap_text=True, vertical="top")


def _style(sheet: Worksheet, widths: Iterable[int]) -> None:
    """Header, widths, and columns of text, so that what is typed below stays text, too."""
    from openpyxl.styles import Font, PatternFill

    for index, width in enumerate(widths):
        column = sheet.column_dimensions[column_letter(index)]
        column.width, column.number_format = width, "@"
        column.alignment = _alignment()
        header = sheet.cell(1, index + 1)
        header.font = Font(bold=True, color="FFFFFF")
        header.fill = PatternFill("solid", start_color="2F4B6E")
    sheet.freeze_panes = "A2"


def _width(column: Column) -> int:
    if not column.key or column.key.startswith("#"):
        return _COMMENT_WIDTH if column.key else _WIDTHS["lineno"]
    lettered = choice_index(column.key)
    return _WIDTHS.get(lettered[0] if lettered else column.key, _OTHER_WIDTH)


def _explain(sheet: Worksheet, columns: Iterable[Column]) -> None:
    """A note at each header that says what the field is for."""
    from openpyxl.comments import Comment

    for number, column in enumerate(columns, 1):
        lettered = choice_index(column.key)
        field = FIELDS.get(lettered[0] if lettered else column.key)
        if field is not None:
            note = Comment(field.summary, "autograph")
            note.width, note.height = 260, 80
            sheet.cell(1, number).comment = note


def _add_lists(sheet: Worksheet, columns: Sequence[Column], last: int) -> None:
    """Drop-down lists: the actions, and the names of nodes as targets, where other texts may be typed too."""
    from openpyxl.worksheet.datavalidation import DataValidation

    letters = {column.key: column_letter(index) for index, column in enumerate(columns)}
    actions = DataValidation(type="list", formula1=f'"{",".join(ACTIONS)}"', allow_blank=True)
    actions.error = "Choose one of the listed actions."
    actions.errorTitle = "No such action"
    actions.errorStyle = "warning"  # a custom action may be typed all the same
    names = f"${letters['name']}$2:${letters['name']}${last}"
    targets = DataValidation(type="list", formula1=names, allow_blank=True, showErrorMessage=False)
    for validation, keys in ((actions, ("action",)), (targets, _TARGETS)):
        for letter in (letters[key] for key in keys if key in letters):
            validation.add(f"{letter}2:{letter}{last}")
        if validation.sqref:
            sheet.add_data_validation(validation)
