"""What do == < in and their like do in a program? Python's, with the size of what is compared charged first."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import LARGE_KEYS, SHIFT, TURN_LARGE_KEYS
from autograph.language.sandbox.sizes import SCALARS
from autograph.language.sandbox.table_operators import operate
from autograph.language.sandbox.tables import has_label, is_like_table, is_table
from autograph.language.sandbox.tokens import TypeToken

__all__ = ["COMPARE", "chain", "charge_order", "charge_search", "contains", "key", "keys"]

_FAST = frozenset((int, float, bool, type(None)))
_TEXTS = frozenset((str, bytes))
_LIGHT = SCALARS | {TypeToken}
_HELD = frozenset((tuple, frozenset))
_TUPLE_SHIFT = 1 << 32  # in tuples collisions can be made with smaller numbers than alone
_VIEWS = frozenset((type({}.keys()), type({}.values()), type({}.items())))
_COLLECTIONS = _VIEWS | {list, tuple, set, frozenset, dict, range}
_KNOWN = SCALARS | _TEXTS | _COLLECTIONS | {TypeToken}


def _charge_pair(fuel: Units, a: Any, b: Any) -> None:
    """Charge for comparing two values, of which at least one is no number."""
    kind = type(a)
    if kind in _TEXTS:
        if type(b) is kind:
            fuel.charge(min(len(a), len(b)) >> 10)
    elif kind not in _LIGHT and type(b) not in _LIGHT:
        if kind is list and type(b) is list and not (a and b):
            return  # only their lengths are compared
        fuel.charge((fuel.weigh(a) + fuel.weigh(b)) >> 3)


def _guard(sign: str, operation: Callable[[Any, Any], Any]) -> Callable[[Units, Any, Any], Any]:
    ordering = sign not in ("==", "!=")

    def compare(fuel: Units, a: Any, b: Any) -> Any:
        if type(a) in _FAST and type(b) in _FAST:
            return operation(a, b)
        for value in (a, b):
            if type(value) not in _KNOWN:
                if is_table(a) or is_table(b):
                    return operate(fuel, sign, a, b)
                if ordering or is_like_table(value):
                    raise StatementError(f"a value of type {type(value).__name__} cannot be compared with {sign}.")
        _charge_pair(fuel, a, b)
        return operation(a, b)

    compare.__doc__ = f"``a {sign} b``"
    return compare


def contains(fuel: Units, item: Any, container: Any) -> bool:
    """``item in container``"""
    kind = type(container)
    if kind is dict or kind is set or kind is frozenset:
        return key(fuel, item) in container
    if kind is list or kind is tuple:
        charge_search(fuel, item, container)
        return item in container
    if kind is str:
        if type(item) is str:
            fuel.charge((len(item) + len(container)) >> 8)
        return item in container
    if kind is range and type(item) is not int and type(item) is not bool:
        return type(item) is float and item.is_integer() and int(item) in container
    if kind is bytes or kind in _COLLECTIONS:
        if kind is not range and kind is not bytes:
            charge_search(fuel, item, container)
        return item in container
    if is_table(container):
        charge_search(fuel, item, ())
        return has_label(fuel, item, container)
    return _search(fuel, item, container)


def _search(fuel: Units, item: Any, container: Any) -> bool:
    from autograph.language.sandbox.iteration import items

    equal = COMPARE["=="]
    return any(item is other or equal(fuel, item, other) for other in items(fuel, container))


def not_contains(fuel: Units, item: Any, container: Any) -> bool:
    """``item not in container``"""
    return not contains(fuel, item, container)


def charge_search(fuel: Units, item: Any, container: Any) -> None:
    """Charge for comparing ``item`` with each member of ``container``."""
    count = len(container)
    kind = type(item)
    if kind in SCALARS:
        fuel.charge(count >> 4)
    elif kind in _TEXTS:
        fuel.charge((count >> 4) + (count * len(item) >> 12))
    else:
        fuel.charge(count * fuel.weigh(item) >> 3)


def charge_order(fuel: Units, values: list[Any], rounds: int) -> None:
    """Charge for ``rounds`` comparisons of each of ``values``. Raises ``StatementError`` if they have no order."""
    kinds = set(map(type, values))
    count = len(values) * rounds
    if kinds <= SCALARS:
        fuel.charge(count >> 4)
    elif kinds <= _TEXTS:
        fuel.charge((count >> 4) + (sum(map(len, values)) * rounds >> 10))
    else:
        if not kinds <= _KNOWN:
            names = sorted(kind.__name__ for kind in kinds - _KNOWN)
            raise StatementError(f"values of type {names[0]} have no order.")
        fuel.charge(fuel.weigh(values) * rounds >> 2)


COMPARE: Mapping[str, Callable[[Units, Any, Any], Any]] = MappingProxyType(
    {
        "==": _guard("==", operator.eq),
        "!=": _guard("!=", operator.ne),
        "<": _guard("<", operator.lt),
        "<=": _guard("<=", operator.le),
        ">": _guard(">", operator.gt),
        ">=": _guard(">=", operator.ge),
        "is": lambda fuel, a, b: a is b,
        "is not": lambda fuel, a, b: a is not b,
        "in": contains,
        "not in": not_contains,
    }
)


def chain(fuel: Units, signs: tuple[str, ...], first: Any, second: Any, *later: Callable[[], Any]) -> Any:
    """``first s second s third …``: later operands are evaluated only if all comparisons before hold."""
    value = COMPARE[signs[0]](fuel, first, second)
    for sign, operand in zip(signs[1:], later, strict=True):
        if not value:
            return value
        first, second = second, operand()
        value = COMPARE[sign](fuel, first, second)
    return value


def key(fuel: Units, value: Any) -> Any:
    """``value``, if it may be a key of a dict or a member of a set: neither a huge tuple nor one of a flood."""
    kind = type(value)
    if kind is str:
        return value
    if kind is int:
        if -SHIFT < value < SHIFT:
            return value
        _count_large(fuel, 1)
    elif kind is complex or (kind is range and _is_large_range(value)):
        _count_large(fuel, 1)
    elif kind in _HELD:
        _check_held(fuel, [value])
    return value


def keys(fuel: Units, values: list[Any] | tuple[Any, ...]) -> None:
    """Check ``values`` like ``key``, all at once."""
    kinds = set(map(type, values))
    if kinds & _HELD:
        _check_held(fuel, [value for value in values if type(value) in _HELD])
    if len(values) > LARGE_KEYS and not kinds.isdisjoint(_FLOODING):
        large = sum(1 for v in values if (type(v) is int and not -SHIFT < v < SHIFT) or type(v) is complex)
        _count_large(fuel, large + sum(1 for v in values if type(v) is range and _is_large_range(v)))


_FLOODING = frozenset((int, complex, range))
"""Types of which many values with the same hash can be made."""


def _is_large_range(value: range) -> bool:
    """Whether a range is made of numbers so large that its hash can be chosen; it is hashed like a tuple of them."""
    return any(not -_TUPLE_SHIFT < part < _TUPLE_SHIFT for part in (value.start, value.stop, value.step))


def _check_held(fuel: Units, values: list[Any]) -> None:
    """Check tuples and frozensets that are to be hashed: their size, and how many hold numbers fit for a flood."""
    fuel.charge(fuel.weigh(values) >> 2)
    large = 0
    for value in values:
        waiting = [value]
        while waiting:
            item = waiting.pop()
            kind = type(item)
            if kind in _HELD:
                waiting.extend(item)
            elif (
                kind is complex
                or (kind is int and not -_TUPLE_SHIFT < item < _TUPLE_SHIFT)
                or (kind is range and _is_large_range(item))
            ):
                large += 1
                break
    if large:
        _count_large(fuel, large)


def _count_large(fuel: Units, count: int) -> None:
    fuel.large_keys -= count
    if fuel.large_keys < 0:
        raise LimitError(
            f"more than {LARGE_KEYS:,} very large numbers cannot be keys in one statement, "
            f"nor {TURN_LARGE_KEYS:,} in one turn."
        )
