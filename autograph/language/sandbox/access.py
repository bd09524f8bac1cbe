"""What does ``value.name`` give, and ``value.name(...)``? Only what the table of types allows."""

from __future__ import annotations

from typing import Any

from autograph.errors import StatementError, did_you_mean
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.calling import call
from autograph.language.sandbox.table_methods import read_table
from autograph.language.sandbox.tables import is_table
from autograph.language.sandbox.tokens import Function, Module, Native, TypeToken
from autograph.language.sandbox.types import METHODS, READS

__all__ = ["attribute", "method", "method_with_names", "type_name_of", "variable"]

_NO_NAMES: frozenset[str] = frozenset()


def method(fuel: Units, value: Any, name: str, /, *args: Any) -> Any:
    """``value.name(*args)``, the common case without keywords."""
    kind = type(value)
    if kind in METHODS:
        run = METHODS[kind].get(name)
        if run is not None:
            return run(fuel, value, *args)
    elif kind is Module:
        found = value.table.get(name)
        if type(found) is Function:
            return found.run(fuel, *args)
    elif kind is TypeToken and args and type(args[0]) is value.kind:
        run = value.methods.get(name)
        if run is not None:
            return run(fuel, *args)
    return call(fuel, attribute(fuel, value, name), *args)


def method_with_names(fuel: Units, value: Any, name: str, /, *args: Any, **named: Any) -> Any:
    """``value.name(*args, **named)``"""
    return call(fuel, attribute(fuel, value, name), *args, **named)


def attribute(fuel: Units, value: Any, name: str) -> Any:
    """``value.name``; methods are given as functions bound to their value."""
    kind = type(value)
    table = METHODS.get(kind)
    if table is not None and name in table:
        return Function(name, _bind(table[name], value))
    if name in READS.get(kind, _NO_NAMES):
        return getattr(value, name)
    if kind is Module:
        if name in value.table:
            return value.table[name]
        raise StatementError(f"{value.name} has no {name} here. {did_you_mean(name, value.table)}".rstrip())
    if kind is TypeToken:
        if name in value.statics:
            return Function(f"{value.name}.{name}", value.statics[name])
        if name in value.methods:
            return Function(f"{value.name}.{name}", _of_type(value, name))
        kind_name, known = f"the type {value.name}", [*value.methods, *value.statics]
    elif kind in fuel.types:
        exposure = fuel.types[kind]
        if name in exposure.reads:
            return exposure.reads[name](fuel, value)
        if name in exposure.methods:
            return Function(name, _bind(exposure.methods[name], value))
        kind_name, known = f"a value of type {kind.__name__}", [*exposure.reads, *exposure.methods]
    elif is_table(value):
        return read_table(fuel, value, name)
    else:
        kind_name, known = f"a value of type {kind.__name__}", [*(table or ()), *READS.get(kind, _NO_NAMES)]
    hint = did_you_mean(name, known) or _key_hint(value, name)
    raise StatementError(f'"{name}" cannot be read from {kind_name}. {hint}'.rstrip())


def _key_hint(value: Any, name: str) -> str:
    return f'Items of a dict are written ["{name}"].' if type(value) is dict else ""


def _bind(run: Native, value: Any) -> Native:
    def bound(fuel: Units, /, *args: Any, **named: Any) -> Any:
        return run(fuel, value, *args, **named)

    return bound


def _of_type(token: TypeToken, name: str) -> Native:
    run = token.methods[name]

    def unbound(fuel: Units, /, *args: Any, **named: Any) -> Any:
        if not args or type(args[0]) is not token.kind:
            found = type(args[0]).__name__ if args else "nothing"
            raise StatementError(f"{token.name}.{name}() takes a value of type {token.name} first, not {found}.")
        return run(fuel, *args, **named)

    return unbound


def variable(fuel: Units, value: Any) -> Any:
    """``value``, if it is no module: those stand before a dot only."""
    if type(value) is Module:
        raise StatementError(f"`{value.name}` is a module; write what is needed of it, such as `{value.name}.name`.")
    return value


def type_name_of(fuel: Units, value: Any) -> str:
    """``value.__name__``, which only types have."""
    if type(value) is not TypeToken:
        raise StatementError('"__name__" can be read from types only, as in type(x).__name__.')
    return value.name
