"""What several tests of the tables need: workbooks made on the spot, and problems in short form."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from autograph.errors import Problem, ProgramError

HEADER = ["name", "action", "instruction", "transitions"]


def workbook(*rows: Sequence[Any], change: Callable[[Worksheet], object] | None = None, **sheets: Any) -> bytes:
    """The bytes of a workbook with a sheet ``program``; ``sheets`` are further ones, in order, as lists of rows."""
    book = openpyxl.Workbook()
    program = book.active
    assert isinstance(program, Worksheet)
    program.title = "program"
    for row in rows:
        program.append(row)
    if change:
        change(program)
    for title, content in sheets.items():
        other = book.create_sheet(title)
        for row in content:
            other.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def patched(data: bytes, member: str, old: str, new: str) -> bytes:
    """A workbook with what matches a pattern replaced in the XML of a part."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(stream, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            if info.filename == member:
                content, count = re.subn(old.encode(), new.encode(), content)
                assert count
            target.writestr(info.filename, content)
    return stream.getvalue()


def problems_of(read: Callable[..., object], *args: Any, **options: Any) -> list[Problem]:
    """The problems with which a source is refused."""
    with pytest.raises(ProgramError) as caught:
        read(*args, **options)
    return caught.value.problems


def kinds(problems: Sequence[Problem]) -> list[str]:
    return [problem.kind for problem in problems]
