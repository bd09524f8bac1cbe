"""How does a program get from one file format into another? It is read, written, read back, then put in place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType

from autograph.errors import Location, ProgramError
from autograph.program.write.csv_file import csv_text
from autograph.program.write.json_file import json_text
from autograph.program.write.limits import unwritable
from autograph.program.write.same import difference
from autograph.program.write.workbook_file import workbook_bytes
from autograph.program.write.yaml_comments import with_yaml_comments
from autograph.program.write.yaml_file import config_yaml, yaml_text
from autograph.tables import Rows, read_rows
from autograph.tables.config_source import CONFIG_SUFFIXES
from autograph.tables.decode import decode
from autograph.tables.rows import refuse, refused

__all__ = ["SUFFIXES", "files_there", "form_of", "read_for_writing", "rendered", "workbook_of", "write_rows"]

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {".csv": "csv", ".xlsx": "xlsx", ".yaml": "yaml", ".yml": "yaml", ".json": "json"}
)
"""The ending of a file's name, and the format that it stands for."""

_TEXTS: Mapping[str, Callable[[Rows], str]] = MappingProxyType({"csv": csv_text, "yaml": yaml_text, "json": json_text})
_IN_A_TABLE = ("csv", "xlsx")


def form_of(path: Path) -> str | None:
    """The format of a file by its name; None for one that is not written."""
    return SUFFIXES.get(path.suffix.lower())


def read_for_writing(source: str | os.PathLike[str]) -> Rows:
    """The rows of a program with everything that is to be kept, the comments of a YAML file included.

    That may be the file of settings beside a table, too. Raises ``ProgramError`` if the source cannot be read.
    """
    rows = read_rows(source)
    file = _yaml_file(rows)
    if not file or not Path(file).is_file():
        return rows
    return with_yaml_comments(rows, decode(Path(file).read_bytes(), file, []))


def _yaml_file(rows: Rows) -> str | None:
    """The YAML file that holds the program or only its settings."""
    if rows.format == "yaml":
        return rows.file
    file = rows.config_location(next(iter(rows.config))).file if rows.config else None
    return file if file and file.endswith(CONFIG_SUFFIXES[:2]) else None


def workbook_of(rows: Rows) -> bytes | None:
    """The workbook in which rows were read, so that its other sheets can be kept; None if there is none at hand."""
    if rows.format != "xlsx" or not rows.file or not Path(rows.file).is_file():
        return None
    return Path(rows.file).read_bytes()


def rendered(rows: Rows, form: str, name: str, kept: bytes | None = None) -> dict[str, bytes]:
    """The content of the file ``name`` in a format, and of the file of settings beside a text table.

    ``kept``: a workbook whose other sheets go on into a workbook. The same rows always give the same bytes.
    Raises ``ProgramError`` with every cell that the format cannot hold, and if what would be written does not
    read back as the same rows.
    """
    refuse(unwritable(rows, form))
    content = workbook_bytes(rows, kept) if form == "xlsx" else _TEXTS[form](rows).encode("utf-8")
    files = {name: content}
    if form == "csv" and (rows.config or rows.config_remarks):
        files[_settings_beside(Path(name)).name] = config_yaml(rows).encode("utf-8")
    _check_same(rows, files, form)
    return files


def _check_same(rows: Rows, files: Mapping[str, bytes], form: str) -> None:
    """Raises ``ProgramError`` if the files do not read back as the rows."""
    try:
        with tempfile.TemporaryDirectory(prefix="autograph-") as folder:
            _put(files, Path(folder))
            back = read_rows(Path(folder) / next(iter(files)))
        found = difference(rows, back, table=form in _IN_A_TABLE)
    except ProgramError as error:
        found = " ".join(each.message for each in error.problems if each.severity == "error").rstrip(".")
    if found:
        message = f"written as {form}, the program would not be the same: {found}."
        hint = "Nothing was written. Simplify the text, or choose another format."
        raise refused("not-the-same", message, Location(rows.file, rows.sheet), hint)


def files_there(path: Path) -> list[Path]:
    """The files that writing to ``path`` would replace: itself, and the settings beside a text table."""
    return [file for file in (path, *_all_settings_beside(path)) if file.exists()]


def write_rows(rows: Rows, path: Path, kept: bytes | None = None) -> tuple[Path, ...]:
    """Write rows to a file, in the format of its name; the files that were written.

    All or nothing: each file is complete before it takes its place. Files that are there are replaced; settings
    of an earlier program beside a text table are removed, since they would be read as those of this one.
    Raises ``ProgramError`` (see ``rendered``), ``ValueError`` for a name that tells no format, ``OSError``.
    """
    form = form_of(path)
    if form is None:
        raise ValueError(f"{path} must end in {', '.join(SUFFIXES)}.")
    files = rendered(rows, form, path.name, kept)
    with ExitStack() as stack:
        ready = []
        for name in reversed(files):  # settings before the table that they belong to
            target = Path(os.path.realpath(path.with_name(name)))  # what a link leads to is replaced, the link stays
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=".autograph-", dir=target.parent))
            _put({name: files[name]}, Path(folder))
            ready.append((Path(folder) / name, target))
        for made, target in ready:
            os.replace(made, target)
    for stale in _all_settings_beside(path):
        if stale.name not in files:
            stale.unlink(missing_ok=True)
    return tuple(path.with_name(name) for name in files)


def _put(files: Mapping[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _settings_beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}{CONFIG_SUFFIXES[0]}")


def _all_settings_beside(path: Path) -> Iterator[Path]:
    if form_of(path) == "csv":
        yield from (path.with_name(f"{path.stem}{suffix}") for suffix in CONFIG_SUFFIXES)
