"""What if Graphviz gives up? A plain drawing: ranks by the longest way, rows in reading order, simple curves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autograph.graph.geometry import Box, Curve
from autograph.graph.order import back_edges
from autograph.graph.request import Asked, Unit

__all__ = ["simple_layout"]

_ACROSS, _DOWN = 24.0, 64.0
_WIDEST = 12
"""Boxes side by side at most; a fuller rank goes on below."""


def simple_layout(asked: Asked, labelled: Collection[int]) -> tuple[list[Box], dict[int, Curve]]:
    """Boxes and curves as ``read_answer`` gives them; ``labelled`` are the edges asked that have a label."""
    boxes = _boxes(_ranks(len(asked.units), asked.ends), asked.units)
    curves = {i: _curve(boxes[s], boxes[t], i in labelled) for i, (s, t) in enumerate(asked.ends)}
    return boxes, curves


def _ranks(size: int, ends: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The boxes by rank: one more than the highest of those that lead to it."""
    back = back_edges(range(size), ends)
    targets: list[list[int]] = [[] for _ in range(size)]
    incoming = [0] * size
    for index, (source, target) in enumerate(ends):
        if index not in back:
            targets[source].append(target)
            incoming[target] += 1
    rank = [0] * size
    ready = [index for index in range(size) if not incoming[index]]
    for index in ready:
        for target in targets[index]:
            rank[target] = max(rank[target], rank[index] + 1)
            incoming[target] -= 1
            if not incoming[target]:
                ready.append(target)
    found: list[list[int]] = [[] for _ in range(max(rank) + 1)]
    for index in range(size):
        found[rank[index]].append(index)
    return found


def _boxes(ranks: Sequence[Sequence[int]], units: Sequence[Unit]) -> list[Box]:
    boxes = [Box(0, 0, unit.w, unit.h) for unit in units]
    y = 0.0
    rows = [rank[at : at + _WIDEST] for rank in ranks for at in range(0, len(rank), _WIDEST)]
    for row in rows:
        x = -sum(units[i].w + _ACROSS for i in row) / 2
        for index in row:
            boxes[index] = Box(x, y, units[index].w, units[index].h)
            x += units[index].w + _ACROSS
        y += max(units[i].h for i in row) + _DOWN
    return boxes


def _curve(source: Box, target: Box, labelled: bool) -> Curve:
    down = target.y > source.y + source.h
    x1, y1 = (source.cx, source.y + source.h) if down else (source.x + source.w, source.cy)
    x2, y2 = (target.cx, target.y) if down else (target.x + target.w, target.cy)
    end = (x2, y2 - 6) if down else (x2 + 6, y2)
    if down:
        bend = (end[1] - y1) / 2
        points = ((x1, y1), (x1, y1 + bend), (end[0], end[1] - bend), end)
    else:
        points = ((x1, y1), (x1 + 40, y1), (end[0] + 40, end[1]), end)
    middle = (
        (x1 + 3 * points[1][0] + 3 * points[2][0] + end[0]) / 8,
        (y1 + 3 * points[1][1] + 3 * points[2][1] + end[1]) / 8,
    )
    return Curve(points, (x2, y2), middle if labelled else None)
