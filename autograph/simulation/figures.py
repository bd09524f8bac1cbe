"""What is said about a run? The figures of a ``Summary``: rates and amounts with their intervals, as frozen data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from autograph.evaluation.intervals import Interval

__all__ = [
    "Amount", "NodeFigures", "PathFigures", "PersonaFigures", "Progress", "Rate", "Summary", "Trouble", "plain_data",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` of ``n``, with the interval of the rate."""

    count: int
    n: int
    interval: Interval

    @property
    def value(self) -> float:
        """The rate itself; ``nan`` of no trials."""
        return self.interval.value

    def text(self) -> str:
        """``0.93 [0.86, 0.97]``."""
        return self.interval.text()

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"count": self.count, "n": self.n, **self.interval.to_dict()}


@dataclass(frozen=True, slots=True)
class Amount:
    """Something that each of ``n`` conversations has some of: turns, requests, tokens, money."""

    n: int
    total: float
    mean: Interval
    median: Interval
    p90: Interval
    least: float
    most: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return _fields(self)


@dataclass(frozen=True, slots=True)
class NodeFigures:
    """A node's share in the conversations.

    ``entries``: how often it was entered. ``reached``: in how many conversations it was. ``dropped``: how many of
    those ended there without having finished.
    """

    name: str
    entries: int
    reached: Rate
    dropped: Rate


@dataclass(frozen=True, slots=True)
class PathFigures:
    """A way that conversations took: its nodes, each run of one node being one, and how often it was taken."""

    path: tuple[str, ...]
    count: int
    share: float
    succeeded: int
    example: int


@dataclass(frozen=True, slots=True)
class PersonaFigures:
    """How the conversations with one persona went."""

    persona: str | None
    n: int
    success: Rate
    finished: Rate
    failed: Rate
    turns: Interval
    cost: Interval | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Conversations that came to the same bad end: the error's class (or ""), what was said, where; one of them."""

    outcome: str
    kind: str
    message: str
    node: str | None
    count: int
    example: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How things stood after ``turn`` turns: how many conversations went on, had finished, had succeeded."""

    turn: int
    going: int
    finished: int
    succeeded: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a run.

    ``planned``: how many conversations the run was to have, ``n`` how many there are, of ``cases`` users. Repeated
    conversations with one user count as one observation as far as they resemble each other (``clustered``).
    ``success`` counts those whose success was told and true; ``untold`` are those of which it could not be told,
    ``untold_why`` is the most common reason.
    ``flake``: with how many of the users met repeatedly did it not end the same each time (``flaky``: their cases).
    ``cost`` is None without prices. ``worst``: indexes of conversations, the ones to look at first.
    """

    title: str
    planned: int
    n: int
    cases: int
    success: Rate
    untold: int
    untold_why: str
    finished: Rate
    stuck: Rate
    failed: Rate
    limit: Rate
    ended_by_user: int
    flake: Rate
    flaky: tuple[int, ...]
    turns: Amount
    calls: Amount
    tokens: Amount
    user_calls: Amount
    user_tokens: Amount
    cost: Amount | None
    progress: tuple[Progress, ...]
    nodes: tuple[NodeFigures, ...]
    unvisited: tuple[str, ...]
    paths: tuple[PathFigures, ...]
    different_paths: int
    personas: tuple[PersonaFigures, ...]
    troubles: tuple[Trouble, ...]
    worst: tuple[int, ...]

    @property
    def outcomes(self) -> tuple[tuple[str, Rate], ...]:
        """The rates by name, best first: success, then how the conversations ended."""
        return tuple((name, getattr(self, name)) for name in ("success", "finished", "stuck", "failed", "limit"))

    @property
    def untold_note(self) -> str:
        """A sentence about success that could not be told; "" if it was told of all."""
        if not self.untold:
            return ""
        which = f"{self.untold:,}, counted as none" if self.success.n else "any conversation"
        return f"Success could not be told of {which}" + (f" ({self.untold_why})." if self.untold_why else ".")

    @property
    def amounts(self) -> tuple[tuple[str, Amount], ...]:
        """The amounts by name; the cost where there are prices."""
        found = (("turns", self.turns), ("calls", self.calls), ("tokens", self.tokens))
        users = (("user_calls", self.user_calls), ("user_tokens", self.user_tokens))
        return (*found, *users, *((("cost", self.cost),) if self.cost else ()))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for ``--json``; what is unknown or without bound is None."""
        return _fields(self)


def _fields(record: Amount | Summary) -> dict[str, Any]:
    return {f.name: plain_data(getattr(record, f.name)) for f in fields(record)}


def plain_data(value: Any) -> Any:
    """Figures as JSON data: records become objects, ``nan`` and infinity None."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain_data(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain_data(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain_data(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
