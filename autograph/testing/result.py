"""What came of a test? The turns as they went, and what did not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph.errors import AutographError, RunError
from autograph.interpreter.events import ENTERED, Event
from autograph.memory import MemoryObject
from autograph.models.base import GenerateRequest, Question, Usage
from autograph.testing.case import Case, Suite

__all__ = ["CaseResult", "Failure", "TurnResult", "total"]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """One turn, or a call, as it went.

    ``reply`` is None if the turn failed with ``error``, and for a call, whose value is ``value``. ``before`` and
    ``after`` are the memories (the same one if it failed). ``events`` are those of the turn also where it failed.
    ``requests`` to the model: a ``GenerateRequest``, or a tuple of questions that were put together.
    """

    number: int
    say: str | None
    reply: str | None
    before: MemoryObject
    after: MemoryObject
    events: tuple[Event, ...] = ()
    requests: tuple[GenerateRequest | tuple[Question, ...], ...] = ()
    usage: Usage | None = None
    seconds: float = 0.0
    error: AutographError | None = None
    value: Any = None

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the nodes entered."""
        entered = tuple(event.node for event in self.events if event.kind == ENTERED)
        return entered or (self.error.trace if isinstance(self.error, RunError) else ())


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that did not hold.

    ``turn`` counts from 1 (0: the test as a whole). ``what`` is the kind of expectation, or ``error`` (a turn
    failed), ``model``, ``script``, ``name`` (a node that does not exist), ``program`` (it cannot be loaded).
    ``expected`` and ``got`` are texts for people; ``unit`` says what ``line`` counts. Where texts are compared,
    ``text`` is what was said, and ``wanted`` the one text that should have been.
    """

    turn: int
    what: str
    expected: str
    got: str
    path: Path
    line: int
    unit: str = "line"
    wanted: str | None = None
    text: str | None = None

    @property
    def message(self) -> str:
        """The failure in one line."""
        where = f"turn {self.turn}, {self.what}" if self.turn else self.what
        return " ".join(f"{where}: expected {self.expected}, got {self.got}".split())


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A test that was run. ``skipped`` is the reason if it was not."""

    suite: Suite
    case: Case
    turns: tuple[TurnResult, ...] = ()
    failures: tuple[Failure, ...] = ()
    skipped: str | None = None
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether it was run and everything held."""
        return not self.failures and self.skipped is None

    @property
    def path(self) -> tuple[str, ...]:
        """The names of all nodes entered, in order."""
        return tuple(name for turn in self.turns for name in turn.path)

    @property
    def usage(self) -> Usage | None:
        """The tokens of all turns; None if no model counted any."""
        return total(self.turns)


def total(turns: Sequence[TurnResult]) -> Usage | None:
    """The tokens of several turns."""
    found = None
    for turn in turns:
        if turn.usage is not None:
            found = turn.usage if found is None else found + turn.usage
    return found
