"""How are values read from JSON?

Nothing in the data is trusted: each tag, key and reference is checked. A reference can only name an object that is
complete, so that cycles cannot arise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from autograph.frames import assemble
from autograph.memory.scalars import DECODERS, decode_scalar

__all__ = ["Decoder", "MalformedError"]

_JSON = frozenset((type(None), bool, int, float, str))
_all_json = _JSON.issuperset
_all_text = frozenset((str,)).issuperset

_KEYS = frozenset(("$", "items"))
_FRAME_KEYS = frozenset(("$", "columns", "index", "data"))

# A bound for the recursion here; what the values' depth may be is for autograph.values.Survey to say.
_MAX_PATH = 120


class MalformedError(Exception):
    """What is wrong with the data at the decoder's present path."""


class Decoder:
    """Reads the data of several roots, one after the other; references reach back to earlier roots."""

    def __init__(self) -> None:
        self._objects: dict[int, Any] = {}
        self._path: list[object] = []

    def where(self, root: str) -> str:
        """The path at which decoding stopped."""
        return root + "".join([f"[{json.dumps(label)[:60]}]" for label in self._path])

    def decode(self, data: Any) -> Any:
        """The value of ``data``. After ``MalformedError``, ``where`` tells the place."""
        kind = type(data)
        if kind in _JSON:
            return data
        if len(self._path) > _MAX_PATH:
            raise MalformedError("it is nested too deeply")
        if kind is list:
            return self._items(data)
        if kind is not dict:
            raise MalformedError(f"{kind.__name__} is no type of JSON data")
        if not _all_text(map(type, data)):
            raise MalformedError("a key is no text")
        if "$" not in data:
            return dict(zip(data, self._items(data.values(), data), strict=True))
        tag = data["$"]
        read = _READERS.get(tag) if type(tag) is str else None
        if read is not None:
            return self._object(data, read)
        if tag == "ref":
            return self._ref(data)
        return self._scalar(tag, data)

    def _items(self, values: Any, labels: Any = None) -> list[Any]:
        """Each of ``values`` decoded; ``labels`` name them in errors if they are not simply counted."""
        if _all_json(map(type, values)):
            return list(values)
        pairs = enumerate(values) if labels is None else zip(labels, values, strict=True)
        return [self._at(label, item) for label, item in pairs]

    def _at(self, label: object, data: Any) -> Any:
        if type(data) in _JSON:
            return data
        self._path.append(label)
        value = self.decode(data)
        self._path.pop()
        return value

    def _scalar(self, tag: object, data: Mapping[str, Any]) -> Any:
        if type(tag) is not str or tag not in DECODERS:
            raise MalformedError(f"the tag {str(tag)[:60]!r} is unknown")
        try:
            return decode_scalar(tag, data)
        except ValueError as error:
            raise MalformedError(str(error)) from error

    def _ref(self, data: Mapping[str, Any]) -> Any:
        number = self._number(data)
        if len(data) != 2 or number not in self._objects:
            raise MalformedError(f"there is no object {number} before it")
        return self._objects[number]

    def _object(self, data: Mapping[str, Any], read: Callable[[Decoder, Mapping[str, Any]], Any]) -> Any:
        number = self._number(data) if "id" in data else None
        keys = _FRAME_KEYS if data["$"] == "frame" else _KEYS
        if data.keys() - {"id"} != keys:
            raise MalformedError(f"a {data['$']} has the keys {', '.join(sorted(keys))}")
        value = read(self, data)
        if number is not None:
            if number in self._objects:
                raise MalformedError(f"there are two objects {number}")
            self._objects[number] = value
        return value

    def _number(self, data: Mapping[str, Any]) -> int:
        number = data.get("id")
        if type(number) is not int or number < 1:
            raise MalformedError("an id is a whole number from 1")
        return number

    def _list(self, data: Mapping[str, Any]) -> list[Any]:
        return self._items(_list_of(data))

    def _tuple(self, data: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(self._items(_list_of(data)))

    def _dict(self, data: Mapping[str, Any]) -> dict[Any, Any]:
        value: dict[Any, Any] = {}
        for pair in _list_of(data):
            if type(pair) is not list or len(pair) != 2:
                raise MalformedError("its items are pairs of key and value")
            key = self._constant(pair[0])
            if key in value:
                raise MalformedError("two keys are the same")
            value[key] = self._at(pair[0] if type(pair[0]) in _JSON else "…", pair[1])
        return value

    def _set(self, data: Mapping[str, Any]) -> set[Any]:
        items = [self._constant(item) for item in _list_of(data)]
        value = set(items)
        if len(value) != len(items):
            raise MalformedError("two items are the same")
        return value

    def _frozenset(self, data: Mapping[str, Any]) -> frozenset[Any]:
        return frozenset(self._set(data))

    def _constant(self, data: Any, depth: int = 0) -> Any:
        """A key or an item of a set. References are refused here: they would make hashing unbounded."""
        if type(data) in _JSON:
            return data
        if depth > _MAX_PATH:
            raise MalformedError("it is nested too deeply")
        tag = data.get("$") if type(data) is dict else None
        if tag in ("tuple", "frozenset"):
            if data.keys() != _KEYS:
                raise MalformedError(f"a {tag} in a set or key has the keys $, items")
            items = [self._constant(item, depth + 1) for item in _list_of(data)]
            value: Any = tuple(items) if tag == "tuple" else frozenset(items)
            if len(value) != len(items):
                raise MalformedError("two items are the same")
        elif type(data) is dict:
            value = self._scalar(tag, data)
        else:
            raise MalformedError(f"a {type(data).__name__} cannot be in a set or a key")
        try:
            hash(value)
        except TypeError as error:
            raise MalformedError(f"in a set or key, {error}") from error
        return value

    def _frame(self, data: Mapping[str, Any]) -> Any:
        parts = {key: self._at(key, data[key]) for key in _FRAME_KEYS - {"$"}}
        try:
            return assemble(parts)
        except ValueError as error:
            raise MalformedError(str(error)) from error


def _list_of(data: Mapping[str, Any]) -> list[Any]:
    items = data["items"]
    if type(items) is not list:
        raise MalformedError("its items are no list")
    return items


_READERS: Mapping[str, Callable[[Decoder, Mapping[str, Any]], Any]] = {
    "list": Decoder._list,
    "tuple": Decoder._tuple,
    "dict": Decoder._dict,
    "set": Decoder._set,
    "frozenset": Decoder._frozenset,
    "frame": Decoder._frame,
}
