"""The configuration in a file beside a text table."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.errors import Location
from autograph.tables import read_rows
from tables_support import kinds, problems_of


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "bot.v2.csv"
    path.write_text("name,action\na,chat\n", encoding="utf-8")
    return path


def test_without_one(program: Path) -> None:
    assert read_rows(program).config == {}


@pytest.mark.parametrize("suffix", [".config.yaml", ".config.yml", ".config.json"])
def test_beside_the_table(program: Path, suffix: str) -> None:
    beside = program.with_name("bot.v2" + suffix)
    beside.write_text('{"agent_name": "Ada",\n "default-prompt": "Be kind."}', encoding="utf-8")
    rows = read_rows(program)
    assert rows.config == {"agent_name": "Ada", "default_prompt": "Be kind."}
    assert rows.config_location("default_prompt") == Location(str(beside), column="default-prompt", line=2)


def test_an_empty_file(program: Path) -> None:
    program.with_name("bot.v2.config.yaml").write_text("\n", encoding="utf-8")
    assert read_rows(program).config == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [("- a", "bad-config"), ("a: b: c", "bad-yaml"), ("a: 1\na: 2", "duplicate-key"), ("<html></html>", "not-a-table")],
)
def test_faults(program: Path, text: str, kind: str) -> None:
    program.with_name("bot.v2.config.yaml").write_text(text, encoding="utf-8")
    assert kinds(problems_of(read_rows, program)) == [kind]


def test_two_of_them(program: Path) -> None:
    for suffix in (".config.yaml", ".config.json"):
        program.with_name("bot.v2" + suffix).write_text("{}", encoding="utf-8")
    assert kinds(problems_of(read_rows, program)) == ["bad-config"]
