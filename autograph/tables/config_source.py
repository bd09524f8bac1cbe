"""Where does a program bring its own configuration, and what does it say there? Only read, not yet typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.tables.archive import check_size
from autograph.tables.cells import CONTROL, clean, column_letter
from autograph.tables.decode import decode
from autograph.tables.grid import Grid
from autograph.tables.header import field_key, shown
from autograph.tables.rows import ConfigRemark, refused
from autograph.tables.tree import Entries, Scalar, Tree, duplicate_key, parse_tree, plain

__all__ = ["CONFIG_SUFFIXES", "SheetConfig", "config_beside", "config_from_grid", "config_from_tree"]

CONFIG_SUFFIXES = (".config.yaml", ".config.yml", ".config.json")
_KEY_HEADERS = frozenset({"key", "name", "setting", "field", "option"})
_VALUE_HEADERS = frozenset({"value", "values", "setting"})


@dataclass(frozen=True, slots=True)
class SheetConfig:
    """A configuration as it was read: ``values`` are text, lists and mappings; ``places`` their addresses."""

    values: Mapping[str, object] = field(default_factory=dict)
    places: Mapping[str, Location] = field(default_factory=dict)
    remarks: tuple[ConfigRemark, ...] = ()


def config_from_grid(grid: Grid, problems: list[Problem]) -> SheetConfig:
    """The rows of a sheet ``config``: the key in column A, its value in B; further cells make it a list.

    A row whose key begins with ``#`` is a remark.
    """
    values: dict[str, object] = {}
    places: dict[str, Location] = {}
    remarks: dict[str, ConfigRemark] = {}
    for position, (number, texts) in enumerate(grid.rows):
        cells = [clean(text) for text in texts]
        key, rest = field_key(cells[0]), [text for text in cells[1:] if text]
        heading = position == 0 and key in _KEY_HEADERS and " ".join(rest[:1]).lower() in _VALUE_HEADERS
        if heading or not any(cells):
            continue
        where = Location(grid.file, grid.sheet, number, cells[0], f"B{number}")
        if cells[0].startswith("#"):
            _add_remark(remarks, len(values), cells[0], "\n".join(rest), number)
            continue
        _check_config_row(grid, number, texts, key, where, problems)
        if key in places:
            message = f'"{key}" is set twice, in rows {places[key].row} and {number}.'
            problems.append(problem("duplicate-key", message, where, "Delete one of them."))
        values[key], places[key] = (rest if len(rest) > 1 else "".join(rest)), where
    return SheetConfig(values, places, tuple(remarks.values()))


def _add_remark(remarks: dict[str, ConfigRemark], position: int, key: str, text: str, number: int | None) -> None:
    """Adds a remark; one with the key of another gets the number of its row or line, as columns get their letter."""
    key = shown(key)
    while key in remarks:
        key = f"{key} ({number})"
    remarks[key] = ConfigRemark(position, key, text)


def _check_config_row(
    grid: Grid, row: int, texts: Sequence[str], key: str, where: Location, problems: list[Problem]
) -> None:
    if not key:
        hint = "Write the key in column A and its value in column B."
        problems.append(problem("bad-config", f"row {row} has a value but no key.", where, hint))
    for index, text in enumerate(texts):
        bad = grid.bad.get((row, index))
        cell = f"{column_letter(index)}{row}"
        if bad:
            problems.append(problem(bad.kind, f"cell {cell} {bad.message}", where, bad.hint))
        elif CONTROL.search(text):
            message = f"cell {cell} holds a control character."
            problems.append(problem("control-character", message, where, "Type the text anew."))


def config_from_tree(tree: Tree, file: str | None, problems: list[Problem]) -> SheetConfig:
    """The entries of a YAML or JSON mapping."""
    if not isinstance(tree, Entries):
        message = "the configuration must be a mapping of names to values."
        hint = "Write lines like max_steps: 100."
        problems.append(problem("bad-config", message, Location(file, line=tree.line), hint))
        return SheetConfig()
    values: dict[str, object] = {}
    places: dict[str, Location] = {}
    remarks: dict[str, ConfigRemark] = {}
    for name, value in tree.entries:
        key = field_key(name.text)
        where = Location(file, column=name.text, line=name.line)
        if clean(name.text).startswith("#"):
            if isinstance(value, Scalar):
                _add_remark(remarks, len(values), name.text, clean(value.text), name.line)
            else:
                problems.append(problem("bad-config", "a remark must be a text.", where, "Write it as one text."))
            continue
        if key in places and places[key].column != name.text:  # the same spelling was reported already
            problems.append(duplicate_key(name, places[key].line, file))
        values[key], places[key] = plain(value), where
    return SheetConfig(values, places, tuple(remarks.values()))


def config_beside(path: Path, problems: list[Problem]) -> SheetConfig:
    """The configuration in ``NAME.config.yaml`` (or ``.yml``, ``.json``) beside ``NAME.csv``; empty without one.

    Raises ``ProgramError`` if there are two of them, or the one cannot be read.
    """
    found = [other for suffix in CONFIG_SUFFIXES if (other := path.with_name(path.stem + suffix)).is_file()]
    if not found:
        return SheetConfig()
    if len(found) > 1:
        names = " and ".join(f'"{other.name}"' for other in found)
        message = f"{names} are both there, and one program has one configuration."
        raise refused("bad-config", message, Location(str(found[1])), "Delete one of them.")
    file = str(found[0])
    try:
        check_size(found[0].stat().st_size, file)
        data = found[0].read_bytes()
    except OSError as error:
        raise refused("unreadable-file", f"the file cannot be read: {error.strerror}.", Location(file)) from error
    text = decode(data, file, problems)
    if not text.strip():
        return SheetConfig()
    return config_from_tree(parse_tree(text, file, problems, json=file.endswith(".json")), file, problems)
