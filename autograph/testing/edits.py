"""What is one small change of a cell's text? A place, what stands there, and what shall stand there instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Edit", "altered_words", "applied", "excerpt"]

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")
_AROUND = 24  # characters shown on either side of a change
_ESCAPES = re.compile(r"\\.", re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """``text[start:end]`` becomes ``new``; ``kind`` is a word of ``mutants.KINDS``."""

    start: int
    end: int
    new: str
    kind: str

    def moved(self, offset: int) -> Edit:
        """The same change in a text that has ``offset`` more characters in front."""
        return Edit(self.start + offset, self.end + offset, self.new, self.kind)


def applied(text: str, edit: Edit) -> str:
    """The text after the change."""
    return text[: edit.start] + edit.new + text[edit.end :]


def altered_words(text: str, start: int = 0) -> Iterator[Edit]:
    """One altered word of a text, if it has a word of two letters or more: the longest, the first of equals.

    ``start``: where the text stands. The letter after a backslash belongs to an escape and is let be.
    """
    plain = _ESCAPES.sub("  ", text)
    found = max(_WORD.finditer(plain), key=lambda match: match.end() - match.start(), default=None)
    if found is not None:
        word = text[found.start() : found.end()]
        yield Edit(start + found.start(), start + found.end(), f"{word}x", "change-text")


def excerpt(text: str, start: int, end: int) -> str:
    """A part of a text for a report: ``text[start:end]`` and what stands beside it on its line."""
    left = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    stop = text.find("\n", end)
    right = min(len(text) if stop < 0 else stop, end + _AROUND)
    before = "…" if left > 0 and text[left - 1] != "\n" else ""
    after = "…" if right < len(text) and text[right] != "\n" else ""
    return f"{before}{text[left:right]}{after}".replace("\n", " ⏎ ").strip()
