"""The pytest plugin, in runs of pytest of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from chat_support import PROGRAM

TESTS = """\
- test: Greets
  variables: {name: Ada}
  turns: [{expect: "Hello, Ada!"}]

- test: Says goodbye
  start: bye
  turns:
    - expect: See you

- test: "Asks: a real [model]"
  live: true
  model: "scripted:script.yaml"
  start: ask
  turns: [{expect: Live}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "demo.yaml").write_text(PROGRAM)
    (tmp_path / "demo.chat.yaml").write_text(TESTS)
    (tmp_path / "other.yaml").write_text(PROGRAM)
    (tmp_path / "other.tests.csv").write_text("test,call,args,value\nDoubles,double(),[3],6\n")
    (tmp_path / "script.yaml").write_text("replies: [Live!]\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    return tmp_path


def pytest_run(folder: Path, *args: str, alone: bool = True) -> tuple[int, str]:
    """The exit code and the output of a run; ``alone``: without the plugins of others, which take their time."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--strict-markers", "--strict-config", *args]
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    if alone:
        command += ["-p", "autograph.testing.pytest_plugin"]
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stdout + done.stderr


def test_conversations_are_items(folder: Path) -> None:
    code, out = pytest_run(folder, "--collect-only", "-q", alone=False)
    assert code == 0
    assert out.split("\n")[:4] == [
        "demo.chat.yaml::Greets",
        "demo.chat.yaml::Says goodbye",
        "demo.chat.yaml::Asks: a real [model]",
        "other.tests.csv::Doubles",
    ]


def test_a_failure_tells_the_conversation(folder: Path) -> None:
    code, out = pytest_run(folder, "-ra")
    assert code == 1
    assert (
        f"""
{folder}/demo.chat.yaml:5: Says goodbye

turn 1, the program begins
  contains (line 8)
    expected  a text that contains 'See you'
    got       'Bye!'

the way there
   1  the program begins
      bye
"""
        in out
    )
    assert "Traceback" not in out
    assert "pytest_plugin" not in out
    assert "SKIPPED [1] demo.chat.yaml: it asks a real model; run it with --live\n" in out
    assert "FAILED demo.chat.yaml::Says goodbye - turn 1, contains: expected a text that" in out
    assert "1 failed, 2 passed, 1 skipped" in out


def test_live(folder: Path) -> None:
    code, out = pytest_run(folder, "--live", "-m", "live")
    assert (code, "1 passed, 3 deselected" in out) == (0, True)
    assert "@pytest.mark.live" in pytest_run(folder, "--markers")[1]
    assert "--live" in pytest_run(folder, "--help")[1]


def test_selection(folder: Path) -> None:
    assert "1 passed, 3 deselected" in pytest_run(folder, "-k", "Doubles or nothing")[1]
    assert "1 passed in" in pytest_run(folder, "demo.chat.yaml::Greets")[1]
    assert "1 failed in" in pytest_run(folder, "demo.chat.yaml::Says goodbye")[1]
    code, out = pytest_run(folder, "-x")
    assert (code, "stopping after 1 failures" in out, "1 failed, 1 passed in" in out) == (1, True, True)


def test_several_processes(folder: Path) -> None:
    code, out = pytest_run(folder, "-n", "2", alone=False)
    assert code == 1
    assert "1 failed, 2 passed, 1 skipped" in out
    assert "    expected  a text that contains 'See you'" in out


def test_reports_for_machines(folder: Path) -> None:
    pytest_run(folder, "--junitxml", "out.xml", "-o", "junit_family=xunit1")
    text = (folder / "out.xml").read_text()
    assert 'name="Says goodbye" file="demo.chat.yaml" line="4"' in text
    assert "message=\"turn 1, contains: expected a text that contains 'See you', got 'Bye!'\"" in text


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "demo.chat.yaml").write_text("- test: x\n  turns: [{sya: a}]\n- test: x\n  turns: [{say: a}]\n")
    code, out = pytest_run(folder)
    assert code == 2
    assert 'demo.chat.yaml, line 2: "sya" is no key of a turn. Did you mean "say"?' in out
    assert 'demo.chat.yaml, line 3: two tests have the name "x", in lines 1 and 3.' in out
    assert "Traceback" not in out


def test_workbooks(folder: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["name", "action", "instruction"])
    book.active.append(["a", "chat_exact", "Hello!"])
    book.create_sheet("tests").append(["test", "reply"])
    book["tests"].append(["Says hello", "Hello!"])
    book.save(folder / "book.xlsx")
    assert "Says hello" not in pytest_run(folder, "--collect-only", "-q")[1]
    assert "1 passed in" in pytest_run(folder, "book.xlsx")[1]
    assert "book.xlsx::Says hello" in pytest_run(folder, "--collect-only", "-q", "-o", "autograph_workbooks=true")[1]


HEAVY = ("yaml", "click", "lark", "regex", "openai", "pandas", "openpyxl", "networkx", "matplotlib", "autograph.memory",
         "autograph.interpreter", "autograph.tables", "autograph.language", "autograph.models")  # fmt: skip


def test_the_plugin_is_light(folder: Path) -> None:
    code = (
        "import json, sys, pytest\n"
        "before = set(sys.modules)\n"
        "import autograph.testing.pytest_plugin\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert [name for name in loaded if name.startswith(HEAVY)] == []
    assert len([name for name in loaded if name.startswith("autograph")]) <= 8


def test_a_run_without_conversations_loads_no_engine(folder: Path) -> None:
    (folder / "alone").mkdir()
    (folder / "alone" / "test_x.py").write_text(
        "import sys\n\ndef test_x():\n    assert 'autograph.interpreter' not in sys.modules\n"
    )
    code, out = pytest_run(folder, "alone")
    assert (code, "1 passed" in out) == (0, True)
