"""How do problems look as SARIF 2.1.0, the form in which code hosts take the findings of tools?"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from autograph.check.explain import explanations
from autograph.errors import Location, Problem, ProgramError
from autograph.tables.decode import decode
from autograph.tables.delimited import read_delimited
from autograph.version import __version__

__all__ = ["sarif_log"]


def sarif_log(problems: Sequence[Problem]) -> dict[str, Any]:
    """One run with all problems, and the codes that occur as its rules."""
    kinds = sorted({found.kind for found in problems}, key=lambda kind: explanations()[kind].code)
    driver = {
        "name": "autograph",
        "version": __version__,
        "rules": [_rule(kind) for kind in kinds],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(p, kinds) for p in problems],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }


def _rule(kind: str) -> dict[str, Any]:
    found = explanations()[kind]
    return {
        "id": found.code,
        "name": "".join(word.capitalize() for word in kind.split("-")),
        "shortDescription": {"text": found.summary},
        "fullDescription": {"text": found.why},
        "help": {"text": f"Example: {found.example}\nRemedy: {found.remedy}"},
        "defaultConfiguration": {"level": found.severity},
    }


def _result(found: Problem, kinds: Sequence[str]) -> dict[str, Any]:
    text = f"{found.message.removesuffix('.')}. {found.hint}" if found.hint else found.message
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": kinds.index(found.kind),
        "level": found.severity,
        "message": {"text": text},
    }
    where = _location(found.location)
    if where:
        result["locations"] = [where]
    return result


def _location(where: Location) -> dict[str, Any]:
    place: dict[str, Any] = {}
    if where.file:
        uri = where.file if "://" in where.file else quote(PurePath(where.file).as_posix())
        place["physicalLocation"] = {"artifactLocation": {"uri": uri}}
        line = where.line or _text_line(where.file, where.row)
        if line is not None:
            place["physicalLocation"]["region"] = {"startLine": line}
    cell = where.cell or (f"row {where.row}" if where.row is not None else "")
    if cell or where.column:
        name = "!".join(part for part in (where.sheet, cell or where.column) if part)
        place["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "cell"}]
    return place


def _text_line(file: str, row: int | None) -> int | None:
    """The line of a text file on which a row begins: a cell with several lines is one row."""
    if row is None or PurePath(file).suffix.lower() not in (".csv", ".tsv", ".tab", ".txt"):
        return None
    lines = _row_lines(file)
    return lines[row - 1] if row <= len(lines) else None


@lru_cache(maxsize=8)
def _row_lines(file: str) -> tuple[int, ...]:
    """For each row the line on which it begins; the file is taken apart as when it was read."""
    try:
        text = decode(Path(file).read_bytes(), file, [])
    except (OSError, ProgramError):
        return ()  # a link, or a file that has gone since: the row is still named in the logical location
    reader = csv.reader(io.StringIO(text), delimiter=read_delimited(text, file, []).separator)
    starts, line = [], 1
    for _ in reader:
        starts.append(line)
        line = reader.line_num + 1
    return tuple(starts)
