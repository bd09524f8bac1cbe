"""Where is a run kept? A folder with its manifest, and a line for each conversation as soon as it has ended.

    manifest.json        what the run is (``Manifest``); written first
    conversations.jsonl  a line for each conversation, in the order in which they ended
    times.jsonl          what was measured, a line for each; it differs from run to run

A line is handed to the operating system whole, in one write, so a process that is killed loses none; what was lost
with the machine is held again. A half line at the end is dropped when the run goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from autograph.errors import AutographError
from autograph.simulation.lockfile import FolderLock, LockedError
from autograph.simulation.record import Conversation, Manifest, Measured, RecordError

__all__ = ["MANIFEST", "FolderError", "RunFolder", "SavedRun", "SavingError", "read_manifest", "read_run"]

MANIFEST = "manifest.json"
CONVERSATIONS = "conversations.jsonl"
TIMES = "times.jsonl"

_WORDS = {
    "program": "program",
    "fingerprint": "program's rows or settings",
    "models": "models",
    "user": "user",
    "personas": "personas",
    "seed": "seed",
    "n": "number of conversations",
    "repeat": "number of repetitions",
    "max_turns": "number of turns",
    "success": "success expression",
    "prices": "prices",
    "options": "options",
}
"""How a term of the manifest is called in a sentence."""


class FolderError(AutographError):
    """A folder that cannot be used for this run."""


class SavingError(AutographError):
    """A run that cannot be written down any more, as where the disk is full."""


@dataclass(frozen=True, slots=True)
class SavedRun:
    """What a folder holds: ``conversations`` and ``measured`` are sorted by index."""

    manifest: Manifest
    conversations: tuple[Conversation, ...]
    measured: tuple[Measured, ...]


def read_run(folder: str | os.PathLike[str]) -> SavedRun:
    """The run in a folder, finished or not. Raises ``FolderError`` with file and line."""
    path = Path(folder)
    manifest = read_manifest(path)
    conversations = [
        _parsed(Conversation, data, path / CONVERSATIONS, line) for line, data in _lines(path / CONVERSATIONS)
    ]
    measured = [_parsed(Measured, data, path / TIMES, line) for line, data in _lines(path / TIMES)]
    return SavedRun(manifest, _sorted(conversations), _sorted(measured))


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder. Raises ``FolderError``."""
    path = folder / MANIFEST
    try:
        return Manifest.from_dict(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise FolderError(f"{folder} holds no simulation: there is no {MANIFEST}. Name the folder of a run.") from None
    except (OSError, ValueError, RecordError) as error:
        raise FolderError(f"{path} cannot be read: {str(error).rstrip('.')}.") from None


def _lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a file with their line numbers; a last line that was cut off is left out."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror or error}.") from None
    whole, _, _ = text.rpartition(b"\n")
    found = []
    for number, line in enumerate(whole.split(b"\n") if whole else (), 1):
        try:
            found.append((number, json.loads(line)))
        except ValueError as error:
            raise FolderError(
                f"{path}, line {number}: this is no JSON ({error}). Take the line out and resume."
            ) from None
    return found


def _parsed(form: Any, data: Any, path: Path, line: int) -> Any:
    try:
        return form.from_dict(data)
    except (RecordError, KeyError, TypeError) as error:
        raise FolderError(f"{path}, line {line}: {error}") from None


def _sorted(items: Sequence[Any]) -> tuple[Any, ...]:
    """One item for each index, the first that was written, by index."""
    first: dict[int, Any] = {}
    for item in items:
        first.setdefault(item.index, item)
    return tuple(first[index] for index in sorted(first))


class RunFolder:
    """A folder that a run writes into, locked against any other run while the block runs.

    ``manifest`` is that of the run. A new folder gets it; one that holds a run is gone on with if ``resume`` is set
    and the terms are the same: ``done`` holds what it has. Raises ``FolderError``, and ``SavingError`` where it
    could be used but not be written.
    """

    def __init__(self, path: str | os.PathLike[str], manifest: Manifest, *, resume: bool = False) -> None:
        self.path = Path(path)
        self.manifest = manifest
        self._resume = resume
        self._lock: FolderLock | None = None
        self._files: list[int] = []
        self.done: tuple[Conversation, ...] = ()

    def __enter__(self) -> RunFolder:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.path / ".lock").__enter__()
        except LockedError:
            raise FolderError(
                f"another simulation writes into {self.path} now. Wait for it, or name another folder."
            ) from None
        except OSError as error:
            raise FolderError(f"{self.path} cannot be written: {error.strerror or error}.") from None
        try:
            self._open()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def keep(self, conversation: Conversation, measured: Measured) -> None:
        """Write a conversation down. When this returns, a killed process does not lose it. Raises ``SavingError``."""
        for handle, data in zip(self._files, (conversation.to_dict(), measured.to_dict()), strict=True):
            _write(handle, data, self.path)

    # ------------------------------------------------------------------

    def _open(self) -> None:
        if (self.path / MANIFEST).exists():
            if not self._resume:
                raise FolderError(
                    f"{self.path} holds a simulation already. Go on with it by --resume, or name another folder."
                )
            saved = read_run(self.path)
            differing = _differing(saved.manifest, self.manifest)
            if differing:
                raise FolderError(f"{self.path} cannot be resumed: {differing}. Begin a new run with --out.")
            self.manifest, self.done = saved.manifest, saved.conversations
        elif self._resume:
            read_manifest(self.path)  # says what is missing
        else:
            self._write_manifest()
        self._files = [_appending(self.path / name) for name in (CONVERSATIONS, TIMES)]

    def _write_manifest(self) -> None:
        draft = self.path / f"{MANIFEST}.new"
        text = json.dumps(self.manifest.to_dict(), ensure_ascii=False, indent=2) + "\n"
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
            draft.replace(self.path / MANIFEST)
        except OSError as error:
            raise SavingError(f"{self.path} cannot be written: {error.strerror or error}.") from None

    def _close(self) -> None:
        for handle in self._files:
            os.close(handle)
        self._files = []
        if self._lock is not None:
            self._lock.__exit__(None, None, None)
            self._lock = None


def _appending(path: Path) -> int:
    """A handle that writes at the end of the file's last whole line."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o644)
    whole = path.read_bytes().rfind(b"\n") + 1
    os.ftruncate(handle, whole)
    os.lseek(handle, whole, os.SEEK_SET)
    return handle


def _write(handle: int, data: dict[str, Any], folder: Path) -> None:
    line = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
    rest = memoryview(line.encode("utf-8", "surrogatepass"))
    try:
        while rest:
            rest = rest[os.write(handle, rest) :]
    except OSError as error:
        raise SavingError(
            f"{folder} cannot be written: {error.strerror or error}. Make room and --resume it."
        ) from None


def _differing(saved: Manifest, wanted: Manifest) -> str:
    """What is not the same any more, as a sentence; "" if nothing differs."""
    before, now = saved.terms, wanted.terms
    parts = []
    for name, value in before.items():
        if value != now[name]:
            short = name in ("fingerprint", "personas") or isinstance(value, dict)
            shown = "" if short else f" ({value} then, {now[name]} now)"
            parts.append(f"the {_WORDS.get(name, name)}{shown}")
    if not parts:
        return ""
    verb = "is" if len(parts) == 1 and not parts[0].endswith("s") else "are"
    return f"{' and '.join(parts)} {verb} not what the run began with"
