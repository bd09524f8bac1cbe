"""Which objects does a state hold, and can each of them be stored?"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

from autograph.frames import is_frame, object_cells

__all__ = ["MAX_DEPTH", "SCALARS", "WRAPPING", "Survey", "is_leaf", "too_deep"]

MAX_DEPTH = 100
"""How many lists, dicts … may lie inside each other."""

WRAPPING = 8
"""A memory keeps variables in a few containers of its own; they do not count against the author."""

SCALARS: frozenset[type] = frozenset(
    (type(None), bool, int, float, complex, str, bytes, range, date, timedelta, Decimal, Fraction)
)
"""Immutable types whose every value can be stored. ``datetime`` and ``time`` depend on their time zone."""

_all_scalars = SCALARS.issuperset
_HASHABLE = (tuple, frozenset)


def is_leaf(value: object) -> bool:
    """Whether ``value`` is storable and immutable and holds nothing else: a scalar, or a date and time."""
    kind = type(value)
    if kind in SCALARS:
        return True
    return (kind is datetime or kind is time) and _known_zone(value.tzinfo)  # type: ignore[attr-defined]


class Survey:
    """A walk over one or several roots that checks them and notes which objects occur more than once.

    ``shared`` holds the ``id`` of each list, tuple, dict, set or table that was met more than once. What
    lies inside sets and dict keys is immutable and not noted. Every object is visited once, however often
    it occurs, and no Python recursion is used. ``looked`` tells how much was looked at: the items, and 48 for each
    collection, which takes as long.
    """

    def __init__(self, limit: int = MAX_DEPTH + WRAPPING) -> None:
        self.shared: set[int] = set()
        self.looked = 0
        self._limit = limit
        self._heights: dict[int, int] = {}  # 0 while the object is being visited

    def add(self, value: object, path: str = "value") -> None:
        """Visit ``value``. Raises ``ValueError`` with the path of what cannot be stored."""
        frames: list[_Frame] = []
        self._open(frames, value, path)
        while frames:
            frame = frames[-1]
            for label, child in frame.children:
                frame.label = label
                if type(child) not in SCALARS and self._open(frames, child, path):
                    break
            else:
                frames.pop()
                self._heights[id(frame.value)] = frame.height
                if frames:
                    frames[-1].height = max(frames[-1].height, frame.height + 1)

    def _open(self, frames: list[_Frame], value: Any, path: str) -> bool:
        """Take note of ``value``; whether its children have to be visited, for which a frame was pushed."""
        key, kind = id(value), type(value)
        height = self._heights.get(key)
        if height is None:
            if kind is dict:
                height = 1 if _all_scalars(map(type, value)) else self._keys(frames, value, path)
                flat = _all_scalars(map(type, value.values()))
            elif kind is list or kind is tuple:
                height, flat = 1, _all_scalars(map(type, value))
            elif is_leaf(value):
                return False
            else:
                height, flat = self._sealed(frames, value, path), True
            self.looked += 48 + len(value)
            if not flat:
                if len(frames) >= self._limit:
                    raise ValueError(too_deep(_path(frames, path)))
                self._heights[key] = 0
                frames.append(_Frame(value, iter(value.items() if kind is dict else enumerate(value)), height))
                return True
            self._heights[key] = height
        elif height == 0:
            raise ValueError(f"{_path(frames, path)} contains itself, which cannot be stored; keep a copy instead.")
        else:
            self.shared.add(key)
        if len(frames) + height > self._limit:
            raise ValueError(too_deep(_path(frames, path)))
        if frames and frames[-1].height <= height:
            frames[-1].height = height + 1
        return False

    def _keys(self, frames: list[_Frame], value: dict[Any, Any], path: str) -> int:
        """The height that the keys give to a dict, at least 1."""
        return 1 + self._constant_height(value, _path(frames, path) + "{key}")

    def _sealed(self, frames: list[_Frame], value: Any, path: str) -> int:
        """The height of a set or a table; raises for everything else."""
        if type(value) is set or type(value) is frozenset:
            if _all_scalars(map(type, value)):
                return 1
            return 1 + self._constant_height(value, _path(frames, path) + "{item}")
        where = _path(frames, path)
        if not is_frame(value):
            raise ValueError(_refusal(where, value))
        for place, cells in object_cells(value, where):
            if not _all_scalars(map(type, cells)):
                for cell in cells:
                    if not is_leaf(cell):
                        raise ValueError(_refusal(place, cell))
        return 1

    def _constant_height(self, items: Iterable[object], where: str) -> int:
        """The height of the highest of ``items``, which are hashable and so immutable all the way down."""
        level, height = list(items), 0
        seen: set[int] = set()
        while level:
            below: list[object] = []
            for item in level:
                if type(item) in _HASHABLE:
                    if id(item) not in seen:
                        seen.add(id(item))
                        below.append(item)
                elif not is_leaf(item):
                    raise ValueError(_refusal(where, item))
            if below:
                height += 1
                if height > self._limit:
                    raise ValueError(too_deep(where))
            level = [child for item in below for child in item]  # type: ignore[attr-defined]
        return height


class _Frame:
    """A container whose children are being visited."""

    __slots__ = ("children", "height", "label", "value")

    def __init__(self, value: Any, children: Iterator[tuple[Any, Any]], height: int) -> None:
        self.value = value
        self.children = children
        self.height = height
        self.label: Any = None


def _path(frames: Iterable[_Frame], root: str) -> str:
    return root + "".join([f"[{_short(frame.label)}]" for frame in frames])


def _short(label: object) -> str:
    """A key as the author would write it, cut if it is long."""
    text = f'"{label[:40]}"' if type(label) is str else repr(label) if type(label) in SCALARS else "…"
    return text if len(text) <= 60 else text[:59] + "…"


def _known_zone(zone: object) -> bool:
    if zone is None or type(zone) is timezone:
        return True
    zoneinfo = sys.modules.get("zoneinfo")
    return zoneinfo is not None and type(zone) is zoneinfo.ZoneInfo and zone.key is not None  # type: ignore[attr-defined]


_LIST = "make a list of it with list(...)"
_CALL = "call it and keep its result"
_PLAIN = "keep plain values (text, numbers, dates, lists, tuples, sets, dicts, tables)"
_ZONE = "use a time zone from zoneinfo or a fixed offset"
_OWN: Mapping[str, str] = {"Function": "function", "TypeToken": "type"}
"""What the sandbox puts in the place of functions and types, as authors know it."""

_REMEDIES: Mapping[str, str] = {
    **dict.fromkeys(("function", "builtin_function_or_method", "method", "type"), _CALL),
    **dict.fromkeys(("generator", "map", "filter", "zip", "dict_keys", "dict_values", "dict_items"), _LIST),
    **dict.fromkeys(("ndarray", "Series", "Index"), "make a list of it with .tolist()"),
    **dict.fromkeys(("datetime", "time"), _ZONE),
}


def too_deep(where: str) -> str:
    """The sentence that refuses what is nested too deeply."""
    return f"{where} is nested deeper than {MAX_DEPTH} levels, which cannot be stored; make it flatter."


def _refusal(where: str, value: object) -> str:
    kind = type(value)
    own = _OWN.get(kind.__name__) if kind.__module__.startswith("autograph.") else None
    name = own or (kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}")
    remedy = _REMEDIES.get(own or kind.__name__, _PLAIN)
    return f"{where} is {'an' if name[0] in 'aeiou' else 'a'} {name}, which cannot be stored; {remedy}."
