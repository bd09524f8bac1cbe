"""How does the starter look as a workbook? Header with explanations, drop-down lists, readable columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from autograph.cli.starter import COLUMNS, CONFIG, ROWS
from autograph.vocabulary import ACTIONS, FIELDS, choice_index

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["write_workbook"]

_LAST_ROW = 300
"""How far down the drop-down lists reach."""

_WIDTHS = (18, 18, 50, 22, 32, 20, 20, 28, 50)


def write_workbook(file: Path) -> None:
    """Write the starter with the sheets ``program`` and ``config``."""
    from openpyxl import Workbook

    book = Workbook()
    program = book.active
    assert program is not None  # a new workbook has one sheet
    program.title = "program"
    _fill(program, [list(COLUMNS), *[list(row.values()) for row in ROWS]], _WIDTHS)
    _explain(program)
    _add_lists(program)
    _fill(book.create_sheet("config"), [["key", "value"], *[[key, text] for key, text in CONFIG.items()]], (24, 80))
    book.save(file)


def _fill(sheet: Worksheet, rows: list[list[str]], widths: tuple[int, ...]) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    for number, texts in enumerate(rows, 1):
        for column, text in enumerate(texts, 1):
            cell = sheet.cell(number, column, text or None)
            cell.number_format = "@"  # text: nothing becomes a date, a number or a formula
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = Font(bold=True, color="FFFFFF")
                cell.fill = PatternFill("solid", start_color="2F4B6E")
    for column, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.freeze_panes = "A2"


def _explain(sheet: Worksheet) -> None:
    """A note at each header that says what the field is for."""
    from openpyxl.comments import Comment

    for column, name in enumerate(COLUMNS, 1):
        lettered = choice_index(name)
        summary = FIELDS[lettered[0] if lettered else name].summary
        note = Comment(summary, "autograph")
        note.width, note.height = 260, 80
        sheet.cell(1, column).comment = note


def _add_lists(sheet: Worksheet) -> None:
    """Drop-down lists: the actions, and the names of nodes as transitions, where other texts may be typed too."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    actions = DataValidation(type="list", formula1=f'"{",".join(ACTIONS)}"', allow_blank=True)
    actions.error = "Choose one of the listed actions."
    actions.errorTitle = "No such action"
    actions.errorStyle = "warning"  # a custom action may be typed all the same
    targets = DataValidation(type="list", formula1=f"$A$2:$A${_LAST_ROW}", allow_blank=True, showErrorMessage=False)
    for validation, name in ((actions, "action"), (targets, "transitions")):
        letter = get_column_letter(COLUMNS.index(name) + 1)
        validation.add(f"{letter}2:{letter}{_LAST_ROW}")
        sheet.add_data_validation(validation)
