"""How do programs write and read JSON? Plain data only, bounded in size and depth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import INT_BITS
from autograph.language.sandbox.sizes import bytes_of
from autograph.language.sandbox.tokens import functions

__all__ = ["JSON"]

_INDENT = 8
_DIGITS = INT_BITS * 3 // 10
_CHARACTERS_PER_NODE = 10


def _dumps(fuel: Units, obj: Any, *, indent: Any = None, ensure_ascii: Any = True, sort_keys: Any = False) -> str:
    if indent is not None and (type(indent) is not int or not 0 <= indent <= _INDENT):
        raise StatementError(f"indent= of dumps() is a whole number up to {_INDENT}, or None.")
    size = fuel.weigh(obj, _CHARACTERS_PER_NODE)
    fuel.charge(1 + (size >> 1))
    if indent:
        fuel.check_length(size * (1 + indent * _depth(obj)))
    try:
        shown = json.dumps(obj, indent=indent, ensure_ascii=bool(ensure_ascii), sort_keys=bool(sort_keys))
    except (TypeError, ValueError) as error:
        raise StatementError(f"this cannot be written as JSON: {error}.") from None
    return fuel.text(shown)


def _depth(value: Any) -> int:
    """How deep lists and dicts lie inside each other; ``weigh`` has found that it is not too much."""
    level, depth = [value], 0
    while level:
        depth += 1
        groups = [item.values() if type(item) is dict else item for item in level if type(item) in (list, tuple, dict)]
        level = [item for group in groups for item in group if type(item) in (list, tuple, dict)]
    return depth


def _loads(fuel: Units, s: Any, /) -> Any:
    if type(s) is not str:
        raise StatementError(f"loads() takes a text, not a value of type {type(s).__name__}.")
    fuel.check_length(len(s))
    fuel.charge(1 + (len(s) >> 3))
    try:
        value = json.loads(s, parse_int=_whole)
    except RecursionError:
        raise LimitError(f"the JSON is nested deeper than {fuel.limits.depth} levels.") from None
    except ValueError as error:
        raise StatementError(f"the text is no JSON: {error}.") from None
    fuel.weigh(value)
    fuel.bytes(bytes_of(value))
    return value


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise LimitError(f"a whole number is too large; at most about {_DIGITS:,} digits are possible.")
    return int(digits)


JSON: Mapping[str, Any] = MappingProxyType(functions("json", {"dumps": _dumps, "loads": _loads}))
"""The module ``json``."""
