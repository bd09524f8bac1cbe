"""``pytest --chat-coverage``: the same counts as ``autograph test --coverage``, alone and with workers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b
ask,chat_exact,Tea?,"tea, bye",Do they want tea?,yes,no
tea,chat_exact,Here.,ask,,,
bye,chat_exact,Bye.,quit,,,
"""
TESTS = """\
- test: Tea
  answers: ["yes"]
  turns: [{}, {say: please, expect: Here.}]
- test: No tea
  answers: ["no"]
  turns: [{}, {say: never, expect: Bye.}]
- test: Opens
  turns: [{expect: Tea?}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.csv").write_text(PROGRAM, "utf-8")
    (tmp_path / "p.chat.yaml").write_text(TESTS, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return tmp_path


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=120)


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_counts_of_a_run(folder: Path, workers: tuple[str, ...]) -> None:
    done = run(folder, "--chat-coverage-file", "counts.json", "--chat-fail-under", "nodes=100", *workers)
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = [line for line in done.stdout.splitlines() if line.endswith("none")]
    assert " ".join(row.split()[1:]) == "3/3 100 % 3/4 75 % 2/2 100 % none"
    assert '  transition  tea → ask  row 3, column "transitions" (D3)' in done.stdout
    (program,) = json.loads((folder / "counts.json").read_text("utf-8"))["programs"]
    assert program["file"] == "p.csv"
    assert program["traffic"]["nodes"] == {"ask": 3, "bye": 1, "tea": 1}


def test_too_little_fails(folder: Path) -> None:
    done = run(folder, "--chat-fail-under", "80")
    assert done.returncode == 1
    assert "3 of 4 transitions are covered, 75.0 %, and 80 % are asked for." in done.stdout
    assert (folder / ".autograph-coverage.json").exists()
    done = run(folder, "--chat-fail-under", "much")
    assert done.returncode == 4
    assert '--chat-fail-under: "much" is no percentage.' in done.stderr


def test_nothing_is_counted_unasked(folder: Path) -> None:
    done = run(folder)
    assert done.returncode == 0
    assert "coverage" not in done.stdout
    assert not (folder / ".autograph-coverage.json").exists()
