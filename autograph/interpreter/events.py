"""What happened? Events, built from the log of a turn when somebody reads or listens.

A step leaves a plain tuple in the log, since an object for each would cost more than the step.
Trace, ``/why``, coverage and live views read events and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from autograph.memory.trajectory import ENTERED
from autograph.models.base import Choice, GenerateRequest, Question, Reply

__all__ = [
    "ASKED", "CALLED", "ENTERED", "GENERATED", "INTERRUPTED", "PRINTED", "PROMPTED", "RETURNED", "SAID", "TRIMMED",
    "VALUE", "Asked", "Called", "Entered", "Event", "EventLog", "Generated", "Interrupted", "Printed", "Prompted",
    "Returned", "Said", "Trimmed", "Value", "to_event",
]  # fmt: skip

VALUE = "value"
SAID = "said"
GENERATED = "generated"
ASKED = "asked"
INTERRUPTED = "interrupted"
CALLED = "called"
RETURNED = "returned"
PRINTED = "printed"
PROMPTED = "prompted"
TRIMMED = "trimmed"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at ``node``."""

    node: str

    @property
    def kind(self) -> str:
        """The event's word, as in the log and in JSON."""
        return type(self).__name__.lower()

    def to_dict(self) -> dict[str, Any]:
        """The event as JSON data; values that are no plain JSON are shown as text."""
        data = {f.name: _plain(getattr(self, f.name)) for f in fields(self)}
        return {"event": self.kind, **{name: value for name, value in data.items() if value is not None}}


@dataclass(frozen=True, slots=True)
class Entered(Event):
    """The node was entered."""


@dataclass(frozen=True, slots=True)
class Value(Event):
    """The node was left with this value; ``variable`` took it, if one did."""

    value: Any
    variable: str | None = None


@dataclass(frozen=True, slots=True)
class Said(Event):
    """The node spoke to the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Generated(Event):
    """A model wrote a text."""

    request: GenerateRequest
    reply: Reply


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """A question was put to the classifier. ``choice.index`` None: the answer was unclear."""

    question: Question
    choice: Choice
    target: str = ""


@dataclass(frozen=True, slots=True)
class Interrupted(Event):
    """An interjection leads away from the node to ``target``."""

    target: str


@dataclass(frozen=True, slots=True)
class Called(Event):
    """The node called a function."""

    function: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A call that the node made returned this value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Printed(Event):
    """A statement printed this."""

    text: str


@dataclass(frozen=True, slots=True)
class Prompted(Event):
    """A prompt was set; ``which`` is ``prompt`` or ``user_prompt``."""

    which: str
    text: str


@dataclass(frozen=True, slots=True)
class Trimmed(Event):
    """Only the newest ``kept`` turns fitted into the prompt."""

    kept: int


_CLASSES: dict[str, type[Event]] = {
    ENTERED: Entered,
    VALUE: Value,
    SAID: Said,
    GENERATED: Generated,
    ASKED: Asked,
    INTERRUPTED: Interrupted,
    CALLED: Called,
    RETURNED: Returned,
    PRINTED: Printed,
    PROMPTED: Prompted,
    TRIMMED: Trimmed,
}


def to_event(entry: Sequence[Any]) -> Event:
    """The event behind an entry of the log: its word, the node, then the event's fields."""
    return _CLASSES[entry[0]](*entry[1:])


class EventLog(Sequence[Event]):
    """The events of a turn, built one by one as they are read."""

    __slots__ = ("entries",)

    def __init__(self, entries: Sequence[tuple[Any, ...]]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [to_event(entry) for entry in self.entries[index]]
        return to_event(self.entries[index])

    def __iter__(self) -> Iterator[Event]:
        return map(to_event, self.entries)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Choice):
        return {"index": value.index, "confidence": value.confidence, "text": value.text}
    if isinstance(value, Question):
        return {"question": value.question, "choices": list(value.choices), "purpose": value.purpose}
    if isinstance(value, GenerateRequest):
        return {"purpose": value.purpose, "messages": [message.to_dict() for message in value.messages]}
    if isinstance(value, Reply):
        return value.text
    return str(value)
