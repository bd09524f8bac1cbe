"""How is a program's source read? By its content: a workbook, YAML, JSON, a text table, a link, or a Python object."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePath

from autograph.errors import Location, Problem, did_you_mean
from autograph.problems import problem
from autograph.tables.archive import OLE_MAGIC, ZIP_MAGIC, check_size, refuse_ole
from autograph.tables.cells import CONTROL
from autograph.tables.config_source import SheetConfig, config_beside
from autograph.tables.decode import decode
from autograph.tables.delimited import read_delimited
from autograph.tables.fetch import download, is_url, sheet_url
from autograph.tables.grid import Grid, read_grid
from autograph.tables.python_data import frame_grid, is_frame, read_python
from autograph.tables.rows import Rows, refuse, refused
from autograph.tables.structured import TreeRows, read_tree
from autograph.tables.tree import parse_tree
from autograph.tables.typography import typography_problems

__all__ = ["read_bytes", "read_rows"]

_WORKBOOK_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"})
_TREE_SUFFIXES = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}
_TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".txt", ".tab"})


def read_rows(source: object, *, sheet: str | None = None) -> Rows:
    """The rows of a program: text with the address of every cell.

    ``source`` is a path (``.csv .tsv .txt .xlsx .yaml .yml .json``; ``clinic.xlsx#program`` names a sheet), an
    http(s) link, also that of a Google sheet, a DataFrame, a list of dicts, or a dict with ``nodes`` and ``config``.
    ``sheet`` names the sheet of a workbook. Warnings are in ``.problems``.

    Raises ``ProgramError`` with everything that was found if the source is refused.
    """
    if isinstance(source, str) and is_url(source):
        return _read_url(source, sheet)
    if isinstance(source, (str, os.PathLike)):
        return _read_path(os.fspath(source), sheet)
    if is_frame(source):
        return _from_grid(frame_grid(source), SheetConfig(), [], "python")
    if isinstance(source, (Mapping, list, tuple)):
        problems: list[Problem] = []
        return _from_tree(read_python(source, problems), problems, "python")
    message = f"a program cannot be read from an object of type {type(source).__name__}."
    hint = "Give a path, a link, a DataFrame, a list of dicts, or a dict with nodes and config."
    raise refused("unknown-format", message, Location(), hint)


def read_bytes(data: bytes, name: str, *, sheet: str | None = None, suffix: str | None = None) -> Rows:
    """The rows of a file whose content is at hand; ``name`` stands in addresses, its suffix tells YAML and JSON."""
    return _read_content(data, name, sheet, SheetConfig(), [], suffix)


def _read_url(url: str, sheet: str | None) -> Rows:
    plain, _, fragment = url.partition("#")
    try:
        address = sheet_url(url, sheet)
    except ValueError as error:
        raise refused("unreadable-file", f"the link is malformed: {error}.", Location(url)) from error
    found = download(address)
    named = sheet or (fragment if address == plain and fragment and "=" not in fragment else None)
    return read_bytes(found.data, url, sheet=named, suffix=PurePath(found.name).suffix.lower())


def _read_path(name: str, sheet: str | None) -> Rows:
    path = Path(name)
    if "#" in name and not path.exists():
        name, _, fragment = name.rpartition("#")
        path, sheet = Path(name), sheet or fragment
    try:
        check_size(path.stat().st_size, name)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        message = f"the file cannot be read: {getattr(error, 'strerror', None) or error}."
        if not name.strip() or "\n" in name:
            what = "holds several lines" if name.strip() else "is empty"
            message = f"the path {what}, so it names no file."
            raise refused("unreadable-file", message, Location(), "Give the path of the program.") from error
        raise refused("unreadable-file", message, Location(name), _neighbour(path, error)) from error
    problems: list[Problem] = []
    beside = config_beside(path, problems) if path.suffix.lower() in _TABLE_SUFFIXES else SheetConfig()
    return _read_content(data, name, sheet, beside, problems, None)


def _neighbour(path: Path, error: Exception) -> str:
    if not isinstance(error, FileNotFoundError) or not path.parent.is_dir():
        return ""
    return did_you_mean(path.name, [other.name for other in path.parent.iterdir()])


def _read_content(
    data: bytes, file: str, sheet: str | None, config: SheetConfig, problems: list[Problem], suffix: str | None
) -> Rows:
    suffix = PurePath(file).suffix.lower() if suffix is None else suffix
    check_size(len(data), file)
    if data.startswith(OLE_MAGIC):
        refuse_ole(data, file)
    if data.startswith(ZIP_MAGIC):
        from autograph.tables.workbook import read_workbook

        if suffix not in _WORKBOOK_SUFFIXES:
            message = "the content is a workbook (.xlsx), although the name says otherwise."
            problems.append(problem("content-is-xlsx", message, Location(file), "Name the file .xlsx."))
        grid, settings = read_workbook(data, file, sheet, problems)
        own = settings.values or settings.remarks
        return _from_grid(grid, settings if own else config, problems, "xlsx")
    if sheet is not None:
        message = f'there is no sheet "{sheet}": the file is no workbook.'
        raise refused("unknown-sheet", message, Location(file), "Leave the sheet out.")
    text = decode(data, file, problems)
    if not text.strip():
        raise refused("empty-table", "the file is empty.", Location(file), "Write a header and one row per node.")
    if suffix in _TREE_SUFFIXES:
        kind = _TREE_SUFFIXES[suffix]
        return _from_tree(_tree_rows(text, file, problems, kind), problems, kind)
    if suffix == ".py" or text.startswith("<?xml"):
        what = "a Python file" if suffix == ".py" else "an XML file"
        message = f"{what} is no table of nodes."
        raise refused("unknown-format", message, Location(file), "Save a sheet as .xlsx or .csv.")
    return _from_grid(read_delimited(text, file, problems), config, problems, "csv")


def _tree_rows(text: str, file: str, problems: list[Problem], kind: str) -> TreeRows:
    if control := CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        message = f"the text holds the control character U+{ord(control[0]):04X}."
        problems.append(problem("control-character", message, Location(file, line=line), "Delete it."))
        refuse(problems)
    return read_tree(parse_tree(text, file, problems, json=kind == "json"), file, problems)


def _from_grid(grid: Grid, config: SheetConfig, problems: list[Problem], form: str) -> Rows:
    found = read_grid(grid, problems)
    problems.extend(typography_problems(found.rows))
    refuse(problems)
    values, places, remarks = config.values, config.places, config.remarks
    return Rows(
        found.rows, found.origin, problems, form, found.header_row, values, places, found.asides, remarks
    )  # fmt: skip


def _from_tree(found: TreeRows, problems: list[Problem], form: str) -> Rows:
    problems.extend(typography_problems(found.rows))
    refuse(problems)
    config = found.config
    return Rows(
        found.rows, found.origin, problems, form, None, config.values, config.places, found.asides, config.remarks
    )  # fmt: skip
