"""What may a variable hold?

Plain data: text, numbers, dates, lists, tuples, sets, dicts and pandas tables, of exactly these types. A
value is a tree in which objects may be shared (two names of one list), but never a cycle, and never deeper
than ``MAX_DEPTH`` levels. Anything else is refused with its path, such as ``x[2]["k"]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from autograph.frames import is_frame
from autograph.survey import MAX_DEPTH, SCALARS, WRAPPING, Survey, is_leaf, too_deep

__all__ = ["MAX_DEPTH", "SCALARS", "Survey", "check_storable", "deep_copy", "is_leaf", "reaches", "to_plain"]

_all_scalars = SCALARS.issuperset


def check_storable(value: object, path: str = "value") -> int:
    """Raise ``ValueError`` if ``value`` cannot be stored; its sentence begins with the path of the culprit.

    ``path`` is how the value itself is called, usually the variable's name. Returns how much had to be looked at
    (``Survey.looked``).
    """
    kind = type(value)
    if kind in SCALARS:
        return 0
    if (kind is list or kind is tuple) and _all_scalars(map(type, value)):  # type: ignore[call-overload]
        return len(value)  # type: ignore[arg-type]
    survey = Survey(MAX_DEPTH)
    survey.add(value, path)
    return survey.looked


def reaches(value: object, container: object) -> bool:
    """Whether ``container`` (by identity) is ``value`` or lies anywhere inside it."""
    seen: set[int] = set()
    waiting: list[object] = [value]
    while waiting:
        item = waiting.pop()
        if item is container:
            return True
        key = id(item)
        if key in seen or not isinstance(item, list | tuple | dict | set | frozenset):
            continue
        seen.add(key)
        for group in (item.keys(), item.values()) if isinstance(item, dict) else (item,):
            if not _all_scalars(map(type, group)):
                waiting.extend(group)
    return False


def deep_copy(value: Any, memo: dict[int, Any], depth: int = 0) -> Any:
    """A copy of storable data that shares nothing mutable with it.

    Objects met before with the same ``memo`` are copied once, so copy all roots of a state with one memo
    to keep what they share; the roots must stay alive and unchanged meanwhile. What is immutable all the
    way down is returned as it is. Raises ``ValueError`` for what cannot be stored.
    """
    kind = type(value)
    if kind in SCALARS:
        return value
    copy = memo.get(id(value))
    if copy is not None:
        return copy
    if depth > MAX_DEPTH + WRAPPING:
        check_storable(value)  # says so if the value contains itself
        raise ValueError(too_deep("a value"))
    depth += 1
    if kind is dict:
        if _all_scalars(map(type, value.values())):
            copy = value.copy()
        else:
            copy = {k: v if type(v) in SCALARS else deep_copy(v, memo, depth) for k, v in value.items()}
    elif kind is list:
        if _all_scalars(map(type, value)):
            copy = value.copy()
        else:
            copy = [v if type(v) in SCALARS else deep_copy(v, memo, depth) for v in value]
    elif kind is tuple:
        copy = _copy_tuple(value, memo, depth)
    elif kind is set:
        if not _all_scalars(map(type, value)):
            check_storable(value)
        copy = value.copy()
    elif kind is frozenset or is_leaf(value):
        return value
    elif is_frame(value):
        copy = value.copy()
    else:
        check_storable(value)
    memo[id(value)] = copy
    return copy


def _copy_tuple(value: tuple[Any, ...], memo: dict[int, Any], depth: int) -> tuple[Any, ...]:
    if _all_scalars(map(type, value)):
        return value
    copy = tuple([deep_copy(item, memo, depth) for item in value])
    return value if all(map(_is, copy, value)) else copy


def _is(one: object, other: object) -> bool:
    return one is other


def to_plain(value: Any) -> Any:
    """What a host function returned, as storable data where that is lossless and obvious.

    numpy scalars, subclasses of the plain types (``OrderedDict``, named tuples, ``str`` and ``int`` enums,
    ``Timestamp``) and other mappings become their plain counterparts. What needs no change is returned as
    it is, so that it stays shared; what cannot be converted is left for ``check_storable`` to refuse.
    """
    return value if type(value) in SCALARS else _plain(value, {}, 0)


def _plain(value: Any, memo: dict[int, tuple[Any, Any]], depth: int) -> Any:
    if type(value) in SCALARS or depth > MAX_DEPTH:
        return value
    known = memo.get(id(value))
    if known is None:
        known = memo[id(value)] = (value, value)  # the original is kept alive, so that its id stays its own
        if isinstance(value, list | tuple | set | frozenset | Mapping):
            known = (value, _plain_container(value, memo, depth + 1))
        else:
            known = (value, _plain_scalar(value))
        memo[id(value)] = known
    return known[1]


def _plain_container(value: Any, memo: dict[int, tuple[Any, Any]], depth: int) -> Any:
    if isinstance(value, Mapping):
        items = [(_plain(k, memo, depth), _plain(v, memo, depth)) for k, v in value.items()]
        same = (k is a and v is b for (k, v), (a, b) in zip(items, value.items(), strict=True))
        return value if type(value) is dict and all(same) else dict(items)
    parts = [_plain(item, memo, depth) for item in value]
    for base in (list, tuple, set, frozenset):
        if isinstance(value, base):
            return value if type(value) is base and all(map(_is, parts, value)) else base(parts)
    raise AssertionError("unreachable")


_BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (complex, complex.__complex__),
    (bytes, lambda value: b"".join([value])),
    (Decimal, Decimal),
    (datetime, lambda value: datetime.combine(date(value.year, value.month, value.day), value.timetz())),
    (date, lambda value: date(value.year, value.month, value.day)),
    (timedelta, lambda value: timedelta(value.days, value.seconds, value.microseconds)),
)


def _plain_scalar(value: Any) -> Any:
    if is_leaf(value) or any(getattr(value, name, None) for name in ("nanosecond", "nanoseconds")):
        return value  # a Timestamp or Timedelta that Python's own types are too coarse for
    for base, convert in _BASES:
        if isinstance(value, base):
            return convert(value) if value == value or base is not datetime else value  # NaT is no moment
    if any(kind.__module__ == "numpy" and kind.__name__ == "generic" for kind in type(value).__mro__):
        item = value.item()
        return item if is_leaf(item) and (type(item) is not int or value.dtype.kind in "iu") else value
    return value
