"""How are measurements added up? Sums, averages and their kin, with ParlAI's algebra.

A metric is frozen; ``a + b`` is the metric of both samples together, ``value()`` its number.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

__all__ = ["Average", "Fixed", "InterDistinct", "Macro", "Metric", "Sum", "Timer", "as_metric"]

Number = int | float


@dataclass(frozen=True, slots=True)
class Metric:
    """A measurement. ``averages``: over several tasks its mean is taken (macro), not its sum."""

    @property
    def averages(self) -> bool:
        """Whether the figure of several tasks is the mean of theirs."""
        return False

    def value(self) -> Number:
        """The number."""
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Sum(Metric):
    """A count or a total."""

    total: Number = 0

    def value(self) -> Number:
        """The total."""
        return self.total

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.total + other.total)


@dataclass(frozen=True, slots=True)
class Average(Metric):
    """A mean: numerators and denominators are summed. 0/0 is 0, any other x/0 is not a number."""

    numerator: Number
    denominator: Number = 1

    @property
    def averages(self) -> bool:
        """Yes."""
        return True

    def value(self) -> Number:
        """The mean."""
        if self.numerator == 0 and self.denominator == 0:
            return 0.0
        return math.nan if self.denominator == 0 else self.numerator / self.denominator

    def __add__(self, other: Average) -> Average:
        return Average(self.numerator + other.numerator, self.denominator + other.denominator)


@dataclass(frozen=True, slots=True)
class Fixed(Metric):
    """A number that is the same for every sample."""

    number: Number

    def value(self) -> Number:
        """The number."""
        return self.number

    def __add__(self, other: Fixed) -> Fixed:
        if self.number != other.number:
            raise ValueError(f"FixedMetrics not the same: {self.number} and {other.number}")
        return self


@dataclass(frozen=True, slots=True)
class Timer(Metric):
    """A rate: so much between two moments (in seconds)."""

    amount: Number
    start: float
    end: float

    def value(self) -> Number:
        """The amount per second; 0 if no time has passed."""
        return self.amount / (self.end - self.start) if self.end > self.start else 0.0

    def __add__(self, other: Timer) -> Timer:
        return Timer(self.amount + other.amount, min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class Macro(Metric):
    """The mean of the metrics of several tasks, whatever their sizes."""

    parts: tuple[tuple[str, Metric], ...]

    def value(self) -> Number:
        """The mean of the values."""
        return sum(metric.value() for _, metric in self.parts) / len(self.parts) if self.parts else 0.0

    def __add__(self, other: Macro) -> Macro:
        mine = dict(self.parts)
        for name, metric in other.parts:
            mine[name] = mine[name] + metric if name in mine else metric
        return Macro(tuple(mine.items()))


@dataclass(frozen=True, slots=True, eq=False)
class InterDistinct(Metric):
    """How varied a corpus is: different n-grams by all n-grams."""

    counts: Counter[tuple[str, ...]]

    def value(self) -> Number:
        """The share of different n-grams."""
        return max(len(self.counts), 1e-12) / max(sum(self.counts.values()), 1e-5)

    def __add__(self, other: InterDistinct) -> InterDistinct:
        return InterDistinct(self.counts + other.counts)


def as_metric(value: Any) -> Metric:
    """What an agent reports of itself: a metric as it is, a plain number as an average. Raises ``ValueError``."""
    if isinstance(value, Metric):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"a metric is a number, not {value!r:.60}")
    return Average(value)
