"""How wide is a text, and what of it fits? Without fonts, so that a drawing is the same on every machine.

Widths are those of a wide sans-serif font; a browser that has a narrower one leaves a little more room.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["clip", "plain", "text_width", "wrap"]

_NARROW = dict.fromkeys("iljI|!.,:;'’`", 0.32) | dict.fromkeys('frt()[]{}/\\-" “”·', 0.41)
_WIDE = dict.fromkeys("mwMW@%&—…", 0.95) | dict.fromkeys("_", 0.5)
_WIDTHS = _NARROW | _WIDE
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")
_BREAK = re.compile(r"(?<=[_.\-/,=(\[])")


def plain(text: str) -> str:
    """``text`` without control characters and lone surrogates, which no SVG, HTML or DOT file may hold."""
    return _CONTROL.sub("\ufffd", text)


def _letter_width(letter: str) -> float:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if letter.isascii():
        return 0.7 if letter.isupper() else 0.61
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Mn", "Me"):
        return 0.0
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return 1.1
    return 0.75 if letter.isupper() else 0.66


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line, in the unit of ``size``."""
    return sum(map(_letter_width, text)) * size * (1.1 if bold else 1.0)


def clip(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """``text`` cut to ``room``, with an ellipsis where something is missing."""
    if text_width(text, size, bold=bold) <= room:
        return text
    room -= text_width("…", size, bold=bold)
    end = 0
    for end, letter in enumerate(text):  # noqa: B007
        room -= _letter_width(letter) * size * (1.1 if bold else 1.0)
        if room < 0:
            break
    return text[:end].rstrip() + "…"


def wrap(text: str, room: float, size: float, lines: int) -> list[str]:
    """``text`` in at most ``lines`` lines, broken at blanks (else behind a sign); the last may end in an ellipsis."""
    words = plain(text[:400]).split()
    found: list[str] = []
    while words and len(found) < lines - 1:
        line = ""
        while words and text_width(longer := f"{line} {words[0]}" if line else words[0], size) <= room:
            line = longer
            del words[0]
        if not line:
            line, words[0] = _broken(words[0], room, size)
        found.append(line)
    return [*found, clip(" ".join(words), room, size)] if words else found


def _broken(word: str, room: float, size: float) -> tuple[str, str]:
    """A long word in two: behind a sign within its first line if there is one, else where the line ends."""
    head = ""
    for part in _BREAK.split(word):
        if text_width(head + part, size) > room:
            break
        head += part
    if not head:
        while text_width(head, size) < room - size and len(head) < len(word):
            head = word[: len(head) + 1]
    return head, word[len(head) :]
