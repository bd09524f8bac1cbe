"""What did Graphviz answer? Its JSON becomes a block: boxes and curves, turned so that y grows downwards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.graph.geometry import Block, Box, Curve, Point
from autograph.graph.parts import Part
from autograph.graph.request import Asked, ExitKey, Unit
from autograph.graph.sizes import BADGE, NODE_H, NODE_W, PAD, TITLE, badge_text
from autograph.graph.text import text_width

__all__ = ["block_of", "read_answer"]


def read_answer(data: bytes, asked: Asked) -> tuple[list[Box], dict[int, Curve]]:
    """The boxes of the units, and the curves by number of the edge asked.

    Raises ``ValueError`` or ``KeyError`` where something is missing.
    """
    answer: dict[str, Any] = json.loads(data)
    height = float(answer["bb"].split(",")[3])
    places = {item["name"]: item["pos"] for item in answer.get("objects", ()) if "pos" in item}
    boxes = []
    for index, unit in enumerate(asked.units):
        x, y = map(float, places[f"n{index}"].split(","))
        boxes.append(Box(round(x - unit.w / 2, 1), round(height - y - unit.h / 2, 1), unit.w, unit.h))
    curves = {}
    for item in answer.get("edges", ()):
        if "id" in item and "pos" in item:
            number = int(item["id"][1:])
            curves[number] = _curve(item, height, number in asked.turned)
    return boxes, curves


def _curve(item: Mapping[str, str], height: float, turned: bool) -> Curve:
    points: list[Point] = []
    head: Point | None = None
    for word in item["pos"].partition(";")[0].split():
        letter, _, rest = word.partition(",")
        if letter in ("s", "e"):
            head = _point(rest, height)
        else:
            points.append(_point(word, height))
    if turned:
        points.reverse()
    label = _point(item["lp"], height) if "lp" in item else None
    return Curve(tuple(points), head or points[-1], label)


def _point(text: str, height: float) -> Point:
    x, y = text.split(",")
    return (round(float(x), 1), round(height - float(y), 1))


# ---------------------------------------------------------------------- from what was asked to what is drawn


def block_of(part: Part, asked: Asked, boxes: Sequence[Box], curves: Mapping[int, Curve], rough: str = "") -> Block:
    """The block of a part: nodes taken out of their units, frames around groups, all moved to (0, 0)."""
    placed: dict[str, Box] = {}
    exits: dict[ExitKey, Box] = {}
    for unit, box in zip(asked.units, boxes, strict=True):
        if unit.exit is not None:
            exits[unit.exit] = box
        else:
            placed.update(_members(unit, box))
    edges = dict(part.edges)
    inner: dict[int, Curve] = {}
    leaving: dict[ExitKey, Curve] = {}
    for number, curve in curves.items():
        key = asked.edges[number]
        if isinstance(key, tuple):
            leaving[key] = _joined(curve, placed[key[0]], None)
        else:
            inner[key] = _joined(curve, placed[edges[key].source], placed.get(edges[key].target))
    ordered = {node.name: placed[node.name] for node in part.nodes}
    return _at_origin(Block(part.name, 0, 0, ordered, inner, exits, leaving, _frames(part, placed), rough))


def _members(unit: Unit, box: Box) -> dict[str, Box]:
    """The boxes of the nodes of a unit, without the strip of a title above and room for a badge below."""
    top = box.y + (TITLE if unit.lifted else 0)
    if not unit.abreast:
        return {unit.members[0]: Box(box.x, top, box.w, NODE_H)}
    return {
        name: Box(box.x + PAD + place * (NODE_W + PAD), top, NODE_W, NODE_H) for place, name in enumerate(unit.members)
    }


_SLACK = 3.0


def _joined(curve: Curve, source: Box, target: Box | None) -> Curve:
    """A curve led on to the boxes it belongs to, through the strip of a title or beside a badge."""
    points, tip = curve.points, curve.tip
    x, y = points[0]
    near = source.y if y < source.cy else source.y + source.h
    if abs(y - near) > _SLACK and source.x <= x <= source.x + source.w:
        points = ((x, near), (x, (near + y) / 2), (x, (near + y) / 2), *points)
    if target is not None and target.x <= tip[0] <= target.x + target.w:
        edge, step = (target.y, -6.0) if tip[1] < target.cy else (target.y + target.h, 6.0)
        if abs(tip[1] - edge) > _SLACK:
            last, end = points[-1], (tip[0], edge + step)
            middle = (last[1] + end[1]) / 2
            points, tip = (*points, (last[0], middle), (end[0], middle), end), (tip[0], edge)
    return Curve(points, tip, curve.label)


def _frames(part: Part, boxes: Mapping[str, Box]) -> dict[str, Box]:
    """The frames of the groups: around their members, with a strip for the title."""
    badges = {node.name: BADGE if badge_text(node) else 0.0 for node in part.nodes}
    frames = {}
    for group in part.groups:
        members = [(boxes[m], badges[m]) for m in group.members if m in boxes]
        left = min(box.x for box, _ in members) - PAD
        top = min(box.y for box, _ in members) - TITLE
        right = max(box.x + box.w for box, _ in members) + PAD
        right = max(right, left + text_width(f"{group.name} · {group.note}", 10) + 2 * PAD)
        bottom = max(box.y + box.h + badge for box, badge in members) + PAD
        frames[group.name] = Box(left, top, right - left, bottom - top)
    return frames


def _at_origin(block: Block) -> Block:
    """Everything moved so that the block begins at (0, 0)."""
    boxes = [*block.boxes.values(), *block.exits.values(), *block.frames.values()]
    curves = [*block.curves.values(), *block.exit_curves.values()]
    xs = [x for box in boxes for x in (box.x, box.x + box.w)] + [p[0] for c in curves for p in c.points]
    ys = [y for box in boxes for y in (box.y, box.y + box.h + BADGE)] + [p[1] for c in curves for p in c.points]
    xs += [x for c in curves if c.label for x in (c.label[0] - 60, c.label[0] + 60)]
    dx, dy = -min(xs), -min(ys)

    def moved(point: Point) -> Point:
        return (point[0] + dx, point[1] + dy)

    def curve(old: Curve) -> Curve:
        return Curve(tuple(map(moved, old.points)), moved(old.tip), moved(old.label) if old.label else None)

    return Block(
        block.name,
        round(max(xs) + dx, 1),
        round(max(ys) + dy, 1),
        {name: box.moved(dx, dy) for name, box in block.boxes.items()},
        {number: curve(old) for number, old in block.curves.items()},
        {key: box.moved(dx, dy) for key, box in block.exits.items()},
        {key: curve(old) for key, old in block.exit_curves.items()},
        {name: box.moved(dx, dy) for name, box in block.frames.items()},
        block.rough,
    )
