"""Which functions of the host may a locked program call? The worker has stand-ins; the functions stay where they are.

``describe`` says what there is, ``stand_ins`` makes what the worker gives to the sandbox in their place.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from autograph.errors import AutographError, StatementError, StorageError
from autograph.language.sandbox.exposure import ExposedType, host_function, mark_of
from autograph.language.sandbox.host import context_place, is_async, refuse_context
from autograph.language.sandbox.modules import MODULES
from autograph.locked.data import Malformed, text
from autograph.memory.codec import decode_values, encode_values

__all__ = ["HostFunction", "Hosts", "describe", "stand_ins"]

Ask = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]
"""How a stand-in has its function called: by its whole name, with arguments."""


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function that the worker may have called, and where it takes the turn's context."""

    name: str
    function: Callable[..., Any]
    awaited: bool
    place: int | None

    def keywords(self, positional: tuple[Any, ...], keywords: dict[str, Any], context: Any) -> dict[str, Any]:
        """``keywords``, with the context if the function asks for it. Raises ``StatementError`` for a forged one."""
        if self.place is None:
            return keywords
        refuse_context(self.name, self.place, positional, keywords)
        return {**keywords, "context": context}


@dataclass(frozen=True, slots=True)
class Hosts:
    """What the host gives: ``functions`` by their whole name, and the description that the worker gets."""

    functions: Mapping[str, HostFunction]
    description: Mapping[str, Any]


def describe(modules: Mapping[str, Any]) -> Hosts:
    """What there is in ``modules``. What the sandbox itself refuses is left out, since loading will say so.

    Raises ``AutographError`` for types, whose objects cannot cross.
    """
    functions: dict[str, HostFunction] = {}
    description = {name: found for name, value in modules.items() if (found := _described(name, value, functions))}
    return Hosts(functions, description)


def _described(name: str, value: Any, functions: dict[str, HostFunction]) -> dict[str, Any] | None:
    if isinstance(value, ExposedType):
        raise AutographError(
            f"the type {name} cannot be given to a program that is not trusted: its objects cannot cross to the locked "
            "worker. Give functions that take and return plain values."
        )
    if isinstance(value, ModuleType):
        return None
    if callable(value):
        return _function(name, value, functions)
    if isinstance(value, Mapping):
        return {"members": {str(key): _described(f"{name}.{key}", item, functions) for key, item in value.items()}}
    if isinstance(value, list | tuple | set | frozenset) and all(isinstance(item, str) for item in value):
        return _selected(name, value, functions)
    try:
        return {"constant": encode_values([value])[0]}
    except StorageError:
        return None


def _function(name: str, function: Callable[..., Any], functions: dict[str, HostFunction]) -> dict[str, Any]:
    functions[name] = found = HostFunction(name, function, is_async(function), context_place(function))
    mark = mark_of(function)
    marked = None if mark is None else {"name": mark.name, "costs": mark.costs, "pure": mark.pure}
    return {"function": name, "awaited": found.awaited, "mark": marked}


def _selected(module: str, names: Iterable[str], functions: dict[str, HostFunction]) -> dict[str, Any] | None:
    if module in MODULES:
        return {"curated": list(names)}
    try:
        real = importlib.import_module(module)
    except ImportError:
        return None
    found = {name: _described(f"{module}.{name}", getattr(real, name, None), functions) for name in names}
    return {"members": found}


# ---------------------------------------------------------------------- in the worker


def stand_ins(description: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """``modules`` for a sandbox in which every function is asked for. Raises ``Malformed``."""
    return {name: _stand_in(what, ask) for name, what in description.items() if what is not None}


def _stand_in(what: Mapping[str, Any], ask: Ask) -> Any:
    if "function" in what:
        return _stub(text(what["function"]), what, ask)
    if "members" in what:
        return stand_ins(what["members"], ask)
    if "curated" in what:
        return list(what["curated"])
    if "constant" in what:
        return decode_values([what["constant"]])[0]
    raise Malformed("an unknown kind of module")


def _stub(name: str, what: Mapping[str, Any], ask: Ask) -> Any:
    def call(*positional: Any, **keywords: Any) -> Any:
        return ask(name, positional, keywords)

    async def wait(*positional: Any, **keywords: Any) -> Any:
        raise StatementError(f"{name}() is asynchronous")  # the effect that names it is performed by the parent

    stub = wait if what["awaited"] else call
    mark = what["mark"]
    return stub if mark is None else host_function(name=mark["name"], costs=mark["costs"], pure=mark["pure"])(stub)
