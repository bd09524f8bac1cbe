"""Every rule of ``docs/language.md`` is kept by a test: ``rules.yaml`` says by which; cases in ``rules/`` run here."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
from argparse import Namespace
from functools import cache
from pathlib import Path

import pytest
import yaml

from conformance.run_conformance import run_case

HERE = Path(__file__).parent
ROOT = HERE.parent
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")

RULE = re.compile(r"^\*\*(\d+\.\d+)\*\* ", re.MULTILINE)
CASES = sorted(path.parent for path in (HERE / "rules").glob("*/case.json"))
CONFORMANCE = frozenset(path.parent.name for path in (HERE / "conformance").glob("*/case.json"))


@cache
def document() -> str:
    return (ROOT / "docs" / "language.md").read_text("utf-8")


@cache
def numbers() -> tuple[str, ...]:
    """The numbers of the rules, in the order of the document."""
    return tuple(RULE.findall(document()))


@cache
def kept_by() -> dict[str, list[str]]:
    """The tests of each rule."""
    loaded: dict[str, list[str]] = yaml.safe_load((HERE / "rules.yaml").read_text("utf-8"))
    return loaded


@cache
def functions(file: str) -> frozenset[str]:
    """The names of the test functions in a file."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("roundtrip", [False, True], ids=["plain", "roundtrip"])
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, roundtrip: bool) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        run_case(str(case), Namespace(roundtrip=roundtrip))  # type: ignore[no-untyped-call]


def test_rules_are_numbered_without_a_gap_and_in_their_section() -> None:
    section, expected = 0, []
    for line in document().splitlines():
        if heading := re.match(r"## (\d+) ", line):
            section, count = int(heading[1]), 0
        elif RULE.match(line):
            count += 1
            expected.append(f"{section}.{count}")
    assert list(numbers()) == expected
    assert section == 9


def test_every_rule_is_kept_by_a_test() -> None:
    assert [number for number in numbers() if not kept_by().get(number)] == []


def test_every_entry_is_a_rule() -> None:
    assert [number for number in kept_by() if number not in numbers()] == []


def test_every_test_that_is_named_exists() -> None:
    known = CONFORMANCE | {case.name for case in CASES}
    missing = []
    for number, tests in kept_by().items():
        for test in tests:
            file, _, name = test.partition("::")
            exists = name in functions(file) if name else test in known
            if not exists or (name and not name.startswith("test_")):
                missing.append(f"{number}: {test}")
    assert missing == []


def test_no_case_has_the_name_of_another() -> None:
    assert CONFORMANCE & {case.name for case in CASES} == set()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_is_listed_under_the_rules_that_it_names(case: Path) -> None:
    rules = json.loads((case / "case.json").read_text("utf-8"))["rule"].split(", ")
    assert sorted(rules) == sorted(number for number, tests in kept_by().items() if case.name in tests)


@pytest.mark.parametrize("number", re.findall(r"\*\*(\d+\.\d+)\*\*\.", document()))
def test_rules_that_the_text_refers_to_exist(number: str) -> None:
    assert number in numbers()
