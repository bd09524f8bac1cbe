"""How does a program's memory travel in a dialogue state? In ``human.attributes["<program>_state"]``, never trusted.

    {"autograph": "state", "version": 1, "program": "clinic", "fingerprint": "…", "node": "welcome", "memory": "{…}"}

``memory`` is the JSON text of the memory, which every database stores as it is; ``node`` only tells people where the
conversation stands. ``signature`` is there where the sender and the reader share a key.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any

from autograph.dialogue.state_values import shown
from autograph.errors import ProgramChanged, StorageError
from autograph.memory import MemoryObject

__all__ = ["MAX_BYTES", "VERSION", "pack_memory", "state_key", "unpack_memory"]

VERSION = 1

MAX_BYTES = 1_000_000
"""How many bytes of memory are read, unless something else is said."""

_MAX_LEVELS = 1_000
_MAX_VALUES = 200_000
"""How many variables the levels may see in all: a level sees those of its callers, so that few bytes can be many."""


def state_key(program: str) -> str:
    """The attribute of the human that holds the state of a program."""
    return f"{program}_state"


def pack_memory(
    memory: MemoryObject, program: str, fingerprint: str, *, key: bytes | None = None, user: str = ""
) -> dict[str, Any]:
    """The memory as the value of the attribute.

    ``fingerprint`` is the program's; ``key`` signs the state for ``user`` (the human's external id), so that nobody
    without the key can make or change one. Raises ``StorageError``.
    """
    try:
        text = memory.to_json()
    except (ValueError, RecursionError) as error:  # a number with more digits than Python writes
        raise StorageError(f"the memory of {program} cannot be written: {error}") from error
    data: dict[str, Any] = {
        "autograph": "state",
        "version": VERSION,
        "program": program,
        "fingerprint": fingerprint,
        "node": memory.current,
        "memory": text,
    }
    if key is not None:
        data["signature"] = _signature(key, program, fingerprint, user, text)
    return data


def _signature(key: bytes, program: str, fingerprint: str, user: str, text: str) -> str:
    signed = json.dumps([VERSION, program, fingerprint, user, text])
    return hmac.new(key, signed.encode("ascii"), sha256).hexdigest()


def unpack_memory(
    data: Any,
    program: str,
    *,
    fingerprint: str | None = None,
    nodes: Collection[str] | None = None,
    key: bytes | None = None,
    user: str = "",
    max_bytes: int = MAX_BYTES,
) -> MemoryObject:
    """The memory in the value of the attribute. Nothing in it is believed.

    ``fingerprint`` and ``nodes`` (the names of the nodes) are those of the present program; None: not compared.
    ``key``: an unsigned state, or one signed for another user, is refused.
    Raises ``ProgramChanged`` if it comes from another version of the program, ``StorageError`` for all else.
    """
    if not isinstance(data, Mapping) or data.get("autograph") != "state":
        raise StorageError('this is no state of a program: "autograph": "state" is missing')
    if data.get("version") != VERSION:
        version = shown(data.get("version"))
        raise StorageError(f"the state has version {version}; this autograph reads version {VERSION}")
    if data.get("program") != program:
        raise StorageError(f'the state belongs to the program {shown(data.get("program"))}, not "{program}"')
    text = _text(data.get("memory"), max_bytes)
    found = data.get("fingerprint")
    if not isinstance(found, str):
        raise StorageError("the state has no fingerprint of its program")
    if key is not None:
        given = data.get("signature")
        right = _signature(key, program, found, user, text)
        if not isinstance(given, str) or not hmac.compare_digest(given.encode("utf-8", "replace"), right.encode()):
            raise StorageError("the state is not signed with our key for this user")
    if fingerprint is not None and found != fingerprint:
        raise ProgramChanged(f'the program "{program}" has changed since the state was written')
    return _memory(text, nodes)


def _text(memory: Any, max_bytes: int) -> str:
    """The memory as text, also where somebody has read it as data."""
    if isinstance(memory, Mapping):
        try:
            memory = json.dumps(memory, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise StorageError(f"the state holds no memory: {error}") from None
    if not isinstance(memory, str):
        raise StorageError(f"the state holds no memory but {type(memory).__name__}")
    size = len(memory.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise StorageError(f"the state holds {size:,} bytes of memory; at most {max_bytes:,} are read")
    return memory


def _memory(text: str, nodes: Collection[str] | None) -> MemoryObject:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StorageError(f"the state holds no memory: {error}") from None
    _refuse_bombs(data)
    memory = MemoryObject.from_dict(data)
    for name in _names(memory) if nodes is not None else ():
        if name not in nodes:  # type: ignore[operator]
            raise StorageError(f'the state stands on the node "{name:.60}", which the program does not have')
    return memory


def _refuse_bombs(data: Any) -> None:
    """Refuse what would unfold to far more than it is. What has the wrong form is for ``from_dict`` to say."""
    levels = data.get("stack") if isinstance(data, Mapping) else None
    if not isinstance(levels, list):
        return
    if len(levels) > _MAX_LEVELS:
        raise StorageError(f"the state has {len(levels):,} levels; at most {_MAX_LEVELS:,} are read")
    visible = total = 0
    for level in levels:
        if isinstance(level, Mapping):
            own = level.get("variables")
            inherited = 0 if level.get("function_scope") == "local" else visible
            visible = inherited + (len(own) if isinstance(own, Mapping) else 0)
            total += visible
    if total > _MAX_VALUES:
        raise StorageError("the levels of the state see more variables than a program needs")


def _names(memory: MemoryObject) -> set[str]:
    """The names of all nodes on which a memory stands or which it has entered."""
    names = set(memory.trajectory)
    for level in memory.stack:
        names.update(turn.node for turn in level.turns)
        names.update(level.interruptions)
        if level.last_state is not None:
            names.add(level.last_state)
    for node, marks in memory.revisits.items():
        names.add(node)
        names.update(marks)
    return names
