"""Which methods do lists, dicts, sets, numbers and dates have in a program?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.arithmetic import inplace
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.calling import callee
from autograph.language.sandbox.comparison import charge_order, charge_search, key, keys
from autograph.language.sandbox.inserts import check_insert
from autograph.language.sandbox.items import check_key
from autograph.language.sandbox.iteration import items, listed
from autograph.language.sandbox.tokens import Native
from autograph.values import SCALARS

__all__ = ["DICT_METHODS", "FROZENSET_METHODS", "LIST_METHODS", "SET_METHODS", "TUPLE_METHODS", "ordering"]


def append(fuel: Units, value: list[Any], item: Any, /) -> None:
    """``value.append(item)``"""
    if type(item) not in SCALARS:
        check_insert(fuel, value, item)
    if len(value) >= fuel.limits.items:
        fuel.check_count(len(value) + 1, "a list")
    value.append(item)


def _extend(fuel: Units, value: list[Any], more: Any, /) -> None:
    inplace(fuel, "+", value, more)


def _insert(fuel: Units, value: list[Any], place: Any, item: Any, /) -> None:
    check_insert(fuel, value, item)
    fuel.check_count(len(value) + 1, "a list")
    fuel.charge(len(value) >> 6)
    value.insert(place, item)


def _pop(fuel: Units, value: list[Any], place: Any = -1, /) -> Any:
    fuel.charge(len(value) >> 8)
    return value.pop(place)


def _searching(name: str) -> Native:
    def run(fuel: Units, value: Any, item: Any, /, *bounds: Any) -> Any:
        charge_search(fuel, item, value)
        return getattr(value, name)(item, *bounds)

    run.__name__ = name
    return run


def _sort(fuel: Units, value: list[Any], /, *, key: Any = None, reverse: Any = False) -> None:
    value[:] = ordering(fuel, value, key, reverse)


def ordering(fuel: Units, value: Any, by: Any, reverse: Any) -> list[Any]:
    """``sorted(value, key=by, reverse=reverse)``; what the key gives is checked before it is compared."""
    found = listed(fuel, value)
    rounds = len(found).bit_length()
    if by is None:
        charge_order(fuel, found, rounds)
        found.sort(reverse=bool(reverse))
        return found
    function = callee(fuel, by)
    ranks = [function(item) for item in found]
    charge_order(fuel, ranks, rounds)
    order = sorted(range(len(ranks)), key=ranks.__getitem__, reverse=bool(reverse))
    return [found[place] for place in order]


def _copying(kind: type, name: str) -> Native:
    method: Callable[..., Any] = getattr(kind, name)

    def run(fuel: Units, value: Any, /) -> Any:
        result = method(value)
        return fuel.charge(1 + (len(value) >> 3)) if result is None else fuel.made(result)

    run.__name__ = name
    return run


def _plain(kind: type, name: str) -> Native:
    """A method that takes nothing and costs nothing."""
    method: Callable[..., Any] = getattr(kind, name)

    def run(fuel: Units, value: Any, /) -> Any:
        return method(value)

    run.__name__ = name
    return run


def _get(fuel: Units, value: dict[Any, Any], index: Any, default: Any = None, /) -> Any:
    return value.get(key(fuel, index), default)


def _dict_pop(fuel: Units, value: dict[Any, Any], index: Any, /, *default: Any) -> Any:
    return value.pop(key(fuel, index), *default)


def _setdefault(fuel: Units, value: dict[Any, Any], index: Any, default: Any = None, /) -> Any:
    if check_key(fuel, index) in value:
        return value[index]
    check_insert(fuel, value, default)
    fuel.check_count(len(value) + 1, "a dict")
    return value.setdefault(index, default)


def _update(fuel: Units, value: dict[Any, Any], other: Any = (), /, **named: Any) -> None:
    more = new_dict(fuel, other, **named)
    fuel.check_count(len(value) + len(more), "a dict")
    for index in more:
        check_key(fuel, index)
    check_insert(fuel, value, list(more.values()))
    value.update(more)


def new_dict(fuel: Units, other: Any = (), /, **named: Any) -> dict[Any, Any]:
    """``dict(other, **named)``"""
    if type(other) is dict:
        return fuel.made({**other, **named})
    pairs = [_pair(fuel, pair) for pair in items(fuel, other)]
    fuel.check_count(len(pairs), "a dict")
    keys(fuel, [index for index, _ in pairs])
    return fuel.made({**dict(pairs), **named})


def _pair(fuel: Units, pair: Any) -> tuple[Any, Any]:
    if type(pair) is tuple and len(pair) == 2:
        return pair
    found = listed(fuel, pair)
    if len(found) != 2:
        raise StatementError(f"dict() takes pairs of a key and a value, but one has {len(found)} items.")
    return found[0], found[1]


def fromkeys(fuel: Units, names: Any, value: Any = None, /) -> dict[Any, Any]:
    """``dict.fromkeys(names, value)``"""
    found = listed(fuel, names)
    keys(fuel, found)
    return fuel.made(dict.fromkeys(found, value))


def new_set(fuel: Units, value: Any = (), /) -> set[Any]:
    """``set(value)``"""
    found = listed(fuel, value)
    if type(value) is not set and type(value) is not frozenset:
        keys(fuel, found)
    return fuel.made(set(found))


def _set_method(name: str) -> Native:
    """A set's method that takes any number of collections."""

    def run(fuel: Units, value: Any, /, *others: Any) -> Any:
        fuel.charge(1 + (len(value) >> 2))
        sets = [new_set(fuel, other) for other in others]
        fuel.check_count(len(value) + sum(map(len, sets)), "a set")
        if name.endswith("update"):
            for other in sets:
                check_insert(fuel, value, list(other))
        result = getattr(value, name)(*sets)
        return fuel.made(result) if type(result) is set or type(result) is frozenset else result

    run.__name__ = name
    return run


def _member_method(name: str) -> Native:
    """A set's method that takes one member."""

    def run(fuel: Units, value: set[Any], item: Any, /) -> None:
        if name == "add":
            check_key(fuel, item)
            fuel.check_count(len(value) + 1, "a set")
        getattr(value, name)(key(fuel, item))

    run.__name__ = name
    return run


_PURE_SETS = ("union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint")

TUPLE_METHODS: Mapping[str, Native] = MappingProxyType({name: _searching(name) for name in ("index", "count")})
LIST_METHODS: Mapping[str, Native] = MappingProxyType(
    {
        **{name: _searching(name) for name in ("index", "count", "remove")},
        "append": append,
        "extend": _extend,
        "insert": _insert,
        "pop": _pop,
        "sort": _sort,
        "reverse": _copying(list, "reverse"),
        "copy": _copying(list, "copy"),
        "clear": _plain(list, "clear"),
    }
)
DICT_METHODS: Mapping[str, Native] = MappingProxyType(
    {
        **{name: _plain(dict, name) for name in ("keys", "values", "items", "popitem", "clear")},
        "copy": _copying(dict, "copy"),
        "get": _get,
        "pop": _dict_pop,
        "setdefault": _setdefault,
        "update": _update,
    }
)
FROZENSET_METHODS: Mapping[str, Native] = MappingProxyType(
    {**{name: _set_method(name) for name in _PURE_SETS}, "copy": _copying(frozenset, "copy")}
)
SET_METHODS: Mapping[str, Native] = MappingProxyType(
    {
        **{name: _set_method(name) for name in _PURE_SETS},
        **{name: _set_method(name) for name in ("update", "intersection_update", "difference_update")},
        "symmetric_difference_update": _set_method("symmetric_difference_update"),
        **{name: _member_method(name) for name in ("add", "remove", "discard")},
        "copy": _copying(set, "copy"),
        "pop": _plain(set, "pop"),
        "clear": _plain(set, "clear"),
    }
)
