"""What a written workbook is like when a spreadsheet program opens it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from autograph.program.write import read_for_writing, rendered, workbook_of, write_rows
from autograph.tables import read_rows
from autograph.vocabulary import ACTIONS
from convert_support import essence, read

ROWS = [
    {"name": "start1", "action": "chat_exact", "instruction": "=1+1", "transitions": "-1", "on_unclear": "start1"},
    {"name": "007", "action": "chat", "instruction": "2024-01-01", "transitions": "12345678901234567890"},
    {
        "name": "1.10",
        "action": "chat",
        "instruction": "#NAME?",
        "transitions": "@x",
        "notes": "+1\n_x000D_ _x0041_x0042_",
    },
]


def book_of(data: bytes) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(data))


def test_every_cell_is_text() -> None:
    rows = read_rows({"config": {"max_steps": "100", "agent_name": "=x"}, "nodes": ROWS})
    data = rendered(rows, "xlsx", "p.xlsx")["p.xlsx"]
    book = book_of(data)
    cells = {cell.value: cell for sheet in book for line in sheet for cell in line if cell.value is not None}
    assert {(cell.data_type, cell.number_format) for cell in cells.values()} == {("s", "@")}
    quoted = [value for value, cell in cells.items() if cell.quotePrefix]
    assert quoted == ["=1+1", "-1", "@x", "+1\n_x005F_x000D_ _x005F_x0041_x005F_x0042_", "=x"]
    assert book["program"].column_dimensions["C"].number_format == "@"  # what is typed below stays text


def test_the_header_is_styled_and_stays_in_view() -> None:
    rows = read_rows({"config": {"max_steps": "100"}, "nodes": ROWS})
    book = book_of(rendered(rows, "xlsx", "p.xlsx")["p.xlsx"])
    assert book.sheetnames == ["program", "config"]
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet["A1"].font.bold
        assert sheet["A1"].fill.start_color.rgb == "002F4B6E"
        assert sheet["A2"].alignment.wrap_text
    assert [cell.value for cell in book["config"][2]] == ["max_steps", "100"]
    assert book["program"].column_dimensions["C"].width == 50
    assert book["program"]["C1"].comment.text == "what to say, think, compute or call"


def test_drop_down_lists() -> None:
    book = book_of(rendered(read_rows(ROWS), "xlsx", "p.xlsx")["p.xlsx"])
    actions, targets = book["program"].data_validations.dataValidation
    assert (str(actions.sqref), actions.formula1) == ("B2:B300", f'"{",".join(ACTIONS)}"')
    assert actions.errorStyle == "warning"
    assert {str(part) for part in targets.sqref.ranges} == {"D2:D300", "E2:E300"}
    assert targets.formula1 == "$A$2:$A$300"
    assert not targets.showErrorMessage  # several targets, return and quit may be typed, too


def test_the_lists_follow_the_columns_and_the_rows() -> None:
    nodes = [{"action": "chat", "name": f"n{number}", "#x": "y"} for number in range(250)]
    book = book_of(
        rendered(read_rows({"columns": ["action", "#x", "name"], "nodes": nodes}), "xlsx", "p.xlsx")["p.xlsx"]
    )
    (actions,) = book["program"].data_validations.dataValidation
    assert str(actions.sqref) == "A2:A351"


def test_no_date_of_writing_is_in_it() -> None:
    data = rendered(read_rows(ROWS), "xlsx", "p.xlsx")["p.xlsx"]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}
    properties = book_of(data).properties
    assert (properties.creator, properties.created, properties.modified) == ("autograph", *[openpyxl_date()] * 2)


def openpyxl_date() -> object:
    from datetime import datetime

    return datetime(2000, 1, 1)


# ---------------------------------------------------------------------- other sheets


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A workbook with a sheet before and one after the program, and settings."""
    book = openpyxl.Workbook()
    book.active.title = "README"
    book.active.append(["Read this", "=1+1"])
    program = book.create_sheet("Intake")
    for line in (
        ["Title above"],
        ["name", "action", "#who"],
        ["start1", "chat", "Ada"],
        [],
        [None, None, "later"],
        ["b", "chat"],
    ):
        program.append(line)
    tests = book.create_sheet("tests")
    tests.append(["say", "hello"])
    tests["A1"].font = openpyxl.styles.Font(italic=True)
    config = book.create_sheet("Config")
    for line in (["# models", "and more"], ["agent_name", "Robo"], ["python_imports", "math", "ast"]):
        config.append(line)
    other = book.create_sheet("other")
    for line in (["name", "action"], ["elsewhere", "chat"]):
        other.append(line)
    book.save(tmp_path / "clinic.xlsx")
    return tmp_path / "clinic.xlsx"


def converted(source: str, target: Path) -> openpyxl.Workbook:
    rows = read_for_writing(source)
    write_rows(rows, target, workbook_of(rows))
    assert essence(read(target)) == essence(rows)
    first = target.read_bytes()
    write_rows(rows, target, workbook_of(rows))
    assert target.read_bytes() == first
    return openpyxl.load_workbook(target)


def test_other_sheets_are_kept(clinic: Path) -> None:
    book = converted(str(clinic), clinic.with_name("out.xlsx"))
    assert book.sheetnames == ["README", "Intake", "tests", "Config", "other"]
    assert book["README"]["B1"].value == "=1+1"
    assert book["tests"]["A1"].font.italic
    assert [cell.value for cell in book["Intake"]["A"]] == ["name", "start1", None, None, "b"]
    assert [cell.value for cell in book["Intake"]["C"]] == ["#who", "Ada", None, "later", None]
    assert [[cell.value for cell in line] for line in book["Config"]] == [
        ["key", "value", None],
        ["# models", "and more", None],
        ["agent_name", "Robo", None],
        ["python_imports", "math", "ast"],
    ]
    assert book.active.title == "Intake"


def test_a_program_behind_another_one_comes_to_the_front(clinic: Path) -> None:
    book = converted(f"{clinic}#other", clinic.with_name("out.xlsx"))
    assert book.sheetnames[0] == "other"
    assert "Intake" in book.sheetnames


def test_a_workbook_onto_itself(clinic: Path) -> None:
    book = converted(str(clinic), clinic)
    assert book["README"]["A1"].value == "Read this"


def test_settings_that_are_gone_leave_no_sheet(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["name", "action"])
    book.active.append(["a", "chat"])
    book.create_sheet("config")
    book.save(tmp_path / "p.xlsx")
    assert converted(str(tmp_path / "p.xlsx"), tmp_path / "q.xlsx").sheetnames == ["Sheet"]
