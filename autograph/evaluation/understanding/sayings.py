"""What do people say, and what should follow? The sayings of a program's users, read from the table beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograph.errors import Location, did_you_mean
from autograph.evaluation.columns import is_json_lines, read_columns, read_json_lines
from autograph.evaluation.fault import DataError, Fault
from autograph.tables.rows import Row

__all__ = ["COLUMNS", "Saying", "read_sayings", "sayings_beside"]

COLUMNS = ("node", "choice", "say", "before", "variables", "note")
"""The columns of a table of sayings; the first three are needed."""

_NEEDED = COLUMNS[:3]
_SHEET = "sayings"
_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Saying:
    """What a user says at a node, and the choice that it should lead to.

    ``choice`` is as it was written: a label, a letter, a number counted from 0, the target, an interjection's node, or
    ``none``. ``before`` is what the program said last, where that is not what the node says by itself; ``variables``
    are set before the node is entered. ``columns`` maps a column to its address, ``location`` is that of the row.
    """

    node: str
    choice: str
    text: str
    before: str = ""
    variables: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    note: str = ""
    location: Location = Location()
    columns: Mapping[str, Location] = field(default_factory=lambda: _EMPTY, repr=False, compare=False)

    def at(self, column: str) -> Location:
        """The address of one of the saying's cells."""
        return self.columns.get(column, self.location)


def sayings_beside(program: Path) -> Path | None:
    """The file with the sayings of a program: ``NAME.sayings.csv``, ``.tsv``, ``.xlsx`` or ``.jsonl`` beside it, or
    the workbook itself if it has a sheet ``sayings``; None if there is none.
    """
    for suffix in (".csv", ".tsv", ".xlsx", ".jsonl"):
        path = program.with_name(f"{program.stem}.{_SHEET}{suffix}")
        if path.is_file():
            return path
    if program.suffix.lower() == ".xlsx" and program.is_file() and _has_sheet(program):
        return program
    return None


def _has_sheet(path: Path) -> bool:
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True)
    try:
        return any(name.strip().casefold() == _SHEET for name in book.sheetnames)
    finally:
        book.close()


def read_sayings(path: Path) -> tuple[Saying, ...]:
    """The sayings in a table (CSV, sheet ``sayings`` of a workbook) or a file of JSON lines, in its order.

    Empty ``variables`` are those of the row above for the same node (``{}``: none). Raises ``DataError`` with
    everything that is wrong, each with its row and column.
    """
    faults: list[Fault] = []
    found: list[Saying] = []
    if is_json_lines(path):
        found = [_from_object(where, data, faults) for where, data in read_json_lines(path)]
    else:
        found = [_from_row(row, faults) for row in read_columns(path, COLUMNS, _NEEDED, _SHEET)]
    if not found:
        faults.append(Fault(Location(str(path)), "there is a header but no saying.", "Write one saying a row."))
    if faults:
        raise DataError(faults)
    return tuple(_carried_down(found))


def _from_row(row: Row, faults: list[Fault]) -> Saying:
    columns = {name: row.cell(name) for name in row.fields}
    for name in _NEEDED:
        if not row.get(name):
            faults.append(Fault(row.cell(name), "the cell is empty.", _MEANINGS[name]))
    variables = _variables(row.get("variables"), row.cell("variables"), faults)
    return Saying(
        row.get("node"), row.get("choice"), row.get("say"), row.get("before"), variables, row.get("note"),
        row.location, columns,
    )  # fmt: skip


_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "node": "Name the node at which the user says this.",
        "choice": "Say what should follow: a choice, a target, the node of an interjection, or none.",
        "say": "Write what the user says.",
    }
)


def _from_object(where: Location, data: dict[str, Any], faults: list[Fault]) -> Saying:
    texts: dict[str, str] = {}
    for name, value in data.items():
        if name not in COLUMNS:
            near = did_you_mean(name, COLUMNS) or f"The keys are {', '.join(COLUMNS)}."
            faults.append(Fault(where, f'there is no key "{name}" in a saying.', near))
        elif name != "variables":
            if isinstance(value, bool) or not isinstance(value, (str, int)):
                faults.append(Fault(where, f'"{name}" must be a text, not {value!r:.40}.', 'Put it in quotes: "…".'))
            texts[name] = str(value).strip()
    for name in _NEEDED:
        if not texts.get(name) and (name not in data or isinstance(data[name], str)):
            faults.append(Fault(where, f'"{name}" is missing or empty.', _MEANINGS[name]))
    variables = _checked(data["variables"], where, faults) if "variables" in data else _EMPTY
    get = texts.get
    return Saying(
        get("node", ""), get("choice", ""), get("say", ""), get("before", ""), variables, get("note", ""), where
    )  # fmt: skip


def _variables(text: str, where: Location, faults: list[Fault]) -> Mapping[str, Any]:
    if not text:
        return _EMPTY
    try:
        value = json.loads(text)
    except ValueError as error:
        faults.append(Fault(where, f"this is no JSON: {error}.", 'Write an object: {"name": "Ada", "tries": 2}.'))
        return _EMPTY
    return _checked(value, where, faults)


def _checked(value: Any, where: Location, faults: list[Fault]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        message = f"variables are a JSON object of names and values, not {value!r:.40}."
        faults.append(Fault(where, message, 'Write it like {"name": "Ada", "tries": 2}.'))
        return _EMPTY
    for name in value:
        if not name.isidentifier() or iskeyword(name) or name.startswith("_"):
            message = f'"{name}" cannot be the name of a variable.'
            faults.append(Fault(where, message, "Use letters, digits and underscores, a letter first."))
    return MappingProxyType(value)


def _carried_down(sayings: list[Saying]) -> list[Saying]:
    """Each saying with the variables that hold for it: its own, or those of a row above for the same node."""
    above: dict[str, Mapping[str, Any]] = {}
    result = []
    for saying in sayings:
        if saying.variables is not _EMPTY:  # {} is a value, too: no variables
            above[saying.node] = saying.variables
        result.append(replace(saying, variables=above.get(saying.node, _EMPTY)))
    return result
