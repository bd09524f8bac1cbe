"""How do sayings come into a file? A new one, or rows at the end of the one that people have edited."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from autograph.errors import Location
from autograph.evaluation.columns import form_of, read_columns
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.understanding.sayings import COLUMNS, Saying

__all__ = ["append_sayings", "write_sayings"]


def write_sayings(path: Path, sayings: Sequence[Saying]) -> None:
    """Write a table of sayings (CSV), over whatever is there. Raises ``DataError`` for another form, ``OSError``."""
    _refuse_other_forms(path)
    path.write_text(",".join(COLUMNS) + "\n" + _csv(COLUMNS, sayings), encoding="utf-8", newline="")


def append_sayings(path: Path, sayings: Sequence[Saying]) -> None:
    """Put rows behind those of a table, which stay byte for byte as they are; a missing file is begun.

    Raises ``DataError`` for a table whose columns cannot hold the rows, ``OSError``.
    """
    if not path.exists():
        write_sayings(path, sayings)
        return
    _refuse_other_forms(path)
    read_columns(path, COLUMNS, COLUMNS[:3], "sayings")  # a table that is wrong gets no further rows
    separator, columns = form_of(path)
    needed = [name for name in COLUMNS if name != "note" and any(_cell(saying, name) for saying in sayings)]
    if lost := [name for name in needed if name not in columns]:
        listed = " and ".join(f'"{name}"' for name in lost)
        message = f"the table has no column {listed}, which the new sayings need."
        raise DataError([Fault(Location(str(path)), message, "Add it, or write another file.")])
    data = path.read_bytes()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = "the table is not UTF-8, so that rows cannot be put behind it."
        raise DataError([Fault(Location(str(path)), message, "Save it as UTF-8.")]) from error
    glue = "" if data.endswith((b"\n", b"\r")) else "\n"
    with path.open("ab") as file:
        file.write((glue + _csv(columns, sayings, separator)).encode("utf-8"))


def _refuse_other_forms(path: Path) -> None:
    if path.suffix.lower() != ".csv":
        hint = "Write a .csv file; a spreadsheet opens it."
        raise DataError([Fault(Location(str(path)), "sayings are written as CSV only.", hint)])


def _cell(saying: Saying, column: str) -> str:
    if column == "variables":
        return json.dumps(dict(saying.variables), ensure_ascii=False) if saying.variables else ""
    return {
        "node": saying.node,
        "choice": saying.choice,
        "say": saying.text,
        "before": saying.before,
        "note": saying.note,
    }.get(column, "")


def _csv(columns: Sequence[str], sayings: Sequence[Saying], separator: str = ",") -> str:
    """The rows as CSV text; a node's variables stand in the first of its rows only, as they are carried down."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    above: dict[str, str] = {}
    for saying in sayings:
        own = _cell(saying, "variables")
        same = above.get(saying.node) == own
        above[saying.node] = own
        writer.writerow(["" if same and column == "variables" else _cell(saying, column) for column in columns])
    return buffer.getvalue()
