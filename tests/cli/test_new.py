"""``autograph new``: the three forms are one program, which talks at once."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

import autograph
from autograph.cli.starter import COLUMNS, ROWS
from autograph.vocabulary import ACTIONS
from cli.conftest import Run

FORMS = ("cafe.xlsx", "cafe.csv", "cafe.yaml")
TALK = "Ada.\nhow much is it?\nI'd love a coffee\nyes please\ntea\nno thanks\n"
REPLIES = [
    "Welcome to the cafe! What is your name?",
    "Nice to meet you, Ada. Would you like tea or coffee?",
    "We have green tea and fresh coffee, both for 2 euros. Which one would you like?",
    "Your fresh coffee is ready. Would you like another drink?",
    "We have green tea and fresh coffee, both for 2 euros. Which one would you like?",
    "Your green tea is ready. Would you like another drink?",
    "Goodbye, Ada. Come back soon!",
]


def fields(bot: autograph.Autograph) -> dict[str, dict[str, str]]:
    return {name: {k: v for k, v in node.spec.row.fields.items() if v} for name, node in bot.nodes.items()}


def test_the_three_forms_are_one_program(run: Run, tmp_path: Path) -> None:
    for name in FORMS:
        done = run("new", name)
        assert done.stdout.endswith(f"Try it: autograph chat {name}\n")
        assert (done.stderr, done.returncode) == ("", 0)
    bots = [autograph.load(tmp_path / name, model="offline") for name in FORMS]
    assert [bot.problems for bot in bots] == [(), (), ()]
    assert fields(bots[0]) == fields(bots[1]) == fields(bots[2])
    assert bots[0].config == bots[1].config == bots[2].config
    assert bots[0].config.default_prompt.startswith("You are a friendly barista.")


@pytest.mark.parametrize("name", FORMS)
def test_it_talks_without_a_language_model(run: Run, name: str) -> None:
    run("new", name)
    done = run("chat", name, "--model", "offline", text=TALK)
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (REPLIES, "", 0)


def test_it_shows_the_main_ideas() -> None:
    assert {row["action"] for row in ROWS} == {"chat_exact", "chat", "python_function"}
    assert any(row["condition_interjection"] for row in ROWS)
    assert any("$guest" in row["instruction"] for row in ROWS)


def test_nothing_is_overwritten_unasked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.config.yaml").write_text("keep: me\n", "utf-8")
    done = run("new", "mine.csv")
    assert "mine.config.yaml is there already. Choose another name, or --force." in done.stderr
    assert done.returncode == 2
    assert not (tmp_path / "mine.csv").exists()
    assert (tmp_path / "mine.config.yaml").read_text("utf-8") == "keep: me\n"
    done = run("new", "mine.csv", "--force")
    assert done.stdout.startswith("Wrote mine.csv and mine.config.yaml.")
    assert done.returncode == 0


def test_names_that_do_not_do(run: Run) -> None:
    assert "must end in .xlsx, .csv, .yaml, .yml" in run("new", "cafe.ods").stderr
    done = run("new", "no/such/folder.yaml")
    assert "no/such/folder.yaml cannot be written: No such file or directory" in done.stderr
    assert done.returncode == 2
    assert "autograph chat 'my cafe.yaml'" in run("new", "my cafe.yaml").stdout


def test_the_workbook_helps_its_author(run: Run, tmp_path: Path) -> None:
    run("new", "cafe.xlsx")
    book = openpyxl.load_workbook(tmp_path / "cafe.xlsx")
    assert book.sheetnames == ["program", "config"]
    sheet = book["program"]
    assert sheet.freeze_panes == "A2"
    assert [cell.value for cell in sheet[1]] == list(COLUMNS)
    assert sheet["B1"].comment.text == "what the node does"
    assert sheet["F1"].comment.text == "the answer that leads to this transition"
    assert sheet["A1"].font.bold
    assert sheet["C2"].alignment.wrap_text
    assert sheet.column_dimensions["C"].width == 50
    lists = {str(v.sqref): v.formula1 for v in sheet.data_validations.dataValidation}
    assert lists == {"B2:B300": f'"{",".join(ACTIONS)}"', "D2:D300": "$A$2:$A$300"}
    assert len(",".join(ACTIONS)) <= 255  # what a spreadsheet allows for a list
