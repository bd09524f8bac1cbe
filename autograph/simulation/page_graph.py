"""Which ways did the conversations take? A drawing of the program, and the same as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from autograph.graph import Drawing, DrawingError, View, draw
from autograph.graph.overlay import Counts, overlaid
from autograph.graph.pieces import esc
from autograph.simulation.breakdown import all_traffic
from autograph.simulation.page_tables import table
from autograph.simulation.record import Conversation

__all__ = ["graph_part"]

_SECONDS = 30.0
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
"""The drawing's own colours; the page brings the same, and its choice of light or dark."""


def graph_part(bot: Any, talks: Sequence[Conversation]) -> tuple[str, tuple[str, ...]]:
    """The section with the drawing, and the names of its nodes in the order of their numbers."""
    traffic = all_traffic(talks)
    view = overlaid(draw(bot).view, Counts(traffic.nodes, traffic.edges), weighted=True)
    try:
        svg = Drawing(view, engine="graphviz-pure", seconds=_SECONDS).svg()
    except DrawingError as error:
        picture = f'<p class="note">{esc(f"It cannot be drawn: {error}")}</p>'
    else:
        picture = (
            '<p class="tools"><button type="button" id="size" aria-pressed="false">Full size</button></p>'
            f'<div class="graph fit" tabindex="0" aria-label="Drawing">{_STYLE.sub("", svg, count=1)}</div>'
        )
    note = f'<p class="soft">{esc(view.counted)}. A click on a node shows the conversations that passed it.</p>'
    return note + picture + _ways(view), tuple(node.name for node in view.nodes)


def _ways(view: View) -> str:
    rows = (
        (
            (esc(edge.source), None),
            (esc(edge.target), None),
            (esc(" | ".join(edge.labels)), None),
            (f"{edge.count:,}", edge.count or 0),
        )
        for edge in sorted(view.edges, key=lambda edge: -(edge.count or 0))
    )
    shown = table(("from", "to", "answer", "taken"), rows, "The ways of the program, and how often they were taken")
    return f"<details><summary>The same as a table</summary>{shown}</details>"
