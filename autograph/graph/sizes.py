"""How large is what is drawn? The measures that layout and drawing share."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.text import text_width, wrap
from autograph.graph.view import Exit, ViewEdge, ViewNode

__all__ = [
    "BADGE",
    "EXIT_H",
    "GAP",
    "LABEL_SIZE",
    "NODE_H",
    "NODE_W",
    "PAD",
    "TITLE",
    "badge_text",
    "edge_label",
    "exit_text",
    "label_size",
]

NODE_W, NODE_H = 190.0, 52.0
BADGE = 11.0
"""How far an exit's badge hangs below its node."""
TITLE = 22.0
"""The strip above the members of a group, and at the top of a function's frame, for the title."""
PAD = 12.0
"""Between a frame and what it holds."""
GAP = 70.0
"""Between columns of blocks."""
EXIT_H = 16.0
LABEL_SIZE = 9.5
_LABEL_ROOM = 112.0
_LINE = 12.0

_MARKS = {"quit": "■", "end": "■", "return": "↩", "resume": "⤺", "dynamic": "◇"}


def exit_text(leaving: Exit) -> str:
    """An exit as a mark and the words of the cell."""
    return f"{_MARKS.get(leaving.kind, '→')} {leaving.text}"


def badge_text(node: ViewNode) -> str:
    """The exits that nothing is asked for; they hang at the node itself."""
    return "  ".join(exit_text(leaving) for leaving in node.exits if not leaving.label)


def edge_label(edge: ViewEdge) -> list[str]:
    """The lines of an edge's label, two at most; the whole text is in its tooltip."""
    return wrap(" | ".join(edge.labels), _LABEL_ROOM, LABEL_SIZE, 2)


def label_size(lines: Sequence[str]) -> tuple[float, float]:
    """Width and height of a label."""
    return max(text_width(line, LABEL_SIZE) for line in lines) + 8, len(lines) * _LINE + 4
