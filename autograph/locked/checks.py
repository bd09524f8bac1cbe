"""Can data of a worker be decoded without harm? Some values cost far more to make than to write.

Numbers and tuples whose hashes are all the same make a set or dict take for ever, and fractions of very long numbers
are slow to reduce. The language bounds such things; a worker that no longer obeys it does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from autograph.errors import StorageError
from autograph.locked.data import Malformed
from autograph.memory.codec import decode_values

__all__ = ["check_values", "may_be_harmful"]

_SIGNS = (b'"set"', b'"frozenset"', b'"dict"', b'"Fraction"', b"\\u")
"""Without one of these there is nothing in a text to be checked; the last could hide the others."""

_ALIKE = 50
"""Most keys of one set or dict that may have the same hash; in honest data hardly two do."""

_DIGITS = 8_000
"""Most hexadecimal digits of a fraction's parts."""

_SETS = ("set", "frozenset")


def may_be_harmful(text: bytes) -> bool:
    """Whether ``check_values`` has something to look at in data that was written as this JSON text."""
    return any(sign in text for sign in _SIGNS)


def check_values(data: Any) -> None:
    """Raise ``Malformed`` for values that would take far too long to make."""
    order = list(_walk(data))
    made: dict[int, Any] = {}
    for node, is_key in reversed(order):  # what is inside comes before what it is in
        tag = node.get("$") if type(node) is dict else None
        if tag == "Fraction":
            _check_fraction(node)
        if tag in _SETS or tag == "dict":
            keys = _keys(node)
            if len(keys) > _ALIKE:
                _check_hashes([made.get(id(key), key) for key in keys])
        if is_key and type(node) is dict:
            made[id(node)] = _make(node, made)


def _walk(data: Any) -> Iterator[tuple[Any, bool]]:
    """All lists and dicts inside ``data``, the outer ones first, each with whether it is part of a key."""
    waiting: list[tuple[Any, bool]] = [(data, False)]
    while waiting:
        node, is_key = waiting.pop()
        if type(node) is list:
            yield node, False
            waiting.extend((item, is_key) for item in node if type(item) in (list, dict))
        elif type(node) is dict:
            yield node, is_key
            keys = _keys(node)
            inside = {id(key) for key in keys}
            waiting.extend((key, True) for key in keys if type(key) is dict)
            for item in node.values():
                if type(item) is list and keys:
                    others = (part for part in item if id(part) not in inside)
                    waiting.extend((part, is_key) for part in others if type(part) in (list, dict))
                elif type(item) in (list, dict):
                    waiting.append((item, is_key))


def _keys(node: dict[str, Any]) -> list[Any]:
    """What is hashed when ``node`` is decoded."""
    tag, items = node.get("$"), node.get("items")
    if type(items) is not list:
        return []
    if tag in _SETS:
        return items
    return [pair[0] for pair in items if type(pair) is list and pair] if tag == "dict" else []


def _make(node: dict[str, Any], made: dict[int, Any]) -> Any:
    """The value of a part of a key; its own parts are made."""
    tag, items = node.get("$"), node.get("items")
    if tag in ("tuple", "frozenset") and type(items) is list:
        parts = [made.get(id(item), item) for item in items]
        try:
            return tuple(parts) if tag == "tuple" else frozenset(parts)
        except TypeError:
            raise Malformed("a key cannot be hashed") from None
    try:
        return decode_values([node])[0]
    except StorageError as error:
        raise Malformed(error.message) from None


def _check_hashes(keys: list[Any]) -> None:
    try:
        counts = Counter(str(hash(key)) for key in keys)  # as text, which has a secret hash
    except TypeError:
        raise Malformed("a key cannot be hashed") from None
    if max(counts.values()) > _ALIKE:
        raise Malformed("the keys of a set or dict have the same hash")


def _check_fraction(node: dict[str, Any]) -> None:
    parts = node.get("value")
    for part in parts if type(parts) is list else ():
        text = part.get("value") if type(part) is dict else ""
        if type(text) is str and len(text) > _DIGITS:
            raise Malformed("a fraction has too many digits")
