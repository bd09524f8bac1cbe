"""How does a summary read in a terminal? Aligned tables of at most the given width."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from autograph.evaluation.intervals import Interval
from autograph.simulation.figures import Summary
from autograph.simulation.marks import PLAIN, Marks, clipped

__all__ = ["amount_text", "number_text", "render_text"]

_BAR = 20
_ROWS = 8
_NAME = 24
_WORDS = {
    "turns": "turns",
    "calls": "model requests",
    "tokens": "tokens",
    "user_calls": "user's requests",
    "user_tokens": "user's tokens",
    "cost": "cost",
}


def render_text(summary: Summary, *, width: int = 80, style: Marks = PLAIN) -> str:
    """The summary as lines, each ending with a line end. Intervals are of 95 %."""
    blocks = [list(block(summary, width, style)) for block in _BLOCKS]
    return "\n".join("\n".join(block) + "\n" for block in blocks if block)


def _head(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    count = f"{summary.n:,}" if summary.n == summary.planned else f"{summary.n:,} of {summary.planned:,}"
    text = f"{count} conversation{'' if summary.planned == 1 else 's'}"
    if summary.cases < summary.n:
        text += f" with {summary.cases:,} users"
    yield f"{style.bold(clipped(summary.title, width - len(text) - 3))} · {text}"


def _outcomes(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    rates = [(name, rate, name in ("success", "finished")) for name, rate in summary.outcomes]
    if summary.flake.n:
        rates.append(("flake", summary.flake, False))
    for name, rate, good in rates:
        mark = style.chosen if good else style.error if name in ("failed", "flake") and rate.count else style.dim
        counted = f"{rate.count} of {rate.n}"
        bar = mark(_bar(rate.value)) if width >= 72 else ""
        yield f"  {name:<9}{rate.text():<20}{counted:>14}  {bar}".rstrip()
    for line in textwrap.wrap(summary.untold_note, max(width - 2, 20)):
        yield f"  {style.warning(clipped(line, width - 2))}"


def _bar(share: float) -> str:
    if math.isnan(share):
        return ""
    full = round(share * _BAR) or int(share > 0)
    return "█" * full + "░" * (_BAR - full)


def _amounts(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    if not summary.n:
        return
    heads = ("median", "90 %", "most", "in all") if width >= 78 else ("in all",)
    yield style.dim(f"  {'':<17}{'mean':<24}" + "".join(f"{head:>{_column(head)}}" for head in heads))
    for name, each in summary.amounts:
        if not each.total and name != "turns":
            continue
        values = {"median": each.median.value, "90 %": each.p90.value, "most": each.most, "in all": each.total}
        cells = "".join(f"{number_text(values[head]):>{_column(head)}}" for head in heads)
        yield f"  {_WORDS[name]:<17}{amount_text(each.mean):<24}{cells}"


def _column(head: str) -> int:
    return 11 if head == "in all" else 8


def amount_text(interval: Interval) -> str:
    """A mean with its interval; digits as its size wants them."""
    if math.isnan(interval.value) or math.isinf(interval.low) or interval.low == interval.high:
        return number_text(interval.value)
    size = abs(interval.value)
    return interval.text(0 if size >= 1000 else 1 if size >= 1 else 2 if size >= 0.1 else 4)


def number_text(value: float) -> str:
    """A number as short as it can be told: 1,234, 5.7 or 0.0123; ``–`` where there is none."""
    if not math.isfinite(value):
        return "–"
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"


def _dropped(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    rows = [each for each in summary.nodes if each.dropped.count]
    if not rows:
        return
    yield style.bold("Where conversations ended without finishing")
    for each in rows[:_ROWS]:
        share = f"{each.dropped.count} of {each.dropped.n}"
        yield f"  {clipped(each.name, _NAME):<{_NAME}}{share:>14}   {each.dropped.text()}"
    yield from _more(rows, "nodes", style)


def _personas(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    if not summary.personas:
        return
    yield style.bold("Personas")
    room = max(10, min(_NAME, width - 56))
    yield style.dim(f"  {'':<{room}}{'n':>5}  {'success':<20}{'failed':>6}  turns")
    for each in summary.personas[: 2 * _ROWS]:
        name = clipped(each.persona or "(none)", room - 1)
        success = each.success.text()
        yield f"  {name:<{room}}{each.n:>5}  {success:<20}{each.failed.count:>6}  {amount_text(each.turns)}"
    yield from _more(summary.personas, "personas", style, 2 * _ROWS)


def _paths(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    if not summary.paths:
        return
    yield style.bold("Most common paths") + style.dim(f"  (of {summary.different_paths:,} in all)")
    for each in summary.paths[:5]:
        yield f"  {each.count:>4}  {_path(each.path, width - 8)}"
    if summary.unvisited:
        names = ", ".join(summary.unvisited)
        words = "node was" if len(summary.unvisited) == 1 else "nodes were"
        yield "  " + style.warning(clipped(f"{len(summary.unvisited)} {words} never entered: {names}", width - 2))


def _path(names: Sequence[str], width: int) -> str:
    """The path in one line; the middle is left out where it is too long."""
    if len(text := " → ".join(names)) <= width:
        return clipped(text, width)
    for kept in range(len(names) - 1, 1, -1):
        text = " → ".join((*names[: kept // 2], "…", *names[len(names) - (kept - kept // 2) :]))
        if len(text) <= width:
            return clipped(text, width)
    return clipped(" → ".join((names[0], "…", names[-1])), width)


def _troubles(summary: Summary, width: int, style: Marks) -> Iterator[str]:
    if not summary.troubles:
        return
    yield style.bold("What went wrong")
    for each in summary.troubles[:_ROWS]:
        place = f' at "{clipped(each.node, _NAME)}"' if each.node else ""
        kind = f" {each.kind}" if each.kind else ""
        first = f"  {each.count:>4} × {style.error(each.outcome) if each.outcome == 'failed' else each.outcome}"
        yield f"{first}{kind}{place}, as in #{each.example}"
        if each.message:
            yield "         " + clipped(each.message, width - 9)
    yield from _more(summary.troubles, "kinds", style)


def _more(rows: Sequence[object], word: str, style: Marks, shown: int = _ROWS) -> Iterator[str]:
    if len(rows) > shown:
        yield style.dim(f"  … and {len(rows) - shown} {word} more")


_BLOCKS = (_head, _outcomes, _amounts, _dropped, _personas, _paths, _troubles)
