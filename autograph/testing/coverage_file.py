"""Where are counts kept between runs? A JSON file with the traffic of each program, and the state the program was in.

    {"autograph_coverage": 1, "programs": [{"file": "clinic.yaml", "sheet": null, "fingerprint": "…", "traffic": {…}}]}

Files are named as seen from the folder of the coverage file, with ``/``. Counts of a program that has changed since
say nothing about the present one: whoever reads them compares the fingerprints.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph.errors import AutographError, StorageError
from autograph.interpreter.traffic import Traffic, merged
from autograph.program import Program

__all__ = [
    "DEFAULT_FILE",
    "CoverageError",
    "Entry",
    "entry_of",
    "joined",
    "read_entries",
    "traffic_for",
    "write_entries",
]

DEFAULT_FILE = ".autograph-coverage.json"
"""The file's name where no other one is given."""

_MARK = "autograph_coverage"
_VERSION = 1


class CoverageError(AutographError):
    """A coverage file cannot be read or written, or does not fit the program."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The counts of one program; ``file`` is an absolute path, or the link from which the program came."""

    file: str
    sheet: str | None
    fingerprint: str
    traffic: Traffic

    @property
    def name(self) -> str:
        """The file and sheet, for messages."""
        return f"{Path(self.file).name}#{self.sheet}" if self.sheet else Path(self.file).name


def entry_of(program: Program, traffic: Traffic) -> Entry:
    """The entry of a program."""
    return Entry(_absolute(program.file or ""), program.sheet, program.fingerprint, traffic)


def joined(earlier: Iterable[Entry], new: Iterable[Entry]) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Both, added where they are of the same state of the same program; and notes about what was left out.

    Earlier counts of a program that has changed are left out.
    """
    found = {(entry.file, entry.sheet): entry for entry in earlier}
    notes = []
    for entry in new:
        old = found.get((entry.file, entry.sheet))
        if old is not None and old.fingerprint == entry.fingerprint:
            entry = Entry(entry.file, entry.sheet, entry.fingerprint, old.traffic + entry.traffic)
        elif old is not None:
            notes.append(f"{entry.name} has changed since the earlier counts, which are left out.")
        found[(entry.file, entry.sheet)] = entry
    return tuple(found.values()), tuple(notes)


# ---------------------------------------------------------------------- the file


def read_entries(path: Path) -> tuple[Entry, ...]:
    """The entries of a coverage file; none where there is no such file. Raises ``CoverageError``."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise CoverageError(f"{path} cannot be read: {error}.") from error
    found = entries_of(text, str(path), path.parent)
    if found is None:
        raise CoverageError(f"{path} is no coverage file. Name another one with --coverage-file, or delete it.")
    return found


def write_entries(path: Path, entries: Sequence[Entry]) -> None:
    """Write a coverage file; the same entries give the same bytes. Raises ``CoverageError``."""
    text = entries_text(entries, path.parent)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")  # a reader never sees half a file
    try:
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise CoverageError(f"{path} cannot be written: {error.strerror or error}.") from error


def traffic_for(text: str, name: str, program: Program) -> Traffic | None:
    """The counts of ``program`` in the text of a coverage file; None if the text is no coverage file.

    Raises ``CoverageError`` where it has none of the program as it is now.
    """
    entries = entries_of(text, name, Path(name).parent)
    if entries is None:
        return None
    fitting = [entry for entry in entries if entry.fingerprint == program.fingerprint]
    same = [entry for entry in fitting if (entry.file, entry.sheet) == (_absolute(program.file or ""), program.sheet)]
    if fitting:
        return merged(entry.traffic for entry in same or fitting)
    file = program.file or "the program"
    if any(Path(entry.file).name == Path(file).name for entry in entries):
        raise CoverageError(f"{name} has the counts of an earlier {file}. Run autograph test --coverage again.")
    others = ", ".join(entry.name for entry in entries[:3]) or "no program"
    raise CoverageError(f"{name} has no counts of {file}, but of {others}. Run its tests with --coverage.")


def entries_text(entries: Iterable[Entry], folder: Path) -> str:
    """The text of a coverage file in ``folder``."""
    programs = [
        {"file": _seen_from(entry.file, folder), "sheet": entry.sheet, "fingerprint": entry.fingerprint,
         "traffic": entry.traffic.to_dict()}
        for entry in sorted(entries, key=lambda e: (e.file, e.sheet or ""))
    ]  # fmt: skip
    return json.dumps({_MARK: _VERSION, "programs": programs}, ensure_ascii=False, separators=(",", ":")) + "\n"


def entries_of(text: str, name: str, folder: Path) -> tuple[Entry, ...] | None:
    """The entries of the text of a coverage file in ``folder``; None if it is something else.

    Raises ``CoverageError`` for one of another version, or with parts missing.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, Mapping) or _MARK not in data:
        return None
    if data[_MARK] != _VERSION:
        raise CoverageError(
            f"{name} has the form {data[_MARK]!r}; this autograph reads {_VERSION}. Run the tests again."
        )
    try:
        return tuple(_entry(item, folder) for item in data["programs"])
    except (StorageError, TypeError, KeyError, AttributeError) as error:
        raise CoverageError(f"{name} is no complete coverage file: {error}. Run the tests again.") from error


def _entry(item: Mapping[str, Any], folder: Path) -> Entry:
    file, sheet, fingerprint = item["file"], item.get("sheet"), item["fingerprint"]
    if not isinstance(file, str) or not isinstance(fingerprint, str) or not isinstance(sheet, (str, type(None))):
        raise TypeError("a program's file, sheet or fingerprint is no text")
    there = file if "://" in file else os.path.abspath(folder / file)
    return Entry(there, sheet, fingerprint, Traffic.from_dict(item["traffic"]))


def _absolute(file: str) -> str:
    return file if "://" in file else os.path.abspath(file)


def _seen_from(file: str, folder: Path) -> str:
    if "://" in file:
        return file
    try:
        return Path(os.path.relpath(file, os.path.abspath(folder))).as_posix()
    except ValueError:  # on another drive
        return Path(file).as_posix()
