"""What does the file of a conversation say? It is of ``/save``, a memory's JSON, or the lines of ``chat --json``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograph.errors import StorageError
from autograph.memory import MemoryObject
from autograph.testing.told import Told, ToldError, ToldTurn, told_turn, turn_from_dict

__all__ = ["ToldFile", "read_told", "told_of_story"]


@dataclass(frozen=True, slots=True)
class ToldFile:
    """A file of a conversation: what it tells, whether turn by turn or by its ``memory`` alone."""

    told: Told | None
    memory: MemoryObject | None
    program: str = ""


def read_told(path: Path) -> ToldFile:
    """What is in the file. Raises ``StorageError`` that says what is wrong."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise StorageError(f"{path} holds no conversation: it is no UTF-8 text") from error
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ToldFile(_lines(path, text), None)
    if isinstance(data, Mapping) and data.get("autograph") in ("conversation", "memory"):
        return _stored(path, data)
    return ToldFile(_lines(path, text), None)


def _stored(path: Path, data: Mapping[str, Any]) -> ToldFile:
    if data["autograph"] == "memory":
        return ToldFile(None, _memory(path, data))
    if data.get("version") != 1:
        raise StorageError(f"{path} was written by a newer autograph (version {data.get('version')!r}). Update.")
    program, memory = str(data.get("program") or ""), _memory(path, data.get("memory"))
    if not data.get("turns"):
        return ToldFile(None, memory, program)
    try:
        told = told_of_story(data, program, memory)
    except StorageError as error:
        raise StorageError(f"{path}: {error.message}") from error
    return ToldFile(told, memory, program)


def told_of_story(story: Mapping[str, Any], program: str, memory: MemoryObject) -> Told:
    """The conversation that is told by ``turns``, ``variables`` and ``config``. Raises ``StorageError``."""
    try:
        turns = tuple(turn_from_dict(turn) for turn in story["turns"])
        beginning, config = dict(story.get("variables") or {}), dict(story.get("config") or {})
    except (ValueError, TypeError) as error:
        raise StorageError(f"the turns cannot be read: {error}") from error
    return Told(turns, program, memory, (beginning,), config)


def _memory(path: Path, data: Any) -> MemoryObject:
    try:
        return MemoryObject.from_dict(data)
    except StorageError as error:
        raise StorageError(f"{path}: {error.message}") from error


# ---------------------------------------------------------------------- the lines of chat --json


def _lines(path: Path, text: str) -> Told:
    turns: list[ToldTurn] = []
    error: ToldError | None = None
    for number, data in _objects(path, text):
        if "error" in data and isinstance(data["error"], Mapping):
            error = _error(data)
        elif data.keys() >= {"reply", "trace"}:
            turns.append(_turn(path, number, data, first=not turns))
        else:
            raise StorageError(f"{path}, line {number}: {_NO_CONVERSATION}")
    if not turns:
        raise StorageError(f"{path}: {_NO_CONVERSATION}")
    return Told(tuple(turns), error=error, jumps=not all(turn.certain for turn in turns))


_NO_CONVERSATION = (
    "this is no conversation. Give a file of /save, the JSON of a memory, or what autograph chat --json has written."
)


def _objects(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, Mapping):
            raise StorageError(f"{path}, line {number}: {_NO_CONVERSATION}")
        yield number, data


def _turn(path: Path, number: int, data: Mapping[str, Any], *, first: bool) -> ToldTurn:
    try:
        turn = told_turn(None, None, str(data["reply"]), data["trace"])
    except (KeyError, TypeError, AttributeError) as error:
        raise StorageError(f"{path}, line {number}: the trace of the turn cannot be read ({error})") from None
    if "said" in data:
        said = data["said"]
        sent = said is None and not first and bool(turn.path)
        return replace(turn, says=(None if said is None else str(said),), entry=turn.path[0] if sent else None)
    return replace(turn, says=(None,) if first else (), certain=first)


def _error(data: Mapping[str, Any]) -> ToldError:
    error, said = data["error"], data.get("said")
    path = tuple(str(name) for name in error.get("path") or ())
    return ToldError(None if said is None else str(said), str(error.get("kind")), str(error.get("message") or ""), path)
