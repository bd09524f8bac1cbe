"""Does the run fail? A condition is judged with the intervals of its figures: it must be shown, not only seen.

A rate of 0.88 in 25 conversations is no proof that the true rate lies below 0.9. A comparison is *shown* if it holds
for the whole interval, *refuted* if it holds for no value in it, and else *open*: that many conversations do not decide
it. Numbers that are no estimates (``n``, ``cost``: what was spent) decide at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from autograph.evaluation.intervals import Interval, needed
from autograph.simulation.conditions import TOTALS, Comparison, Condition, ConditionError, parse_condition
from autograph.simulation.figures import Amount, Rate, Summary

__all__ = ["Condition", "ConditionError", "Judged", "State", "Verdict", "comparisons", "fail_if", "parse_condition"]

State = Literal["shown", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A comparison with what became of it. ``needed``: how many conversations in all would about decide it."""

    comparison: Comparison
    state: State
    interval: Interval
    text: str
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A condition with what became of it and of each of its comparisons."""

    condition: str
    state: State
    parts: tuple[Judged, ...]

    @property
    def fails(self) -> bool:
        """Whether the condition is shown to hold, so that the run fails."""
        return self.state == "shown"

    @property
    def lacks_figures(self) -> bool:
        """Whether a comparison could not be made at all, however many conversations there are."""
        return any(math.isnan(part.interval.value) for part in self.parts)

    @property
    def text(self) -> str:
        """What to tell the user: one sentence and a line for each comparison."""
        first = {
            "shown": f"Failed, since {self.condition}.",
            "refuted": f"Passed: not {self.condition}.",
            "open": f"Not decided, and therefore not failed: {self.condition}.",
        }[self.state]
        return "\n".join([first, *(f"  {part.text}" for part in self.parts)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        parts = [
            {
                "comparison": str(part.comparison),
                "state": part.state,
                "figure": part.interval.to_dict(),
                "text": part.text,
                "needed": part.needed,
            }
            for part in self.parts
        ]
        return {"condition": self.condition, "state": self.state, "fails": self.fails, "comparisons": parts}


def fail_if(condition: Condition | str, summary: Summary) -> Verdict:
    """What the figures of a run say of a condition. Raises ``ConditionError`` if the text is none."""
    parsed = parse_condition(condition) if isinstance(condition, str) else condition
    return Verdict(str(parsed), _state(parsed, summary), tuple(_judged(each, summary) for each in comparisons(parsed)))


def comparisons(condition: Condition) -> Iterator[Comparison]:
    """The comparisons of a condition."""
    if isinstance(condition, Comparison):
        yield condition
    else:
        for part in condition.parts:
            yield from comparisons(part)


def _state(condition: Condition, summary: Summary) -> State:
    """``and`` is as bad as its worst part, ``or`` as good as its best: refuted < open < shown."""
    if isinstance(condition, Comparison):
        return _judged(condition, summary).state
    order: tuple[State, ...] = ("refuted", "open", "shown")
    ranks = [order.index(_state(part, summary)) for part in condition.parts]
    return order[min(ranks) if condition.word == "and" else max(ranks)]


def _judged(comparison: Comparison, summary: Summary) -> Judged:
    interval, n = _figure(comparison.figure, summary)
    if math.isnan(interval.value):
        return Judged(comparison, "open", interval, f"{comparison}: {_missing(comparison.figure)}.")
    state = _compared(comparison, interval)
    exact = interval.low == interval.high
    digits = 3 if max(abs(interval.value), abs(comparison.limit)) < 1 else 2
    total = " in all" if comparison.figure in TOTALS else ""
    figure = f"{comparison.figure} is {f'{interval.value:.6g}{total}' if exact else interval.text(digits)}"
    words = {"shown": "this is shown", "refuted": "this does not hold", "open": f"not decided with {n}"}[state]
    text = f"{comparison}: {words}; {figure}."
    if state != "open":
        return Judged(comparison, state, interval, text)
    more = _enough(comparison, interval, n, summary)
    return Judged(comparison, state, interval, f"{text} {_advice(comparison, interval, more)}", more)


def _figure(name: str, summary: Summary) -> tuple[Interval, int]:
    """The interval of a figure, and of how many observations it is."""
    if name == "n":
        return _exact(summary.n), summary.n
    what, _, part = name.partition(".")
    found: Rate | Amount | None = getattr(summary, what)
    if found is None:
        return Interval(math.nan, -math.inf, math.inf), 0
    if isinstance(found, Rate):
        return found.interval, found.n
    parts = {"": _exact(found.total), "max": _exact(found.most)}
    parts |= {"mean": found.mean, "median": found.median, "p90": found.p90}
    return parts[part], found.n


def _exact(value: float) -> Interval:
    return Interval(value, value, value)


def _compared(comparison: Comparison, interval: Interval) -> State:
    low, high, limit = interval.low, interval.high, comparison.limit
    if comparison.sign in ("<", "<="):
        shown, refuted = (high < limit, low >= limit) if comparison.sign == "<" else (high <= limit, low > limit)
    else:
        shown, refuted = (low > limit, high <= limit) if comparison.sign == ">" else (low >= limit, high < limit)
    return "shown" if shown else "refuted" if refuted else "open"


def _enough(comparison: Comparison, interval: Interval, n: int, summary: Summary) -> int | None:
    """About how many observations would decide it, if the figure stays where it is."""
    limit = comparison.limit
    if isinstance(getattr(summary, comparison.figure.partition(".")[0]), Rate):
        more = needed(interval.value, limit) if 0 < limit < 1 else None
    else:
        end = interval.low if interval.value > limit else interval.high
        apart = abs(interval.value - limit)
        more = math.ceil(n * ((end - interval.value) / apart) ** 2) if apart and math.isfinite(end) else None
    return None if more is None else max(more, n + 1)


def _advice(comparison: Comparison, interval: Interval, more: int | None) -> str:
    what = "users" if comparison.figure == "flake" else "conversations"
    if more is not None:
        return f"About {_round(more):,} {what} would decide it, if it stays as it is."
    if math.isinf(interval.low) or math.isinf(interval.high):
        return f"More {what} are needed to say how far it may lie."
    return f"It is at the limit, which no number of {what} can decide."


def _round(n: int) -> int:
    """Rounded up to two digits, since it is an estimate."""
    step = int(10 ** max(0, len(str(n)) - 2))
    return -(-n // step) * step


def _missing(name: str) -> str:
    if name.startswith("cost"):
        return "there are no costs without prices"
    if name == "flake":
        return "no user was met repeatedly (--repeat)"
    return "there is no such figure, since nothing was told of any conversation"
