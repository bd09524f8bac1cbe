"""A program goes through all formats and comes back as it was; written twice, it is the same bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from autograph.errors import ProgramError
from autograph.program.write import read_for_writing, rendered, write_rows
from autograph.tables import Rows
from convert_support import CASES, FORMS, ROOT, SHIPPED, Table, essence, gaps, read, tables

GOTCHAS = sorted(path for path in (ROOT / "tests" / "gotchas").iterdir() if path.suffix != ".json")
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def through(rows: Rows, forms: tuple[str, ...], folder: Path) -> Rows:
    """The rows after they were written in each of the formats, and read again."""
    for number, form in enumerate(forms):
        path = folder / f"out{number}.{form}"
        write_rows(rows, path)
        rows = read(path)
    return rows


def readable(table: Table, folder: Path) -> Rows:
    try:
        return read(table.written(folder))
    except ProgramError:
        assume(False)
        raise


@settings(SLOW, max_examples=150)
@given(tables())
def test_csv_yaml_xlsx_csv_is_the_identity(folder: Path, table: Table) -> None:
    rows = readable(table, folder)
    back = through(rows, ("yaml", "xlsx", "csv"), folder)
    assert essence(back) == essence(rows)


@settings(SLOW, max_examples=40)
@given(tables())
def test_every_pair_of_formats(folder: Path, table: Table) -> None:
    rows = readable(table, folder)
    said = essence(through(rows, ("csv",), folder))
    assert said == essence(rows)
    for one, other in permutations(FORMS, 2):
        assert essence(through(rows, (one, other, "csv"), folder)) == said, (one, other)


@settings(SLOW, max_examples=60)
@given(tables())
def test_sheets_keep_their_blank_rows(folder: Path, table: Table) -> None:
    rows = readable(table, folder)
    assert gaps(through(rows, ("xlsx", "csv", "xlsx"), folder)) == gaps(rows)


@settings(SLOW, max_examples=40)
@given(tables())
def test_the_same_bytes_twice(folder: Path, table: Table) -> None:
    rows = readable(table, folder)
    for form in FORMS:
        first = rendered(rows, form, f"p.{form}")
        assert rendered(rows, form, f"p.{form}") == first
        write_rows(rows, folder / f"p.{form}")
        again = rendered(read(folder / f"p.{form}"), form, f"p.{form}")
        assert again == first, form  # what was written is written as it is


@pytest.mark.parametrize("path", [*CASES, *SHIPPED], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_programs(path: Path, tmp_path: Path) -> None:
    try:
        rows = read_for_writing(str(path))
    except ProgramError:
        pytest.skip("is refused when it is read")
    said = essence(through(rows, ("csv",), tmp_path))
    assert said["rows"] == essence(rows)["rows"]
    assert essence(through(rows, ("yaml", "xlsx", "json", "csv"), tmp_path)) == said


@pytest.mark.parametrize("path", GOTCHAS, ids=lambda path: path.name)
def test_spreadsheets_as_people_save_them(path: Path, tmp_path: Path) -> None:
    try:
        rows = read_for_writing(str(path))
    except ProgramError:
        pytest.skip("is refused when it is read")
    for form in FORMS:
        assert essence(through(rows, (form, "csv"), tmp_path))["rows"] == essence(rows)["rows"]


@pytest.mark.parametrize(
    "lines",
    [
        [["name", "action"], ["e\u200b\u0301", "chat"]],  # composes once the invisible blank is gone
        [["#a (C)", "#a", "#a", "#a", "name", "action"], ["1", "2", "3", "4", "n", "chat"]],
        [["", "name", "", "action"], ["", "n", "", "chat"]],
        [["#;", "name", "action", "#a;b|c\td"], ["x;y", "n", "chat", "a|b;c\td"]],
        [["name", "action", "notes"], ["_x005F_x000D_", "chat", "_x000D__x000A_ _x0041_x0042_"]],
        [
            ["name", "action", "transition_choice_b", "transition_choice_a"],
            ["n", "chat", "b", "a"],
            ["m", "chat", "", "a"],
        ],
        [
            ["name", "action"],
            ["yes", "chat"],
            ["1.10", "chat"],
            ["null", "chat"],
            ["? x", "chat"],
            ["a: b # c", "chat"],
        ],
    ],
)
def test_tables_that_are_easily_lost(lines: list[list[str]], tmp_path: Path) -> None:
    rows = read(Table(lines).written(tmp_path))
    for forms in (("csv",), *permutations(("xlsx", "yaml", "json"), 3)):
        assert essence(through(rows, (*forms, "csv"), tmp_path)) == essence(rows)
