"""What would a file of YAML say in place of these rows? Both forms are then read alike.

A row with ``test`` begins a test, a row with ``say`` a turn; a row with neither expects more of the turn above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograph.errors import ProgramError
from autograph.tables.tree import Entries, Items, Scalar, Tree
from autograph.tables.yaml_tree import parse_yaml
from autograph.testing.fields import Reader
from autograph.testing.kinds import KINDS, NEGATED

__all__ = ["COLUMNS", "SheetRow", "tree_of_rows"]

_OF_TEST = ("start", "variables", "config", "model", "recording", "live", "unused")
_OF_CALL = ("call", "args", "type")
_SCRIPT = ("replies", "answers")
_AS_YAML = frozenset({"variables", "config", "args", "value"})
_NAMES = re.compile(r"\s*[,\n]\s*")

COLUMNS: Sequence[str] = ("test", "say", *_OF_TEST, *_OF_CALL, *_SCRIPT, *KINDS, *NEGATED)
"""The columns that a sheet of tests may have."""

Pairs = list[tuple[Scalar, Tree]]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row with its number and its filled cells by column."""

    number: int
    cells: Mapping[str, str]


def tree_of_rows(rows: Iterable[SheetRow], reader: Reader) -> Items:
    """The list of tests that the rows hold. What is wrong is noted in ``reader``."""
    tests: list[list[SheetRow]] = []
    for row in rows:
        if "test" in row.cells:
            tests.append([row])
        elif tests:
            tests[-1].append(row)
        else:
            reader.fault("the row stands before the first test.", row.number, 'Name the test in the column "test".')
    return Items(tuple(_test(rows, reader) for rows in tests))


def _test(rows: Sequence[SheetRow], reader: Reader) -> Entries:
    first = rows[0]
    entries = _pairs(first, ("test", *_OF_TEST), reader)
    for row in rows[1:]:
        for key in (*_OF_TEST, *_OF_CALL):
            if key in row.cells:
                reader.fault(f'"{key}" belongs in the first row of a test.', row.number)
    if "call" in first.cells or ("load_error" in first.cells and "say" not in first.cells):
        for row in rows:
            if "say" in row.cells:
                reader.fault("a call, or a program that is refused, has no turns.", row.number, "Make two tests of it.")
        entries += [*_call(first, reader), *_pairs(first, _SCRIPT, reader), *_expected(rows, reader)]
        return Entries(tuple(entries), first.number)
    turns: list[list[SheetRow]] = []
    for row in rows:
        if row is first or "say" in row.cells:
            turns.append([row])
        else:
            turns[-1].append(row)
    entries.append((Scalar("turns", first.number), Items(tuple(_turn(turn, reader) for turn in turns), first.number)))
    return Entries(tuple(entries), first.number)


def _call(row: SheetRow, reader: Reader) -> Pairs:
    if "call" not in row.cells:
        return []
    function = (Scalar("function", row.number), Scalar(row.cells["call"], row.number))
    parts = (function, *_pairs(row, ("args", "type"), reader))
    return [(Scalar("call", row.number), Entries(parts, row.number))]


def _turn(rows: Sequence[SheetRow], reader: Reader) -> Entries:
    entries = _pairs(rows[0], ("say", *_SCRIPT), reader)
    for row in rows[1:]:
        for key in _SCRIPT:
            if key in row.cells:
                reader.fault(f'"{key}" belongs in the row with what the user says.', row.number)
    return Entries((*entries, *_expected(rows, reader)), rows[0].number)


def _expected(rows: Sequence[SheetRow], reader: Reader) -> Pairs:
    found = [pair for row in rows for pair in _pairs(row, (*KINDS, *NEGATED), reader)]
    return [(Scalar("expect", rows[0].number), Entries(tuple(found), rows[0].number))] if found else []


# ---------------------------------------------------------------------- cells


def _pairs(row: SheetRow, keys: Iterable[str], reader: Reader) -> Pairs:
    return [(Scalar(key, row.number), _cell(key, row, reader)) for key in keys if key in row.cells]


def _cell(key: str, row: SheetRow, reader: Reader) -> Tree:
    """What a cell says: YAML where values are meant, lines and commas where lists are, else its text."""
    text, number = row.cells[key], row.number
    if key in _AS_YAML or (key in (*_SCRIPT, "vars") and text[:1] in ("[", "{")):
        try:
            return _moved(parse_yaml(text, reader.file), number)
        except ProgramError as error:
            reader.fault(f'"{key}" cannot be read: {error.problems[0].message}', number, error.problems[0].hint)
            return Items((), number)
    shape = KINDS[key].shape if key in KINDS else ""
    parts = text.split("\n") if shape == "vars" else _NAMES.split(text) if shape == "names" else []
    if len(parts) > 1:
        return Items(tuple(Scalar(part.strip(), number) for part in parts if part.strip()), number)
    return Scalar(text, number, quoted=shape in ("texts", "patterns"))


def _moved(tree: Tree, row: int) -> Tree:
    """The tree of a cell with the row in place of its lines."""
    if isinstance(tree, Scalar):
        return Scalar(tree.text, row, tree.null, tree.quoted)
    if isinstance(tree, Items):
        return Items(tuple(_moved(item, row) for item in tree.items), row)
    return Entries(tuple((Scalar(k.text, row, quoted=k.quoted), _moved(v, row)) for k, v in tree.entries), row)
