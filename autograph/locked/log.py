"""How does the log of a turn cross, from which its events are made?

An entry is its word, its node, and cells: a value, or something that both sides have already since it was a
request or an answer of this turn. Such a thing is named by its number.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from autograph.errors import StorageError
from autograph.interpreter.events import to_event
from autograph.locked.data import Malformed, choice_data, choice_of, question_data, question_of
from autograph.memory.codec import decode_values, encode_values
from autograph.models.base import Choice, GenerateRequest, Question, Reply

__all__ = ["Known", "log_data", "log_of"]

_KINDS: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int": (int,),
    "GenerateRequest": (GenerateRequest,),
    "Reply": (Reply,),
    "Question": (Question,),
    "Choice": (Choice,),
}
"""What an event's field may hold, by its annotation; a field with another one takes any value."""


class Known:
    """The requests and answers of a turn, in the order in which they were made; both sides keep the same list."""

    __slots__ = ("_numbers", "_things")

    def __init__(self) -> None:
        self._things: list[Any] = []
        self._numbers: dict[int, int] = {}

    def add(self, *things: Any) -> None:
        """Note requests or answers."""
        for thing in things:
            self._numbers[id(thing)] = len(self._things)
            self._things.append(thing)

    def number(self, thing: Any) -> int | None:
        """The number of a thing that is known."""
        return self._numbers.get(id(thing))

    def thing(self, number: Any) -> Any:
        """The thing of this number. Raises ``Malformed``."""
        if type(number) is not int or not 0 <= number < len(self._things):
            raise Malformed("a number names nothing that is known")
        return self._things[number]


def log_data(entries: Sequence[tuple[Any, ...]], known: Known) -> dict[str, Any]:
    """Entries of the log as JSON data; their values are encoded together, so that what they share stays shared."""
    values: list[Any] = []
    coded = [[entry[0], entry[1], *(_cell(item, known, values) for item in entry[2:])] for entry in entries]
    try:
        return {"entries": coded, "values": encode_values(values)}
    except StorageError:
        return {"entries": coded, "values": [_storable(value) for value in values]}


def _cell(item: Any, known: Known, values: list[Any]) -> list[Any]:
    number = known.number(item)
    if number is not None:
        return ["known", number]
    if isinstance(item, Choice):
        return ["choice", choice_data(item)]
    if isinstance(item, Question):
        return ["question", question_data(item)]
    values.append(item)
    return ["value", len(values) - 1]


def _storable(value: Any) -> Any:
    try:
        return encode_values([value])[0]
    except StorageError:
        return repr(value)[:1_000]


def log_of(data: Any, known: Known) -> list[tuple[Any, ...]]:
    """The entries that ``log_data`` describes. Raises ``Malformed``."""
    try:
        values = decode_values(data["values"])
        return [_entry(item, known, values) for item in data["entries"]]
    except (StorageError, TypeError, LookupError, ValueError) as error:
        raise Malformed(f"the log of a turn cannot be read: {error}") from None


def _entry(item: Any, known: Known, values: list[Any]) -> tuple[Any, ...]:
    word, node, *cells = item
    entry = (sys.intern(word), node, *(_thing(cell, known, values) for cell in cells))
    event = to_event(entry)
    for field in fields(event):
        kinds = _KINDS.get(str(field.type))
        if kinds is not None and type(getattr(event, field.name)) not in kinds:
            raise Malformed(f"the event {word} has a wrong {field.name}")
    return entry


def _thing(cell: Any, known: Known, values: list[Any]) -> Any:
    kind, what = cell
    if kind == "known":
        return known.thing(what)
    if kind == "choice":
        return choice_of(what)
    return question_of(what) if kind == "question" else values[what]
