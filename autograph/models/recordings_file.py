"""How are recordings written and read? A file of JSON lines, which threads and processes may fill together.

    {"autograph": "recording", "version": 1, "model": "gpt-5-mini at …", "instruction_role": "developer"}
    {"node": "greet", "model": "gpt-5-mini at …", "request": {…}, "answer": {…}}

A line that says ``recording`` is a header: it names the model that wrote the texts after it. An answer to a request
that stands in the file already, recorded anew, comes later and wins.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import IO, Any

from autograph.errors import ModelError
from autograph.models.alone import alone
from autograph.models.recordings_live import UnderWay
from autograph.models.recordings_request import Record, key_of, record_of

__all__ = ["VERSION", "Header", "RecordingFile"]

VERSION = 1

Header = dict[str, Any]
"""What a file says of the model that writes the texts: ``model`` and ``instruction_role``."""


class RecordingFile:
    """The recordings in ``path``, all of them in memory; what others add to the file is read when it matters.

    ``anew``: what was recorded before this object was made counts as not recorded (mode ``all``), but stays in the
    file until ``prune``. ``may_be_absent``: the file comes into being with the first record. ``notify`` is told in a
    line what was put right. Raises ``ModelError`` for a file that cannot be read or holds something else.
    """

    def __init__(self, path: Path, *, anew: bool, may_be_absent: bool, notify: Callable[[str], None]) -> None:
        self.path = path
        self.header: Header = {}
        self.records: dict[str, Record] = {}
        self.under_way = UnderWay()
        self._anew = anew
        self._notify = notify
        self._fresh: set[str] = set()
        self._began = False
        self._place = (0, 0)  # the file's identity, and how much of it was read
        self._line = 0
        self._lock = Lock()
        try:
            if not may_be_absent:
                with path.open("rb") as file:
                    self._take_last(self._take(file))
            elif path.exists():
                with alone(path) as file:
                    self._mend(file, self._take(file))
        except OSError as error:
            raise self._failed("read", error) from error
        self._began = True

    # ------------------------------------------------------------------ reading

    def find(self, key: str) -> Record | None:
        """The record under a key."""
        with self._lock:
            return self._found(key)

    def refresh(self) -> None:
        """Read what others have added to the file meanwhile."""
        with self._lock:
            try:
                state = self.path.stat()
                if (state.st_ino, state.st_size) != self._place:
                    with self.path.open("rb") as file:
                        self._take(file)
            except FileNotFoundError:
                return
            except OSError as error:
                raise self._failed("read", error) from error

    def _found(self, key: str) -> Record | None:
        return None if self._anew and key not in self._fresh else self.records.get(key)

    def _take(self, file: IO[bytes]) -> bytes:
        """Read the whole lines that are new in the file; the rest, a line that has no end."""
        identity, known = os.fstat(file.fileno()).st_ino, self._place
        start = known[1] if known[0] == identity and known[1] <= os.fstat(file.fileno()).st_size else 0
        if start == 0:
            self._line = 0
        file.seek(start)
        *lines, rest = file.read().split(b"\n")
        for line in lines:
            self._line += 1
            if line.strip():
                self._take_line(line)
        self._place = (identity, start + sum(len(line) + 1 for line in lines))
        return rest

    def _take_last(self, rest: bytes) -> None:
        """A last line without its end is a record, or what a crash has left of one."""
        if not rest:
            return
        self._line += 1
        try:
            self._take_line(rest)
        except ModelError:
            self._notify(f"{self.path}, line {self._line}: the last line is cut off and is left out.")
        self._line -= 1

    def _take_line(self, line: bytes) -> None:
        try:
            data = json.loads(line)
            if isinstance(data, dict) and data.get("autograph") == "recording":
                self._take_header(data)
                return
            if not self.header:
                raise ValueError("the first line must say what recorded it")
            record = record_of(data)
        except (ValueError, TypeError, RecursionError) as error:
            what = f"this is no recording ({error}). Repair the line, or delete the file and record again."
            raise ModelError(f"{self.path}, line {self._line}: {what}") from error
        key = key_of(record.request)
        if self._began:
            self._fresh.add(key)
        self.records[key] = record

    def _take_header(self, data: Header) -> None:
        if data.get("version") != VERSION:
            raise ModelError(
                f"{self.path}, line {self._line}: this was recorded in version {data.get('version')!r} of the format; "
                f"this autograph reads version {VERSION}. Update autograph, or record again."
            )
        known = ("model", "instruction_role")
        self.header = {name: str(data[name]) for name in known if data.get(name) is not None}

    # ------------------------------------------------------------------ writing

    def keep(self, record: Record, header: Header) -> Record | None:
        """Write a record, under ``header`` if the file has none, or another one for texts.

        If the request was recorded meanwhile, by another thread or process, nothing is written and that record is
        returned.
        """
        key = key_of(record.request)
        with self._lock:
            try:
                with alone(self.path) as file:
                    self._mend(file, self._take(file))
                    if (found := self._found(key)) is not None:
                        return found
                    fits = header == self.header or (self.header and record.kind != "generate")
                    _write(file, [*([] if fits else [_headed(header)]), record.to_dict()])
                    self._take(file)
            except OSError as error:
                raise self._failed("written", error) from error
            return None

    def _mend(self, file: IO[bytes], rest: bytes) -> None:
        """End the last line, or remove it if a crash has cut it off, before anything is written behind it."""
        if not rest:
            return
        try:
            json.loads(rest)
        except ValueError:
            file.truncate(self._place[1])
            self._notify(f"{self.path}: the last line was cut off and has been removed.")
        else:
            file.write(b"\n")
            self._take(file)

    def prune(self) -> None:
        """Drop what was recorded before this object was made, unless it was recorded anew (mode ``all``).

        The file is replaced by a whole new one, or stays as it is.
        """
        with self._lock:
            if not self._fresh:
                return
            try:
                with alone(self.path) as file:
                    self._take(file)
                    self.records = {key: record for key, record in self.records.items() if key in self._fresh}
                    items = [_headed(self.header), *(record.to_dict() for record in self.records.values())]
                    part = _written(self.path, b"".join(_line(item) for item in items))
                    if sys.platform != "win32":
                        _swap(part, self.path)
                if sys.platform == "win32":  # where an open file cannot be replaced
                    _swap(part, self.path)
                state = self.path.stat()
                self._place, self._line = (state.st_ino, state.st_size), len(items)
            except OSError as error:
                raise self._failed("written", error) from error

    def _failed(self, what: str, error: OSError) -> ModelError:
        return ModelError(f"The recording {self.path} cannot be {what}: {error.strerror or error}.")


def _line(data: dict[str, Any]) -> bytes:
    try:
        return json.dumps(data, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # half a character: only its escape goes into a file
        return json.dumps(data).encode() + b"\n"


def _headed(header: Header) -> Header:
    return {"autograph": "recording", "version": VERSION, **header}


def _write(file: IO[bytes], items: list[dict[str, Any]]) -> None:
    """Append items in one go."""
    data = b"".join(_line(item) for item in items)
    if file.write(data) != len(data):
        raise OSError("there is no room for all of it")


def _written(path: Path, content: bytes) -> Path:
    """A file beside ``path`` that holds ``content`` for certain."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
        except BaseException:
            part.close()
            Path(part.name).unlink(missing_ok=True)
            raise
    return Path(part.name)


def _swap(part: Path, path: Path) -> None:
    try:
        shutil.copymode(path, part)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
