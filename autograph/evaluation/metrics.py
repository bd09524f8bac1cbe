"""How good are an agent's answers? ``evaluate`` measures one; ``Scores`` adds up many; reports join several tasks.

Names and definitions are ParlAI's (``docs/evaluation.md`` has them all).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from autograph.evaluation.measures import (
    HITS,
    Tokens,
    bleu,
    characters,
    exact_match,
    hits,
    ngrams,
    normalize_answer,
    prec_recall_f1,
    words,
)
from autograph.evaluation.metric import Average, Fixed, InterDistinct, Macro, Metric, Sum, as_metric

__all__ = [
    "ALL_METRICS",
    "Scores",
    "aggregate_named_reports",
    "aggregate_unnamed_reports",
    "bleu",
    "evaluate",
    "exact_match",
    "measured",
    "normalize_answer",
    "prec_recall_f1",
    "values",
]

_USUAL = ("accuracy", "precision", "recall", "f1", "bleu-4")
_ALL = ("accuracy", "precision", "recall", "f1", *(f"bleu-{k}" for k in (1, 2, 3, 4)), "interdistinct", "intradistinct")
ALL_METRICS = frozenset(
    [
        *_USUAL, "exs", "bleu-1", "bleu-2", "bleu-3", "rouge_1", "rouge_2", "rouge_L", *(f"hits@{k}" for k in HITS),
        "interdistinct-1", "interdistinct-2", "intradistinct-1", "intradistinct-2",
    ]
)  # fmt: skip
"""The names that are ours: an agent's own metric of such a name gets ``USER_`` in front."""

_TOKENS: Mapping[str, Tokens] = {"word": words, "char": characters}


def evaluate(
    guess: str | None,
    labels: Sequence[str],
    text_candidates: Sequence[str] | None = None,
    *,
    tokenize: Literal["word", "char"] = "word",
) -> dict[str, float]:
    """Everything that is measured of one answer, name to number.

    ``labels`` are the right answers, ``text_candidates`` the agent's ranking, best first. ``tokenize="char"`` counts
    Chinese characters one by one (default: words, as ParlAI). Without a ``guess`` only ``exs``, 1, and hits@k are.
    """
    return values(measured(guess, labels, text_candidates, tokenize=tokenize, names=_ALL))


def measured(
    guess: str | None,
    labels: Sequence[str],
    text_candidates: Sequence[str] | None = None,
    *,
    tokenize: str = "word",
    names: Sequence[str] = _USUAL,
) -> dict[str, Metric]:
    """As ``evaluate``, as metrics that can be added up; ``names`` are those wanted."""
    tokens = _TOKENS[tokenize]
    found: dict[str, Metric] = {"exs": Sum(1)}
    if text_candidates is not None and not isinstance(text_candidates, str):
        found |= {f"hits@{k}": Average(hits(text_candidates, labels, k)) for k in HITS}
    if guess is None:
        return found
    found["accuracy"] = Average(exact_match(guess, labels))
    scores = dict(zip(("precision", "recall", "f1"), prec_recall_f1(guess, labels, tokens), strict=True))
    found |= {name: Average(score) for name, score in scores.items()}
    for k in (1, 2, 3, 4):
        if f"bleu-{k}" in names:
            found[f"bleu-{k}"] = Average(bleu(guess, labels, k, None if tokens is words else tokens))
    for n in (1, 2):
        counts = ngrams(tokens(normalize_answer(guess)), n)
        if "interdistinct" in names:
            found[f"interdistinct-{n}"] = InterDistinct(counts)
        if "intradistinct" in names:
            found[f"intradistinct-{n}"] = Average(InterDistinct(counts).value())
    return found


def values(metrics: Mapping[str, Metric]) -> dict[str, float]:
    """The numbers of metrics."""
    return {name: metric.value() for name, metric in metrics.items()}


class Scores:
    """What has been measured so far of an agent's answers."""

    def __init__(self, *, tokenize: str = "word", names: Sequence[str] = _USUAL) -> None:
        self._options = {"tokenize": tokenize, "names": tuple(names)}
        self._metrics: dict[str, Metric] = {}
        self.recent: dict[str, Metric] = {}

    def response(self, message: Mapping[str, Any], labels: Sequence[str]) -> dict[str, Metric]:
        """Measure an act against the right answers, with the metrics that it reports of itself."""
        self.recent = measured(message.get("text"), labels, message.get("text_candidates"), **self._options)  # type: ignore[arg-type]
        for name, value in (message.get("metrics") or {}).items():
            if value is not None:
                self.recent[f"USER_{name}" if name in ALL_METRICS else name] = as_metric(value)
        self.add(self.recent)
        return self.recent

    def add(self, metrics: Mapping[str, Metric]) -> None:
        """Add further measurements."""
        for name, metric in metrics.items():
            self._metrics[name] = self._metrics[name] + metric if name in self._metrics else metric

    def report(self) -> dict[str, Metric]:
        """The metrics so far."""
        return dict(self._metrics)


def aggregate_unnamed_reports(reports: Iterable[Mapping[str, Metric]]) -> dict[str, Metric]:
    """The report over parts of one task: everything is added up."""
    total = Scores()
    for report in reports:
        total.add(report)
    return total.report()


def aggregate_named_reports(
    reports: Mapping[str, Mapping[str, Metric]], *, micro_average: bool = False
) -> dict[str, Metric]:
    """The report over several tasks: ``task/metric`` for each, and the figure over all.

    Counts are summed. Averages are the mean of the tasks' (macro), or with ``micro_average`` that of all examples.
    One task's report is given as it is. Raises ``ValueError`` if there is none.
    """
    if not reports:
        raise ValueError("there is no report to aggregate")
    if len(reports) == 1:
        return dict(next(iter(reports.values())))
    joined: dict[str, Metric] = {}
    macro: dict[str, dict[str, Metric]] = {}
    for task, report in reports.items():
        for name, metric in report.items():
            if isinstance(metric, Fixed):
                joined.setdefault(name, metric)
                continue
            joined[f"{task}/{name}"] = metric
            if metric.averages and not micro_average:
                macro.setdefault(name, {})[task] = metric
            else:
                joined[name] = joined[name] + metric if name in joined else metric
    return joined | {name: Macro(tuple(parts.items())) for name, parts in macro.items()}
