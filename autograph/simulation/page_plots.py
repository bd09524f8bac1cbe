"""How are the figures drawn? Bars with intervals, histograms and curves as SVG that needs no script."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograph.evaluation.intervals import Interval
from autograph.graph.pieces import esc, num
from autograph.simulation.summary_text import number_text

__all__ = ["Curve", "Stack", "bar", "curves", "histogram", "legend"]

_W, _H = 360.0, 200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 36.0, 8.0, 10.0, 38.0


def bar(interval: Interval, kind: str = "main", title: str = "") -> str:
    """A rate from 0 to 1 as a bar with the whisker of its interval; as wide as its place."""
    if math.isnan(interval.value):
        return '<svg class="bar" aria-hidden="true"></svg>'
    low, high, value = (f"{100 * share:.2f}%" for share in (interval.low, interval.high, interval.value))
    whisker = "".join(
        f'<line x1="{a}" x2="{b}" y1="{top}" y2="{end}"/>'
        for a, b, top, end in ((low, high, 8, 8), (low, low, 4, 12), (high, high, 4, 12))
    )
    hint = f"<title>{esc(title)}</title>" if title else ""
    return (
        f'<svg class="bar" aria-hidden="true">{hint}<rect class="track" width="100%" height="16" rx="3"/>'
        f'<rect class="k-{kind}" width="{value}" height="16" rx="3"/><g class="whisker">{whisker}</g></svg>'
    )


# ---------------------------------------------------------------------- histograms


@dataclass(frozen=True, slots=True)
class Stack:
    """A part of each column of a histogram: its values, its colour, its name."""

    kind: str
    name: str
    values: Sequence[float]


def histogram(stacks: Sequence[Stack], x_label: str, *, whole: bool = False, label: str) -> str:
    """How often each value occurs. ``whole``: they are whole numbers, with a column each if they are few."""
    values = [value for stack in stacks for value in stack.values]
    if not values:
        return ""
    low, width, count = _columns(min(values), max(values), whole)
    heights = [_heights(stack.values, low, width, count) for stack in stacks]
    most = max(map(sum, zip(*heights, strict=True)))
    step = (_W - _LEFT - _RIGHT) / count
    scale = (_H - _TOP - _BOTTOM) / most
    parts = list(_frame(most, "conversations", x_label))
    for column in range(count):
        x, y = _LEFT + column * step, _H - _BOTTOM
        span = _span(low, width, column, whole)
        for stack, height in zip(stacks, heights, strict=True):
            if n := height[column]:
                y -= n * scale
                at = f'x="{num(x + step * 0.08)}" y="{num(y)}" width="{num(step * 0.84)}" height="{num(n * scale)}"'
                parts.append(
                    f'<rect class="k-{stack.kind}" {at}><title>{esc(f"{span}: {n} {stack.name}")}</title></rect>'
                )
    parts.extend(_ticks(low, width, count, step, whole))
    return _svg(parts, label)


def _columns(low: float, high: float, whole: bool) -> tuple[float, float, int]:
    """Where the columns begin, how wide each is, and how many there are."""
    if whole:
        step = max(1, math.ceil((high - low + 1) / 30))
        return low, float(step), int((high - low) // step) + 1
    if high <= low:
        return low, abs(low) or 1.0, 1
    width = _round_step((high - low) / 12)
    first = math.floor(low / width) * width
    return first, width, int((high - first) / width + 1e-9) + 1


def _heights(values: Sequence[float], low: float, width: float, count: int) -> list[int]:
    found = [0] * count
    for value in values:
        found[min(count - 1, max(0, int((value - low) / width + 1e-9)))] += 1
    return found


def _round_step(rough: float) -> float:
    """The next larger of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))


def _span(low: float, width: float, column: int, whole: bool) -> str:
    start = low + column * width
    if whole:
        return number_text(start) if width == 1 else f"{number_text(start)}–{number_text(start + width - 1)}"
    return f"{number_text(start)} to {number_text(start + width)}"


def _ticks(low: float, width: float, count: int, step: float, whole: bool) -> Iterator[str]:
    every = max(1, math.ceil(count / (12 if whole else 5)))
    for column in range(0, count, every):
        x = _LEFT + (column + (0.5 if whole else 0.0)) * step
        text = _span(low, width, column, whole) if whole else number_text(float(f"{low + column * width:.10g}"))
        yield f'<text x="{num(x)}" y="{num(_H - _BOTTOM + 15)}" text-anchor="middle">{esc(text)}</text>'


# ---------------------------------------------------------------------- curves


@dataclass(frozen=True, slots=True)
class Curve:
    """A share that changes from turn to turn: its colour, its name, its values from turn 0 on."""

    kind: str
    name: str
    values: Sequence[float]


def curves(found: Sequence[Curve], x_label: str, *, label: str) -> str:
    """Shares from 0 to 1 as steps over the turns."""
    last = max((len(curve.values) for curve in found), default=0) - 1
    if last < 2:
        return ""
    step, tall = (_W - _LEFT - _RIGHT) / last, _H - _TOP - _BOTTOM
    parts = list(_frame(1, "share of conversations", x_label))
    for curve in found:
        places = [(_LEFT + turn * step, _TOP + (1 - share) * tall) for turn, share in enumerate(curve.values)]
        path = f"M{num(places[0][0])} {num(places[0][1])}" + "".join(f"H{num(x)}V{num(y)}" for x, y in places[1:])
        parts.append(f'<path class="curve c-{curve.kind}" d="{path}"><title>{esc(curve.name)}</title></path>')
    every = max(1, math.ceil(last / 12))
    for turn in range(0, last + 1, every):
        at = f'x="{num(_LEFT + turn * step)}" y="{num(_H - _BOTTOM + 15)}"'
        parts.append(f'<text {at} text-anchor="middle">{turn}</text>')
    return _svg(parts, label)


# ---------------------------------------------------------------------- what they share


def _frame(most: float, y_label: str, x_label: str) -> Iterator[str]:
    """Lines across, their numbers, and the names of the axes."""
    tall, floor = _H - _TOP - _BOTTOM, _H - _BOTTOM
    step = 0.25 if most == 1 and y_label.startswith("share") else max(1.0, _round_step(most / 4))
    value = 0.0
    while value <= most + 1e-9:
        y = floor - value / most * tall
        text = f"{value:.0%}" if y_label.startswith("share") else number_text(value)
        yield f'<line class="grid" x1="{num(_LEFT)}" x2="{num(_W - _RIGHT)}" y1="{num(y)}" y2="{num(y)}"/>'
        yield f'<text x="{num(_LEFT - 6)}" y="{num(y + 3.5)}" text-anchor="end">{text}</text>'
        value += step
    yield f'<text x="{num((_LEFT + _W - _RIGHT) / 2)}" y="{num(_H - 6)}" text-anchor="middle">{esc(x_label)}</text>'


def _svg(parts: Sequence[str], label: str) -> str:
    return f'<svg class="plot" viewBox="0 0 {_W:g} {_H:g}" role="img" aria-label="{esc(label)}">{"".join(parts)}</svg>'


def legend(parts: Sequence[Stack | Curve]) -> str:
    """The names of the parts beside their signs."""
    signs = (
        f'<line class="curve c-{each.kind}" x2="22" y1="6" y2="6"/>'
        if isinstance(each, Curve)
        else f'<rect class="k-{each.kind}" x="5" y="0.5" width="12" height="11" rx="2"/>'
        for each in parts
    )
    rows = (
        f'<li><svg width="22" height="12" aria-hidden="true">{sign}</svg>{esc(each.name)}</li>'
        for sign, each in zip(signs, parts, strict=True)
    )
    return f'<ul class="legend">{"".join(rows)}</ul>'
