"""How are values written as JSON?

Ordinary JSON values look like themselves. Everything else is a dict with the key ``"$"``, the tag:
``{"$": "tuple", "items": [1, 2]}``. A list, dict … that occurs more than once gets an ``"id"`` where it is
first met and is ``{"$": "ref", "id": 1}`` from then on, so that sharing survives. Ids count by first visit and
sets are sorted: the same state always gives the same text. No class paths and no code are ever written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograph.errors import StorageError
from autograph.frames import dismantle
from autograph.memory.decoding import Decoder, MalformedError
from autograph.memory.scalars import encode_scalar
from autograph.values import SCALARS, Survey, is_leaf

__all__ = ["decode_values", "encode_values"]

_all_text = frozenset((str,)).issuperset
_SELF = frozenset((type(None), bool))

# Whole numbers between these are written in decimals; see autograph.memory.scalars for the rest.
_BIG = 2**63

_CONTAINERS = frozenset((list, dict, tuple, set, frozenset))
_CONSTANT = frozenset((tuple, frozenset))

# A tuple or frozenset of constants with up to this many parts counts as a value, not as an object: whether two
# names hold one (1, 2) or two equal ones is an accident of compilation and must not show in the text.
_SMALL = 64

# Sets inside sets are written in full wherever they occur; this bounds the characters that are sorted for it.
_MAX_SORTED = 20_000_000

_NOTHING: Mapping[str, int] = {}


def encode_values(roots: Sequence[object], names: Sequence[str] | None = None) -> list[Any]:
    """Plain JSON data for each of ``roots``; what they share is shared over all of them.

    ``json.dumps(…, allow_nan=False)`` takes the result. ``names`` say how each root is called in errors.
    Raises ``StorageError`` with the path of a value that cannot be stored.
    """
    survey = Survey()
    try:
        for i, root in enumerate(roots):
            if type(root) not in SCALARS:
                survey.add(root, names[i] if names else f"value {i + 1}")
        return list(map(_Encoder(survey.shared).encode, roots))
    except ValueError as error:
        raise StorageError(str(error)) from error


def decode_values(data: Sequence[Any], names: Sequence[str] | None = None) -> list[Any]:
    """The values that ``encode_values`` wrote. Raises ``StorageError`` with the path of what is malformed."""
    decoder, survey, roots = Decoder(), Survey(), []
    for i, item in enumerate(data):
        name = names[i] if names else f"value {i + 1}"
        try:
            root = decoder.decode(item)
            survey.add(root, name)
        except MalformedError as error:
            raise StorageError(f"{decoder.where(name)} cannot be read: {error}.") from error.__cause__
        except ValueError as error:
            raise StorageError(str(error)) from error
        roots.append(root)
    return roots


class _Encoder:
    """Writes values that a ``Survey`` has checked; ``shared`` are the ids it noted."""

    def __init__(self, shared: set[int]) -> None:
        self._shared = shared
        self._numbers: dict[int, int] = {}
        self._sorted_characters = 0

    def encode(self, value: Any) -> Any:
        """The JSON form of ``value``."""
        kind = type(value)
        if kind not in _CONTAINERS and is_leaf(value):
            return encode_scalar(value)
        if id(value) not in self._shared or (kind in _CONSTANT and _is_small(value)):
            return self._parts(kind, value)
        number = self._numbers.get(id(value))
        if number is not None:
            return {"$": "ref", "id": number}
        self._numbers[id(value)] = number = len(self._numbers) + 1
        return self._parts(kind, value, {"id": number})

    def _parts(self, kind: type, value: Any, extra: Mapping[str, int] = _NOTHING) -> Any:
        if kind is list:
            return {"$": "list", **extra, "items": self._items(value)} if extra else self._items(value)
        if kind is dict:
            if not extra and "$" not in value and _all_text(map(type, value)) and _without_surrogates(value):
                return dict(zip(value, self._items(value.values()), strict=True))
            return {"$": "dict", **extra, "items": [[self._constant(k), self.encode(v)] for k, v in value.items()]}
        if kind is tuple:
            return {"$": "tuple", **extra, "items": self._items(value)}
        if kind is set or kind is frozenset:
            return {"$": kind.__name__, **extra, "items": self._sorted(value)}
        return {"$": "frame", **extra, **{key: self.encode(part) for key, part in dismantle(value).items()}}

    def _items(self, values: Any) -> list[Any]:
        return [
            item
            if (kind := type(item)) in _SELF
            or (kind is str and item.isascii())
            or (kind is int and -_BIG < item < _BIG)
            else self.encode(item)
            for item in values
        ]

    def _constant(self, value: Any) -> Any:
        """A key or an item of a set: immutable, written without ids."""
        if type(value) is tuple:
            return {"$": "tuple", "items": [self._constant(item) for item in value]}
        if type(value) is frozenset:
            return {"$": "frozenset", "items": self._sorted(value)}
        return encode_scalar(value)

    def _sorted(self, value: Any) -> list[Any]:
        if len(set(map(type, value))) == 1 and type(next(iter(value))) in (str, int):
            return list(map(self._constant, sorted(value)))
        forms = [self._constant(item) for item in value]
        texts = [json.dumps(form, sort_keys=True) for form in forms]
        self._sorted_characters += sum(map(len, texts))
        if self._sorted_characters > _MAX_SORTED:
            raise ValueError("Sets with so many parts inside each other cannot be stored; keep lists instead.")
        return [forms[i] for i in sorted(range(len(forms)), key=texts.__getitem__)]


def _without_surrogates(texts: Iterable[str]) -> bool:
    if all(map(str.isascii, texts)):
        return True
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_small(value: Any) -> bool:
    """Whether a tuple or frozenset has few parts and is immutable all the way down."""
    waiting, count = [value], 0
    while waiting:
        item = waiting.pop()
        count += 1
        if type(item) in _CONSTANT:
            count += len(item)
            if count <= _SMALL:
                waiting.extend(part for part in item if type(part) not in SCALARS)
        elif not is_leaf(item):
            return False
    return count <= _SMALL
