"""Each broken sheet gives exactly the codes and cells beside it; near misses, and programs of ours, give none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograph.check import CHECKS, check
from autograph.config import AutographConfig
from autograph.errors import Problem
from autograph.problems import KINDS

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
BAD = sorted(path for path in (TESTS / "bad_programs").iterdir() if path.suffix in (".csv", ".yaml"))
NEAR = sorted((TESTS / "near_misses").iterdir())
CASES = sorted((TESTS / "conformance").glob("*/case.json"))


def addresses(problems: tuple[Problem, ...]) -> list[tuple[str, object]]:
    return sorted((found.code, found.location.cell or found.location.line) for found in problems)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_broken_sheet_gives_exactly_these_codes_and_cells(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    found = check(path).problems
    assert addresses(found) == sorted((one["code"], one.get("cell") or one.get("line")) for one in expected)
    for problem in found:
        assert problem.message[0].islower() or not problem.message[0].isalpha() or problem.message[0].isupper()
        assert problem.location.file == str(path)
        assert len(problem.message) < 400


@pytest.mark.parametrize("path", NEAR, ids=lambda path: path.stem)
def test_a_near_miss_gives_none(path: Path) -> None:
    assert [str(found) for found in check(path).problems] == []


def test_there_are_enough_of_both() -> None:
    assert len(BAD) >= 60
    assert len(NEAR) >= 60


def test_every_check_is_triggered_by_a_broken_sheet() -> None:
    triggered = {
        one["code"] for path in BAD for one in json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    }
    assert {kind for kinds in CHECKS.values() for kind in kinds if KINDS[kind][0] not in triggered} == set()


# ---------------------------------------------------------------------- programs that are right


@pytest.mark.parametrize("name", ["clinic.yaml", "recruiter.csv", "sort.csv", "tutor.csv"])
def test_our_programs_check_clean(name: str) -> None:
    assert [str(found) for found in check(ROOT / "programs" / name).problems] == []


def test_the_examples_check_clean() -> None:
    assert check(ROOT / "examples" / "host_functions.csv").problems == ()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_conformance_programs_that_load_have_no_errors(case: Path) -> None:
    data = json.loads(case.read_text("utf-8"))
    found = check(case.parent / "program.csv", config=AutographConfig(**data.get("config", {}))).problems
    errors = [str(problem) for problem in found if problem.severity == "error"]
    if data.get("load_error"):
        assert errors
    elif not data.get("may_fail_at_load"):
        assert errors == []
