"""Which tests are there? Files and folders become suites."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograph.errors import did_you_mean
from autograph.testing.beside import PROGRAM_SUFFIXES, is_test_file, tests_beside
from autograph.testing.case import Suite
from autograph.testing.fault import Fault, SuiteError

__all__ = ["discover", "find_tests", "load_suite", "load_suites"]

_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})


def discover(paths: Iterable[str | Path] = (".",)) -> list[Suite]:
    """The suites in files and folders. Raises ``SuiteError`` with what is wrong in any of them."""
    return load_suites(find_tests(paths))


def load_suites(files: Iterable[Path]) -> list[Suite]:
    """The suites of files of tests. Raises ``SuiteError`` with what is wrong in any of them."""
    suites: list[Suite] = []
    faults: list[Fault] = []
    for path in files:
        try:
            suites.append(load_suite(path))
        except SuiteError as error:
            faults += error.faults
    if faults:
        raise SuiteError(faults)
    return suites


def load_suite(path: str | Path) -> Suite:
    """The tests of one file. Raises ``SuiteError``."""
    path = Path(path)
    if path.name.lower().endswith((".chat.yaml", ".chat.yml")):
        from autograph.testing.read_yaml import read_yaml

        return read_yaml(path)
    from autograph.testing.read_sheet import read_sheet

    return read_sheet(path)


def find_tests(paths: Iterable[str | Path] = (".",)) -> list[Path]:
    """The files of tests in files and folders, in order, each once.

    A folder is searched with its folders (hidden ones are skipped); a program stands for the tests beside it and,
    if it is a workbook, for those on its sheet ``tests``. Raises ``SuiteError`` for what does not exist, and for a
    file without tests.
    """
    found: dict[Path, None] = {}
    faults: list[Fault] = []
    for given in paths:
        path = Path(given)
        try:
            found.update(dict.fromkeys(_in_folder(path) if path.is_dir() else _of_file(path)))
        except SuiteError as error:
            faults += error.faults
    if faults:
        raise SuiteError(faults)
    return list(found)


def _in_folder(folder: Path, above: frozenset[Path] = frozenset()) -> list[Path]:
    """The files of tests in a folder; a link that leads back to a folder ``above`` is not followed."""
    here = folder.resolve()
    if here in above:
        return []
    found = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _SKIPPED:
            continue
        if path.is_dir():
            found += _in_folder(path, above | {here})
        elif is_test_file(path) or (path.suffix.lower() == ".xlsx" and _has_tests(path)):
            found.append(path)
    return found


def _of_file(path: Path) -> list[Path]:
    if not path.is_file():
        near = ""
        if path.parent.is_dir():
            near = did_you_mean(path.name, [other.name for other in path.parent.iterdir()])
        raise SuiteError([Fault("there is no such file or folder.", str(path), hint=near)])
    if is_test_file(path):
        return [path]
    found = tests_beside(path) if path.suffix.lower() in PROGRAM_SUFFIXES else []
    if path.suffix.lower() == ".xlsx" and _has_tests(path):
        found.append(path)
    if not found:
        hint = f"Write {path.stem}.chat.yaml beside it."
        raise SuiteError([Fault("there are no tests of this file.", str(path), hint=hint)])
    return found


def _has_tests(path: Path) -> bool:
    from autograph.testing.read_sheet import has_tests

    return has_tests(path)
