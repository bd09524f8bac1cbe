"""Which outline has a node? SVG path data of every shape, for a box at (0, 0)."""

from __future__ import annotations

__all__ = ["fold_line", "outline"]

_ROUND = 12.0
_CORNER = 11.0
_POINT = 13.0
_TAB = (34.0, 6.0)


def outline(shape: str, w: float, h: float) -> str:
    """The path of a shape; an unknown one is a plain box."""
    match shape:
        case "rounded":
            return _rounded(w, h, _ROUND)
        case "note":
            return f"M0 0H{_n(w - _CORNER)}L{_n(w)} {_n(_CORNER)}V{_n(h)}H0Z"
        case "arrow":
            return f"M0 0H{_n(w - _POINT)}L{_n(w)} {_n(h / 2)}L{_n(w - _POINT)} {_n(h)}H0Z"
        case "entry":
            tab, up = min(_TAB[0], w / 3), _TAB[1]
            return f"M0 {_n(h)}V{_n(-up)}H{_n(tab)}L{_n(tab + up)} 0H{_n(w)}V{_n(h)}Z"
    return _rounded(w, h, 2)


def fold_line(shape: str, w: float, h: float) -> str:
    """The lines within a shape: the bars of a call, the folded corner of a note; else ``""``."""
    if shape == "call":
        return f"M6 0V{_n(h)}M{_n(w - 6)} 0V{_n(h)}"
    if shape == "note":
        return f"M{_n(w - _CORNER)} 0V{_n(_CORNER)}H{_n(w)}"
    return ""


def _rounded(w: float, h: float, r: float) -> str:
    r = min(r, h / 2, w / 2)
    across, down = _n(w - 2 * r), _n(h - 2 * r)
    c = _n(r)
    corners = (f"a{c} {c} 0 0 1 {x}{c} {y}{c}" for x, y in (("", ""), ("-", ""), ("-", "-"), ("", "-")))
    sides = (f"h{across}", f"v{down}", f"h-{across}", f"v-{down}")
    return f"M{c} 0" + "".join(side + corner for side, corner in zip(sides, corners, strict=True)) + "Z"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
