"""Which tests are there, in files and folders?"""

from __future__ import annotations

import os
from pathlib import Path

import openpyxl
import pytest

from autograph.testing.discover import discover, find_tests
from autograph.testing.fault import SuiteError
from chat_support import write_tests

ONE = "- test: x\n  turns: [{say: a}]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tests(tmp_path, ONE, name="one")
    (tmp_path / "one.tests.csv").write_text("test,say\nx,a\n")
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    write_tests(tmp_path / "sub" / "deep", ONE, name="two")
    for hidden in (".venv", "node_modules", "__pycache__"):
        (tmp_path / hidden).mkdir()
        write_tests(tmp_path / hidden, ONE, name="no")
    book = openpyxl.Workbook()
    book.create_sheet("tests").append(["test", "say"])
    book["tests"].append(["x", "a"])
    book.save(tmp_path / "three.xlsx")
    openpyxl.Workbook().save(tmp_path / "four.xlsx")
    (tmp_path / "alone.csv").write_text("name,action\n")
    return tmp_path


def names(folder: Path, *paths: str) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_tests(folder / path for path in paths)]


def test_folders_are_searched(folder: Path) -> None:
    assert names(folder, "") == ["one.chat.yaml", "one.tests.csv", "sub/deep/two.chat.yaml", "three.xlsx"]
    assert [len(suite.cases) for suite in discover([folder])] == [1, 1, 1, 1]
    assert names(folder, "sub", "one.chat.yaml") == ["sub/deep/two.chat.yaml", "one.chat.yaml"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_go_round_are_not_followed(folder: Path) -> None:
    before = find_tests([folder])
    (folder / "loop").symlink_to(folder)
    (folder / "sub" / "up").symlink_to(folder)
    assert find_tests([folder]) == before


def test_a_program_stands_for_its_tests(folder: Path) -> None:
    assert names(folder, "one.yaml") == ["one.chat.yaml", "one.tests.csv"]
    assert names(folder, "three.xlsx") == ["three.xlsx"]
    assert names(folder, "one.yaml", "one.chat.yaml", "") == [
        "one.chat.yaml", "one.tests.csv", "sub/deep/two.chat.yaml", "three.xlsx",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("on.chat.yaml", 'there is no such file or folder. Did you mean "one.chat.yaml"?'),
        ("alone.csv", "there are no tests of this file. Write alone.chat.yaml beside it."),
        ("four.xlsx", "there are no tests of this file. Write four.chat.yaml beside it."),
    ],
)
def test_what_cannot_be_found(folder: Path, path: str, message: str) -> None:
    with pytest.raises(SuiteError) as caught:
        find_tests([folder / path])
    assert str(caught.value) == f"{folder / path}: {message}"


def test_mistakes_of_all_files_are_told(folder: Path) -> None:
    (folder / "one.chat.yaml").write_text("- tset: x")
    (folder / "one.tests.csv").write_text("test,sya\nx,a\n")
    with pytest.raises(SuiteError) as caught:
        discover([folder])
    assert {Path(fault.file).name for fault in caught.value.faults} == {"one.chat.yaml", "one.tests.csv"}
