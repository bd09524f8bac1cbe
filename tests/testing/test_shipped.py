"""Do the programs that come with autograph pass their tests, and do these reach every node, way and answer?"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml

from autograph.testing import schema
from autograph.testing.bots import Bots
from autograph.testing.collect import Collector
from autograph.testing.coverage import Coverage
from autograph.testing.discover import find_tests, load_suite
from autograph.testing.equivalent import read_equivalents
from autograph.testing.failure import failure_text
from autograph.testing.mutants import mutants_of
from autograph.testing.result import CaseResult
from autograph.testing.run import run_suite
from autograph.testing.trial import Workbench

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = ROOT / "programs"
SHIPPED = sorted(
    path.name for path in PROGRAMS.iterdir() if path.suffix in (".csv", ".yaml", ".xlsx") and "." not in path.stem
)
MOST_EQUIVALENT = 0.02
"""The share of a program's mutants that its file may call equivalent."""


@cache
def run(program: str) -> tuple[tuple[CaseResult, ...], Coverage]:
    """The results of a program's tests, and what they cover."""
    bots, collector = Bots(), Collector()
    results = []
    for path in find_tests([PROGRAMS / program]):
        suite = load_suite(path)
        for result in run_suite(suite, bots=bots):
            collector.add(bots.get(suite.program, result.case.config).program, result.turns)
            results.append(result)
    (coverage,) = collector.coverages()
    return tuple(results), coverage


def test_every_program_has_tests() -> None:
    assert {"clinic.yaml", "recruiter.csv", "sort.csv", "tutor.csv"} <= set(SHIPPED)
    assert {load_suite(path).program.name for path in find_tests([PROGRAMS])} == set(SHIPPED)


@pytest.mark.parametrize("program", SHIPPED)
def test_all_pass(program: str) -> None:
    results, _ = run(program)
    failed = [failure_text(result) for result in results if not result.passed]
    assert not failed, "\n\n".join(failed)
    assert not any(result.skipped for result in results)


@pytest.mark.parametrize("program", SHIPPED)
@pytest.mark.parametrize(("kind", "least"), [("nodes", 100), ("transitions", 95), ("answers", 95), ("conditions", 95)])
def test_coverage(program: str, kind: str, least: float) -> None:
    _, coverage = run(program)
    missing = "\n".join(f"{item.location}: {item.text}" for item in coverage.missing)
    assert coverage.share(kind).percent >= least, missing


def test_pytest_runs_them_without_being_told_where_they_are() -> None:
    """The command of the README is a mere `pytest`: it looks where pyproject.toml says."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    assert "programs" in settings["testpaths"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "programs"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    for path in find_tests([PROGRAMS]):
        items = [line for line in found.stdout.splitlines() if line.startswith(f"programs/{path.name}::")]
        assert len(items) == len(load_suite(path).cases), path.name


@pytest.mark.parametrize("program", SHIPPED)
def test_few_mutants_are_called_equivalent_and_each_exists(program: str) -> None:
    bench = Workbench([str(path) for path in find_tests([PROGRAMS / program])])
    entries = read_equivalents(bench.program)
    mutants = mutants_of(bench.rows)
    assert not entries.stale({mutant.id for mutant in mutants})
    assert len(entries.entries) <= MOST_EQUIVALENT * len(mutants) + 3


@pytest.mark.parametrize("path", find_tests([PROGRAMS]), ids=lambda path: path.name)
def test_editors_take_the_files(path: Path) -> None:
    """Other readers of YAML than ours do, and so does our JSON Schema."""
    jsonschema = pytest.importorskip("jsonschema")
    file = yaml.load(path.read_text("utf-8"), Loader=yaml.SafeLoader)
    assert not [error.message for error in jsonschema.Draft7Validator(schema.tests_schema()).iter_errors(file)]
