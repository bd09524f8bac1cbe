"""What is the text of one cell? Blanks, control characters, numbers, dates and spreadsheet limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction

__all__ = [
    "BLANKS",
    "CONTROL",
    "BadCell",
    "at_limit",
    "clean",
    "column_letter",
    "normalise_lines",
    "plain_blanks",
    "value_text",
]

# White space as people paste it; the zero-width characters are no white space to ``str.strip``.
BLANKS = (
    " \t\n\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)

_ZERO_WIDTH = "\u200b\u2060\ufeff"
_PLAIN_BLANKS = str.maketrans({c: "" if c in _ZERO_WIDTH else " " for c in BLANKS if not c.isascii()})

# C0, DEL, C1 and lone surrogates; tab and line feed are text.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_CELL_LIMIT = 32_767  # characters (UTF-16 units) that Excel stores in a cell; what is longer, it cuts
_LARGEST_PLAIN = 1e16  # whole floats below this are exact and are written without an exponent


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell whose text is lost or unknown: the kind of problem, what to say, and the nearest text."""

    kind: str
    message: str
    hint: str
    text: str = ""


def normalise_lines(text: str) -> str:
    r"""The text with ``\r\n`` and lone ``\r`` as ``\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def clean(text: str) -> str:
    """The text of a cell as a row holds it: line ends are line feeds, outer blanks are gone."""
    return normalise_lines(text).strip(BLANKS)


def plain_blanks(text: str) -> str:
    """The text with no-break and other special blanks as plain ones, and without zero-width blanks."""
    return text if text.isascii() else text.translate(_PLAIN_BLANKS)


def at_limit(text: str) -> bool:
    """Whether the text is exactly as long as Excel allows, so that its end was probably cut off."""
    if not _CELL_LIMIT // 2 <= len(text) <= _CELL_LIMIT:
        return False
    return len(text) + sum(c > "\uffff" for c in text) == _CELL_LIMIT


def column_letter(index: int) -> str:
    """``A`` for 0, ``Z`` for 25, ``AA`` for 26."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def value_text(value: object) -> str | BadCell:
    """The text that a person would have typed for a value from a workbook, a DataFrame or Python.

    ``None``, NaN and their kin are empty, whole floats lose their ``.0``; a date is a ``BadCell``,
    since the text that became a date is lost.
    """
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, (bool, int, Decimal, Fraction)):
        return str(value)
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, (datetime, date, time)):
        return _date_cell(value)
    item = getattr(value, "item", None)  # a numpy scalar
    if callable(item) and getattr(value, "shape", None) == ():
        plain = item()
        if type(plain) is not type(value):
            return value_text(plain)
    name = type(value).__name__
    if name == "timedelta":
        return _date_cell(value)
    return BadCell(
        "bad-cell", f"is of type {name}, which is neither text nor a number.", "Give it as text.", f"<{name}>"
    )


def _float_text(value: float) -> str:
    if value != value:
        return ""
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return repr(float(value))


def _date_cell(value: object) -> BadCell:
    shown = str(value).removesuffix(" 00:00:00")
    return BadCell(
        "date-cell",
        f"holds a date or time ({shown}), not the text that was typed.",
        "Format the column as text, then type the entry again.",
        shown,
    )
