"""Tests with a recording: played back without a model, recorded with the program's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograph.models.recordings import Mode, Recordings
from autograph.testing.discover import load_suite
from autograph.testing.result import CaseResult
from autograph.testing.run import run_suite
from cli.conftest import Run, run

__all__ = ["run"]

PROGRAM = """\
config: {chatbot: "scripted:words.yaml"}
nodes:
  - {name: start1, action: chat, instruction: Greet the user., transitions: ask}
  - name: ask
    action: chat
    instruction: Ask for their name.
    transitions: [bye, start1]
    transition_question: Did they tell it?
    transition_choices: [yes, no]
  - {name: bye, action: chat_exact, instruction: Bye., transitions: quit}
"""

TESTS = """\
recording: words.jsonl
tests:
  - test: Greets
    turns:
      - expect: {reply: Hello!}
  - test: Asks for the name
    turns:
      - expect: {reply: Hello!}
      - say: hi
        expect: {reply: And you are?}
      - say: Ada
        expect: {reply: Bye., calls: 1}
"""


@pytest.fixture
def tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.yaml").write_text("replies: [Hello!, 'And you are?']\nanswers: [yes]\n", "utf-8")
    (tmp_path / "host.yaml").write_text(PROGRAM, "utf-8")
    path = tmp_path / "host.chat.yaml"
    path.write_text(TESTS, "utf-8")
    return path


def ran(path: Path, mode: Mode = "none", *, prune: bool = False) -> list[CaseResult]:
    recordings = Recordings(mode)
    results = run_suite(load_suite(path), recordings=recordings)
    recordings.close(prune=prune)
    return results


def test_nothing_is_asked_without_being_told_to(tests: Path) -> None:
    first, second = ran(tests)
    assert [failure.what for failure in (*first.failures, *second.failures)] == ["model", "model"]
    assert "words.jsonl cannot be read" in first.failures[0].got


def test_recorded_once_and_played_back(tests: Path) -> None:
    # Each test asks a model of its own; what was recorded in one is known in the next.
    (tests.parent / "words.yaml").write_text("replies: [Hello!]\n", "utf-8")
    tests.write_text(TESTS.partition("  - test: Asks")[0], "utf-8")
    assert [result.passed for result in ran(tests, "new")] == [True]
    tests.write_text(TESTS, "utf-8")
    (tests.parent / "words.yaml").write_text("replies: ['And you are?']\nanswers: [yes]\n", "utf-8")
    assert [result.passed for result in ran(tests, "new")] == [True, True]
    (tests.parent / "words.yaml").unlink()
    assert [result.passed for result in ran(tests)] == [True, True]


def test_recorded_anew(tests: Path) -> None:
    words = tests.parent / "words.yaml"
    words.write_text("replies: [Hello!]\n", "utf-8")
    ran(tests, "new")
    words.write_text("replies: [Hi!]\n", "utf-8")
    assert ran(tests, "all", prune=True)[0].failures[0].got == "'Hi!'"
    recorded = (tests.parent / "words.jsonl").read_text()
    assert len(recorded.splitlines()) == 2
    assert "Hello!" not in recorded


def test_a_miss_shows_what_differs(tests: Path) -> None:
    (tests.parent / "words.yaml").write_text("replies: [Hello!]\n", "utf-8")
    ran(tests, "new")
    (tests.parent / "host.yaml").write_text(PROGRAM.replace("Greet the user", "Greet them"), "utf-8")
    got = ran(tests)[0].failures[0].got
    assert "- user: Instruction for Agent: Greet the user." in got
    assert "+ user: Instruction for Agent: Greet them." in got


def test_the_command(tests: Path, run: Run) -> None:
    (tests.parent / "words.yaml").write_text("replies: [Hello!]\n", "utf-8")
    assert run("test", "-k", "Greets").returncode == 1
    assert run("test", "-k", "Greets", "--record", "new").returncode == 0
    assert run("test", "-k", "Greets").returncode == 0
