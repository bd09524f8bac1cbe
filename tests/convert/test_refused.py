"""What a format cannot hold is refused, cell by cell, and nothing is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograph.errors import Problem, ProgramError
from autograph.program.write import convert as converting
from autograph.program.write import rendered, write_rows
from autograph.tables import read_rows


def refused(tmp_path: Path, form: str, program: dict[str, Any] | list[dict[str, Any]]) -> list[Problem]:
    source = tmp_path / "in.json"
    source.write_text(json.dumps(program, indent=1), "utf-8")
    rows = read_rows(str(source))
    with pytest.raises(ProgramError) as caught:
        write_rows(rows, tmp_path / f"out.{form}")
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]
    assert rendered(rows, "json", "out.json")
    return caught.value.problems


def node(**fields: Any) -> dict[str, Any]:
    return {"name": "a", "action": "chat", **fields}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"notes": "x" * 32_768}, "the text has 32,768 characters; a spreadsheet's cell holds 32,767."),
        ({"notes": "😀" * 16_384}, "the text has 32,768 characters; a spreadsheet's cell holds 32,767."),
        ({"#x": "a\uffffb"}, "the text holds the character U+FFFF, which no workbook can hold."),
        ({"conv_scope": ["a, b"]}, "the items of the list cannot be told apart when they stand in one cell."),
    ],
)
def test_cells(fields: dict[str, Any], message: str, tmp_path: Path) -> None:
    (found,) = refused(tmp_path, "xlsx", [node(), node(**fields)])
    assert found.message == message
    assert (found.code, found.kind) == ("AG023", "not-writable")
    assert found.location.file == str(tmp_path / "in.json")
    assert found.location.column == next(iter(fields))
    assert found.location.line is not None
    assert found.hint


def test_all_are_named_at_once(tmp_path: Path) -> None:
    bad = node(notes="x" * 40_000, instruction="y" * 40_000, transitions=["f(", "b"])
    assert [p.location.column for p in refused(tmp_path, "xlsx", [bad])] == ["transitions", "notes", "instruction"]


def test_a_text_as_long_as_a_cell_may_be(tmp_path: Path) -> None:
    rows = read_rows([node(notes="x" * 32_767)])
    assert rendered(rows, "xlsx", "p.xlsx")


def test_csv_has_no_such_limits(tmp_path: Path) -> None:
    rows = read_rows([node(notes="x" * 40_000, instruction="a\uffff")])
    assert rendered(rows, "csv", "p.csv")


@pytest.mark.parametrize(
    ("form", "config", "message"),
    [
        ("yaml", {"chatbot": None}, 'the setting "chatbot" is null, which only JSON can say.'),
        ("csv", {"chatbot": [None]}, 'the setting "chatbot" is null, which only JSON can say.'),
        (
            "xlsx",
            {"a": {"b": "c"}},
            'the setting "a" is a mapping or holds other lists; a sheet has room for texts only.',
        ),
        ("xlsx", {"a": ["b", ""]}, 'the setting "a" has an empty item, for which a sheet has no room.'),
        ("xlsx", {"a": "x" * 40_000}, 'the setting "a" has 40,000 characters; a spreadsheet\'s cell holds 32,767.'),
    ],
)
def test_settings(form: str, config: dict[str, Any], message: str, tmp_path: Path) -> None:
    (found,) = refused(tmp_path, form, {"config": config, "nodes": [node()]})
    assert found.message == message
    assert found.location.line == 3


def test_what_would_be_read_back_otherwise_is_not_written(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, "xlsx", {"config": {"agent_name": ["x"]}, "nodes": [node()]})
    assert (found.code, found.kind) == ("AG024", "not-the-same")
    assert found.message == (
        'written as xlsx, the program would not be the same: the setting "agent_name" is read back otherwise.'
    )
    (found,) = refused(tmp_path, "xlsx", {"config": {"": "x"}, "nodes": [node()]})
    assert found.message.endswith("would not be the same: row 2 has a value but no key.")


def test_a_node_without_any_text(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, "csv", [node(), {"name": ""}])
    assert found.message == "the node has no text at all, and a blank row of a table is no node."
    assert found.location.line is not None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tea", "Tea", 'the field "instruction" of "a" is read back otherwise'),
        ("left", "right", 'the field "#x" of "a" is read back otherwise'),
        ("name,", "NAME,", "the columns are other ones"),
    ],
)
def test_a_writer_that_errs_is_caught(
    old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = converting.csv_text
    monkeypatch.setattr(converting, "_TEXTS", {"csv": lambda rows: right(rows).replace(old, new)})
    rows = read_rows([node(**{"instruction": "tea", "#x": "left"})])
    with pytest.raises(ProgramError, match=said):
        write_rows(rows, tmp_path / "p.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.csv").write_text("old", "utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(converting.os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_rows(read_rows({"nodes": [node()], "config": {"max_steps": "3"}}), tmp_path / "p.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["p.csv"]
    assert (tmp_path / "p.csv").read_text("utf-8") == "old"


def test_a_name_must_tell_the_format(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.csv"):
        write_rows(read_rows([node()]), tmp_path / "p.ods")
