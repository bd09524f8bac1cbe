"""How does a table of the page look? Cells for numbers, rates, conversations and nodes, and the table around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograph.evaluation.intervals import Interval
from autograph.graph.pieces import esc
from autograph.simulation.figures import Rate
from autograph.simulation.page_plots import bar
from autograph.simulation.summary_text import amount_text, number_text

__all__ = ["Cell", "count_cell", "mean_cell", "node_cell", "of_text", "rate_cell", "table", "talk_cell"]

_TALL = 20
"""More rows than these scroll."""

Cell = tuple[str, float | None]
"""The HTML of a table's cell, and the number it is sorted by; None for a text."""


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], caption: str) -> str:
    """A table that the script makes sortable; a long one scrolls within its place."""
    top = "".join(f'<th scope="col">{esc(head)}</th>' for head in heads)
    lines = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows]
    tall = f' tall" tabindex="0" role="group" aria-label="{esc(caption)}' if len(lines) > _TALL else ""
    body = "".join(lines)
    return (
        f'<div class="wide{tall}"><table class="sortable"><caption>{esc(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    text, value = cell
    if value is None:
        return f"<td>{text}</td>"
    kind = "" if text.startswith("<svg") else ' class="n"'
    return f'<td{kind} data-v="{value:.10g}">{text}</td>'


def count_cell(value: float) -> Cell:
    """A number."""
    return number_text(value), value


def rate_cell(rate: Rate, kind: str) -> Cell:
    """A rate as a bar and as text."""
    text = f'{bar(rate.interval, kind)}<span class="figure">{esc(rate.text())}</span>'
    return text, rate.value if rate.n else -1.0


def talk_cell(index: int) -> Cell:
    """A conversation, to be opened."""
    return f'<a href="#c{index}">#{index}</a>', index


def node_cell(node: str) -> Cell:
    """A node; the script shows the conversations that passed it."""
    return f'<button type="button" class="link" data-node="{esc(node)}">{esc(node)}</button>', None


def mean_cell(interval: Interval) -> Cell:
    """A mean with its interval."""
    return f'<span class="figure">{esc(amount_text(interval))}</span>', interval.value


def of_text(rate: Rate) -> str:
    """How many of how many."""
    return f"{rate.count:,} of {rate.n:,}" if rate.n else "not told"
