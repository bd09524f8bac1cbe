"""Which tests does ``NAME.chat.yaml`` hold? A list of tests, or a mapping with ``tests`` and what they share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograph.errors import Problem, ProgramError
from autograph.tables.tree import Items, Scalar, Tree, parse_tree
from autograph.testing.beside import program_beside
from autograph.testing.case import Suite
from autograph.testing.fault import Fault, SuiteError
from autograph.testing.fields import Reader
from autograph.testing.keys import PRICE_KEYS, SUITE_KEYS
from autograph.testing.read_case import Shared, read_cases, read_config
from autograph.testing.typed import is_null, typed

__all__ = ["parse_cases", "read_yaml", "suite_from_tree", "tree_of"]


def read_yaml(path: str | Path) -> Suite:
    """The tests of a file. Raises ``SuiteError`` with everything that is wrong in it."""
    path = Path(path)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise SuiteError([Fault(f"the file cannot be read: {error.strerror or error}.", str(path))]) from error
    except UnicodeDecodeError as error:
        raise SuiteError([Fault("the file is no UTF-8 text.", str(path), hint="Save it as UTF-8.")]) from error
    reader = Reader(str(path))
    return suite_from_tree(tree_of(text, reader), path, reader)


def parse_cases(text: str, path: str | Path) -> Suite:
    """The tests in a text; ``path`` stands in addresses, and the program is looked for beside it."""
    reader = Reader(str(path))
    return suite_from_tree(tree_of(text, reader), Path(path), reader)


def tree_of(text: str, reader: Reader) -> Tree:
    """The tree of a YAML text; what is wrong with it is noted. Raises ``SuiteError`` if it is malformed."""
    problems: list[Problem] = []
    try:
        tree = parse_tree(text, reader.file, problems, json=False)
    except ProgramError as error:
        raise SuiteError(_fault(found, reader) for found in error.problems) from error
    reader.faults += [_fault(found, reader) for found in problems]
    return tree


def suite_from_tree(tree: Tree, path: Path, reader: Reader) -> Suite:
    """The suite of a whole file. Raises ``SuiteError``."""
    found: dict[str, tuple[Tree, int]] = {"tests": (tree, tree.line or 0)}
    if isinstance(tree, Scalar):
        hint = "Write a list of tests; each begins with - test: and its name."
        reader.fault("there are no tests in the file.", 0, hint)
    elif not isinstance(tree, Items):
        found = reader.entries(tree, "a file of tests", SUITE_KEYS)
        if "tests" not in found:
            reader.fault("the key `tests` is missing.", tree.line, "Write tests: and below it a list of tests.")
    shared = _shared(found, reader)
    cases = read_cases(found["tests"][0], shared, reader) if "tests" in found and not isinstance(tree, Scalar) else ()
    program = _program(found, path, reader)
    prices = _prices(found, reader)
    if reader.faults:
        raise SuiteError(reader.faults)
    return Suite(path, program, cases, prices, model=shared.model, recording=shared.recording)


def _shared(found: Mapping[str, tuple[Tree, int]], reader: Reader) -> Shared:
    def word(key: str) -> str | None:
        return reader.word(found[key][0], key) if key in found else None

    variables = reader.mapping(found["variables"][0], "variables") if "variables" in found else {}
    if "model" in found and "recording" in found:
        reader.fault("a file has a `model` or a `recording`, not both.", found["recording"][1], "Delete one of them.")
    return Shared(read_config(found, reader), variables, word("model"), word("recording"))


def _program(found: Mapping[str, tuple[Tree, int]], path: Path, reader: Reader) -> Path:
    if "program" in found:
        tree, line = found["program"]
        name = reader.word(tree, "program") or ""
        program = path.parent / name
        if name and not program.exists() and not Path(str(program).rpartition("#")[0]).is_file():
            reader.fault(f'there is no program "{name}" beside this file.', line, "Give its path from this file.")
        return program
    try:
        return program_beside(path)
    except SuiteError as error:
        reader.faults += error.faults
        return path


def _prices(found: Mapping[str, tuple[Tree, int]], reader: Reader) -> dict[str, float]:
    prices: dict[str, float] = {}
    if "prices" not in found or is_null(found["prices"][0]):
        return prices
    for key, (tree, line) in reader.entries(found["prices"][0], "prices", PRICE_KEYS).items():
        value: Any = typed(tree)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            reader.fault(f"the price of `{key}` must be a number that is not negative, per million tokens.", line)
            continue
        prices[key] = float(value)
    return prices


def _fault(found: Problem, reader: Reader) -> Fault:
    return Fault(found.message, reader.file, found.location.line or 0, found.hint, reader.unit)
