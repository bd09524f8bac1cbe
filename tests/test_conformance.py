"""Every program in ``tests/conformance`` has the outcome that its case says, also with the memory sent through JSON."""

from __future__ import annotations

import contextlib
import io
from argparse import Namespace
from pathlib import Path

import pytest

from conformance.run_conformance import run_case

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")

FOLDER = Path(__file__).parent / "conformance"
CASES = sorted(path.parent for path in FOLDER.glob("*/case.json"))


@pytest.mark.parametrize("roundtrip", [False, True], ids=["plain", "roundtrip"])
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, roundtrip: bool) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        run_case(str(case), Namespace(roundtrip=roundtrip))


def test_there_are_cases() -> None:
    assert len(CASES) > 150
