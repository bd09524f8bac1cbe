"""How do other programs read results? As one JSON object, the same names as in ``CaseResult``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.testing.result import CaseResult, Failure

__all__ = ["case_data", "outcome", "results_data"]


def outcome(result: CaseResult) -> str:
    """``passed``, ``failed`` or ``skipped``."""
    if result.skipped is not None:
        return "skipped"
    return "failed" if result.failures else "passed"


def results_data(results: Sequence[CaseResult]) -> dict[str, Any]:
    """All results: the tests in the order in which they were run, and how many had which outcome."""
    outcomes = [outcome(result) for result in results]
    return {
        "tests": [case_data(result) for result in results],
        **{word: outcomes.count(word) for word in ("passed", "failed", "skipped")},
        "seconds": round(sum(result.seconds for result in results), 3),
    }


def case_data(result: CaseResult) -> dict[str, Any]:
    """One result; ``path`` holds the nodes that were entered."""
    return {
        "file": str(result.suite.path),
        "line": result.case.line,
        "test": result.case.name,
        "program": str(result.suite.program),
        "outcome": outcome(result),
        "skipped": result.skipped,
        "seconds": round(result.seconds, 3),
        "path": list(result.path),
        "failures": [_failure_data(failure) for failure in result.failures],
    }


def _failure_data(failure: Failure) -> dict[str, Any]:
    return {
        "turn": failure.turn,
        "what": failure.what,
        "expected": failure.expected,
        "got": failure.got,
        "file": str(failure.path),
        "line": failure.line,
    }
