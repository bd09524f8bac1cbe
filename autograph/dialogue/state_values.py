"""Which numbers may stand in a dialogue state, and how is a value that is wrong shown in a message?"""

from __future__ import annotations

import math

__all__ = ["MAX_DEPTH", "is_number", "kind_of", "shown", "too_long"]

MAX_DEPTH = 200
"""How deeply data may be nested."""

_MOST_BITS = 14_000
"""Integers beyond this have so many digits that Python neither writes nor reads them as text."""

_KINDS = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}


def is_number(value: object) -> bool:
    """Whether this is a number that every reader of JSON can hold: finite, within a float's range, no truth value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def too_long(value: int) -> bool:
    """Whether an integer has too many digits to be written."""
    return value.bit_length() > _MOST_BITS


def kind_of(value: object) -> str:
    """The kind of a value, as JSON calls it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _KINDS.get(type(value), type(value).__name__)


def shown(value: object) -> str:
    """A value for a message: texts and numbers shortened, of all else the kind (``repr`` may be endless)."""
    if isinstance(value, str):
        text = f'"{value[:100]}"'.encode("utf-8", "backslashreplace").decode("utf-8")
    elif value is None or isinstance(value, (bool, float)) or is_number(value):
        text = repr(value)
    elif isinstance(value, int):
        return "a number beyond all bounds"
    else:
        return kind_of(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
