"""What may a program run through, and what does it cost? Loops, and functions that consume their argument.

Collections are charged at once by their length and then run through natively; an iterator is counted
item by item, except a program's own generator, whose loops are charged where they begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from types import GeneratorType
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import ITERATOR_COST
from autograph.language.sandbox.tables import members
from autograph.language.sandbox.tokens import FILENAME

__all__ = ["ITERATORS", "SIZED", "items", "listed", "loop", "mapping", "spread", "unpack"]

_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
SIZED: frozenset[type] = frozenset((list, tuple, str, bytes, dict, set, frozenset, range, *_VIEWS))
"""Collections a program may run through; their length is known."""

_NONE: dict[Any, Any] = {}
_EXAMPLES: tuple[Any, ...] = (
    [],
    (),
    "",
    "é",
    b"",
    _NONE,
    set(),
    range(0),
    range(1 << 70),
    _NONE.values(),
    _NONE.items(),
)
ITERATORS: frozenset[type] = frozenset(
    [type(iter(example)) for example in _EXAMPLES]
    + [type(reversed(example)) for example in _EXAMPLES if hasattr(type(example), "__reversed__") or example == ()]
    + [GeneratorType, map, filter, zip, enumerate, islice]
)
"""Iterators a program can get hold of."""


def loop(fuel: Units, value: Any, weight: int, size: int) -> Iterable[Any]:
    """What a comprehension runs through, ``weight`` units and ``size`` bytes charged for each item."""
    kind = type(value)
    if kind is list:
        fuel.rounds(len(value), weight, size)
        return islice(value, len(value))  # ends although the loop appends to the list
    if kind in SIZED:
        fuel.rounds(len(value), weight, size)
        return value  # type: ignore[no-any-return]
    if kind in ITERATORS:
        fuel.charge(ITERATOR_COST)
        return _counted(fuel, value, weight, size)
    found = members(fuel, value)
    if found is None:
        raise _not_iterable(value)
    fuel.rounds(len(found), weight, size)
    return found


def items(fuel: Units, value: Any) -> Iterable[Any]:
    """What a function that consumes all of ``value`` runs through."""
    kind = type(value)
    if kind in SIZED:
        size = len(value)
        fuel.charge(1 + (size >> 3))
        return value  # type: ignore[no-any-return]
    if kind is GeneratorType and value.gi_code.co_filename == FILENAME:
        return value  # type: ignore[no-any-return]
    if kind in ITERATORS:
        fuel.charge(ITERATOR_COST)
        return _counted(fuel, value, 1, 0)
    found = members(fuel, value)
    if found is None:
        raise _not_iterable(value)
    return found


def listed(fuel: Units, value: Any) -> list[Any]:
    """A new list of all items of ``value``."""
    found = list(items(fuel, value))
    fuel.check_count(len(found))
    return found if len(found) <= 16 else fuel.made(found)


def _counted(fuel: Units, iterator: Iterator[Any], weight: int, size: int) -> Iterator[Any]:
    for item in iterator:
        fuel.left -= weight
        fuel.room -= size
        if fuel.left < 0 or fuel.room < 0:
            fuel.refuse()
        yield item


def spread(fuel: Units, value: Any) -> list[Any] | tuple[Any, ...]:
    """The items of ``*value`` in a call or a display."""
    if type(value) is tuple:
        return fuel.made(value)
    return listed(fuel, value)


def mapping(fuel: Units, value: Any) -> dict[Any, Any]:
    """The entries of ``**value`` in a display."""
    if type(value) is not dict:
        raise StatementError(f"** needs a dict, not a value of type {type(value).__name__}.")
    return fuel.made(value)


def named(fuel: Units, value: Any) -> dict[str, Any]:
    """The keyword arguments of ``**value`` in a call."""
    for name in mapping(fuel, value):
        if type(name) is not str or name.startswith("_") or not name.isidentifier():
            raise StatementError(f"** gives the argument {str(name)[:40]!r}, which is no possible name.")
    return value  # type: ignore[no-any-return]


def unpack(fuel: Units, value: Any, count: int, star: int) -> tuple[Any, ...]:
    """The values of ``count`` targets; the one at ``star`` (if not -1) takes a list of what is left."""
    found = listed(fuel, value)
    if star < 0:
        if len(found) != count:
            raise StatementError(f"{count} names stand on the left, but there are {len(found)} values.")
        return tuple(found)
    rest = len(found) - (count - 1)
    if rest < 0:
        raise StatementError(f"at least {count - 1} values are needed, but there are {len(found)}.")
    return (*found[:star], found[star : star + rest], *found[star + rest :])


def _not_iterable(value: object) -> StatementError:
    return StatementError(f"a value of type {type(value).__name__} has no items to run through.")


def check_range(fuel: Units, value: range) -> range:
    """``value``, if it is not too long."""
    try:
        size = len(value)
    except OverflowError:
        size = 1 << 64
    fuel.check_count(size, "a range")
    return value
