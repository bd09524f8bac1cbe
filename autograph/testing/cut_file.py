"""How does a test that was cut come into a file? Into a new one, or behind the tests that are there."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from autograph.errors import AutographError
from autograph.testing.case import Case
from autograph.testing.cut import Cut
from autograph.testing.fault import SuiteError
from autograph.testing.read_yaml import parse_cases, read_yaml
from autograph.testing.write import case_yaml

__all__ = ["add_to_file", "with_test"]

_ITEM = re.compile(r"^( *)- ", re.MULTILINE)
_TESTS = re.compile(r"^tests:[ \t]*(?:#.*)?$", re.MULTILINE)


def add_to_file(cut: Cut, path: Path) -> Case:
    """Write a test to a file; one that exists keeps its tests and gets it as its last. The test as it is named there.

    Raises ``AutographError`` if the file cannot be written, is no file of tests, or tests another program.
    """
    try:
        if not path.exists():
            path.write_text(cut.text(path), "utf-8", newline="\n")
            return cut.case
        text, case = with_test(path.read_text("utf-8-sig"), cut, path)
        path.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise AutographError(f"the test cannot be written to {path}: {error.strerror or error}") from error
    return case


def with_test(text: str, cut: Cut, path: Path) -> tuple[str, Case]:
    """The text of a file of tests with one more at its end, and that test with a name that the file does not have."""
    try:
        suite = read_yaml(path)
    except SuiteError as error:
        raise AutographError(f"the test cannot be added: {error}") from error
    if suite.program.resolve() != cut.program.resolve():
        raise AutographError(f"{path} tests {suite.program}, not {cut.program}. Write the test to another file")
    case = replace(cut.case, name=_free(cut.case.name, {case.name for case in suite.cases}))
    begun = _TESTS.search(text)
    item = _ITEM.search(text, begun.end() if begun else 0)
    pad = item[1] if item else ""
    notes = "".join(f"{pad}# {note}\n" for note in cut.notes)
    added = "".join(f"{pad}{line}" if line.strip() else line for line in case_yaml(case).splitlines(keepends=True))
    whole = f"{text.rstrip()}\n\n{notes}{added}"
    try:
        count = len(parse_cases(whole, path).cases)
    except SuiteError:
        count = 0
    if count != len(suite.cases) + 1:
        raise AutographError(f"{path} does not end with its list of tests. Write the test to another file")
    return whole, case


def _free(name: str, taken: set[str]) -> str:
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    return free
