"""How large is a value? Its items as a tree, and its bytes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from sys import getsizeof
from typing import Any

from autograph.errors import LimitError
from autograph.language.sandbox.limits import DATA_NODES

__all__ = ["NUMBERS", "SCALARS", "bytes_of", "weigh"]

NUMBERS: frozenset[type] = frozenset((int, float, bool, complex))
SCALARS: frozenset[type] = NUMBERS | {type(None), date, datetime, time, timedelta, Decimal, Fraction, range}
"""Types whose values are small and hold nothing else; text and bytes count by their length."""

_GROUPS = frozenset((list, tuple, set, frozenset))
_VIEWS = frozenset((type({}.keys()), type({}.values()), type({}.items())))
_TEXTS = frozenset((str, bytes))
_FLAT = SCALARS | _TEXTS
_DEPTH = 200


def weigh(value: Any, per_node: int = 512, limit: int = DATA_NODES, depth: int = _DEPTH) -> tuple[int, int]:
    """The number of items in ``value``, counted as a tree (what is shared counts each time), and of its collections.

    A text counts once per ``per_node`` characters. Raises ``LimitError`` above ``limit``, and for data that
    is nested deeper than ``depth`` levels. (Guards call ``fuel.weigh``, which knows the depth.)
    """
    total = collections = 0
    level = [value]
    for _ in range(depth):
        collections += len(level)
        below: list[Any] = []
        for item in level:
            kind = type(item)
            total += 1
            if kind in _TEXTS:
                total += len(item) // per_node
            elif kind in _GROUPS or kind in _VIEWS:
                total += _sort_out(item, per_node, below)
            elif kind is dict:
                total += _sort_out(item, per_node, below) + _sort_out(item.values(), per_node, below)
            if total + len(below) > limit:
                raise LimitError(_TOO_MUCH + f"it has more than {limit:,} items.")
        if not below:
            return total, collections
        level = below
    raise LimitError(_TOO_MUCH + f"it is nested deeper than {depth} levels.")


_TOO_MUCH = "the data is too large to be compared, sorted, used as a key or turned into text: "


def _sort_out(items: Any, per_node: int, below: list[Any]) -> int:
    """Put the items that hold something into ``below``; how many others there are, long texts counted as several."""
    if SCALARS.issuperset(map(type, items)):
        return len(items)
    if _FLAT.issuperset(map(type, items)):
        return len(items) + sum([len(item) // per_node for item in items if type(item) in _TEXTS])
    inner = [item for item in items if type(item) not in SCALARS]
    below.extend(inner)
    return len(items) - len(inner)


def bytes_of(value: Any) -> int:
    """About how many bytes ``value`` and all that it holds take; a collection that occurs twice counts once."""
    total = getsizeof(value)
    seen: set[int] = set()
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        parts: Iterable[Any]
        for parts in (item, item.values()) if type(item) is dict else (item,) if type(item) in _GROUPS else ():
            total += sum(map(getsizeof, parts))
            if not SCALARS.issuperset(map(type, parts)):
                waiting += [part for part in parts if type(part) is dict or type(part) in _GROUPS]
    return total
