"""``autograph convert`` and ``autograph schema`` as they are typed."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from autograph.cli.convert import convert
from autograph.cli.schema import schema
from autograph.program.schema import schema_text
from convert_support import essence, read

CSV = "name,action,instruction,#who\nstart1,chat_exact,=1+1 is 2,Ada\n"
BROKEN = "name,action,transitions\na,chta,nowhere\na,chat,\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text(CSV, "utf-8")
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(convert, args, standalone_mode=False)


def usage_error(*args: str) -> str:
    done = CliRunner().invoke(convert, args)
    assert done.exit_code == 2
    return done.stderr


def test_from_one_to_the_next(here: Path) -> None:
    assert run("p.csv", "p.yaml").stdout == "Wrote p.yaml (1 row).\n"
    assert run("p.yaml", "p.xlsx").return_value == 0
    assert run("p.xlsx", "p.json").return_value == 0
    assert run("p.json", "q.csv").return_value == 0
    assert (here / "q.csv").read_text("utf-8") == CSV


def test_settings_go_beside_a_csv(here: Path) -> None:
    (here / "p.config.yaml").write_text("agent_name: Robo\n", "utf-8")
    run("p.csv", "p.yaml")
    assert run("p.yaml", "q.csv").stdout == "Wrote q.csv and q.config.yaml (1 row).\n"
    assert (here / "q.config.yaml").read_text("utf-8") == "agent_name: Robo\n"


def test_nothing_is_overwritten_unasked(here: Path) -> None:
    (here / "q.config.json").write_text('{"agent_name": "Other"}', "utf-8")
    assert "q.config.json is there already. Choose another name, or --force." in usage_error("p.csv", "q.csv")
    assert not (here / "q.csv").exists()
    assert run("p.csv", "q.csv", "--force").return_value == 0
    assert dict(read(here / "q.csv").config) == {}
    assert not (here / "q.config.json").exists()
    assert "p.csv is there already" in usage_error("p.csv", "p.csv")


def test_to_the_standard_output(here: Path) -> None:
    done = run("p.csv", "-", "--to", "yaml")
    assert done.stdout.startswith("nodes:\n  start1:\n    action: chat_exact\n")
    done = run("p.csv", "-", "--to", "xlsx")
    (here / "q.xlsx").write_bytes(done.stdout_bytes)
    assert essence(read(here / "q.xlsx")) == essence(read(here / "p.csv"))
    assert "say the format with --to" in usage_error("p.csv", "-")
    (here / "p.config.yaml").write_text("agent_name: Robo\n", "utf-8")
    done = run("p.csv", "-", "--to", "csv")
    assert (done.stdout, done.return_value) == ("", 65)
    assert "AG023  the program has settings" in done.stderr


def test_names_that_do_not_do(here: Path) -> None:
    assert "must end in .csv, .xlsx, .yaml, .yml, .json" in usage_error("p.csv", "q.ods")
    assert "q.yaml is no name of a csv file" in usage_error("p.csv", "q.yaml", "--to", "csv")
    assert "no/q.yaml cannot be written: No such file" in usage_error("p.csv", "no/q.yaml")
    done = run("nothing.csv", "q.yaml")
    assert done.return_value == 65
    assert "cannot be read" in done.stderr


def test_programs_with_mistakes_are_converted_as_they_are(here: Path) -> None:
    (here / "broken.csv").write_text(BROKEN, "utf-8")
    assert run("broken.csv", "broken.yaml").return_value == 0
    assert run("broken.yaml", "again.csv").return_value == 0
    assert (here / "again.csv").read_text("utf-8") == BROKEN


def test_warnings_and_json(here: Path) -> None:
    (here / "odd.csv").write_text("Title\nname,action,\na,chat,lost\n", "utf-8")
    done = run("odd.csv", "odd.xlsx", "--json")
    said = json.loads(done.stdout)
    assert (said["written"], said["rows"]) == (["odd.xlsx"], 1)
    assert [problem["code"] for problem in said["problems"]] == ["AG056", "AG052"]
    assert "what stands above the header is not read" in done.stderr
    done = run("nothing.csv", "q.yaml", "--json")
    assert json.loads(done.stdout)["problems"][0]["code"] == "AG001"


def test_sheets_that_are_left_out_are_named(here: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["name", "action"])
    book.active.append(["a", "chat"])
    book.create_sheet("tests")
    book.save("book.xlsx")
    done = run("book.xlsx", "book.yaml")
    assert done.stderr == 'warning: the other sheets of the workbook are not written: "tests".\n'
    assert run("book.xlsx", "copy.xlsx").stderr == ""
    assert openpyxl.load_workbook("copy.xlsx").sheetnames == ["Sheet", "tests"]


def test_a_link_stays_a_link(here: Path) -> None:
    (here / "real.yaml").write_text("old", "utf-8")
    (here / "link.yaml").symlink_to("real.yaml")
    assert run("p.csv", "link.yaml", "--force").stdout == "Wrote link.yaml (1 row).\n"
    assert (here / "link.yaml").is_symlink()
    assert (here / "real.yaml").read_text("utf-8").startswith("nodes:")


def test_files_can_be_read_by_whom_they_should(here: Path) -> None:
    (here / "plain").write_text("", "utf-8")
    run("p.csv", "q.yaml")
    assert stat.S_IMODE((here / "q.yaml").stat().st_mode) == stat.S_IMODE((here / "plain").stat().st_mode)


def test_the_schema(here: Path) -> None:
    assert CliRunner().invoke(schema, []).stdout == schema_text()
    done = CliRunner().invoke(schema, ["-o", "s.json"])
    assert done.stdout == "Wrote s.json.\n"
    assert (here / "s.json").read_text("utf-8") == schema_text()
    done = CliRunner().invoke(schema, ["-o", "no/s.json"])
    assert (done.exit_code, "cannot be written" in done.stderr) == (2, True)
