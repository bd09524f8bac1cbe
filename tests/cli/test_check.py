"""``autograph check``: text, JSON, SARIF, exit codes, explanations, marked workbooks, stored conversations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import autograph
from cli.conftest import Run

SHEET = """\
name,action,instruction,transitions
start1,chat_exact,"Hello
$nmae",keep
keep,python_function,name = _last_user_reply,bye
bye,chat_exact,"Bye, $name",{target}
"""
FIELDS = ("code", "severity", "message", "hint", "file", "sheet", "row", "column", "cell", "line")


@pytest.fixture
def doubtful(tmp_path: Path) -> Path:
    """A program with one warning, in C2."""
    return _write(tmp_path / "p.csv", SHEET.format(target="quit"))


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A program with a warning in C2 and an error in D4."""
    return _write(tmp_path / "wrong.csv", SHEET.format(target="kepe"))


def _write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


# ---------------------------------------------------------------------- text, JSON, exit codes


def test_a_report_with_cells_codes_and_remedies(run: Run, wrong: Path) -> None:
    done = run("check", "wrong.csv")
    assert done.returncode == 1
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "wrong.csv"
    assert lines[1].split()[:3] == ["C2", "AG402", "warning"]
    assert 'Did you mean "name"?' in lines[1]
    assert lines[2].split()[:2] == ["D4", "AG104"]
    assert lines[4:] == ["1 error, 1 warning", "", "What a code means: autograph check --explain AG104"]


def test_exit_codes(run: Run, doubtful: Path, wrong: Path, tmp_path: Path) -> None:
    _write(tmp_path / "good.csv", SHEET.format(target="quit").replace("nmae", "_last_state"))
    _write(tmp_path / "text.csv", "this is\nno table\n")
    assert run("check", "good.csv").returncode == 0
    assert run("check", "good.csv").stdout == "good.csv: no problems\n"
    assert run("check", "p.csv").returncode == 0
    assert run("check", "p.csv", "--strict").returncode == 1
    assert run("check", "wrong.csv").returncode == 1
    assert run("check", "text.csv").returncode == 65
    assert run("check", "good.csv", "missing.csv").returncode == 65
    assert run("check").returncode == 2
    assert run("check", "p.csv", "--json", "--sarif").returncode == 2


def test_json_has_the_fixed_form(run: Run, wrong: Path) -> None:
    done = run("check", "wrong.csv", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    data = json.loads(done.stdout)
    assert list(data) == ["problems"]
    assert [tuple(one) for one in data["problems"]] == [FIELDS, FIELDS]
    assert data["problems"][1] == {
        "code": "AG104", "severity": "error", "message": 'there is no node "kepe"', "hint": 'Did you mean "keep"?',
        "file": "wrong.csv", "sheet": None, "row": 4, "column": "transitions", "cell": "D4", "line": None,
    }  # fmt: skip
    assert json.loads(run("check", "missing.csv", "--json").stdout)["problems"][0]["code"] == "AG001"


def test_several_files_and_the_standard_input(run: Run, doubtful: Path, wrong: Path) -> None:
    done = run("check", "p.csv", "wrong.csv")
    assert "2 files: 1 error, 2 warnings" in done.stdout
    assert "AG104" in run("check", "-", text=wrong.read_text("utf-8")).stdout
    program = (
        "config:\n  agent_name: Bo\nnodes:\n  start1: {action: chat_exact, instruction: Hi $x, transitions: quit}\n"
    )
    assert "AG401" in run("check", "-", text=program).stdout
    assert "no problems" in run("check", "-", text='[{"name": "a", "action": "chat_exact", "instruction": "x"}]').stdout


def test_warnings_are_left_out_by_code(run: Run, doubtful: Path) -> None:
    assert run("check", "p.csv", "--strict", "--disable", "AG402").returncode == 0
    assert run("check", "p.csv", "--strict", "--disable", "AG301,misspelt-variable").returncode == 0
    done = run("check", "p.csv", "--disable", "AG9")
    assert done.returncode == 2
    assert "there is no code AG9" in done.stderr


def test_settings_and_functions_of_the_host(run: Run, tmp_path: Path) -> None:
    _write(tmp_path / "h.csv", "name,action,instruction,transitions\nstart1,chat_exact,Hi ${find($guest)},quit\n")
    done = run("check", "h.csv")
    assert done.returncode == 1
    assert "find()" in done.stdout
    assert "AG401" in run("check", "h.csv", "--function", "find").stdout
    known = ("--config", "variables=guest")
    assert run("check", "h.csv", "--function", "find", *known).stdout == "h.csv: no problems\n"
    _write(tmp_path / "host.py", "def find(name):\n    return name\nmodules = {'find': find}\n")
    assert run("check", "h.csv", "--host", "host.py", *known).stdout == "h.csv: no problems\n"


def test_a_python_file_is_checked(run: Run, tmp_path: Path) -> None:
    rows = [{"name": "start1", "action": "chat_exact", "instruction": "Hi $x", "transitions": "quit"}]
    _write(tmp_path / "p.py", f"nodes = {rows!r}\n")
    assert "AG401" in run("check", "p.py").stdout


# ---------------------------------------------------------------------- explanations


def test_a_code_is_explained(run: Run) -> None:
    done = run("check", "--explain", "AG104")
    assert done.returncode == 0
    assert done.stdout.startswith("AG104 unknown-target (error)\nA transition leads to no node.\n")
    assert "Remedy: Correct the name, or add the node." in done.stdout
    assert run("check", "--explain", "unknown-target").stdout == done.stdout
    done = run("check", "--explain", "AG14")
    assert done.returncode == 2
    assert 'there is no code AG14. Did you mean "AG' in done.stderr


# ---------------------------------------------------------------------- SARIF


def test_sarif_names_rules_and_places(run: Run, wrong: Path) -> None:
    data = json.loads(run("check", "wrong.csv", "--sarif").stdout)
    assert data["version"] == "2.1.0"
    (one,) = data["runs"]
    rules = one["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["AG104", "AG402"]
    assert [(r["ruleId"], r["ruleIndex"], r["level"]) for r in one["results"]] == [
        ("AG402", 1, "warning"),
        ("AG104", 0, "error"),
    ]
    place = one["results"][1]["locations"][0]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "wrong.csv"}, "region": {"startLine": 5}}
    assert place["logicalLocations"] == [{"fullyQualifiedName": "D4", "kind": "cell"}]


@pytest.mark.parametrize(
    ("separator", "encoding"), [(",", "utf-8"), (";", "utf-8"), ("\t", "utf-8-sig"), (";", "utf-16"), (";", "cp1252")]
)
def test_sarif_counts_lines_as_an_editor_does(separator: str, encoding: str, run: Run, tmp_path: Path) -> None:
    said = '"Grüß\ndich"' if encoding == "cp1252" else '"Grüß\ndich\u2028"'
    header = ("name", "action", "instruction", "transitions")
    rows = [header, ("start1", "chat_exact", said, "b"), ("b", "chat_exact", '"Hi"', "c")]
    text = "".join(separator.join(row) + "\n" for row in rows)
    (tmp_path / "p.csv").write_bytes(text.encode(encoding))
    results = json.loads(run("check", "p.csv", "--sarif").stdout)["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"] for one in results if one["ruleId"] == "AG104"]
    assert [place["region"] for place in places] == [{"startLine": 4}]


def test_a_sarif_message_is_made_of_sentences(run: Run) -> None:
    (one,) = json.loads(run("check", "nope.csv", "--sarif").stdout)["runs"][0]["results"]
    assert one["message"]["text"].startswith("the file cannot be read: No such file or directory")
    assert ".." not in one["message"]["text"]


# ---------------------------------------------------------------------- marked workbooks


def _cells(path: Path) -> dict[str, Any]:
    book = openpyxl.load_workbook(path)
    return {
        cell.coordinate: cell
        for row in book[book.sheetnames[0]].iter_rows()
        for cell in row
        if cell.comment is not None and cell.comment.author == "autograph check"
    }


def test_a_text_table_becomes_a_marked_workbook(run: Run, wrong: Path, tmp_path: Path) -> None:
    done = run("check", "wrong.csv", "--mark", "out.xlsx")
    assert (done.returncode, done.stderr) == (1, "Wrote out.xlsx.\n")
    cells = _cells(tmp_path / "out.xlsx")
    assert set(cells) == {"C2", "D4"}
    assert cells["D4"].comment.text == 'AG104 error: there is no node "kepe"\nDid you mean "keep"?'
    assert cells["D4"].fill.start_color.rgb == "00FFC7CE"
    assert cells["C2"].fill.start_color.rgb == "00FFEB9C"
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    listed = [[cell.value for cell in row] for row in book["problems"].iter_rows()]
    assert listed[0] == ["cell", "code", "severity", "message", "remedy"]
    assert [row[:3] for row in listed[1:]] == [["program!C2", "AG402", "warning"], ["program!D4", "AG104", "error"]]
    again = json.loads(run("check", "out.xlsx", "--json").stdout)["problems"]
    assert [(one["code"], one["cell"]) for one in again] == [("AG402", "C2"), ("AG104", "D4")]


def test_a_workbook_is_copied_with_its_other_sheets(run: Run, tmp_path: Path) -> None:
    run("new", "cafe.xlsx")
    book = openpyxl.load_workbook(tmp_path / "cafe.xlsx")
    book["program"]["D2"] = "nowhere"
    book.create_sheet("mine")["A1"] = "keep me"
    book.save(tmp_path / "cafe.xlsx")
    before = (tmp_path / "cafe.xlsx").read_bytes()
    assert run("check", "cafe.xlsx", "--mark", "marked.xlsx").returncode == 1
    marked = openpyxl.load_workbook(tmp_path / "marked.xlsx")
    assert marked.sheetnames == ["program", "config", "mine", "problems"]
    assert "AG104" in marked["program"]["D2"].comment.text
    assert (tmp_path / "cafe.xlsx").read_bytes() == before
    run("check", "marked.xlsx", "--mark", "again.xlsx")
    assert openpyxl.load_workbook(tmp_path / "again.xlsx").sheetnames == ["program", "config", "mine", "problems"]
    done = run("check", "cafe.xlsx", "--mark", "cafe.xlsx")
    assert done.returncode == 2
    assert "give another name" in done.stderr


def test_yaml_becomes_a_table_in_which_the_cell_is_marked(run: Run, tmp_path: Path) -> None:
    _write(
        tmp_path / "p.yaml",
        "nodes:\n  start1:\n    action: chat_exact\n    instruction: Hi $x\n    transitions: quit\n",
    )
    assert run("check", "p.yaml", "--mark", "out.xlsx").returncode == 0
    ((where, cell),) = _cells(tmp_path / "out.xlsx").items()
    assert cell.value == "Hi $x"
    assert where.endswith("2")


def test_a_table_that_is_refused_is_marked_where_it_stands(run: Run, tmp_path: Path) -> None:
    _write(tmp_path / "p.csv", "name,action,instruction,transitons\nstart1,chat_exact,=Hi,quit\n")
    done = run("check", "p.csv", "--mark", "out.xlsx")
    assert done.returncode == 1
    cells = _cells(tmp_path / "out.xlsx")
    assert set(cells) == {"D1"}
    assert "AG007" in cells["D1"].comment.text
    assert openpyxl.load_workbook(tmp_path / "out.xlsx")["program"]["C2"].value == "=Hi"
    assert run("check", "missing.csv", "--mark", "out.xlsx").returncode == 2
    assert "must end in .xlsx" in run("check", "p.csv", "--mark", "out.csv").stderr


# ---------------------------------------------------------------------- stored conversations


def test_stored_conversations_that_would_not_survive(run: Run, tmp_path: Path) -> None:
    old = "name,action,instruction,transitions\nstart1,chat_exact,Hi,ask\nask,chat_exact,Who?,start1\n"
    _write(tmp_path / "old.csv", old)
    _write(tmp_path / "new.csv", old.replace("ask", "question"))
    (tmp_path / "saved").mkdir()
    bot = autograph.load(tmp_path / "old.csv", model="offline")
    _, memory = bot.reply()
    _write(tmp_path / "saved" / "a.json", memory.to_json())
    _, memory = bot.reply("x", memory)
    envelope = {"autograph": "conversation", "version": 1, "program": "old.csv", "memory": memory.to_dict()}
    _write(tmp_path / "saved" / "b.json", json.dumps(envelope))
    _write(tmp_path / "saved" / "c.json", "[]")
    done = run("check", "new.csv", "--against", "old.csv", "--conversations", "saved")
    assert done.returncode == 1
    assert f"{Path('saved') / 'a.json'}: no problems" in done.stdout
    data = json.loads(run("check", "new.csv", "--against", "old.csv", "--conversations", "saved", "--json").stdout)
    found = [(Path(one["file"]).name, one["code"]) for one in data["problems"]]
    assert found == [("b.json", "AG601"), ("c.json", "AG605")]
    assert 'It seems to be "question" now: write formerly: ask there.' in data["problems"][0]["hint"]
    assert run("check", "new.csv", "--against", "old.csv").returncode == 2
    assert run("check", "new.csv", "--against", "none.csv", "--conversations", "saved").returncode == 2


def test_what_stands_beside_a_program_is_left_out(run: Run, tmp_path: Path) -> None:
    _write(tmp_path / "tea.csv", "name,action,instruction,transitions\nhi,chat_exact,Hello!,quit\n")
    _write(tmp_path / "tea.tests.csv", "test,say\nx,hi\n")
    _write(tmp_path / "tea.sayings.csv", "node,choice,say\nhi,a,hi\n")
    done = run("check", "tea.csv", "tea.sayings.csv", "tea.tests.csv")
    assert (done.returncode, done.stdout) == (0, "tea.csv: no problems\n")
    assert done.stderr.splitlines() == [
        "tea.sayings.csv is left out: it holds sayings for autograph eval transitions.",
        "tea.tests.csv is left out: it holds conversation tests (autograph test).",
    ]
    assert run("check", "tea.tests.csv").returncode == 65
