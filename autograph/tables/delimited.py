"""Which cells does a text file hold? CSV with commas, semicolons, tabs or bars."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import chain

from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.tables.cells import column_letter
from autograph.tables.grid import Grid
from autograph.tables.header import field_key, is_header
from autograph.vocabulary import is_field

__all__ = ["read_delimited"]

_DELIMITERS = ",;\t|"
_SEP_LINE = re.compile(r'"?sep=([^\n"])"?[,;\t|]*(?:\n|\Z)', re.IGNORECASE)
_END = "\x00end"  # a last row of our own: it is missing if a quotation mark was never closed
_LONGEST_CELL = 2**31 - 1


def read_delimited(text: str, file: str, problems: list[Problem]) -> Grid:
    """The cells of a text file, which has line feeds as line ends; row numbers count blank rows and a ``sep=`` line.

    The delimiter is the one that makes a header of the header line: quoted lists and prose further down say nothing.
    """
    hint = _SEP_LINE.match(text)
    if hint:
        text = text[hint.end() :]
    delimiter = hint[1] if hint else _delimiter(text)
    records = list(_records(text, delimiter))
    first = 2 if hint else 1
    if records and records[-1] == [_END]:
        del records[-1]
    else:
        records[-1][-1] = records[-1][-1].removesuffix(_END)
        number = first + len(records) - 1
        message = f"a quotation mark that opens a cell in row {number} is never closed."
        remedy = 'Close it; a quotation mark inside a quoted cell is written twice ("").'
        problems.append(problem("unclosed-quote", message, Location(file, row=number), remedy))
    rows = list(enumerate(records, first))
    if not any(found.kind == "unclosed-quote" for found in problems):
        problems.extend(_stray_quotes(rows, text, delimiter, file))
    return Grid(file, None, rows, separator=delimiter)


def _stray_quotes(rows: list[tuple[int, list[str]]], text: str, delimiter: str, file: str) -> Iterator[Problem]:
    """Warnings of cells that go on behind their closing mark: ``"He said "hi" to me"`` loses marks silently."""
    if _is_strict(text, delimiter):
        return
    for (number, cells), raw in zip(rows, _raw_records(text, delimiter), strict=False):
        if _is_strict(raw, delimiter):
            continue
        for index, cell in enumerate(cells):
            whole = cell.strip()
            quoted = whole.replace('"', '""')
            if whole not in raw and f'"{quoted}"' not in raw:
                message = f"a quotation mark inside a cell ends its text too early; what is read is: {_short(whole)}"
                remedy = 'Inside a cell in quotation marks write each of them twice: "He said ""hi"" to me".'
                where = Location(file, row=number, cell=f"{column_letter(index)}{number}")
                yield problem("stray-quote", message, where, remedy)
                break


def _raw_records(text: str, delimiter: str) -> Iterator[str]:
    """The text of each record as it stands in the file; a cell may go over several lines."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text):
            taken.append(line)
            yield line

    for _ in csv.reader(lines(), delimiter=delimiter):
        yield "".join(taken)
        taken.clear()


def _is_strict(text: str, delimiter: str) -> bool:
    """Whether every closing quotation mark stands at the end of its cell."""
    try:
        for _ in csv.reader(io.StringIO(text), delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        return False
    return True


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    # The module's limit of 131,072 characters is too small for prose; raising it harms nobody.
    csv.field_size_limit(_LONGEST_CELL)
    return csv.reader(chain(io.StringIO(text), [_END]), delimiter=delimiter)


def _delimiter(text: str) -> str:
    """The delimiter with which the header comes first, and among those the one that names most fields."""
    best: tuple[int, int, str] | None = None
    for delimiter in _DELIMITERS:
        for position, cells in enumerate(_records(text, delimiter)):
            if best and position > best[0]:
                break
            if is_header(cells):
                rank = (position, -sum(is_field(field_key(cell)) for cell in cells), delimiter)
                best = min(best or rank, rank)
                break
    return best[2] if best else _most_frequent(text)


def _most_frequent(text: str) -> str:
    """For a file without a header, so that the message can show what its first line holds."""
    line = next((line for line in io.StringIO(text) if line.strip()), "")
    return max(_DELIMITERS, key=line.count)
