"""Where is everything? Boxes, curves and blocks of a laid-out drawing; ``y`` grows downwards, unit: CSS pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Block", "Box", "Curve", "Layout", "Point"]

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left corner."""

    x: float
    y: float
    w: float
    h: float

    @property
    def cx(self) -> float:
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        return self.y + self.h / 2

    def moved(self, dx: float, dy: float) -> Box:
        """The same box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)


@dataclass(frozen=True, slots=True)
class Curve:
    """An edge: ``points`` of Bézier pieces (1 + 3 n) up to the arrow head, and the ``tip`` of the head.

    ``label``: the middle of its label, if it has one.
    """

    points: tuple[Point, ...]
    tip: Point
    label: Point | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One part, laid out by itself: the main part (``name`` is ``""``) or a function, at (0, 0).

    ``boxes`` by node name, ``exits`` by node name and place of the exit, ``curves`` by number of the edge in the
    view, ``exit_curves`` as ``exits``, ``frames`` by group name. ``rough``: why Graphviz did not draw it, else ``""``.
    """

    name: str
    w: float
    h: float
    boxes: Mapping[str, Box]
    curves: Mapping[int, Curve]
    exits: Mapping[tuple[str, int], Box]
    exit_curves: Mapping[tuple[str, int], Curve]
    frames: Mapping[str, Box]
    rough: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole drawing: blocks, the corner each is placed at, those that are folded, and the extent."""

    blocks: tuple[Block, ...]
    corners: tuple[Point, ...]
    folded: frozenset[str]
    w: float
    h: float

    @property
    def rough(self) -> tuple[str, ...]:
        """What to tell about parts that are drawn in a plain way."""
        return tuple(block.rough for block in self.blocks if block.rough)
