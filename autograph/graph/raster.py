"""How do PNG and PDF come about? Graphviz draws what is laid out already; what it cannot do is said."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.graph.engine import DrawingError, Engine, LayoutFailed, run_engine
from autograph.graph.geometry import Layout
from autograph.graph.parts import Link
from autograph.graph.placed import placed_dot_text
from autograph.graph.view import View

__all__ = ["missing_glyphs", "pdf_bytes", "png_bytes"]

_DPI = 144
_MOST_DOTS = 24_000_000
"""The dots of the largest PNG; a larger drawing is made coarser, for Graphviz keeps all of it in memory."""
_COARSEST = 24
SECONDS = 60.0


def png_bytes(view: View, layout: Layout, links: Sequence[Link], engine: Engine) -> bytes:
    """The drawing as PNG, in the light theme. Raises ``DrawingError``."""
    inches = (layout.w + 50) * (layout.h + 50) / 72**2
    dpi = max(_COARSEST, min(_DPI, int((_MOST_DOTS / inches) ** 0.5)))
    return _drawn(placed_dot_text(view, layout, links, dpi), "png", engine)


def pdf_bytes(view: View, layout: Layout, links: Sequence[Link], engine: Engine) -> bytes:
    """The drawing as PDF. Raises ``DrawingError``, also where only ``graphviz-pure`` is installed."""
    if engine.name != "dot":
        raise DrawingError(
            "PDF needs the program dot of Graphviz: graphviz-pure makes none. Remedy: install Graphviz "
            "(apt-get install graphviz, brew install graphviz), or make the HTML and print it to PDF in a browser."
        )
    return _drawn(placed_dot_text(view, layout, links, 72), "pdf", engine)


def _drawn(text: str, form: str, engine: Engine) -> bytes:
    try:
        return run_engine(engine, text, ("-Kneato", "-n2", f"-T{form}"), SECONDS)
    except LayoutFailed as error:
        raise DrawingError(f"The {form.upper()} cannot be made: {error}. Remedy: make SVG or HTML.") from error


def missing_glyphs(view: View) -> str:
    """What to say where the bundled fonts of ``graphviz-pure`` lack letters of the program, else ``""``."""
    texts = (text for node in view.nodes for text in (node.name, node.text, node.condition))
    labels = (label for edge in view.edges for label in edge.labels)
    strange = dict.fromkeys(letter for text in (*texts, *labels) for letter in text[:200] if _is_strange(letter))
    if not strange:
        return ""
    return (
        f"graphviz-pure has no glyphs for letters such as {' '.join(list(strange)[:3])}: "
        "they are empty boxes in the PNG. Remedy: make SVG or HTML, or install Graphviz (apt-get install graphviz) "
        "with a font that has them."
    )


def _is_strange(letter: str) -> bool:
    code = ord(letter)
    return code >= 0x0590 and not 0x1E00 <= code < 0x2300
