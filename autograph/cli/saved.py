"""How is a conversation written to a file and read back? Memory JSON in an envelope; plain memory JSON is read too."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from autograph.errors import StorageError
from autograph.memory import MemoryObject

__all__ = ["Saved", "read_conversation", "write_conversation"]

_MARK = "conversation"


@dataclass(frozen=True, slots=True)
class Saved:
    """A conversation from a file. ``program`` is where its program was read from, ``""`` if unknown.

    ``story`` tells it turn by turn (``telling``), if the file does.
    """

    memory: MemoryObject
    program: str = ""
    story: Mapping[str, Any] | None = None


def write_conversation(
    path: str | Path, memory: MemoryObject, program: str, story: Mapping[str, Any] | None = None
) -> None:
    """Write a conversation so that the file is always whole: the old one stays until the new one is complete.

    ``story`` tells it turn by turn, for tests that are cut out of it. Raises ``StorageError``.
    """
    target = Path(path).expanduser()
    data = {"autograph": _MARK, "version": 1, "program": program, **(story or {}), "memory": memory.to_dict()}
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    try:
        _replace(target, text)
    except OSError as error:
        raise StorageError(f"the conversation cannot be written to {target}: {error.strerror or error}") from error


def _replace(target: Path, text: str) -> None:
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", suffix=".part", delete=False) as file:
        part = Path(file.name)
        try:
            file.write(text.encode("utf-8", "backslashreplace"))  # half a character becomes an escape of JSON
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            file.close()
            part.unlink(missing_ok=True)
            raise
    try:
        part.replace(target)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def read_conversation(path: str | Path) -> Saved:
    """The conversation in a file. Raises ``StorageError`` with the file's name and what is wrong."""
    source = Path(path).expanduser()
    try:
        data = json.loads(source.read_text("utf-8-sig"))
    except OSError as error:
        raise StorageError(f"{source} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{source} holds no stored conversation: it is no JSON ({error})") from error
    if not isinstance(data, dict) or data.get("autograph") not in (_MARK, "memory"):
        raise StorageError(f"{source} holds no stored conversation. Write one with /save FILE.")
    program, story = "", None
    if data["autograph"] == _MARK:
        if data.get("version") != 1:
            raise StorageError(f"{source} was written by a newer autograph (version {data.get('version')!r}). Update.")
        story = {name: data[name] for name in ("variables", "config", "turns") if name in data}
        program, data = str(data.get("program") or ""), data.get("memory")
    try:
        return Saved(MemoryObject.from_dict(data), program, story if story and "turns" in story else None)
    except StorageError as error:
        raise StorageError(f"{source}: {error.message}") from error
