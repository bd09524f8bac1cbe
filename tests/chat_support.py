"""A small program to be tested by conversation tests, and the ways to run them in a folder of their own."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

from autograph.testing.case import Suite
from autograph.testing.discover import load_suite
from autograph.testing.run import CaseResult, Failure, run_suite

PROGRAM = """\
nodes:
  start1: {action: python_function, instruction: "count = 0\\nitems = [1, 2]", transitions: hello}
  hello: {action: chat_exact, instruction: "Hello, $name!", transitions: ask}
  ask:
    action: chat
    instruction: Ask for a number.
    transitions: [help, judge]
    transition_question: What does the user want?
    transition_choices: [a hint, something else]
  help: {action: chat_exact, instruction: "Look at the numerator.\\nThen think.", transitions: ask}
  judge: {action: python_function, instruction: count = count + 1, transitions: bye}
  bye: {action: chat_exact, instruction: Bye!, transitions: quit}
  broken: {action: python_function, instruction: x = 1 / 0, transitions: hello}
  double(x): {action: python_function, instruction: y = 2 * x, transitions: return y}
  think(x): {action: thought, instruction: Think about $x., transitions: return}
"""


def write_tests(folder: Path, tests: str, *, program: str = PROGRAM, name: str = "demo") -> Path:
    """Write the program and its tests into ``folder``; the path of the tests."""
    (folder / f"{name}.yaml").write_text(program, "utf-8")
    path = folder / f"{name}.chat.yaml"
    path.write_text(dedent(tests), "utf-8")
    return path


def read_tests(folder: Path, tests: str, **options: Any) -> Suite:
    """The suite of a text of tests."""
    return load_suite(write_tests(folder, tests, **options))


def run_tests(folder: Path, tests: str, *, live: bool = False, **options: Any) -> list[CaseResult]:
    """The results of a text of tests."""
    return run_suite(read_tests(folder, tests, **options), live=live)


def failures(folder: Path, tests: str, **options: Any) -> list[Failure]:
    """What did not hold in a text of tests."""
    return [failure for result in run_tests(folder, tests, **options) for failure in result.failures]
