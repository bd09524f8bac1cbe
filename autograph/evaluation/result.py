"""What came out of an evaluation? The verdicts of each model, what could not be asked, and who was right more often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.errors import Location
from autograph.evaluation.confusion import Verdicts
from autograph.evaluation.intervals import Interval, Pairs, mcnemar, paired_difference

__all__ = ["Comparison", "Evaluation", "NotAsked", "compared"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models on the same sayings: ``difference`` is the accuracy of ``other`` minus that of ``first``.

    ``p`` is McNemar's exact two-sided probability that they are right equally often.
    """

    first: str
    other: str
    pairs: Pairs
    difference: Interval
    p: float

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON data."""
        pairs = self.pairs
        return {
            "first": self.first,
            "other": self.other,
            "both": pairs.both,
            "only_first": pairs.only_a,
            "only_other": pairs.only_b,
            "neither": pairs.neither,
            "difference": self.difference.to_dict(),
            "p": self.p,
        }


def compared(verdicts: Sequence[Verdicts]) -> tuple[Comparison, ...]:
    """The first model compared with each of the others, over the sayings that both judged."""
    result = []
    for other in verdicts[1:]:
        mine = {outcome.position: outcome.right for outcome in verdicts[0].outcomes}
        both = Counter((mine[o.position], o.right) for o in other.outcomes if o.position in mine)
        pairs = Pairs(both[True, True], both[True, False], both[False, True], both[False, False])
        difference = paired_difference(pairs)
        result.append(Comparison(verdicts[0].model, other.model, pairs, difference, mcnemar(pairs)))
    return tuple(result)


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
