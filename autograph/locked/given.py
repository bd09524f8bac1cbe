"""What becomes of the lists that a program hands to a host function? They cross as copies, and come back.

A host function may change a list it is given, or return it. Both sides count the lists, dicts and sets of the
arguments in the same order; what the function did to them is then done to the program's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.locked.data import Malformed
from autograph.memory.codec import decode_values, encode_values
from autograph.values import SCALARS

__all__ = ["answer_data", "answer_of", "containers"]

_CHANGEABLE = (list, dict, set)


def containers(roots: Sequence[Any]) -> list[Any]:
    """The lists, dicts and sets inside ``roots``, each once, in the order in which they are met."""
    found: dict[int, Any] = {}
    seen: set[int] = set()
    waiting = list(reversed(roots))
    while waiting:
        value = waiting.pop()
        if type(value) in SCALARS or id(value) in seen:
            continue
        seen.add(id(value))
        if type(value) in _CHANGEABLE:
            found[id(value)] = value
        if type(value) is dict:
            waiting.extend(reversed(value.values()))
        elif type(value) in (list, tuple):
            waiting.extend(reversed(value))
    return list(found.values())


def answer_data(value: Any, given: Sequence[Any], before: Sequence[Any], arguments: Sequence[Any]) -> dict[str, Any]:
    """A function's value as JSON data, with the given containers if they have changed or are part of it.

    ``before`` is the data in which ``arguments`` came. Raises ``StorageError`` for values that cannot be stored.
    """
    inside = {id(item) for item in containers([value])}
    if given and (encode_values(arguments) != before or any(id(item) in inside for item in given)):
        coded = encode_values([value, *given])
        return {"value": coded[0], "given": coded[1:]}
    return {"value": encode_values([value])[0]}


def answer_of(data: Any, given: Sequence[Any]) -> Any:
    """The value that ``answer_data`` describes; ``given`` are the program's own containers, brought up to date.

    Raises ``Malformed``, ``StorageError``.
    """
    after = data.get("given")
    if after is None:
        return decode_values([data["value"]])[0]
    if len(after) != len(given):
        raise Malformed("the arguments came back in another number")
    value, *copies = decode_values([data["value"], *after])
    graft = _Graft(copies, given)
    for copy, own in zip(copies, given, strict=True):
        graft.refill(own, copy)
    return graft.of(value)


class _Graft:
    """Puts the program's own containers where their copies stand."""

    def __init__(self, copies: Sequence[Any], own: Sequence[Any]) -> None:
        self._own = {id(copy): mine for copy, mine in zip(copies, own, strict=True)}
        self._done: set[int] = set()

    def refill(self, own: Any, copy: Any) -> None:
        """Give ``own`` what is in ``copy``."""
        if type(own) is not type(copy):
            raise Malformed("an argument came back as something else")
        parts = {key: self.of(item) for key, item in copy.items()} if type(copy) is dict else list(map(self.of, copy))
        own.clear()
        own.extend(parts) if type(own) is list else own.update(parts)

    def of(self, value: Any) -> Any:
        """``value``, with the program's own containers in it."""
        kind = type(value)
        if kind in SCALARS:
            return value
        mine = self._own.get(id(value))
        if mine is not None:
            return mine
        if kind is tuple:
            parts = tuple(map(self.of, value))
            return value if all(a is b for a, b in zip(parts, value, strict=True)) else parts
        if kind in (list, dict) and id(value) not in self._done:
            self._done.add(id(value))
            for key, item in list(value.items()) if kind is dict else enumerate(value):
                value[key] = self.of(item)
        return value
