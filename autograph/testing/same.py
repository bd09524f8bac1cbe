"""Is a value the one that a test expects? Files hold less kinds of values than a program does."""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from autograph.frames import is_frame

__all__ = ["same", "shown_value"]


def same(expected: Any, got: Any) -> bool:
    """Whether ``got`` is what a test file says.

    Tuples are lists there, tables lists of mappings, dates and decimal numbers their text or number; a set is a
    list in any order. Fractions of numbers are compared to nine digits; true is not 1.
    """
    if is_frame(got):
        got = got.to_dict("records")
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None or got is None:
        return type(expected) is type(got) and expected == got
    if isinstance(expected, (int, float)):
        return isinstance(got, (int, float, Decimal)) and _close(expected, got)
    if isinstance(expected, str):
        return expected == (got if isinstance(got, str) else _text(got))
    if isinstance(expected, dict):
        return isinstance(got, dict) and expected.keys() == got.keys() and all(same(expected[k], got[k]) for k in got)
    if isinstance(got, (set, frozenset)):
        return isinstance(expected, list) and _in_any_order(expected, list(got))
    pair = isinstance(got, (list, tuple)) and len(got) == len(expected)
    return pair and all(map(same, expected, got))


def shown_value(value: Any, limit: int = 400) -> str:
    """A value as messages show it, at most ``limit`` characters."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _in_any_order(expected: list[Any], left: list[Any]) -> bool:
    for item in expected:
        found = next((i for i, other in enumerate(left) if same(item, other)), None)
        if found is None:
            return False
        del left[found]
    return not left


def _close(expected: float, got: Any) -> bool:
    if isinstance(expected, int) and isinstance(got, int):
        return expected == got
    number = float(got)
    return number == expected or math.isclose(number, expected, rel_tol=1e-9)


def _text(value: Any) -> str | None:
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    return str(value) if isinstance(value, (Decimal, timedelta)) else None
