"""What does the file of a pipeline say? Its values with the lines on which they stand, from YAML or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograph.errors import Location, ProgramError
from autograph.evaluation.fault import DataError, Fault
from autograph.tables.decode import decode
from autograph.tables.tree import Entries, Items, Scalar, Tree, parse_tree

__all__ = ["PipelineError", "PipelineSource", "read_pipeline"]

Steps = tuple[str | int, ...]

_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: Mapping[str, Any] = MappingProxyType({"": None, "~": None, "null": None, "true": True, "false": False})


class PipelineError(DataError):
    """A pipeline cannot be used. ``faults`` lists all that was found, with the lines."""


@dataclass(frozen=True, slots=True)
class PipelineSource:
    """A pipeline as plain data. ``lines``: the line of every value by its path; ``folder``: where its files are."""

    data: Mapping[str, Any]
    file: str | None = None
    lines: Mapping[Steps, int | None] = field(default_factory=lambda: MappingProxyType({}))
    folder: Path = Path()

    def place(self, *path: str | int) -> Location:
        """The address of a value, or of the nearest one around it that has a line."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return Location(self.file, line=self.lines[path[:end]])
        return Location(self.file)


def read_pipeline(source: Any) -> PipelineSource:
    """Read a pipeline: a path (.yaml .yml .json), or a mapping. Raises ``PipelineError``."""
    if isinstance(source, Mapping):
        return PipelineSource(source)
    path = Path(source)
    problems: list[Any] = []
    try:
        text = decode(path.read_bytes(), str(path), problems)
        tree = parse_tree(text, str(path), problems, json=path.suffix.lower() == ".json")
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror or error}."
        raise PipelineError([Fault(Location(str(path)), reason)]) from error
    except ProgramError as error:
        problems = error.problems
    found = [
        Fault(problem.location, problem.message, problem.hint) for problem in problems if problem.severity == "error"
    ]
    if found:
        raise PipelineError(found)
    if not isinstance(tree, Entries):
        raise PipelineError([Fault(Location(str(path), line=1), "a pipeline is a mapping with the key services.")])
    lines: dict[Steps, int | None] = {}
    _mark(tree, (), lines)
    try:
        data = json.loads(text) if path.suffix.lower() == ".json" else _typed(tree)
    except ValueError as error:
        raise PipelineError([Fault(Location(str(path)), "a number has too many digits.")]) from error
    return PipelineSource(data, str(path), lines, path.parent)


def _mark(tree: Tree, path: Steps, lines: dict[Steps, int | None]) -> None:
    lines[path] = tree.line
    if isinstance(tree, Items):
        for index, item in enumerate(tree.items):
            _mark(item, (*path, index), lines)
    elif isinstance(tree, Entries):
        for key, value in tree.entries:
            _mark(value, (*path, key.text), lines)
            lines[(*path, key.text)] = key.line


def _typed(tree: Tree) -> Any:
    """The values of YAML: numbers, true, false and null are what they are in JSON, all else is text."""
    if isinstance(tree, Items):
        return [_typed(item) for item in tree.items]
    if isinstance(tree, Entries):
        return {key.text: _typed(value) for key, value in tree.entries}
    return tree.text if tree.quoted else _word(tree)


def _word(scalar: Scalar) -> Any:
    if scalar.text in _WORDS:
        return _WORDS[scalar.text]
    number = _NUMBER.fullmatch(scalar.text)
    if number is None:
        return scalar.text
    return float(scalar.text) if number[1] or number[2] else int(scalar.text)
