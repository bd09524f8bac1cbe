"""Which program do tests belong to, and which tests to a program? Files of one name beside each other."""

from __future__ import annotations

from pathlib import Path

from autograph.errors import did_you_mean
from autograph.testing.fault import Fault, SuiteError

__all__ = ["PROGRAM_SUFFIXES", "TEST_SUFFIXES", "is_test_file", "program_beside", "stem_of", "tests_beside"]

PROGRAM_SUFFIXES = (".csv", ".tsv", ".xlsx", ".yaml", ".yml", ".json", ".py")
TEST_SUFFIXES = (".chat.yaml", ".chat.yml", ".tests.csv", ".tests.tsv")


def is_test_file(path: Path) -> bool:
    """Whether a file holds tests, by its name (a workbook may hold some too)."""
    return path.name.lower().endswith(TEST_SUFFIXES)


def stem_of(path: Path) -> str:
    """``tutor`` for ``tutor.chat.yaml``."""
    for suffix in TEST_SUFFIXES:
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)]
    return path.stem


def program_beside(path: Path) -> Path:
    """The one program of the same name beside a file of tests. Raises ``SuiteError`` if there is none, or several."""
    stem = stem_of(path)
    found = [other for suffix in PROGRAM_SUFFIXES if (other := path.with_name(stem + suffix)).is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(f'"{other.name}"' for other in found)
        message = f"{names} are both there, and it is unclear which of them is tested."
        raise SuiteError([Fault(message, str(path), hint="Write program: and the file's name.")])
    near = ""
    if path.parent.is_dir():
        programs = [p.stem for p in path.parent.iterdir() if p.suffix in PROGRAM_SUFFIXES and not is_test_file(p)]
        near = did_you_mean(stem, programs)
    names = f"{stem}.csv, {stem}.yaml or the like"
    message = f"there is no program of this name beside the file ({names})."
    raise SuiteError([Fault(message, str(path), hint=near or "Write program: and the file's name.")])


def tests_beside(program: Path) -> list[Path]:
    """The files of tests of the same name beside a program."""
    return [other for suffix in TEST_SUFFIXES if (other := program.with_name(program.stem + suffix)).is_file()]
