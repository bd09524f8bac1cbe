"""How are conversations counted? Rates and amounts over them, where repetitions with one user are no new users."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from autograph.evaluation.intervals import clustered, mean_interval, quantile_interval
from autograph.simulation.figures import Amount, Rate
from autograph.simulation.record import Conversation

__all__ = ["amount_of", "by_case", "mean_of_cases", "rate_of"]


def by_case(conversations: Iterable[Conversation]) -> Mapping[int, list[Conversation]]:
    """The conversations with each user."""
    found: dict[int, list[Conversation]] = {}
    for each in conversations:
        found.setdefault(each.case, []).append(each)
    return found


def rate_of(conversations: Sequence[Conversation], holds: Callable[[Conversation], bool]) -> Rate:
    """The share of the conversations of which it holds."""
    groups = [(sum(map(holds, same)), len(same)) for same in by_case(conversations).values()]
    return Rate(sum(count for count, _ in groups), len(conversations), clustered(groups))


def mean_of_cases(conversations: Sequence[Conversation], value: Callable[[Conversation], float]) -> list[float]:
    """The mean of each user's conversations, in the order of the users."""
    groups = by_case(conversations)
    return [fmean(map(value, groups[case])) for case in sorted(groups)]


def amount_of(conversations: Sequence[Conversation], value: Callable[[Conversation], float]) -> Amount:
    """How much of something the conversations have."""
    values = sorted(value(each) for each in conversations)
    means = mean_of_cases(conversations, value)
    return Amount(
        n=len(values),
        total=math.fsum(values) if any(isinstance(each, float) for each in values) else sum(values),
        mean=mean_interval(means),
        median=quantile_interval(values, 0.5, worth=len(means)),
        p90=quantile_interval(values, 0.9, worth=len(means)),
        least=values[0] if values else math.nan,
        most=values[-1] if values else math.nan,
    )
