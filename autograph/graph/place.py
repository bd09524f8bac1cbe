"""Where do the parts go? Functions stand in columns right of the main part, each at the height of its first caller.

``static/page.js`` does the same again when a function is folded or unfolded; a test holds both to each other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autograph.graph.geometry import Block, Point
from autograph.graph.parts import Link
from autograph.graph.sizes import GAP, NODE_H, NODE_W, PAD, TITLE
from autograph.graph.text import text_width
from autograph.graph.view import View

__all__ = ["anchor", "block_size", "link_points", "place_blocks", "title_width"]

_BETWEEN = 26.0
"""Between two blocks in a column."""
_SLIP = 700.0
"""How much lower than its caller a function may stand before a further column is begun."""


def title_width(view: View, name: str) -> float:
    """The room that a function's title needs."""
    signature = next((f.signature for f in view.functions if f.name == name), name)
    return text_width(signature, 11, bold=True) + 40


def block_size(block: Block, title: float, folded: bool) -> tuple[float, float]:
    """The extent of a block with its frame; a folded one is as large as a node."""
    if folded:
        return NODE_W, NODE_H
    if not block.name:
        return block.w, block.h
    return max(block.w + 2 * PAD, min(title, 420.0)), block.h + TITLE + 2 * PAD


def place_blocks(
    sizes: Sequence[tuple[float, float]], links: Sequence[tuple[int, float, int]], main: bool
) -> tuple[list[Point], float, float]:
    """The corner of every block, and the extent of all.

    ``links``: number of a block, the height in it where the link begins, number of the other block. ``main``:
    whether the first block is the main part.
    """
    depths = _depths(len(sizes), links, main)
    corners: list[Point] = [(0.0, 0.0)] * len(sizes)
    height = max([sizes[0][1] if main else 0.0, 1000.0, (sum(w * h for w, h in sizes) * 0.7) ** 0.5])
    x = 0.0
    for depth in range(max(depths) + 1):
        here = [index for index, d in enumerate(depths) if d == depth]
        wanted = {i: _wanted(i, links, corners, depths) for i in here}
        columns: list[float] = []
        in_column: dict[int, int] = {}
        for index in sorted(here, key=lambda i: (wanted[i], i)):
            column, y = _column(columns, wanted[index], sizes[index][1], height)
            if column == len(columns):
                columns.append(0.0)
            columns[column] = y + sizes[index][1] + _BETWEEN
            in_column[index] = column
            corners[index] = (0.0, y)
        for column in range(len(columns)):
            members = [i for i in here if in_column[i] == column]
            for index in members:
                corners[index] = (x, corners[index][1])
            x += max(sizes[i][0] for i in members) + GAP
    width = max(x + sizes[i][0] for i, (x, _) in enumerate(corners))
    return corners, width, max(y + sizes[i][1] for i, (_, y) in enumerate(corners))


def _depths(count: int, links: Sequence[tuple[int, float, int]], main: bool) -> list[int]:
    """How many calls away from the main part a block is; blocks that nothing calls stand in the first column."""
    depths = [-1] * count
    called = {end for start, _, end in links if start != end}
    waiting = [0] if main else [i for i in range(count) if i not in called]
    waiting = waiting or [0]
    for index in waiting:
        depths[index] = 0
    while True:
        for index in waiting:
            for start, _, end in links:
                if start == index and depths[end] < 0:
                    depths[end] = depths[index] + 1
                    waiting.append(end)
        rest = [i for i in range(count) if depths[i] < 0]
        if not rest:
            return depths
        root = next((i for i in rest if i not in called), rest[0])
        depths[root] = 1 if main else 0
        waiting = [root]


def _wanted(
    index: int, links: Sequence[tuple[int, float, int]], corners: Sequence[Point], depths: Sequence[int]
) -> float:
    heights = [corners[s][1] + y for s, y, e in links if e == index and depths[s] < depths[index]]
    return max(min(heights, default=0.0) - TITLE, 0.0)


def _column(columns: Sequence[float], wanted: float, h: float, height: float) -> tuple[int, float]:
    """The column where a block comes nearest to the height it wants; a new one if it would slip too far."""
    best = min(range(len(columns)), key=lambda c: (max(columns[c], wanted), c), default=None)
    if best is not None:
        y = max(columns[best], wanted)
        if y - wanted <= _SLIP and (y + h <= height or y == wanted):
            return best, y
    return len(columns), max(min(wanted, height - h), 0.0)


# ---------------------------------------------------------------------- links


def anchor(block: Block, corner: Point, name: str, folded: bool, right: bool) -> Point:
    """Where a link touches a node (or, with ``name`` empty, its block): the middle of a side."""
    if folded:
        return (corner[0] + (NODE_W if right else 0), corner[1] + NODE_H / 2)
    if not name:
        return (corner[0], corner[1] + TITLE / 2)
    box = block.boxes[name]
    dx, dy = (PAD, TITLE + PAD) if block.name else (0.0, 0.0)
    return (corner[0] + dx + box.x + (box.w if right else 0), corner[1] + dy + box.y + box.h / 2)


def link_points(start: Point, end: Point) -> tuple[Point, Point, Point, Point]:
    """The curve of a link, from the right side of one thing to the left side of another."""
    reach = max(40.0, min(abs(end[0] - start[0]) / 2, 160.0))
    return (start, (start[0] + reach, start[1]), (end[0] - 7 - reach, end[1]), (end[0] - 7, end[1]))


def links_between(
    links: Sequence[Link], blocks: Sequence[Block], folded: Collection[str]
) -> list[tuple[int, float, int]]:
    """The links as ``place_blocks`` takes them: with the height at which each begins in its block."""
    found = []
    for link in links:
        block = blocks[link.start]
        closed = block.name in folded
        _, y = anchor(block, (0.0, 0.0), link.source, closed, True)
        found.append((link.start, y, link.end))
    return found
