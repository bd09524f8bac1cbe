"""What came out of an evaluation? The verdicts of each model, what could not be asked, and who was right more often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.errors import Location
from autograph.evaluation.comparison import Comparison, compared_pairwise
from autograph.evaluation.understanding.confusion import Verdicts

__all__ = ["Evaluation", "NotAsked", "compared"]


def compared(verdicts: Sequence[Verdicts]) -> tuple[Comparison, ...]:
    """The first model compared with each of the others, over the sayings that both judged."""
    return compared_pairwise({each.model: {one.position: one.right for one in each.outcomes} for each in verdicts})


@dataclass(frozen=True, slots=True)
class NotAsked:
    """A saying that could not be put to the program, and why."""

    position: int
    node: str
    said: str
    reason: str
    location: Location = Location()

    def to_dict(self) -> dict[str, Any]:
        """The saying as JSON data."""
        place = self.location
        return {"node": self.node, "say": self.said, "reason": self.reason, "file": place.file, "row": place.row}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdicts of each model, the sayings that could not be asked, and the comparison with the first model."""

    verdicts: tuple[Verdicts, ...]
    not_asked: tuple[NotAsked, ...] = ()

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The first model compared with each of the others."""
        return compared(self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """The evaluation as JSON data."""
        return {
            "models": [verdicts.to_dict() for verdicts in self.verdicts],
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "not_asked": [left.to_dict() for left in self.not_asked],
        }
