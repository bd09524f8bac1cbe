"""Which pieces does an SVG drawing consist of? Labels, pills, curves and arrow heads as text."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from autograph.graph.geometry import Box, Curve, Point
from autograph.graph.sizes import LABEL_SIZE, label_size
from autograph.graph.text import clip, plain

__all__ = ["count_svg", "esc", "label_svg", "num", "path_data", "pill_svg", "tip_data"]


def esc(text: str) -> str:
    """``text`` for SVG and HTML, within an element or a quoted attribute."""
    return html.escape(plain(text), quote=True)


def label_svg(lines: list[str], middle: Point) -> Iterator[str]:
    w, h = label_size(lines)
    x, y = middle
    at = f'x="{num(x - w / 2)}" y="{num(y - h / 2)}" width="{num(w)}" height="{num(h)}"'
    yield f'<rect class="gap" {at} rx="4" fill="#ffffff" fill-opacity="0.85"/>'
    for index, line in enumerate(lines):
        base = y - h / 2 + 11.5 + 12 * index
        yield (
            f'<text class="label" x="{num(x)}" y="{num(base)}" font-size="{LABEL_SIZE}" text-anchor="middle" '
            f'fill="#303844">{esc(line)}</text>'
        )


def count_svg(count: int, curve: Curve) -> Iterator[str]:
    x, y = curve.points[len(curve.points) // 2]
    yield f'<text class="label" x="{num(x + 5)}" y="{num(y)}" font-size="8.5" fill="#303844">×{count}</text>'


def pill_svg(box: Box, text: str, kind: str) -> str:
    red = {"error": "#b91c1c", "warning": "#92540a", "added": "#1a6b33", "removed": "#b91c1c", "changed": "#92540a"}
    last = kind.rpartition(" ")[2]
    fill, ink, stroke = (red[last], "#ffffff", red[last]) if last in red else ("#ffffff", "#303844", "#5b6472")
    at = f'x="{num(box.x)}" y="{num(box.y)}" width="{num(box.w)}" height="{num(box.h)}" rx="{num(box.h / 2)}"'
    return (
        f'<g class="pill {kind}"><rect {at} fill="{fill}" stroke="{stroke}"/><text x="{num(box.cx)}" '
        f'y="{num(box.cy + 3.2)}" font-size="9" text-anchor="middle" fill="{ink}">'
        f"{esc(clip(text, box.w - 8, 9))}</text></g>"
    )


def path_data(points: Sequence[Point]) -> str:
    first, *rest = (f"{num(x)} {num(y)}" for x, y in points)
    return f"M{first}C{' '.join(rest)}"


def tip_data(start: Point, tip: Point) -> str:
    """An arrow head from the end of the curve to the tip."""
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy = dx / length, dy / length
    bx, by = tip[0] - 7.5 * ux, tip[1] - 7.5 * uy
    left, right = (bx - 3.2 * uy, by + 3.2 * ux), (bx + 3.2 * uy, by - 3.2 * ux)
    return f"M{num(tip[0])} {num(tip[1])}L{num(left[0])} {num(left[1])}L{num(right[0])} {num(right[1])}Z"


def num(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
