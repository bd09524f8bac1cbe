"""What plain data does an old pickle hold? Read without running it: no name is looked up, no object is built.

Only the opcodes of dicts, lists, tuples, texts, numbers, bools and None are followed, on a stack of our own; the first
other one is an error.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import AutographError

__all__ = ["PickleError", "plain_pickle"]

_NUMBERS = ("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT")
_TEXTS = ("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8")
_VALUES = frozenset((*_NUMBERS, *_TEXTS))
"""Opcodes whose argument is the value."""

_CONSTANTS: Mapping[str, Any] = MappingProxyType({"NONE": None, "NEWTRUE": True, "NEWFALSE": False})
_PASSED = frozenset(("PROTO", "FRAME"))
_MARK = object()


class PickleError(AutographError):
    """A pickle that holds more than plain data, or is damaged."""


def plain_pickle(data: bytes) -> Any:
    """The value of a pickle of plain data. Raises ``PickleError`` for anything else; nothing in it is ever run."""
    machine = _Machine()
    try:
        for opcode, argument, place in pickletools.genops(data):
            if opcode.name == "STOP":
                return machine.result()
            machine.follow(opcode.name, argument, place or 0)
    except PickleError:
        raise
    except (ValueError, IndexError, KeyError, TypeError, OverflowError, UnicodeError) as error:
        raise PickleError(f"the pickle is damaged ({error or type(error).__name__})") from None
    raise PickleError("the pickle is damaged: it has no end")


class _Machine:
    """The stack and the memo of a pickle that is read."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def result(self) -> Any:
        """What is left in the end."""
        (value,) = self._stack
        if value is _MARK:
            raise PickleError("the pickle is damaged: it ends with a mark")
        return value

    def follow(self, name: str, argument: Any, place: int) -> None:
        """Do what an opcode says. Raises ``PickleError`` for one that is not about plain data."""
        if name in _VALUES:
            self._stack.append(argument)
        elif name in _CONSTANTS:
            self._stack.append(_CONSTANTS[name])
        elif name in _BUILDS:
            _BUILDS[name](self)
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self._memo[int(argument)] = self._last()
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            self._stack.append(self._memo[int(argument)])
        elif name not in _PASSED:
            raise PickleError(
                f"the pickle holds more than plain data ({name} at byte {place}), which might be a program of a "
                "stranger. It was not read further, and nothing in it was run"
            )

    # ------------------------------------------------------------------ the stack

    def _last(self) -> Any:
        value = self._stack[-1]
        if value is _MARK:
            raise ValueError("a mark stands where a value is needed")
        return value

    def _pop(self) -> Any:
        value = self._last()
        self._stack.pop()
        return value

    def _from_mark(self) -> list[Any]:
        place = next((i for i in range(len(self._stack) - 1, -1, -1) if self._stack[i] is _MARK), None)
        if place is None:
            raise ValueError("there is no mark")
        values = self._stack[place + 1 :]
        del self._stack[place:]
        return values

    def mark(self) -> None:
        """Begin a group."""
        self._stack.append(_MARK)

    def push(self, make: Callable[[], Any]) -> None:
        """A new empty container."""
        self._stack.append(make())

    def gather(self, make: Callable[[list[Any]], Any]) -> None:
        """A container of the group since the mark."""
        self._stack.append(make(self._from_mark()))

    def tuple_of(self, count: int) -> None:
        """A tuple of the last ``count`` values."""
        values = [self._pop() for _ in range(count)]
        self._stack.append(tuple(reversed(values)))

    def append(self) -> None:
        """Put the last value into the list below it."""
        value = self._pop()
        self._extend([value])

    def appends(self) -> None:
        """Put the group since the mark into the list below it."""
        self._extend(self._from_mark())

    def set_item(self) -> None:
        """Put the last two values into the dict below them."""
        value, key = self._pop(), self._pop()
        self._update([key, value])

    def set_items(self) -> None:
        """Put the group since the mark into the dict below it."""
        self._update(self._from_mark())

    def memoise(self) -> None:
        """Keep the last value under the next number."""
        self._memo[len(self._memo)] = self._last()

    def drop_group(self) -> None:
        """Forget the group since the mark."""
        self._from_mark()

    def _extend(self, values: list[Any]) -> None:
        target = self._last()
        if not isinstance(target, list):
            raise TypeError("values are put into what is no list")
        target.extend(values)

    def _update(self, values: list[Any]) -> None:
        target = self._last()
        if not isinstance(target, dict):
            raise TypeError("values are put into what is no dict")
        target.update(_dict(values))


def _dict(values: list[Any]) -> dict[Any, Any]:
    if len(values) % 2:
        raise ValueError("a key has no value")
    keys = values[::2]
    if not all(key is None or isinstance(key, (str, int, float)) for key in keys):
        raise TypeError("a key is neither a text nor a number")
    return dict(zip(keys, values[1::2], strict=True))


_BUILDS: Mapping[str, Callable[[_Machine], None]] = MappingProxyType(
    {
        "MARK": _Machine.mark,
        "EMPTY_LIST": lambda machine: machine.push(list),
        "EMPTY_DICT": lambda machine: machine.push(dict),
        "EMPTY_TUPLE": lambda machine: machine.push(tuple),
        "LIST": lambda machine: machine.gather(list),
        "TUPLE": lambda machine: machine.gather(tuple),
        "DICT": lambda machine: machine.gather(_dict),
        "TUPLE1": lambda machine: machine.tuple_of(1),
        "TUPLE2": lambda machine: machine.tuple_of(2),
        "TUPLE3": lambda machine: machine.tuple_of(3),
        "APPEND": _Machine.append,
        "APPENDS": _Machine.appends,
        "SETITEM": _Machine.set_item,
        "SETITEMS": _Machine.set_items,
        "MEMOIZE": _Machine.memoise,
        "POP_MARK": _Machine.drop_group,
    }
)
