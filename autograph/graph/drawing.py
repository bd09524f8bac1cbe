"""What do developers hold? ``Drawing``: a program's picture in every format; ``draw`` makes one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from autograph.graph.engine import DrawingError, Engine, find_engine
from autograph.graph.extract import view_of
from autograph.graph.geometry import Block, Layout
from autograph.graph.layout import arrange, folded_at_first, lay_out
from autograph.graph.parts import Link
from autograph.graph.view import View
from autograph.program.program import Program

__all__ = ["FORMATS", "Drawing", "draw"]

FORMATS = {
    "html": ".html",
    "svg": ".svg",
    "png": ".png",
    "pdf": ".pdf",
    "dot": ".dot",
    "mermaid": ".mmd",
    "json": ".json",
}
"""Name of a format to the ending of its files."""
_ENDINGS = {ending: name for name, ending in FORMATS.items()} | {".htm": "html", ".gv": "dot", ".mermaid": "mermaid"}


@dataclass(frozen=True)
class Drawing:
    """A picture of a program.

    ``fold``: whether functions are folded (None: in programs of more than 150 nodes). ``engine``: ``auto``,
    ``dot`` or ``graphviz-pure``; with the latter the same view always gives the same bytes. ``seconds``: what the
    layout may take. Every method that needs a layout raises ``DrawingError`` where no layout program is installed.
    """

    view: View
    fold: bool | None = None
    engine: str = "auto"
    seconds: float = 60.0

    @cached_property
    def _parts(self) -> tuple[tuple[Block, ...], tuple[Link, ...]]:
        if not self.view.nodes:
            raise DrawingError("There is nothing to draw: no node is left in the selection.")
        return lay_out(self.view, engine=self.engine, seconds=self.seconds)

    @cached_property
    def layout(self) -> Layout:
        """Where everything is, with what is folded."""
        return arrange(self.view, *self._parts, folded_at_first(self.view, self.fold))

    @property
    def _program(self) -> Engine:
        return find_engine(self.engine)

    def html(self) -> str:
        """One page that needs no network: the drawing with search, panel, keys and a table."""
        from autograph.graph.html import html_text

        unfolded = arrange(self.view, *self._parts)
        return html_text(self.view, replace(unfolded, folded=folded_at_first(self.view, self.fold)), self._parts[1])

    def svg(self) -> str:
        """The drawing alone, light or dark as the reader prefers."""
        from autograph.graph.svg import svg_text

        return svg_text(self.view, self.layout, self._parts[1])

    def png(self) -> bytes:
        """A picture in dots."""
        from autograph.graph.raster import png_bytes

        return png_bytes(self.view, self.layout, self._parts[1], self._program)

    def pdf(self) -> bytes:
        """A page to print; needs Graphviz's ``dot``."""
        from autograph.graph.raster import pdf_bytes

        return pdf_bytes(self.view, self.layout, self._parts[1], self._program)

    def dot(self) -> str:
        """DOT text for Graphviz, without places."""
        from autograph.graph.dot import dot_text

        return dot_text(self.view)

    def mermaid(self) -> str:
        """A Mermaid flow chart for Markdown pages."""
        from autograph.graph.mermaid import mermaid_text

        return mermaid_text(self.view)

    def json(self) -> str:
        """Nodes, edges, groups and functions as data."""
        from autograph.graph.data import json_text

        return json_text(self.view)

    def render(self, form: str) -> bytes:
        """The drawing in one of ``FORMATS``."""
        if form not in FORMATS:
            raise DrawingError(f'There is no format "{form}". The formats are {", ".join(FORMATS)}.')
        made: str | bytes = getattr(self, form)()
        return made if isinstance(made, bytes) else made.encode("utf-8", "replace")

    def save(self, path: str | PathLike[str], form: str | None = None) -> Path:
        """Write the drawing to a file, in the format its ending names unless ``form`` says another."""
        target = Path(path)
        form = form or format_of(target)
        target.write_bytes(self.render(form))
        return target

    def notes(self, form: str = "html") -> list[str]:
        """What the reader of the drawing should know: parts drawn in a plain way, letters without glyphs."""
        found: list[str] = []
        if form in ("html", "svg", "png", "pdf"):
            found += self.layout.rough
        if form == "png" and self._program.name == "graphviz-pure":
            from autograph.graph.raster import missing_glyphs

            found += [note] if (note := missing_glyphs(self.view)) else []
        if form == "mermaid":
            from autograph.graph.mermaid import MOST_EDGES

            if len(self.view.edges) > MOST_EDGES:
                found.append(f"Mermaid draws {MOST_EDGES} edges unless its setting maxEdges is raised.")
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows."""
        return {"image/svg+xml": self.svg(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Drawing of {self.view.title}: {len(self.view.nodes)} nodes, {len(self.view.edges)} edges>"


def format_of(path: Path) -> str:
    """The format that a file's ending names. Raises ``DrawingError``."""
    form = _ENDINGS.get(path.suffix.lower())
    if form is None:
        raise DrawingError(f"{path} must end in {', '.join(FORMATS.values())}, or the format must be given.")
    return form


def draw(
    source: Any,
    *,
    title: str = "",
    focus: str | None = None,
    depth: int = 2,
    function: str | None = None,
    category: str | None = None,
    compare: Any = None,
    fold: bool | None = None,
    engine: str = "auto",
) -> Drawing:
    """Draw a program.

    ``source``: a loaded program (an ``Autograph`` or its ``.program``), or whatever ``read_rows`` takes: a path, a
    DataFrame, a list of dicts. ``focus`` with ``depth``, ``function`` and ``category`` select a part; ``compare``
    is an earlier program, with which the drawing marks what was added, removed and changed.

    Raises ``ProgramError``, and ``DrawingError`` for what cannot be selected or drawn.
    """
    from autograph.graph.diff import compared
    from autograph.graph.focus import around, of_category, of_function

    view = view_of(_program_of(source), title)
    if compare is not None:
        view = compared(view_of(_program_of(compare)), view)
    if function is not None:
        view = of_function(view, function)
    if category is not None:
        view = of_category(view, category)
    if focus is not None:
        view = around(view, focus, depth)
    return Drawing(view, fold, engine)


def _program_of(source: Any) -> Program:
    found = getattr(source, "program", source)
    if isinstance(found, Program):
        return found
    from autograph.program import build
    from autograph.tables import read_rows

    return build(read_rows(source))
