"""How is a memory written as JSON data, and read back?

    {"autograph": "memory", "version": 1, "finished": false, "last_user_reply": "hi", "pending": null, "texts": 1,
     "trajectory": ["start1"], "stack": [{"function_scope": "local", "last_state": "start1", "variables": {},
     "prompt": "…", "user_prompt": "…", "turns": [{"node": "start1", "user": null, "agent": "Hello"}]}]}

The values of all levels are encoded together (``codec``), so that what is shared stays shared.

A memory can also be written as what has been added since an earlier one of its conversation: then ``follows`` is true,
``trajectory`` has the new names only, and a level whose turns go on from those of a level of the earlier memory says
which, in ``after``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.errors import StorageError
from autograph.memory.codec import decode_values, encode_values
from autograph.memory.level import UNSET, Level
from autograph.memory.memory import MemoryObject
from autograph.memory.trajectory import Block, names_of
from autograph.memory.turns import Turn, add_turn, default_shown

__all__ = ["VERSION", "from_dict", "to_dict"]

VERSION = 1


def to_dict(memory: MemoryObject, since: MemoryObject | None = None) -> dict[str, Any]:
    """``memory`` as plain JSON data; with ``since``, an earlier memory, what turns have added to that one."""
    known = {id(level.turn): i for i, level in enumerate(since.stack) if level.turn is not None} if since else {}
    follows = since is not None and _follows(memory._block, since._block)
    encoded = iter(encode_values([value for level in memory.stack for _, value in _roots(level)]))
    data: dict[str, Any] = {
        "autograph": "memory",
        "version": VERSION,
        "finished": memory.finished,
        "last_user_reply": memory.last_user_reply,
        "pending": memory.pending,
        "texts": memory.texts,
        "trajectory": names_of(memory._block, since._block if follows and since else None),
        "stack": [
            _level_to_dict(level, {name: next(encoded) for name, _ in _roots(level)}, known) for level in memory.stack
        ],
    }
    if follows:
        data["follows"] = True
    elif memory._earlier:
        data["earlier_visits"] = dict(sorted(memory._earlier.items()))
    if memory.seed is not None:
        data["seed"] = memory.seed
    if memory.revisits:
        data["revisits"] = {name: dict(sorted(marks.items())) for name, marks in sorted(memory.revisits.items())}
    return data


def _follows(block: Block | None, earlier: Block | None) -> bool:
    """Whether the trajectory that ends in ``block`` goes on from ``earlier``."""
    while block is not None and block is not earlier:
        block = block.previous
    return block is not None


def _roots(level: Level) -> list[tuple[str, Any]]:
    """The values of a level in a fixed order; names that no program can spell stand for the rest."""
    roots = sorted(level.own_items())
    if level.output is not UNSET:
        roots.append(("@output", level.output))
    roots.extend((f"@value{index}", value) for index, value in enumerate(level.values))
    return roots


def _level_to_dict(level: Level, values: Mapping[str, Any], known: Mapping[int, int]) -> dict[str, Any]:
    turns: list[Turn] = []
    turn = level.turn
    while turn is not None and turn is not level.base and id(turn) not in known:
        turns.append(turn)
        turn = turn.previous
    data: dict[str, Any] = {
        "function_scope": level.function_scope,
        "last_state": level.last_state,
        "variables": {name: value for name, value in values.items() if name[0] != "@"},
        "prompt": level.prompt,
        "user_prompt": level.user_prompt,
        "turns": [turn.to_dict() for turn in reversed(turns)],
    }
    if turn is not None and turn is not level.base:
        data["after"] = known[id(turn)]
    if "@output" in values:
        data["output"] = values["@output"]
    if level.calls_done:
        data["calls_done"] = level.calls_done
        data["values"] = [values[f"@value{index}"] for index in range(len(level.values))]
    if level.interruptions:
        data["interruptions"] = list(level.interruptions)
    if level.text_at_call is not None:
        data["text_at_call"] = level.text_at_call
    if level.texts_at_call:
        data["texts_at_call"] = level.texts_at_call
    return data


def from_dict(data: Any, since: MemoryObject | None = None) -> MemoryObject:
    """The memory that ``data`` describes, with the ``since`` with which it was written.

    Raises ``StorageError`` naming what is wrong.
    """
    if not isinstance(data, Mapping) or data.get("autograph") != "memory":
        raise StorageError('this is no stored conversation: "autograph": "memory" is missing')
    if data.get("version") != VERSION:
        raise StorageError(
            f"this conversation was stored in version {data.get('version')!r} of the format; "
            f"this autograph reads version {VERSION}. Update autograph."
        )
    memory = MemoryObject()
    reader = _Reader(data, "")
    memory.finished = reader.take("finished", bool)
    memory.last_user_reply = reader.take("last_user_reply", str, optional=True)
    memory.pending = reader.take("pending", str, optional=True)
    memory.texts = reader.take("texts", int)
    memory.seed = reader.take("seed", int, default=None, optional=True)
    names = reader.names("trajectory")
    if reader.take("follows", bool, default=False):
        if since is None:
            raise StorageError("this is what was added to a conversation, without the conversation itself")
        memory.go_on(since, names)
    else:
        memory.set_counts(names, reader.counts("earlier_visits"))
    revisits = reader.take("revisits", dict, default={})
    memory.revisits = {name: _Reader(revisits, "revisits").counts(name) for name in revisits}
    levels = [_Reader(item, f"stack[{i}]") for i, item in enumerate(reader.take("stack", list))]
    memory.stack = _read_levels(levels, since.stack if since else [])
    return memory


def _read_levels(readers: list[_Reader], earlier: list[Level]) -> list[Level]:
    raw = [_raw_values(reader) for reader in readers]
    decoded = iter(decode_values([value for items in raw for _, value in items]))
    stack: list[Level] = []
    for reader, items in zip(readers, raw, strict=True):
        values = {name: next(decoded) for name, _ in items}
        stack.append(_read_level(reader, values, stack[-1] if stack else None, earlier))
    return stack


def _raw_values(reader: _Reader) -> list[tuple[str, Any]]:
    variables = reader.take("variables", dict)
    for name in variables:
        if not name.isidentifier() or name[0] == "_":
            raise StorageError(f"{reader.path}: {name!r} is no name of a variable")
    items = sorted(variables.items())
    if "output" in reader.data:
        items.append(("@output", reader.data["output"]))
    items.extend((f"@value{i}", value) for i, value in enumerate(reader.take("values", list, default=[])))
    return items


def _read_level(reader: _Reader, values: dict[str, Any], caller: Level | None, earlier: list[Level]) -> Level:
    kind = reader.take("function_scope", str)
    if kind not in ("local", "normal", "global"):
        raise StorageError(f"{reader.path}: function_scope is {kind!r}; it must be local, normal or global")
    own = {name: value for name, value in values.items() if name[0] != "@"}
    inherits = kind != "local" and caller is not None
    scope = {**(dict(caller.visible_items()) if inherits and caller else {}), **own}
    level = Level(
        kind, scope, set(own) if inherits else None, reader.take("prompt", str), reader.take("user_prompt", str),
        caller.turn if inherits and caller else None,
    )  # fmt: skip
    level.last_state = reader.take("last_state", str, optional=True)
    after = reader.take("after", int, default=None, optional=True)
    if after is not None:
        if not 0 <= after < len(earlier):
            raise StorageError(f"{reader.path}.after names a level that the earlier memory does not have")
        level.turn = earlier[after].turn
    for index, item in enumerate(reader.take("turns", list)):
        _read_turn(level, _Reader(item, f"{reader.path}.turns[{index}]"))
    level.output = values.get("@output", UNSET)
    level.calls_done = reader.take("calls_done", int, default=0)
    level.values = tuple(values[f"@value{i}"] for i in range(len(reader.take("values", list, default=[]))))
    if len(level.values) != level.calls_done:
        raise StorageError(f"{reader.path}: there are {len(level.values)} values of {level.calls_done} finished calls")
    level.interruptions = tuple(reader.names("interruptions", default=[]))
    level.text_at_call = reader.take("text_at_call", str, default=None, optional=True)
    level.texts_at_call = reader.take("texts_at_call", int, default=0)
    return level


def _read_turn(level: Level, reader: _Reader) -> None:
    user = reader.take("user", str, optional=True)
    shown = reader.take("shown", list, default=None, optional=True)
    pairs = default_shown(user)
    if shown is not None:
        if not all(isinstance(p, list) and len(p) == 2 and all(isinstance(t, str) for t in p) for p in shown):
            raise StorageError(f"{reader.path}.shown must be a list of pairs of role and text")
        pairs = tuple((role, text) for role, text in shown)
    level.turn = add_turn(
        level.turn,
        reader.take("node", str),
        user,
        reader.take("agent", str),
        pairs,
        reader.take("category", str, default=""),
        reader.take("spoke", bool, default=True),
        by_category=True,
    )


_REQUIRED: Any = object()


class _Reader:
    """Takes typed entries out of stored data, naming the path of what is wrong."""

    def __init__(self, data: Any, path: str) -> None:
        if not isinstance(data, Mapping):
            raise StorageError(f"{path or 'the conversation'} must be a mapping, not {type(data).__name__}")
        self.data: Mapping[str, Any] = data
        self.path = path

    def take(self, key: str, kind: type, *, default: Any = _REQUIRED, optional: bool = False) -> Any:
        where = f"{self.path}.{key}" if self.path else key
        if key not in self.data:
            if default is _REQUIRED:
                raise StorageError(f"{where} is missing in the stored conversation")
            return default
        value = self.data[key]
        if value is None and optional:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise StorageError(f"{where} must be of type {kind.__name__}, not {type(value).__name__}")
        if kind is dict and not all(isinstance(name, str) for name in self.data[key]):
            raise StorageError(f"{where} has a key that is no text")
        return value

    def names(self, key: str, default: Any = _REQUIRED) -> list[str]:
        items = self.take(key, list, default=default)
        if not all(isinstance(item, str) for item in items):
            raise StorageError(f"{key} must be a list of names")
        return list(items)

    def counts(self, key: str) -> dict[str, int]:
        items = self.take(key, dict, default={})
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in items.values()):
            raise StorageError(f"{key} must map names to numbers of visits")
        return dict(items)
