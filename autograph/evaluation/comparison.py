"""Which of two is right more often on the same cases? Their difference, with an interval for paired samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from autograph.evaluation.intervals import Interval, Pairs, mcnemar, paired_difference

__all__ = ["Comparison", "compared_pairwise"]

Case = TypeVar("Case", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models, or two programs, on the same cases: ``difference`` is the share of ``other`` minus that of ``first``.

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


def compared_pairwise(right: Mapping[str, Mapping[Case, bool]]) -> tuple[Comparison, ...]:
    """The first compared with each of the others, over the cases that both have.

    ``right``: of each, by its name, whether it was right in each case.
    """
    names = list(right)
    result = []
    for other in names[1:]:
        mine = right[names[0]]
        both = Counter((mine[case], was) for case, was in right[other].items() if case in mine)
        pairs = Pairs(both[True, True], both[True, False], both[False, True], both[False, False])
        result.append(Comparison(names[0], other, pairs, paired_difference(pairs), mcnemar(pairs)))
    return tuple(result)
