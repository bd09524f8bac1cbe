"""What stands for functions, types and modules inside a program: opaque tokens, never the real things.

A program can pass tokens around and have them called through guards; nothing else can be read from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["FILENAME", "Function", "Module", "Native", "TypeToken", "functions", "words"]

FILENAME = "<autograph statement>"
"""The file name of all code compiled from programs; lambdas made by programs are known by it."""


def words(text: str) -> tuple[str, ...]:
    """The words of ``text``: how the tables of names are written."""
    return tuple(text.split())


Native = Callable[..., Any]
"""The implementation of a safe function: takes the fuel first, then the program's arguments."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function a program may call: a builtin, a host function or a method bound to its object.

    ``pure`` tells that it changes no value that it is given; ``needs`` what the interpreter has to provide for
    it: ``"random"``, ``"clock"``, ``"checkpoint"`` or nothing.
    """

    name: str
    run: Native
    pure: bool = True
    needs: str = ""

    def __repr__(self) -> str:
        return f"<function {self.name}>"


@dataclass(frozen=True, slots=True, eq=False)
class TypeToken:
    """A type as programs see it: ``kind`` is the real type, ``construct`` makes values, ``methods`` are its methods.

    ``needs`` tells which ``statics`` the interpreter has to provide something for. ``type(x)`` makes tokens, so
    two tokens of one type are equal.
    """

    name: str
    kind: type
    construct: Native | None = None
    methods: Mapping[str, Native] = field(default_factory=dict)
    statics: Mapping[str, Native] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return type(other) is TypeToken and other.kind is self.kind

    def __hash__(self) -> int:
        return hash(self.kind)

    def __repr__(self) -> str:
        return f"<class '{self.name}'>"


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A module as programs see it: a fixed table of functions (``Function``), types and constants."""

    name: str
    table: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<module {self.name}>"


def functions(module: str, natives: Mapping[str, Native]) -> dict[str, Function]:
    """The functions of a curated module."""
    return {name: Function(f"{module}.{name}", run) for name, run in natives.items()}
