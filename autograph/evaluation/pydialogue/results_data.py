"""What are the results of one run? Counts of each type and each number of steps, and a point for each dialogue."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from autograph.errors import AutographError

__all__ = ["Counts", "Given", "Point", "ResultsError", "Run", "run_from"]

Point = tuple[str, int, int]
"""A dialogue: its type, 1 or 0, and the words of the context then."""

Counts = tuple[int, int]
"""How many succeeded, and of how many."""

_EMPTY: Mapping[str, Any] = MappingProxyType({})


class ResultsError(AutographError):
    """A file of results that cannot be used."""


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one run.

    ``points``: of each dialogue with the agent, in order, its type, 1 or 0, and the words of the context then.
    ``of_types`` and ``of_steps``: (successes, number) of each type, and of each number of steps. ``id`` tells runs
    apart ("": unknown); ``metadata`` is JSON data about the run, ``conversations`` about each conversation.
    """

    points: tuple[Point, ...]
    of_types: Mapping[str, Counts]
    of_steps: Mapping[int, Counts]
    id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    conversations: tuple[Mapping[str, Any], ...] = ()

    @property
    def identity(self) -> str:
        """What two copies of one run have in common: its id, or a digest of its results where it has none."""
        if self.id:
            return self.id
        content = json.dumps([self.points, list(self.of_types.items()), list(self.of_steps.items())])
        return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """The run as JSON data."""
        return {
            "run": self.id or None,
            "metadata": dict(self.metadata),
            "test_points": [list(point) for point in self.points],
            "succ_total": {kind: list(counts) for kind, counts in self.of_types.items()},
            "succ_total_per_step": [[steps, list(counts)] for steps, counts in self.of_steps.items()],
            "conversations": [dict(conversation) for conversation in self.conversations],
        }


def run_from(tree: Any, found: Given) -> Run:
    """The run in plain data, which may be a stranger's. Raises ``ResultsError``."""
    if not isinstance(tree, dict):
        raise found.error("", "a run is a mapping", tree)
    steps = tree.get("succ_total_per_step", {})
    conversations = tree.get("conversations", [])
    if not isinstance(conversations, list) or not all(isinstance(each, dict) for each in conversations):
        raise found.error("conversations", "a list of mappings is expected", conversations)
    metadata, name = tree.get("metadata", {}), tree.get("run")
    if not isinstance(metadata, dict) or not (name is None or isinstance(name, str)):
        raise found.error("metadata", "a mapping is expected, and run is a text", metadata)
    return Run(
        found.points(tree.get("test_points", [])),
        found.of_types(tree.get("succ_total", {})),
        found.of_steps(list(steps.items()) if isinstance(steps, dict) else steps),
        name or "",
        metadata,
        tuple(conversations),
    )


@dataclass(frozen=True, slots=True)
class Given:
    """Takes data from strangers to the form of a run; ``path`` and ``place`` stand in errors."""

    path: str
    place: str

    def error(self, name: str, wanted: str, given: Any) -> ResultsError:
        """The error of a part that is not as it must be. What was given is not shown: it may be endless."""
        return ResultsError(f"{self.path}: {self.place}{name or 'data'}: {wanted}, not {type(given).__name__}.")

    def points(self, given: Any) -> tuple[Point, ...]:
        """The time points."""
        if not isinstance(given, (list, tuple)):
            raise self.error("test_points", "a list is expected", given)
        return tuple(self._point(point, f"test_points[{index}]") for index, point in enumerate(given))

    def _point(self, given: Any, name: str) -> Point:
        if not isinstance(given, (list, tuple)) or len(given) != 3 or not isinstance(given[0], str):
            raise self.error(name, "a type, 1 or 0, and a number of words are expected", given)
        return given[0], self._whole(given[1], name), self._whole(given[2], name)

    def of_types(self, given: Any) -> dict[str, Counts]:
        """The counts of the types."""
        if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
            raise self.error("succ_total", "a mapping of types is expected", given)
        return {key: self._counts(value, f"succ_total.{key:.40}") for key, value in given.items()}

    def of_steps(self, given: Any) -> dict[int, Counts]:
        """The counts of the numbers of steps, from pairs; JSON's keys are texts, so a number in a text is one."""
        name = "succ_total_per_step"
        if not isinstance(given, list) or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in given):
            raise self.error(name, "pairs of steps and counts are expected", given)
        return {self._whole(steps, name): self._counts(value, name) for steps, value in given}

    def _counts(self, given: Any, name: str) -> Counts:
        if not isinstance(given, (list, tuple)) or len(given) != 2:
            raise self.error(name, "successes and a number are expected", given)
        return self._whole(given[0], name), self._whole(given[1], name)

    def _whole(self, given: Any, name: str) -> int:
        if isinstance(given, str) and given.isdecimal() and given.isascii() and len(given) < 10:
            return int(given)
        if isinstance(given, float) and given.is_integer():
            return int(given)
        try:
            return operator.index(given)
        except TypeError:
            raise self.error(name, "a whole number is expected", given) from None
