"""Which ways were taken? Counts of nodes, edges, transitions, answers and conditions, read from the events of turns.

The log of a turn says what was entered, asked, called and returned. Walking along it with the program at hand tells
everything else exactly, so that a step leaves nothing behind for the sake of counting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from autograph.errors import StorageError

if TYPE_CHECKING:
    from autograph.interpreter.events import Event
    from autograph.memory import MemoryObject
    from autograph.program import Program

__all__ = ["QUIT", "RETURN", "Traffic", "merged"]

QUIT = "quit"
"""The target of a transition with which the conversation ended."""

RETURN = "return"
"""The target of a transition with which a function returned."""

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Traffic:
    """How often each way was taken. Counts that are not there are 0.

    ``nodes``: entries; ``starts`` those of them to which no edge led (the start of a conversation, ``set_state``, the
    function that ``apply_fn`` calls). ``edges``: from node to node; a call leads from the calling node to the function,
    its return from the returning node back to the caller. So the edges to a node and its starts make its entries.
    ``transitions``: ``(node, index, target)``, the index of the listed transition from 0, the target the node that was
    entered (a group's variant, a variable's node), or ``return`` or ``quit``. ``answers``: ``(node, index)`` of the
    transition that the answer stands for, None for an unclear one. ``interjections``: ``(node that was left, node of
    the interjection)``. ``conditions``: ``(variant, whether its condition held)``.
    """

    nodes: Mapping[str, int] = field(default_factory=dict)
    starts: Mapping[str, int] = field(default_factory=dict)
    edges: Mapping[tuple[str, str], int] = field(default_factory=dict)
    transitions: Mapping[tuple[str, int, str], int] = field(default_factory=dict)
    answers: Mapping[tuple[str, int | None], int] = field(default_factory=dict)
    interjections: Mapping[tuple[str, str], int] = field(default_factory=dict)
    conditions: Mapping[tuple[str, bool], int] = field(default_factory=dict)

    @classmethod
    def of_turn(cls, program: Program, before: MemoryObject | None, after: MemoryObject) -> Traffic:
        """The traffic of the newest turn or call of ``after``, which began with ``before`` (None: with a fresh memory).

        A memory that was read from JSON knows no events, and gives no traffic.
        """
        last = after.last_turn
        return cls.of_events(program, before, last.events if last else (), finished=after.finished)

    @classmethod
    def of_events(
        cls, program: Program, before: MemoryObject | None, events: Iterable[Event], *, finished: bool = False
    ) -> Traffic:
        """The traffic of the events of one turn or call, also of one that failed and left no memory.

        ``finished``: the conversation ended with them.
        """
        from autograph.interpreter.walked import Walk

        walk = Walk(program, before)
        for event in events:
            walk.go(event)
        return walk.end(finished)

    def __add__(self, other: Traffic) -> Traffic:
        return merged((self, other)) if isinstance(other, Traffic) else NotImplemented

    def __bool__(self) -> bool:
        """Whether there was any."""
        return bool(self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """JSON data, sorted by name: ``nodes`` and ``starts`` as objects, the rest as lists ``[…key, count]``.

        ``nodes`` and ``edges`` alone are what ``autograph graph --coverage`` reads.
        """
        data: dict[str, Any] = {}
        for name in _FIELDS:
            counts = getattr(self, name)
            keys = sorted(counts, key=_order)
            data[name] = {k: counts[k] for k in keys} if name in _BY_NAME else [[*k, counts[k]] for k in keys]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Traffic:
        """The traffic that ``to_dict`` described; what is left out is nothing. Raises ``StorageError``."""
        if not isinstance(data, Mapping):
            raise StorageError(f"these are no counts of ways: a mapping is expected, not {type(data).__name__}")
        found: dict[str, dict[Any, int]] = {}
        for name, types in _FIELDS.items():
            given = data.get(name, {} if name in _BY_NAME else [])
            try:
                items = [(key, n) for key, n in given.items()] if name in _BY_NAME else [(k, n) for *k, n in given]
                found[name] = {_key(key, types): _count(count) for key, count in items}
            except (TypeError, ValueError, AttributeError) as error:
                raise StorageError(f'these are no counts of ways: "{name}" cannot be read: {error}') from None
        return cls(**{name: MappingProxyType(counts) for name, counts in found.items()})


def merged(traffics: Iterable[Traffic]) -> Traffic:
    """The sum of any number of traffics; each is looked at once."""
    total = Tally()
    for traffic in traffics:
        total.add(traffic)
    return total.frozen()


@dataclass(slots=True)
class Tally:
    """Counts in the making; ``frozen`` hands them out."""

    nodes: dict[str, int] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    edges: dict[tuple[str, str], int] = field(default_factory=dict)
    transitions: dict[tuple[str, int, str], int] = field(default_factory=dict)
    answers: dict[tuple[str, int | None], int] = field(default_factory=dict)
    interjections: dict[tuple[str, str], int] = field(default_factory=dict)
    conditions: dict[tuple[str, bool], int] = field(default_factory=dict)

    def add(self, traffic: Traffic) -> None:
        """Count a whole traffic, too."""
        for name in _FIELDS:
            for key, count in getattr(traffic, name).items():
                up(getattr(self, name), key, count)

    def frozen(self) -> Traffic:
        """The counts, as they are now."""
        return Traffic(**{f.name: MappingProxyType(dict(getattr(self, f.name))) for f in fields(self)})


def up(counts: dict[_Key, int], key: _Key, by: int = 1) -> None:
    """Count one more."""
    counts[key] = counts.get(key, 0) + by


# ---------------------------------------------------------------------- JSON

_FIELDS: Mapping[str, tuple[tuple[type, ...], ...]] = MappingProxyType(
    {
        "nodes": ((str,),),
        "starts": ((str,),),
        "edges": ((str,), (str,)),
        "transitions": ((str,), (int,), (str,)),
        "answers": ((str,), (int, type(None))),
        "interjections": ((str,), (str,)),
        "conditions": ((str,), (bool,)),
    }
)
"""The fields of ``Traffic``, and what the parts of their keys are."""

_BY_NAME = ("nodes", "starts")


def _order(key: Any) -> tuple[Any, ...]:
    """Names by text; None before all numbers."""
    return (key,) if isinstance(key, str) else tuple(-1 if part is None else part for part in key)


def _key(key: Any, types: tuple[tuple[type, ...], ...]) -> Any:
    parts = (key,) if len(types) == 1 else tuple(key)
    if len(parts) != len(types) or any(type(p) not in kinds for p, kinds in zip(parts, types, strict=True)):
        raise ValueError(f"{key!r} does not say what was counted")
    return parts[0] if len(types) == 1 else parts


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value
