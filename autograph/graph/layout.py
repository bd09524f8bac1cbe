"""Where does everything go? Each part laid out by itself, several at a time, then the parts beside each other."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from autograph.graph.answer import block_of, read_answer
from autograph.graph.engine import Engine, LayoutFailed, find_engine, run_engine
from autograph.graph.geometry import Block, Layout
from autograph.graph.parts import Link, Part, parts_of
from autograph.graph.place import block_size, links_between, place_blocks, title_width
from autograph.graph.request import Asked, ask
from autograph.graph.simple import simple_layout
from autograph.graph.view import View

__all__ = ["FOLD_ABOVE", "arrange", "folded_at_first", "lay_out"]

FOLD_ABOVE = 150
"""With more nodes than this, functions start folded."""
SECONDS = 60.0
"""What all parts together may take, after which the rest is drawn in a plain way."""
_FORM = ("-Kdot", "-Tjson0")
_ATTEMPTS = (((), 15.0), (("-Gnslimit=1", "-Gnslimit1=1", "-Gmclimit=0.2", "-Gsplines=line"), 10.0))
"""The best way, then a quicker one with straight lines; each with the seconds that one part may take."""
_HEAVY = 4_000
"""Parts that need more effort than this begin with the quicker way."""


def folded_at_first(view: View, fold: bool | None = None) -> frozenset[str]:
    """The functions that start folded: all or none where that is asked for, else all of a large program."""
    wanted = len(view.nodes) > FOLD_ABOVE if fold is None else fold
    return frozenset(node.function for node in view.nodes if node.function) if wanted else frozenset()


def lay_out(
    view: View, *, engine: str = "auto", seconds: float = SECONDS
) -> tuple[tuple[Block, ...], tuple[Link, ...]]:
    """The blocks of a view, and the links between them.

    ``engine``: ``dot``, ``graphviz-pure`` or ``auto``. Raises ``DrawingError`` if there is none.
    """
    parts, links = parts_of(view)
    program = find_engine(engine)
    deadline = monotonic() + seconds
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        blocks = tuple(pool.map(lambda part: _block(part, program, deadline), parts))
    return blocks, links


def _effort(asked: Asked) -> int:
    """How much is to be laid out, roughly: edges by the rows they pass."""
    return sum(abs(start - end) for start, end in asked.ends)


def _block(part: Part, engine: Engine, deadline: float) -> Block:
    asked = ask(part)
    why = ""
    for arguments, limit in _ATTEMPTS[_effort(asked) > _HEAVY :]:
        try:
            data = run_engine(engine, asked.text, (*_FORM, *arguments), min(limit, deadline - monotonic()))
            return block_of(part, asked, *read_answer(data, asked))
        except LayoutFailed as error:
            why = str(error)
        except (ValueError, KeyError) as error:
            why = f"{engine.name} gave an answer that cannot be read ({error})"
    edges = dict(part.edges)
    labelled = {i for i, key in enumerate(asked.edges) if isinstance(key, tuple) or edges[key].labels}
    boxes, curves = simple_layout(asked, labelled)
    what = f"the function {part.name}" if part.name else "the main part"
    return block_of(part, asked, boxes, curves, f"{why}: {what} ({len(part.nodes)} nodes) is drawn in a plain way")


def arrange(
    view: View, blocks: Sequence[Block], links: Sequence[Link], folded: Collection[str] = frozenset()
) -> Layout:
    """The blocks beside each other, some of them folded."""
    sizes = [block_size(block, title_width(view, block.name), block.name in folded) for block in blocks]
    between = links_between(links, blocks, folded)
    corners, w, h = place_blocks(sizes, between, not blocks[0].name)
    return Layout(tuple(blocks), tuple(corners), frozenset(folded), w, h)
