"""How are lines for a terminal made? The marks of a style, plain or in colour, and texts cut to a width."""

from __future__ import annotations

import unicodedata
from typing import Protocol

__all__ = ["PLAIN", "Marks", "clipped", "one_line"]


class Marks(Protocol):
    """What a style can do to a text; the terminal's own style is one."""

    def bold(self, text: str, /) -> str:
        """A name or a heading."""

    def dim(self, text: str, /) -> str:
        """Something beside the matter."""

    def error(self, text: str, /) -> str:
        """Something that went wrong."""

    def warning(self, text: str, /) -> str:
        """Something doubtful."""

    def chosen(self, text: str, /) -> str:
        """Something that went well."""


class _Plain:
    def _same(self, text: str, /) -> str:
        return text

    bold = dim = error = warning = chosen = _same


PLAIN: Marks = _Plain()
"""No marks at all."""


def one_line(text: str) -> str:
    """The text on one line, without characters that could take over a terminal."""
    kept = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(kept.split())


def clipped(text: str, width: int) -> str:
    """The text on one line of at most ``width`` characters."""
    line = one_line(text)
    return line if len(line) <= width else line[: max(0, width - 1)].rstrip() + "…"
