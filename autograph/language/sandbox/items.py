"""What do ``x[i]``, ``x[a:b]`` and ``x[k] = v`` do in a program?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.arithmetic import inplace
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.comparison import key
from autograph.language.sandbox.inserts import check_insert, check_value
from autograph.language.sandbox.patterns import Match, group
from autograph.language.sandbox.table_picks import pick, pick_rows
from autograph.language.sandbox.tables import is_table

__all__ = ["change_item", "check_key", "item", "part_of", "set_item", "slice_of"]

_INDEXED = frozenset((list, tuple, str, bytes, range))
_KEYS = frozenset((str, int, bool, float, type(None)))


def item(fuel: Units, value: Any, index: Any) -> Any:
    """``value[index]``"""
    kind = type(value)
    if kind is dict:
        return value[index] if type(index) in _KEYS else value[key(fuel, index)]
    if kind in _INDEXED:
        return value[index]
    if kind is Match:
        return group(fuel, value, index)
    if is_table(value):
        return pick(fuel, value, index)
    raise StatementError(f"a value of type {kind.__name__} has no items to pick with [ ].")


def slice_of(fuel: Units, value: Any, start: Any, stop: Any, step: Any) -> Any:
    """``value[start:stop:step]``"""
    if type(value) not in _INDEXED:
        if is_table(value):
            return pick_rows(fuel, value, start, stop, step)
        raise StatementError(f"a value of type {type(value).__name__} cannot be sliced with [ : ].")
    part = value[start:stop:step]
    if len(part) <= 16:
        return part
    return fuel.text(part) if type(part) is str else fuel.made(part)


def part_of(fuel: Units, start: Any, stop: Any, step: Any) -> slice:
    """``start:stop:step`` among several indices, as in ``table.iloc[0:2, 1]``."""
    return slice(start, stop, step)


def set_item(fuel: Units, container: Any, index: Any, value: Any) -> Any:
    """``container[index] = value``; gives the value."""
    kind = type(container)
    if kind is not dict and kind is not list:
        raise StatementError(f"items can be assigned in lists and dicts, not in a value of type {kind.__name__}.")
    check_insert(fuel, container, value)
    if kind is dict:
        index = check_key(fuel, index)
        fuel.check_count(len(container) + 1, "a dict")
    elif type(index) is not int and type(index) is not bool:
        raise StatementError(f"the place in a list is a whole number, not a value of type {type(index).__name__}.")
    container[index] = value
    return value


def check_key(fuel: Units, index: Any) -> Any:
    """``index``, if it may become a key of a stored dict."""
    if type(index) not in _KEYS:
        check_value(fuel, index)
        key(fuel, index)
    elif type(index) is int:
        key(fuel, index)
    return index


def change_item(fuel: Units, container: Any, index: Any, sign: str, value: Callable[[], Any]) -> Any:
    """``container[index] sign= value()``; gives the new item."""
    if type(container) is not dict and type(container) is not list:
        return set_item(fuel, container, index, None)
    old = item(fuel, container, index)
    new = inplace(fuel, sign, old, value())
    return set_item(fuel, container, index, new)
