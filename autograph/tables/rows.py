"""What does a table look like once it is read? Rows of text with the address of every cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from autograph.errors import Location, Problem, ProgramError
from autograph.problems import problem

__all__ = ["ConfigRemark", "Origin", "Row", "Rows", "refuse", "refused"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of one table come from; all its rows share it.

    ``headers`` maps a field to its header as written, ``letters`` to its column's letter (both in column
    order; comment columns under a key that begins with ``#``).
    """

    file: str | None = None
    sheet: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)

    def at(
        self, row: int | None = None, column: str | None = None, letter: str = "", line: int | None = None
    ) -> Location:
        """The address of a row, or of the cell in the column with this letter."""
        cell = f"{letter}{row}" if letter and row is not None else None
        return Location(self.file, self.sheet, row, column, cell, line)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a sheet, or one entry of a YAML or JSON file: one node, still text.

    ``fields``: field name to text; an empty cell is ``""``. ``row``: the spreadsheet's row number
    (the header counts), else None. ``line``: the line of a YAML or JSON file, else None.
    ``comments``: the texts of the columns whose header begins with ``#``.
    """

    fields: Mapping[str, str]
    row: int | None
    origin: Origin = field(repr=False)
    line: int | None = None
    comments: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    lines: Mapping[str, int] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> str:
        """The text of a field, ``""`` where the row has none."""
        return self.fields.get(name, "")

    def items(self, name: str) -> tuple[str, ...] | None:
        """The items of a field that was written as a list (YAML, JSON, Python); None where it is plain text."""
        return self.lists.get(name)

    def cell(self, name: str) -> Location:
        """The address of a field: file, sheet, row, header as written, cell like ``D14``, or the line."""
        origin = self.origin
        column = origin.headers.get(name, name)
        return origin.at(self.row, column, origin.letters.get(name, ""), self.lines.get(name, self.line))

    @property
    def location(self) -> Location:
        """The address of the whole row."""
        return self.origin.at(self.row, line=self.line)


@dataclass(frozen=True, slots=True)
class ConfigRemark:
    """A remark among the settings: ``key`` begins with ``#``, ``position`` settings stand before it."""

    position: int
    key: str
    text: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rows(Sequence[Row]):
    """All that was read: a sequence of ``Row``, in the order of the file.

    ``problems``: the warnings. ``format``: ``csv``, ``xlsx``, ``yaml``, ``json`` or ``python``.
    ``headers``: field to header as written, in column order, comment columns included.
    ``header_row``: its row number, None without one. ``config``: the sheet's own configuration, its values as
    they were read (text; lists and mappings of text); ``config_location(key)`` is the address of an entry.
    ``asides``: rows with nothing but comments, each with the number of rows that stand before it.
    ``config_remarks``: the remarks among the settings.
    """

    rows: tuple[Row, ...]
    origin: Origin
    problems: list[Problem] = field(default_factory=list)
    format: str = "csv"
    header_row: int | None = None
    config: Mapping[str, object] = field(default_factory=dict)
    config_places: Mapping[str, Location] = field(default_factory=dict)
    asides: tuple[tuple[int, Row], ...] = ()
    config_remarks: tuple[ConfigRemark, ...] = ()

    @property
    def file(self) -> str | None:
        return self.origin.file

    @property
    def sheet(self) -> str | None:
        return self.origin.sheet

    @property
    def headers(self) -> Mapping[str, str]:
        return self.origin.headers

    def config_location(self, key: str) -> Location:
        """The address of a configuration entry; of the file where the entry is unknown."""
        return self.config_places.get(key, Location(self.file))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self.rows[index]

    def __repr__(self) -> str:
        return f"<Rows of {self.file or 'a Python object'}: {len(self.rows)} rows, {len(self.problems)} warnings>"


def refused(kind: str, message: str, location: Location, hint: str = "") -> ProgramError:
    """A ``ProgramError`` of one problem, to be raised."""
    return ProgramError([problem(kind, message, location, hint)])


def refuse(problems: Iterable[Problem]) -> None:
    """Raises ``ProgramError`` with all problems if one of them is an error."""
    found = list(problems)
    if any(p.severity == "error" for p in found):
        raise ProgramError(found)
