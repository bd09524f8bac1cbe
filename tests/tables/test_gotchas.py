"""Spreadsheets as people really save them: each file in ``tests/gotchas`` gives what is expected of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.errors import Problem, ProgramError
from autograph.tables import read_rows

FOLDER = Path(__file__).parent.parent / "gotchas"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
ONLY_LOAD_KNOWS = {"duplicate-node"}


def with_key(*keys: str) -> list[str]:
    return [name for name, case in EXPECTED.items() if any(key in case for key in keys)]


def filled(fields: Any) -> dict[str, str]:
    return {name: text for name, text in fields.items() if text}


def short(problem: Problem) -> set[str]:
    """The forms in which a file of expectations may write a warning."""
    where = problem.location
    forms = {problem.kind} if where.row is None else {f"{problem.kind} row {where.row}"}
    return forms | {f"{problem.kind} {where.cell}"} if where.cell else forms


@pytest.mark.parametrize("name", with_key("rows"))
def test_rows(name: str) -> None:
    rows = read_rows(FOLDER / name)
    assert [filled(row.fields) for row in rows] == [filled(row) for row in EXPECTED[name]["rows"]]


@pytest.mark.parametrize("name", with_key("rows", "rows_len", "row_numbers", "first_row", "sheet"))
def test_numbers_and_sheet(name: str) -> None:
    rows, case = read_rows(FOLDER / name), EXPECTED[name]
    assert len(rows) == case.get("rows_len", len(rows))
    assert [row.row for row in rows] == case.get("row_numbers", [row.row for row in rows])
    assert rows[0].row == case.get("first_row", rows[0].row)
    assert rows.sheet == case.get("sheet", rows.sheet)


@pytest.mark.parametrize("name", with_key("rows", "warnings"))
def test_warnings(name: str) -> None:
    rows, expected = read_rows(FOLDER / name), set(EXPECTED[name].get("warnings", []))
    found = [short(problem) for problem in rows.problems]
    assert all(forms & expected for forms in found)
    assert expected <= set().union(*found)


@pytest.mark.parametrize("name", with_key("error"))
def test_refusal(name: str) -> None:
    expected = EXPECTED[name]["error"]
    read = autograph.load if expected["code"] in ONLY_LOAD_KNOWS else read_rows
    with pytest.raises(ProgramError) as caught:
        read(FOLDER / name)
    problem = next(p for p in caught.value.problems if p.kind == expected["code"])
    for key in ("row", "column", "cell"):
        assert getattr(problem.location, key) == expected.get(key, getattr(problem.location, key))
    said = f"{problem.message} {problem.hint}".lower()
    assert [words for words in expected.get("message_has", []) if words.lower() not in said] == []


@pytest.mark.parametrize("name", with_key("typed"))
def test_typed(name: str) -> None:
    bot = autograph.load(FOLDER / name)
    typed = EXPECTED[name]["typed"]
    assert {node: bot.nodes[node].instruction for node in typed} == typed
