"""Which rows does a grid of cells hold? The header is found, then every row below it becomes a ``Row``."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from autograph.errors import Problem
from autograph.problems import problem
from autograph.tables.cells import BLANKS, CONTROL, BadCell, at_limit, clean, column_letter, plain_blanks
from autograph.tables.header import Header, find_header, missing_header, read_header
from autograph.tables.rows import Origin, Row
from autograph.vocabulary import FIELDS

__all__ = ["Grid", "GridRows", "canonical", "read_grid"]

_NAME_KINDS = frozenset({"name", "list", "nodes", "word"})
_NAME_FIELDS = frozenset(f.name for f in FIELDS.values() if f.kind in _NAME_KINDS)
_SEPARATORS = MappingProxyType({",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar (|)"})
_FREE_TEXT = "notes"  # a date or a broken formula does no harm in a remark


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of one table before anything is known about its header.

    ``rows``: row number and texts, in order; blank rows may be missing. ``bad``: cells without a
    trustworthy text, by row number and column index. ``padded``: columns may go on beyond the header's
    cells, as in a workbook; a text file promises as many cells as its header has. ``separator``: what stands
    between the cells of a text file.
    """

    file: str | None
    sheet: str | None
    rows: Sequence[tuple[int, Sequence[str]]]
    bad: Mapping[tuple[int, int], BadCell] = field(default_factory=lambda: MappingProxyType({}))
    padded: bool = False
    separator: str = ""


@dataclass(frozen=True, slots=True)
class GridRows:
    """What ``read_grid`` found."""

    rows: tuple[Row, ...]
    origin: Origin
    header_row: int | None
    asides: tuple[tuple[int, Row], ...] = ()


def canonical(name: str, text: str) -> str:
    """The text as names are compared; fields that hold no names keep theirs exactly.

    Names get Unicode form NFC, so that é typed on a Mac is é, and plain blanks (unless there are quotes: a
    ``return`` with a string literal).
    """
    if text.isascii() or name not in _NAME_FIELDS:
        return text
    if '"' not in text and "'" not in text:  # first: what stood around an invisible blank may compose
        text = plain_blanks(text).strip()
    return unicodedata.normalize("NFC", text)


def read_grid(grid: Grid, problems: list[Problem]) -> GridRows:
    """The rows of a grid. What is wrong or doubtful is added to ``problems``."""
    place = Origin(grid.file, grid.sheet)
    start = find_header(grid.rows)
    if start is None:
        problems.extend(missing_header(place, grid.rows))
        return GridRows((), place, None)
    above = next((number for number, cells in grid.rows[:start] if any(map(clean, cells))), None)
    if above is not None:
        problems.append(problem("text-before-header", "what stands above the header is not read.", place.at(above)))
    number, cells = grid.rows[start]
    header = read_header(place, number, cells, problems)
    rows, asides = _rows(grid, header, start + 1, problems)
    if not rows:
        hint = "Write one row per node below the header."
        problems.append(problem("no-nodes", "there is a header but no node below it.", place.at(number), hint))
    return GridRows(rows, header.origin, number, asides)


def _rows(
    grid: Grid, header: Header, start: int, problems: list[Problem]
) -> tuple[tuple[Row, ...], tuple[tuple[int, Row], ...]]:
    origin, width, checks = header.origin, header.width, _Checks(grid, header, problems)
    fields, comments = header.fields, header.comments
    plain = len(fields) == width  # every column is a field: no picking of cells
    names = [name for name, _ in fields]
    checks.texts(*grid.rows[start - 1])
    rows: list[Row] = []
    asides: list[tuple[int, Row]] = []
    for number, texts in grid.rows[start:]:
        joined = "".join(texts)
        if len(joined) > 16_000 or not joined.isascii() or CONTROL.search(joined):
            checks.texts(number, texts)
        cells = [text.strip(BLANKS) for text in texts]
        if len(cells) < width:
            cells += [""] * (width - len(cells))
        elif len(cells) > width and any(cells[width:]):
            checks.surplus(number, cells)
        if header.headless:
            checks.headless(number, cells)
        found = dict(zip(names, cells, strict=False)) if plain else {name: cells[i] for name, i in fields}
        if not any(found.values()):
            if remarks := {key: cells[i] for key, i in comments if cells[i]}:
                asides.append((len(rows), Row({}, number, origin, None, remarks)))
            continue
        if not joined.isascii():
            found = {name: canonical(name, text) for name, text in found.items()}
        if comments:
            rows.append(Row(found, number, origin, None, {key: cells[i] for key, i in comments}))
        else:
            rows.append(Row(found, number, origin))
    checks.bad_cells()
    checks.finish()
    return tuple(rows), tuple(asides)


class _Checks:
    """The rarely needed looks at single cells; findings go to ``problems``."""

    def __init__(self, grid: Grid, header: Header, problems: list[Problem]) -> None:
        self._grid, self._header, self._problems = grid, header, problems
        self._origin = header.origin
        self._by_index = {i: name for name, i in (*header.fields, *header.comments)}
        self._lost: dict[int, list[int]] = {}  # column without header -> rows with a cell there

    def _add(self, kind: str, message: str, row: int, index: int, hint: str = "") -> None:
        name = self._by_index.get(index)
        column = self._origin.headers[name] if name else None
        where = self._origin.at(row, column, column_letter(index))
        self._problems.append(problem(kind, message, where, hint))

    def texts(self, row: int, texts: Sequence[str]) -> None:
        for index, text in enumerate(texts):
            control = CONTROL.search(text)
            if control:
                message = f"the cell holds the control character U+{ord(control[0]):04X}."
                hint = "Export the sheet again, or delete the character and type the text anew."
                self._add("control-character", message, row, index, hint)
            if at_limit(text):
                message = "the cell has 32,767 characters, the most a spreadsheet stores; its end may be cut off."
                self._add("cell-at-limit", message, row, index, "Divide the text among several nodes.")

    def surplus(self, row: int, cells: list[str]) -> None:
        width = self._header.width
        filled = max(i for i, text in enumerate(cells) if text) + 1
        if self._grid.padded:
            for index in range(width, filled):
                if cells[index]:
                    self._lost.setdefault(index, []).append(row)
            return
        sign = _SEPARATORS.get(self._grid.separator, "the separator")
        hint = f'Put a text that holds {sign} in quotes: "…".'
        if any(text.startswith('"') for text in cells):
            hint += " No blank may stand before the opening quotation mark."
        message = f"row {row} has {filled} cells but there are {width} columns."
        self._add("extra-cells", message, row, width, hint)

    def headless(self, row: int, cells: list[str]) -> None:
        for index in self._header.headless:
            if cells[index]:
                self._lost.setdefault(index, []).append(row)

    def bad_cells(self) -> None:
        for (row, index), bad in self._grid.bad.items():
            name = self._by_index.get(index, "#")
            if row > self._header.row and name != _FREE_TEXT and not name.startswith("#"):
                self._add(bad.kind, f"cell {column_letter(index)}{row} {bad.message}", row, index, bad.hint)

    def finish(self) -> None:
        for index, rows in sorted(self._lost.items()):
            count = "a cell" if len(rows) == 1 else f"{len(rows)} cells"
            message = f"{count} in column {column_letter(index)} cannot be read, since the column has no header."
            hint = "Give the column a header; one that begins with # makes it a comment."
            self._add("cell-without-header", message, rows[0], index, hint)
