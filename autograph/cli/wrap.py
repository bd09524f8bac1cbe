"""How does text become lines? Measured in columns, for whole texts, tables and replies that stream in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import zip_longest

__all__ = ["Wrapped", "clip", "columns", "table", "wrap"]

_PARTS = re.compile(r"\n|[^\S\n]+|\S+")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def columns(text: str) -> int:
    """How many columns of a terminal ``text`` takes; wide characters take two, accents and marks none."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    plain = _ANSI.sub("", text)
    return sum(_character(character) for character in plain)


def _character(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Wrapped:
    """Breaks a text between words while it comes in pieces.

    ``write`` is given what can be shown; a word is held back until it is whole. ``end`` shows the rest.
    Words longer than a line, and text without blanks such as Chinese, are broken where the line ends.
    """

    def __init__(self, write: Callable[[str], object], width: int) -> None:
        self._write = write
        self._width = max(width, 8)
        self._column = 0
        self._held = ""
        self._blank = ""
        self.written = False

    def feed(self, piece: str) -> None:
        """Take in the next piece of the text."""
        parts = _PARTS.findall(self._held + piece)
        self._held = parts.pop() if parts and not parts[-1].isspace() else ""
        for part in parts:
            self._take(part)

    def end(self) -> None:
        """Show what was held back, and end the line if one is begun."""
        if self._held:
            self._word(self._held)
        if self._column:
            self._write("\n")
        self._held = self._blank = ""
        self._column = 0

    def _take(self, part: str) -> None:
        if part == "\n":
            self._write("\n")
            self._column, self._blank = 0, ""
        elif part.isspace():
            self._blank += part.replace("\t", "    ")
        else:
            self._word(part)

    def _word(self, word: str) -> None:
        self.written = True
        blank, self._blank = self._blank, ""
        size = columns(word)
        end = self._column + len(blank)
        if self._column and (end >= self._width or (end + size > self._width and not _breakable(word))):
            self._write("\n")
            self._column, blank = 0, ""
        self._write(blank)
        self._column += len(blank)
        if self._column + size <= self._width:
            self._write(word)
            self._column += size
            return
        for character in word:
            if self._column + _character(character) > self._width:
                self._write("\n")
                self._column = 0
            self._write(character)
            self._column += _character(character)


def _breakable(word: str) -> bool:
    """Whether a word may be broken anywhere, as scripts without blanks are."""
    return any(unicodedata.east_asian_width(character) in "WF" for character in word)


def wrap(text: str, width: int) -> list[str]:
    """The lines of ``text``, none wider than ``width``; its own line ends stay. At least one line."""
    written: list[str] = []
    wrapped = Wrapped(written.append, width)
    wrapped.feed(text)
    wrapped.end()
    return "".join(written).removesuffix("\n").split("\n")


def clip(text: str, width: int) -> str:
    """``text`` on one line of at most ``width`` columns; ``…`` stands for what was cut."""
    line = " ".join(text.split())
    if columns(line) <= width:
        return line
    kept, used = [], 0
    for character in line:
        used += _character(character)
        if used > width - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def table(rows: Sequence[Sequence[str]], width: int, indent: str = "  ", *, wrapping: int = 1) -> list[str]:
    """Lines with aligned columns two blanks apart; the last ``wrapping`` columns share the width that is left."""
    if not rows:
        return []
    count = max(map(len, rows))
    cells = [[*row, *[""] * (count - len(row))] for row in rows]
    sizes = [max(max(columns(line) for line in row[i].split("\n")) for row in cells) for i in range(count)]
    fixed = sum(sizes[: count - wrapping]) + len(indent) + 2 * (count - 1)
    _share(sizes, count - wrapping, max(width - fixed, 10 * wrapping))
    wrapped = [[_cell_lines(cell, size) for cell, size in zip(row, sizes, strict=True)] for row in cells]
    used = [max(columns(line) for row in wrapped for line in row[i]) for i in range(count)]
    return [line for row in wrapped for line in _row_lines(row, used, indent)]


def _share(sizes: list[int], first: int, room: int) -> None:
    """Shrink the sizes from ``first`` on until they fit into ``room``: the widest give way first."""
    wide = list(range(first, len(sizes)))
    while wide:
        fair = room // len(wide)
        small = [i for i in wide if sizes[i] <= fair]
        if not small:
            for i in wide:
                sizes[i] = fair
            return
        for i in small:
            room -= sizes[i]
            wide.remove(i)


def _cell_lines(cell: str, size: int) -> list[str]:
    lines = cell.split("\n")
    return lines if all(columns(line) <= size for line in lines) else wrap(cell, size)


def _row_lines(row: Sequence[Sequence[str]], sizes: Sequence[int], indent: str) -> list[str]:
    lines = []
    for parts in zip_longest(*row, fillvalue=""):
        padded = [part + " " * (size - columns(part)) for part, size in zip(parts, sizes, strict=True)]
        lines.append((indent + "  ".join(padded)).rstrip())
    return lines
