"""Which dialogues do rows hold? A table, JSON lines, a DataFrame or dicts with ``text``, ``labels`` and so on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autograph.errors import Location, did_you_mean
from autograph.evaluation.columns import grid_of, is_json_lines, read_json_lines
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import LISTS, convert
from autograph.tables.cells import clean, column_letter

__all__ = ["read_row_dialogues", "row_dialogues"]

_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
_KNOWN = ("text", "labels", "label", "label_candidates", "reward", "id", "episode", "episode_done")

_Addressed = tuple[Location, Mapping[str, Any]]


def read_row_dialogues(path: Path, columns: Mapping[str, str] | None = None, sheet: str = "") -> list[list[Message]]:
    """The dialogues in the rows of a file: CSV, TSV, a sheet of a workbook, or JSON lines.

    ``columns`` maps fields to the names that they have in the file, ``{"text": "question", "labels": "answer"}``.
    In a table, several labels or candidates have ``|`` between them. See ``row_dialogues`` for the rest.
    """
    rows: list[_Addressed] = []
    rows.extend(read_json_lines(path) if is_json_lines(path) else _cells(path, sheet))
    return _dialogues(rows, columns or {}, Location(str(path)))


def row_dialogues(source: object, columns: Mapping[str, str] | None = None) -> list[list[Message]]:
    """The dialogues in rows: a DataFrame, or any iterable of dicts, for instance a data set of Hugging Face.

    ``text`` is needed; ``labels`` (or ``label``) is a text or a list. Rows in succession with the same ``episode`` are
    a dialogue; else a row with ``episode_done`` ends one; else each row is one by itself. Empty values are left out,
    unknown columns pass through. Raises ``DataError`` with everything that is wrong.
    """
    if hasattr(source, "to_dict") and hasattr(source, "columns"):
        records: Iterable[Any] = source.to_dict("records")
    elif isinstance(source, Iterable) and not isinstance(source, (str, bytes, Mapping)):
        records = source
    else:
        raise TypeError(
            f"rows are a DataFrame or dicts, not {type(source).__name__}. A file: read_row_dialogues(path)."
        )
    rows: list[_Addressed] = []
    for number, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            raise TypeError(f"row {number} is a {type(record).__name__}, not a dict.")
        rows.append((Location(row=number), record))
    return _dialogues(rows, columns or {}, Location())


def _cells(path: Path, sheet: str) -> Iterator[_Addressed]:
    """The rows of a table, the cells of known columns as values. Raises ``DataError``."""
    grid = grid_of(path, sheet)
    faults = [
        Fault(Location(grid.file, grid.sheet, row, cell=f"{column_letter(column)}{row}"), f"the cell {bad.message}")
        for (row, column), bad in grid.bad.items()
    ]
    if faults:
        raise DataError(faults)
    header: list[str] | None = None
    for number, texts in grid.rows:
        cells = [clean(text) for text in texts]
        if not any(cells):
            continue
        if header is None:
            header = cells
            continue
        if any(cells[len(header) :]):
            where = Location(grid.file, grid.sheet, number)
            message = f"the row has {len(cells)} cells but there are {len(header)} columns."
            raise DataError([Fault(where, message, 'Put a text that holds a comma in quotes: "…".')])
        pairs = zip(header, cells, strict=False)
        yield Location(grid.file, grid.sheet, number), _Texts((n, c) for n, c in pairs if n and not n.startswith("#"))


class _Texts(dict[str, Any]):
    """A row whose values are still texts, as in a table."""


def _dialogues(rows: list[_Addressed], columns: Mapping[str, str], whole: Location) -> list[list[Message]]:
    if not rows:
        raise DataError([Fault(whole, "there are no rows.", "Write a header with text and labels, and rows below it.")])
    present = {name for _, row in rows for name in row}
    faults = [
        Fault(whole, f'there is no column "{name}" for the field "{field}".', did_you_mean(name, present))
        for field, name in columns.items()
        if name not in present
    ]
    if not columns.get("text") and "text" not in present:
        named = 'Say which column it is: -o text_column=NAME, in Python columns={"text": "NAME"}.'
        near = did_you_mean("text", present) or named
        faults.append(Fault(whole, 'there is no column "text".', near))
    if faults:
        raise DataError(faults)
    renamed = {name: field for field, name in columns.items()}
    found = [(_example(where, row, renamed, faults), row.get("episode")) for where, row in rows]
    if faults:
        raise DataError(faults)
    return _grouped(found, "episode" in present)


def _example(where: Location, row: Mapping[str, Any], renamed: Mapping[str, str], faults: list[Fault]) -> Message:
    message = Message()
    for name, value in row.items():
        field = renamed.get(name, name)
        if field == "episode" or _is_missing(value) or (field in renamed.values() and name not in renamed):
            continue
        try:
            message.force_set("labels" if field == "label" else field, _value(field, value, isinstance(row, _Texts)))
        except ValueError as error:
            faults.append(Fault(_at(where, name), str(error)))
    if not isinstance(message.get("text"), str):
        wrong = f"is {message['text']!r:.40}, which is no text" if "text" in message else "is missing"
        faults.append(Fault(_at(where, "text"), f'the field "text" {wrong}.', "Write what is said."))
    if "eval_labels" in message:
        faults.append(
            Fault(_at(where, "eval_labels"), 'the field "eval_labels" stands in no file.', 'Call it "labels".')
        )
    return message


def _at(where: Location, name: str) -> Location:
    return Location(where.file, where.sheet, where.row, name, None, where.line)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value) or (isinstance(value, str) and not value)


def _value(field: str, value: Any, from_text: bool) -> Any:
    """The value of a field. Raises ``ValueError``."""
    if field == "label":
        return [str(value)]
    if field in LISTS:
        if isinstance(value, str):
            return convert(field, value) if from_text else [value]
        if not isinstance(value, (list, tuple)) and not hasattr(value, "tolist"):
            raise ValueError(f'"{field}" is {value!r:.40}. Write a text or a list of texts.')
        return [str(item) for item in value]
    if field == "episode_done":
        if str(value).lower() not in _BOOLEANS:
            raise ValueError(f'"episode_done" is {value!r:.40}. Write true or false.')
        return _BOOLEANS[str(value).lower()]
    return convert(field, value) if from_text and field == "reward" else value


def _grouped(found: list[tuple[Message, Any]], by_episode: bool) -> list[list[Message]]:
    by_end = any("episode_done" in message for message, _ in found)
    dialogues: list[list[Message]] = []
    begins, before = True, None
    for message, episode in found:
        if by_episode:
            begins = begins or episode != before
        if begins:
            dialogues.append([])
        dialogues[-1].append(message)
        before = episode
        begins = False if by_episode else bool(message.get("episode_done")) if by_end else True
    return dialogues
