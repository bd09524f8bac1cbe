"""Which of two agents answers better? The same examples under both, pair by pair."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.evaluation.intervals import Interval, Pairs, mcnemar, mean_interval, paired_difference, sign_test
from autograph.evaluation.parlai.examined_model import Examined, Example

__all__ = ["PairedMetric", "paired_metrics"]

_OF_TEXT = re.compile(r"accuracy|precision|recall|f1|bleu-\d")
"""Metrics of the text, which silence has not got."""


@dataclass(frozen=True, slots=True)
class PairedMetric:
    """One metric under A and under B, over ``n`` examples that both have, and the difference B - A.

    ``only_first`` and ``only_other`` count the examples in which A, or B, is the better one; ``p`` is the chance that
    they fall so if neither is better: by McNemar's exact test where the metric is 0 or 1, else by the sign test.
    """

    metric: str
    n: int
    first: float
    other: float
    difference: Interval
    only_first: int
    only_other: int
    p: float
    test: str

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON data."""
        plain = {name: getattr(self, name) for name in ("metric", "n", "first", "other", "only_first", "only_other")}
        return {**plain, "difference": self.difference.to_dict(), "p": self.p, "test": self.test}


def paired_metrics(first: Examined, other: Examined) -> tuple[PairedMetric, ...]:
    """The comparison, metric by metric. Where one of them is silent, its answer is wrong and counts 0."""
    pairs = _pairs(first, other)
    found = []
    for name in sorted({name for pair in pairs for example in pair for name in example.metrics}):
        if not _is_mean(pairs, name):
            continue
        values = [(_value(one, name), _value(two, name)) for one, two in pairs]
        if _OF_TEXT.fullmatch(name):
            both = [(a or 0.0, b or 0.0) for a, b in values]
        else:
            both = [(a, b) for a, b in values if a is not None and b is not None]
        if both:
            found.append(_paired(name, both))
    return tuple(found)


def _pairs(first: Examined, other: Examined) -> list[tuple[Example, Example]]:
    mine = {(example.task, example.episode, example.turn): example for example in first.examples}
    return [
        (mine[key], example)
        for example in other.examples
        if (key := (example.task, example.episode, example.turn)) in mine and (mine[key].metrics or example.metrics)
    ]


def _value(example: Example, metric: str) -> float | None:
    found = example.metrics.get(metric)
    return None if found is None else float(found.value())


def _is_mean(pairs: Sequence[tuple[Example, Example]], metric: str) -> bool:
    """Whether the metric is a mean of examples, so that differences of examples mean something."""
    return all(each.metrics[metric].averages for pair in pairs for each in pair if metric in each.metrics)


def _paired(name: str, both: Sequence[tuple[float, float]]) -> PairedMetric:
    n = len(both)
    better, worse = sum(a > b for a, b in both), sum(b > a for a, b in both)
    means = sum(a for a, _ in both) / n, sum(b for _, b in both) / n
    if all(value in (0.0, 1.0) for pair in both for value in pair):
        agreed = sum(a == b == 1 for a, b in both)
        pairs = Pairs(agreed, better, worse, n - agreed - better - worse)
        return PairedMetric(name, n, *means, paired_difference(pairs), better, worse, mcnemar(pairs), "McNemar")
    differences = [b - a for a, b in both]
    return PairedMetric(name, n, *means, mean_interval(differences), better, worse, sign_test(differences), "sign test")
