"""Which rows does a Python object hold? A pandas DataFrame, a list of dicts, or a dict with config and nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.tables.cells import BadCell, normalise_lines, value_text
from autograph.tables.config_source import SheetConfig
from autograph.tables.grid import Grid
from autograph.tables.header import field_key
from autograph.tables.rows import refused
from autograph.tables.structured import TreeRows, read_tree
from autograph.tables.tree import MAX_DEPTH, Entries, Items, Scalar, Tree, check_tree

__all__ = ["frame_grid", "is_frame", "read_python"]

_FIRST_ROW = 2  # rows are counted as if a header stood above them, as in the sheet they may come from


def is_frame(source: object) -> bool:
    """Whether an object is a DataFrame, told by what it can do: pandas need not be imported."""
    return hasattr(source, "columns") and hasattr(source, "itertuples")


def frame_grid(frame: Any) -> Grid:
    """The cells of a DataFrame; its columns are the header, its index is not read."""
    headers = [str(name) for name in frame.columns]
    if "name" not in map(field_key, headers) and field_key(str(frame.index.name or "")) == "name":
        hint = "Call reset_index() on the DataFrame first."
        raise refused("no-header", "the names are in the index of the DataFrame.", Location(), hint)
    rows: list[tuple[int, list[str]]] = [(1, headers)]
    bad: dict[tuple[int, int], BadCell] = {}
    for number, values in enumerate(frame.itertuples(index=False, name=None), _FIRST_ROW):
        texts = []
        for index, value in enumerate(values):
            text = value_text(value)
            if isinstance(text, BadCell):
                bad[number, index] = text
                text = text.text
            texts.append(normalise_lines(text))
        rows.append((number, texts))
    return Grid(None, None, rows, bad)


def read_python(source: Mapping[str, Any] | Iterable[Any], problems: list[Problem]) -> TreeRows:
    """The rows of a list of dicts (one per node), or of a dict with ``nodes`` and ``config``.

    The values of ``config`` stay the Python objects they are.
    """
    settings = SheetConfig()
    if isinstance(source, Mapping):
        given = source.get("config")
        if isinstance(given, Mapping):
            values = {field_key(str(key)): value for key, value in given.items()}
            settings = SheetConfig(values, {key: Location(column=key) for key in values})
        elif given is not None:
            problems.append(problem("bad-config", "config must be a dict.", Location()))
        source = {key: value for key, value in source.items() if key != "config"}
    tree = _Converter(problems).tree(source, Location(), 0)
    check_tree(tree, None, problems)
    found = read_tree(tree, None, problems, _FIRST_ROW)
    return TreeRows(found.rows, found.origin, settings)


class _Converter:
    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems

    def tree(self, value: object, where: Location, depth: int) -> Tree:
        """The tree of a Python value at an address; rows are numbered on the level of the nodes."""
        if depth > MAX_DEPTH:
            raise refused("bad-cell", f"values are nested more than {MAX_DEPTH} deep.", where)
        nodes = where.row is None and (depth == 0 or where.column == "nodes")
        if isinstance(value, Mapping):
            pairs = []
            for number, (key, inner) in enumerate(value.items(), _FIRST_ROW):
                row = number if nodes and depth else where.row
                pairs.append((Scalar(str(key)), self.tree(inner, Location(row=row, column=str(key)), depth + 1)))
            return Entries(tuple(pairs))
        if isinstance(value, (list, tuple)):
            numbered = enumerate(value, _FIRST_ROW)
            rows = ((Location(row=number) if nodes else where, inner) for number, inner in numbered)
            return Items(tuple(self.tree(inner, place, depth + 1) for place, inner in rows))
        text = value_text(value)
        if isinstance(text, BadCell):
            self._problems.append(problem(text.kind, f"the value {text.message}", where, text.hint))
            text = text.text
        return Scalar(normalise_lines(text), null=value is None)
