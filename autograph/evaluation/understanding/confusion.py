"""What was taken for what? Outcomes of classified sayings, and the tables and figures made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from autograph.errors import Location
from autograph.evaluation.intervals import Interval, wilson
from autograph.evaluation.understanding.asked import Subject

__all__ = ["UNCLEAR", "Calibration", "Outcome", "Table", "Verdicts"]

UNCLEAR = "unclear"
"""The column of answers that are no choice, or too little sure for ``min_confidence``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one saying was taken.

    ``position`` is that of the saying among all. ``subject`` names the question, ``wanted`` and ``got`` are rows and
    columns of its table: a choice's letter, an interjection's node (behind an arrow where the question is the node's
    own), ``none`` or ``unclear``. ``target`` is where it led. ``confidence`` and ``probabilities`` (label and number)
    belong to the answer that decided, None and empty if unknown. ``remark`` is the error of an unclear answer.
    """

    position: int
    node: str
    said: str
    subject: str
    wanted: str
    got: str
    target: str = ""
    confidence: float | None = None
    probabilities: tuple[tuple[str, float], ...] = ()
    remark: str = ""
    location: Location = Location()

    @property
    def right(self) -> bool:
        """Whether the saying was taken as it was meant."""
        return self.got == self.wanted

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON data."""
        return {
            "node": self.node,
            "say": self.said,
            "question": self.subject,
            "wanted": self.wanted,
            "got": self.got,
            "right": self.right,
            "target": self.target,
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities) or None,
            "remark": self.remark,
            "file": self.location.file,
            "row": self.location.row,
            "line": self.location.line,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """The confusion table of one question: what was wanted in rows, what came in columns."""

    subject: Subject
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def n(self) -> int:
        """How many sayings."""
        return sum(map(sum, self.counts))

    @property
    def right(self) -> int:
        """How many of them were taken as meant."""
        return sum(self.count(row, row) for row in self.rows)

    @property
    def accuracy(self) -> Interval:
        """The share that was taken as meant, with Wilson's interval."""
        return wilson(self.right, self.n)

    def count(self, row: str, column: str) -> int:
        """How many sayings that meant ``row`` were taken for ``column``."""
        return self.counts[self.rows.index(row)][self.columns.index(column)] if column in self.columns else 0

    def label(self, key: str) -> str:
        """The choice behind a row or column in words; "" for the columns beside the choices."""
        places = {self.subject.key(index): label for index, label in enumerate(self.subject.labels)}
        return places.get(key, "")

    def to_dict(self) -> dict[str, Any]:
        """The table as JSON data."""
        subject = self.subject
        choices = [
            {"key": subject.key(i), "label": label, "target": subject.targets[i] if subject.targets else ""}
            for i, label in enumerate(subject.labels)
        ]
        return {
            "name": subject.name,
            "purpose": "interjection" if subject.interjects else "transition",
            "question": subject.question,
            "choices": choices,
            "n": self.n,
            "right": self.right,
            "accuracy": self.accuracy.to_dict(),
            "rows": list(self.rows),
            "columns": list(self.columns),
            "counts": [list(row) for row in self.counts],
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """How sure the classifier was, on average, of what it took rightly and wrongly; None where nothing is known."""

    known: int
    when_right: float | None
    when_wrong: float | None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {"known": self.known, "when_right": self.when_right, "when_wrong": self.when_wrong}


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All outcomes of one model, in the order of the sayings, and the questions they are about."""

    model: str
    subjects: tuple[Subject, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def accuracy(self) -> Interval:
        """The share of all sayings that were taken as meant (micro)."""
        return wilson(sum(outcome.right for outcome in self.outcomes), len(self.outcomes))

    @property
    def macro(self) -> float | None:
        """The mean of the questions' accuracies, each counting alike; None without any."""
        rates = [table.accuracy.value for table in self.tables]
        return fmean(rates) if rates else None

    @property
    def wrong(self) -> tuple[Outcome, ...]:
        """The sayings that were taken for something else."""
        return tuple(outcome for outcome in self.outcomes if not outcome.right)

    @property
    def tables(self) -> tuple[Table, ...]:
        """One table for each question that was asked."""
        found = [_table(subject, self.outcomes) for subject in self.subjects]
        return tuple(table for table in found if table.n)

    @property
    def calibration(self) -> Calibration:
        """How sure the model was when right and when wrong."""
        sure = [(o.right, o.confidence) for o in self.outcomes if o.confidence is not None]
        right, wrong = [c for ok, c in sure if ok], [c for ok, c in sure if not ok]
        return Calibration(len(sure), fmean(right) if right else None, fmean(wrong) if wrong else None)

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as JSON data."""
        return {
            "model": self.model,
            "n": len(self.outcomes),
            "right": sum(outcome.right for outcome in self.outcomes),
            "accuracy": self.accuracy.to_dict(),
            "macro": self.macro,
            "calibration": self.calibration.to_dict(),
            "questions": [table.to_dict() for table in self.tables],
            "sayings": [outcome.to_dict() for outcome in self.outcomes],
        }


def _table(subject: Subject, outcomes: Iterable[Outcome]) -> Table:
    pairs = Counter((o.wanted, o.got) for o in outcomes if o.subject == subject.name)
    keys = [subject.key(index) for index in range(len(subject.labels))]
    wanted = {row for row, _ in pairs}
    beside = sorted({column for _, column in pairs} - {*keys, UNCLEAR})
    columns = [*keys, *beside, *([UNCLEAR] if any(column == UNCLEAR for _, column in pairs) else [])]
    rows = [key for key in keys if key in wanted]
    return Table(subject, tuple(rows), tuple(columns), tuple(tuple(pairs[r, c] for c in columns) for r in rows))
