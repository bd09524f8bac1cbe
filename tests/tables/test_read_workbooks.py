"""Excel workbooks: cells that are no text, sheets, layout, and files that are something else."""

from __future__ import annotations

import io
import zipfile
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest
from openpyxl.worksheet.worksheet import Worksheet

from autograph.errors import Location
from autograph.tables import Rows, archive, read_bytes, read_rows
from tables_support import HEADER, kinds, patched, problems_of, workbook

NODE = ["a", "chat", "Hi", None]


def read(data: bytes, **options: Any) -> Rows:
    return read_bytes(data, "p.xlsx", **options)


def test_40_numbers_are_written_as_typed() -> None:
    rows = read(workbook(HEADER, [2.0, "chat", 0.1, 10**15], [1.10, "chat", -3.0, 1e300]))
    assert rows[0].fields == {"name": "2", "action": "chat", "instruction": "0.1", "transitions": "1000000000000000"}
    assert rows[1].fields == {"name": "1.1", "action": "chat", "instruction": "-3", "transitions": "1e+300"}


def test_41_booleans() -> None:
    assert read(workbook(HEADER, ["a", "chat", True, False]))[0].get("instruction") == "True"


@pytest.mark.parametrize("value", [date(2026, 2, 1), time(12, 30)])
def test_42_dates_and_times(value: object) -> None:
    (problem,) = problems_of(read, workbook(HEADER, NODE, ["b", "chat", "Ho", value]))
    assert (problem.kind, problem.location.cell, problem.location.column) == ("date-cell", "D3", "transitions")
    assert str(value) in problem.message


def test_42_dates_in_remarks_do_no_harm() -> None:
    rows = read(workbook(["name", "action", "notes", "# when"], ["a", "chat", date(2026, 2, 1), date(2026, 2, 3)]))
    assert (rows[0].get("notes"), rows[0].comments["# when"]) == ("2026-02-01", "2026-02-03")


def test_43_a_formula_whose_value_is_empty_text() -> None:
    data = workbook(HEADER, ["a", "chat", '=""', None])
    assert kinds(problems_of(read, data)) == ["formula-without-value"]
    stored = patched(data, "xl/worksheets/sheet1.xml", '<c r="C2">', '<c r="C2" t="str">')
    assert read(stored)[0].get("instruction") == ""


def test_45_text_that_looks_like_a_formula() -> None:
    def as_text(sheet: Worksheet) -> None:
        sheet["C2"].data_type = "s"

    assert read(workbook(HEADER, ["a", "chat", "=Hi", None], change=as_text))[0].get("instruction") == "=Hi"


def test_46_merged_cells() -> None:
    def merge(sheet: Worksheet) -> None:
        sheet.merge_cells("A2:A3")
        sheet.merge_cells("C9:D9")  # empty: no matter

    rows = read(workbook(HEADER, NODE, [None, "chat", "Ho", None], change=merge))
    assert [(p.kind, p.location.row, p.location.cell) for p in rows.problems] == [("merged-cells", 2, "A2")]
    assert [row.get("name") for row in rows] == ["a", ""]  # never filled down


def test_47_hidden_rows_are_read() -> None:
    def hide(sheet: Worksheet) -> None:
        sheet.row_dimensions[3].hidden = True
        sheet.row_dimensions[9].hidden = True

    rows = read(workbook(HEADER, NODE, ["b", "chat", "Ho", None], change=hide))
    assert [row.get("name") for row in rows] == ["a", "b"]
    assert [(p.kind, p.location.row) for p in rows.problems] == [("hidden-rows", 3)]


def test_48_the_first_visible_sheet_with_a_header() -> None:
    def hide(sheet: Worksheet) -> None:
        sheet.sheet_state = "hidden"

    data = workbook(HEADER, NODE, change=hide, readme=[["Read me"]], bot=[HEADER, ["b", "chat", "Ho", None]])
    rows = read(data)
    assert (rows.sheet, rows[0].get("name")) == ("bot", "b")
    assert rows[0].cell("name") == Location("p.xlsx", "bot", 2, "name", "A2")
    assert read(data, sheet="program")[0].get("name") == "a"
    assert read(data, sheet=" PROGRAM ").sheet == "program"


def test_48_sheets_by_name(tmp_path: Path) -> None:
    path = tmp_path / "clinic.xlsx"
    path.write_bytes(workbook(HEADER, NODE, other=[HEADER, ["b", "chat", "Ho", None]], tests=[HEADER, NODE]))
    assert read_rows(f"{path}#other")[0].get("name") == "b"
    assert read_rows(path, sheet="other").sheet == "other"
    (problem,) = problems_of(read_rows, f"{path}#othr")
    assert (problem.kind, problem.hint) == ("unknown-sheet", 'Did you mean "other"?')
    assert kinds(problems_of(read_rows, path, sheet="tests")) == ["unknown-sheet"]


def test_48_no_sheet_with_a_header() -> None:
    def hide(sheet: Worksheet) -> None:
        sheet.sheet_state = "hidden"

    (problem,) = problems_of(read, workbook(HEADER, NODE, change=hide, readme=[["Read me"]]))
    assert "hidden sheet" in problem.message
    assert kinds(problems_of(read, workbook(["Notes"], other=[["More"]]))) == ["no-header"]
    assert kinds(problems_of(read, workbook(["name", "acton", "instruction"], NODE))) == ["unknown-column", "no-header"]
    assert kinds(problems_of(read, workbook())) == ["empty-table"]


def test_49_escaped_line_ends() -> None:
    rows = read(workbook(HEADER, ["a", "chat", "One_x000D_\nTwo_x000a_Three\rFour", None]))
    assert rows[0].get("instruction") == "One\nTwo\nThree\nFour"


def test_50_a_far_away_formatted_cell() -> None:
    def paint(sheet: Worksheet) -> None:
        sheet["XFD1048576"].number_format = "0.00"

    rows = read(workbook(HEADER, NODE, change=paint))
    assert len(rows) == 1
    assert rows.problems == []


def test_51_cells_at_the_limit() -> None:
    rows = read(workbook(HEADER, ["a", "chat", "x" * 32_767, None]))
    assert [(p.kind, p.location.cell) for p in rows.problems] == [("cell-at-limit", "C2")]


def test_27_cells_beside_the_table_are_no_error() -> None:
    rows = read(workbook(HEADER, [*NODE, "a remark"], [None, None, None, None, "another"]))
    assert [(p.kind, p.location.cell) for p in rows.problems] == [("cell-without-header", "E2")]
    assert len(rows) == 1


def test_26_a_date_above_the_header() -> None:
    rows = read(workbook(["Exported", date(2026, 2, 1)], HEADER, NODE))
    assert [(p.kind, p.location.row) for p in rows.problems] == [("text-before-header", 1)]
    assert rows.header_row == 2


def test_the_config_sheet() -> None:
    config = [["key", "value"], ["Default Prompt", "Be kind."], ["# note", "x"], ["max_steps", 50.0],
              ["python_imports", "math", "operator"]]  # fmt: skip
    rows = read(workbook(HEADER, NODE, config=config))
    assert rows.config == {"default_prompt": "Be kind.", "max_steps": "50", "python_imports": ["math", "operator"]}
    assert rows.config_location("max_steps") == Location("p.xlsx", "config", 4, "max_steps", "B4")
    assert rows.config_location("nothing") == Location("p.xlsx")


def test_faults_of_the_config_sheet() -> None:
    config = [["max_steps", 1], ["max_steps", 2], [None, "x"], ["seed", date(2026, 2, 1)]]
    found = problems_of(read, workbook(HEADER, NODE, config=config))
    assert [(p.kind, p.location.row) for p in found] == [("duplicate-key", 2), ("bad-config", 3), ("date-cell", 4)]


def archive_of(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name in names:
            target.writestr(name, "x")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (archive_of("mimetype", "content.xml"), "p.ods", "OpenDocument"),
        (archive_of("Index/Document.iwa"), "p.numbers", "Numbers"),
        (archive_of("xl/workbook.bin"), "p.xlsb", ".xlsb"),
        (archive_of("word/document.xml"), "p.docx", ".docx"),
        (archive_of("a.txt"), "p.zip", "ZIP"),
        (archive.OLE_MAGIC + bytes(100), "p.xls", "old .xls"),
        (archive.OLE_MAGIC + bytes(100), "p.xlsx", "password"),
        (archive.OLE_MAGIC + "EncryptedPackage".encode("utf-16-le"), "p", "password"),
    ],
)
def test_other_formats_are_named(data: bytes, name: str, words: str) -> None:
    *_, problem = problems_of(read_bytes, data, name)
    assert problem.kind == "unknown-format"
    assert words in problem.message
    assert ".xlsx" in problem.hint


def test_damaged_workbooks() -> None:
    data = workbook(HEADER, NODE)
    assert kinds(problems_of(read, data[: len(data) // 2])) == ["unreadable-file"]
    broken = patched(data, "xl/worksheets/sheet1.xml", "<sheetData>", "<sheetData><row>")
    assert kinds(problems_of(read, broken)) == ["unreadable-file"]


def test_a_workbook_whose_sheets_are_not_found() -> None:
    data = patched(workbook(HEADER, NODE), "xl/workbook.xml", "<sheets>.*</sheets>", "<sheets/>")
    (problem,) = problems_of(read, data)
    assert problem.kind == "unreadable-file"
    assert "Strict" in problem.hint


def test_workbooks_that_unpack_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook(HEADER, ["a", "chat", "x" * 30_000, None])
    monkeypatch.setattr(archive, "MAX_BYTES", 20_000)
    assert len(data) < 20_000
    assert kinds(problems_of(read, data)) == ["too-large"]
