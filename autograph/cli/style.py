"""Which colours, and how wide? Decided once from the options, the environment and the stream."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Page", "Style", "page_of", "safe", "wants_colour"]

WIDEST = 100
"""Columns; longer lines are hard to read however wide the window is."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Style:
    """Marks on a text: colours where they are wanted, else nothing."""

    colour: bool = False

    def _mark(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def bold(self, text: str) -> str:
        """A name or a heading."""
        return self._mark("1", text)

    def dim(self, text: str) -> str:
        """Something beside the matter."""
        return self._mark("2", text)

    def error(self, text: str) -> str:
        """Something that went wrong."""
        return self._mark("31", text)

    def warning(self, text: str) -> str:
        """Something doubtful."""
        return self._mark("33", text)

    def chosen(self, text: str) -> str:
        """The one among several that was taken."""
        return self._mark("32", text)

    def user(self, text: str) -> str:
        """What belongs to the user."""
        return self._mark("36", text)


@dataclass(frozen=True, slots=True)
class Page:
    """What a text is laid out for: its width in columns, and its style."""

    width: int = 80
    style: Style = Style()


def wants_colour(stream: Any, *, refused: bool = False, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether colours may be written to ``stream``. Empty variables count as unset."""
    if refused or environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return environ.get("TERM") != "dumb" and bool(stream.isatty())


def page_of(stream: Any, *, no_colour: bool = False) -> Page:
    """The page that ``stream`` is: the terminal's width where it is one, else 100 columns."""
    width = shutil.get_terminal_size((WIDEST, 24)).columns
    return Page(max(20, min(width, WIDEST)), Style(wants_colour(stream, refused=no_colour)))


def safe(text: str) -> str:
    """``text`` without control characters, which could take over the terminal; line ends and tabs stay."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))
