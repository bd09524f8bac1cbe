"""The whole of a conversation: ``MemoryObject``.

A memory that was handed out is never changed. The interpreter forks it, works on the fork, and
hands the fork out when the turn is whole. Forking costs the same however long the conversation is:
turns and trajectory are shared chains, levels are copied when they come to the top, and values are
copied (all levels with one memo, so that sharing stays) before the first statement that may change
one in place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import StorageError
from autograph.memory.level import UNSET, Level
from autograph.memory.trajectory import ENTERED, Block, Visits, entered_in, names_of
from autograph.memory.turns import Turn, oldest_first
from autograph.values import SCALARS, deep_copy

__all__ = ["LastTurn", "MemoryObject"]


@dataclass(frozen=True, slots=True)
class LastTurn:
    """What happened in the newest turn. No part of the stored state, nor of equality.

    ``trace`` are the events (``autograph.interpreter.events``); ``usage`` the tokens used, or None.
    """

    user_reply: str | None
    agent_reply: str
    node: str | None
    events: Any = field(default=(), repr=False)
    usage: Any = None

    @property
    def trace(self) -> list[Any]:
        """The events of the turn, oldest first."""
        return list(self.events)


class MemoryObject:
    """The state of one conversation: plain data with a versioned JSON form.

    Public: ``stack``, ``variables``, ``trajectory``, ``finished``, ``last_turn``, ``visits``,
    ``to_dict``/``from_dict``, ``to_json``/``from_json``, and from AutoGRAMS ``is_call``,
    ``is_return``, ``manage_call``, ``manage_return``, ``get_variable_dict``.
    """

    __slots__ = (
        "_block",
        "_builtins",
        "_counted",
        "_earlier",
        "_fuel",
        "_last",
        "_log",
        "_shared",
        "_unshared",
        "_visits",
        "finished",
        "last_user_reply",
        "pending",
        "returned",
        "revisits",
        "seed",
        "stack",
        "texts",
    )

    def __init__(self) -> None:
        self.stack: list[Level] = []
        self.finished = False
        self.last_user_reply: str | None = None
        self.pending: str | None = None
        self.texts = 0
        self.revisits: dict[str, dict[str, int]] = {}
        self.returned: Any = UNSET
        self.seed: int | None = None
        self._last: tuple[Any, ...] | None = None
        self._block: Block | None = None
        self._visits: Visits = Visits({}, None)
        self._earlier: Mapping[str, int] = {}
        self._log: list[tuple[Any, ...]] = []
        self._counted = -1
        self._shared = 0
        self._unshared = False
        self._builtins: Mapping[str, Any] = {}
        self._fuel: Any = None

    # ------------------------------------------------------------------ reading

    @property
    def top(self) -> Level:
        """The level at work."""
        return self.stack[-1]

    @property
    def variables(self) -> dict[str, Any]:
        """A copy of the visible variables; inner values win."""
        copied: dict[str, Any] = deep_copy(dict(self.stack[-1].visible_items()), {}) if self.stack else {}
        return copied

    def get_variable_dict(self) -> dict[str, Any]:
        """The visible variables (the name in AutoGRAMS)."""
        return self.variables

    @property
    def trajectory(self) -> list[str]:
        """The names of all nodes entered, in order."""
        return [*names_of(self._block), *(entry[1] for entry in self._log if entry[0] is ENTERED)]

    @property
    def entered(self) -> int:
        """How many nodes were entered in all."""
        return (self._block.total if self._block else 0) + sum(1 for entry in self._log if entry[0] is ENTERED)

    @property
    def current(self) -> str | None:
        """The node at which the conversation stands."""
        return self.stack[-1].last_state if self.stack else None

    @property
    def previous_node(self) -> str | None:
        """The node entered before the present one (``_last_state``)."""
        seen = 0
        for entry in reversed(self._log):
            if entry[0] is ENTERED:
                seen += 1
                if seen == 2:
                    return str(entry[1])
        block = self._block
        while block is not None:
            for name in reversed(block.names):
                seen += 1
                if seen == 2:
                    return name
            block = block.previous
        return None

    @property
    def last_turn(self) -> LastTurn | None:
        """What happened in the newest turn; None in a memory that was read from JSON."""
        return None if self._last is None else LastTurn(*self._last)

    def visits(self, node: str) -> int:
        """How often ``node`` was entered, the present entry included."""
        self._count()
        return self._visits(node)

    def _count(self) -> None:
        """Bring the counts up to date. (``_counted`` is -1 until they are first asked for in a turn.)"""
        if self._counted < 0:
            visits = self._visits.fork()
            visits.add(names_of(self._block, visits.block))
            visits.block = self._block
            self._visits = visits
            self._counted = 0
        if self._counted < len(self._log):
            self._visits.add(entered_in(self._log[self._counted :]))
            self._counted = len(self._log)

    # ------------------------------------------------------------------ the stack

    def is_call(self) -> bool:
        """Whether the level at work was entered by a call, and is not the base."""
        return len(self.stack) > 1

    def is_return(self) -> bool:
        """Whether a call has just returned its value to the node that is entered now."""
        return self.returned is not UNSET

    def manage_call(self, variable_dict: Mapping[str, Any], function_type: str, prompts: tuple[str, str]) -> Level:
        """Push the level of a call. ``prompts`` are the prompts of a fresh level, used by local calls."""
        caller = self.stack[-1]
        if function_type == "local":
            scope = {"__builtins__": self._builtins, "@fuel": self._fuel}
            level = Level("local", scope, None, *prompts)
        else:
            scope = caller.scope.copy()
            level = Level(function_type, scope, set(variable_dict), caller.prompt, caller.user_prompt, caller.turn)
        scope.update(variable_dict)
        level.text_at_call = self.pending
        level.texts_at_call = self.texts
        self.stack.append(level)
        return level

    def manage_return(self, value: Any) -> Level:
        """Pop the level of a call, settle variables, turns, prompts and the pending text; the caller."""
        level = self.stack.pop()
        caller = self.own_top()
        if level.function_scope == "global":
            for name, kept in level.own_items():
                caller.assign(name, kept)
            caller.turn = level.turn
            caller.prompt, caller.user_prompt = level.prompt, level.user_prompt
        elif self.texts == level.texts_at_call:
            self.pending = level.text_at_call
        self.returned = value
        return caller

    def own_top(self) -> Level:
        """The top level, copied first if an older memory still shares it."""
        index = len(self.stack) - 1
        if index < self._shared:
            self.stack[index] = self.stack[index].fork(self._builtins, self._fuel)
            self._shared = index
        return self.stack[index]

    # ------------------------------------------------------------------ turns

    def fork(self, builtins: Mapping[str, Any], log: list[tuple[Any, ...]], fuel: Any = None) -> MemoryObject:
        """A memory to work on; ``log`` collects its events. This one stays as it is.

        ``builtins`` are those of the program that goes on (``Sandbox.builtins``), ``fuel`` is what the statements of
        the turn may use up (``begin_turn``); both are put into the scopes, and ``seal`` takes the fuel out again.
        """
        new: MemoryObject = MemoryObject.__new__(MemoryObject)
        new.stack = stack = self.stack.copy()
        new.finished = self.finished
        new.last_user_reply = self.last_user_reply
        new.pending = self.pending
        new.texts = self.texts
        new.revisits = self.revisits
        new.seed = self.seed
        new.returned = UNSET
        new._last = None
        new._block = self._block
        new._visits = self._visits
        new._earlier = self._earlier
        new._log = log
        new._counted = -1
        new._builtins = builtins
        new._fuel = fuel
        if stack:
            new._unshared = False
            new._shared = len(stack) - 1
            stack[-1] = stack[-1].fork(builtins, fuel)
        else:
            new._unshared = True  # a fresh conversation shares nothing
            new._shared = 0
        return new

    def branch(self, builtins: Mapping[str, Any], log: list[tuple[Any, ...]], fuel: Any) -> MemoryObject:
        """A fork in the midst of a turn, to try something out; ``log`` has what has happened in the turn so far."""
        new = self.fork(builtins, log, fuel)
        new.returned = self.returned
        if self._counted >= 0:
            new._visits, new._counted = self._visits.fork(), self._counted
        return new

    def begin(self, level: Level) -> None:
        """Put the base level under a fresh memory."""
        level.scope["__builtins__"] = self._builtins
        level.scope["@fuel"] = self._fuel
        self.stack.append(level)

    def rename(self, renamed: Mapping[str, str]) -> None:
        """Read earlier names of nodes as present ones, wherever this memory holds one."""
        self._count()
        counts = self._visits.counts()
        if renamed.keys().isdisjoint(counts) and all(level.last_state not in renamed for level in self.stack):
            return
        names = [renamed.get(name, name) for name in names_of(self._block)]
        self.set_counts(names, _renamed_counts(self._earlier, renamed))
        self.revisits = {
            renamed.get(name, name): _renamed_counts(marks, renamed) for name, marks in self.revisits.items()
        }
        self._own_all()
        turns: dict[int, Turn] = {}
        for level in self.stack:
            for turn in oldest_first(level.turn):
                if id(turn) not in turns:
                    turns[id(turn)] = turn.renamed(renamed.get(turn.node, turn.node), turns.get(id(turn.previous)))
            level.turn, level.base = turns.get(id(level.turn)), turns.get(id(level.base))
            level.last_state = renamed.get(level.last_state or "", level.last_state)
            level.interruptions = tuple(renamed.get(name, name) for name in level.interruptions)

    def _own_all(self) -> None:
        """Copy the levels that an older memory still shares."""
        for index in range(min(self._shared, len(self.stack))):
            self.stack[index] = self.stack[index].fork(self._builtins, self._fuel)
        self._shared = 0

    def unshare(self) -> None:
        """Copy all values, so that a statement may change them in place without changing an older memory."""
        if self._unshared:
            return
        self._unshared = True
        self._own_all()
        memo: dict[int, Any] = {id(UNSET): UNSET}
        for level in self.stack:
            scope = level.scope
            for name, value in scope.items():
                if type(value) not in SCALARS and name[0] not in "_@":
                    scope[name] = deep_copy(value, memo)
            level.output = deep_copy(level.output, memo)
            level.values = tuple(deep_copy(value, memo) for value in level.values)

    def receive(self, text: str) -> None:
        """Take a user text in: it is the newest one, and pending until a node consumes it."""
        self.last_user_reply = self.pending = text
        self.texts += 1

    def seal(self, *last: Any) -> None:
        """End the turn: fold the log into the trajectory. ``last`` are the fields of ``LastTurn``."""
        for level in self.stack[self._shared :] if self._shared else self.stack:
            level.scope.pop("@fuel", None)
        self._fuel = None
        if self._counted >= 0:
            self._count()
        names = entered_in(self._log)
        if names:
            block = self._block
            self._block = Block(tuple(names), block, len(names) if block is None else block.total + len(names))
        if self._counted >= 0:
            self._visits.block = self._block
        self._counted = -1
        self._log = []
        self._last = last

    def restart_trajectory(self) -> None:
        """Begin a new trajectory; the visits so far still count (``apply_fn``)."""
        self._count()
        self._earlier = self._visits.counts()
        self._block = None
        self._visits = Visits(self._earlier, None)
        self._counted = -1

    # ------------------------------------------------------------------ JSON

    def to_dict(self) -> dict[str, Any]:
        """The state as plain, versioned JSON data."""
        from autograph.memory.stored import to_dict

        return to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> MemoryObject:
        """The memory that ``to_dict`` described. Raises ``StorageError``."""
        from autograph.memory.stored import from_dict

        return from_dict(data)

    def to_json(self) -> str:
        """The state as JSON text."""
        data = self.to_dict()
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        try:
            text.encode()
        except UnicodeEncodeError:  # half a character of a user or model: only its escape goes into a file
            return json.dumps(data, allow_nan=False)
        return text

    @classmethod
    def from_json(cls, text: str | bytes) -> MemoryObject:
        """The memory that ``to_json`` described. Raises ``StorageError``."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StorageError(f"this is no stored conversation: {error}") from None
        return cls.from_dict(data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemoryObject) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        state = "finished" if self.finished else f"at {self.current!r}"
        return f"<MemoryObject {state}, {len(self.stack)} levels, {self.entered} nodes entered>"

    def set_counts(self, names: Iterable[str], earlier: Mapping[str, int]) -> None:
        """Set trajectory and visit counts (used when a memory is read back)."""
        path = tuple(names)
        self._earlier = dict(earlier)
        self._block = Block(path, None, len(path)) if path else None
        self._visits = Visits(self._earlier, self._block)
        self._visits.add(path)
        self._counted = -1

    def go_on(self, earlier: MemoryObject, names: Iterable[str]) -> None:
        """Let the trajectory go on from that of an earlier memory (used when what was added is read)."""
        path, block = tuple(names), earlier._block
        if path:
            block = Block(path, block, len(path) if block is None else block.total + len(path))
        self._block = block
        self._earlier = earlier._earlier
        self._visits = earlier._visits
        self._counted = -1

    def __copy__(self) -> MemoryObject:
        return self  # nobody changes a memory that was handed out

    def __deepcopy__(self, memo: Any) -> MemoryObject:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return MemoryObject.from_json, (self.to_json(),)


def _renamed_counts(counts: Mapping[str, int], renamed: Mapping[str, str]) -> dict[str, int]:
    result: dict[str, int] = {}
    for name, count in counts.items():
        present = renamed.get(name, name)
        result[present] = result.get(present, 0) + count
    return result
