"""How does a program reach what the host gives it? Functions by name, modules by a list of their names."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from autograph.errors import AutographError, StatementError
from autograph.language.sandbox.budget import CURRENT, Units, charge, weigh
from autograph.language.sandbox.limits import HANDED_NODES
from autograph.language.sandbox.modules import MODULES
from autograph.language.sandbox.tokens import Function, Module, Native, words
from autograph.values import check_storable, deep_copy, is_leaf, to_plain

__all__ = ["context_place", "expose", "is_async", "received"]

_CALL_COST = 50
_REFUSED = frozenset(
    words(
        "builtins os sys subprocess importlib pickle ctypes gc inspect io types shutil socket code codeop "
        "runpy marshal shelve posix nt pty signal threading multiprocessing tempfile pathlib glob"
    )
)


def is_async(value: object) -> bool:
    """Whether a host function is to be awaited."""
    call = getattr(value, "__call__", None)  # noqa: B004 - an object with an async __call__ counts, too
    return inspect.iscoroutinefunction(value) or inspect.iscoroutinefunction(call)


def expose(name: str, value: Any) -> Any:
    """What a program sees under ``name``.

    ``value`` is a function, a list of names of the module ``name``, a mapping of names to functions and
    constants, or a plain constant. Raises ``StatementError`` for modules as a whole and for what cannot be shown.
    """
    if isinstance(value, ModuleType):
        raise StatementError(f"the module {name} cannot be given as a whole; list what is needed of it by name.")
    if callable(value):
        return Function(name, host_function(name, value))
    if isinstance(value, Mapping):
        return Module(name, MappingProxyType({str(key): _member(name, str(key), item) for key, item in value.items()}))
    if isinstance(value, list | tuple | set | frozenset) and all(isinstance(item, str) for item in value):
        return Module(name, MappingProxyType(_selected(name, value)))
    return _constant(name, value)


def _member(module: str, name: str, value: Any) -> Any:
    if name.startswith("_") or not name.isidentifier():
        raise StatementError(f"{module}.{name} cannot be given to programs: names begin with a letter.")
    whole = f"{module}.{name}"
    return Function(whole, host_function(whole, value)) if callable(value) else _constant(whole, value)


def _constant(name: str, value: Any) -> Any:
    try:
        check_storable(value, name)
    except ValueError as error:
        raise StatementError(f"{name} cannot be given to programs: {error}") from None
    try:
        hash(value)
    except TypeError:
        raise StatementError(
            f"{name} cannot be given to programs: a value of type {type(value).__name__} could be changed by them; "
            f"give a function that returns a fresh one."
        ) from None
    return value


def _selected(module: str, names: Iterable[str]) -> dict[str, Any]:
    curated = MODULES.get(module)
    if curated is not None:
        unknown = [name for name in names if name not in curated.table]
        if unknown:
            raise StatementError(f"{module}.{unknown[0]} is not available to programs; give a function of your own.")
        return {name: curated.table[name] for name in names}
    if module.split(".")[0] in _REFUSED:
        raise StatementError(f"the module {module} cannot be given to programs; wrap what is needed in a function.")
    try:
        real = importlib.import_module(module)
    except ImportError as error:
        raise StatementError(f"the module {module} cannot be imported: {error}.") from None
    missing = [name for name in names if not hasattr(real, name)]
    if missing:
        raise StatementError(f"the module {module} has no {missing[0]}.")
    return {name: _member(module, name, getattr(real, name)) for name in names}


def host_function(name: str, function: Callable[..., Any]) -> Native:
    """A guard that calls a host function: outside the program's time, and with its failures explained.

    A parameter called ``context`` is filled with the context of the turn unless the program gives it.
    """
    place = context_place(function)

    def run(fuel: Units, /, *args: Any, **named: Any) -> Any:
        charge(fuel, _CALL_COST)
        for value in (*args, *named.values()):
            charge(fuel, weigh(value, limit=HANDED_NODES) >> 6)
        if place is not None and "context" not in named and len(args) <= place:
            named["context"] = None if fuel is None else fuel.context
        watch = None if fuel is None else fuel.watch
        token = CURRENT.set(fuel)
        try:
            if watch is not None:
                watch.pause()
            try:
                value = function(*args, **named)
            finally:
                if watch is not None:
                    watch.resume()
        except AutographError:
            raise
        except Exception as error:
            raise StatementError(f"`{name}()` failed: {type(error).__name__}: {error}") from None
        finally:
            CURRENT.reset(token)
        return received(value, (*args, *named.values()))

    return run


def received(value: Any, given: Iterable[Any]) -> Any:
    """What a host function returned, as plain data that the host no longer holds.

    A list that the host keeps (a cache, say) is copied, so that no program can change it; objects that the
    program itself had ``given`` stay the same objects. What is no plain data is passed on as it is.
    """
    plain = to_plain(value)
    if is_leaf(plain):
        return plain
    try:
        return deep_copy(plain, _containers(given))
    except ValueError:
        return plain


def _containers(given: Iterable[Any]) -> dict[int, Any]:
    """All lists, dicts and so on inside ``given``, by identity."""
    found: dict[int, Any] = {}
    waiting = list(given)
    while waiting:
        value = waiting.pop()
        if isinstance(value, list | tuple | dict | set | frozenset) and id(value) not in found:
            found[id(value)] = value
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return found


def context_place(function: Callable[..., Any]) -> int | None:
    """How many positional arguments may be given before ``context`` is one of them; None: it has no such parameter."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    parameter = parameters.get("context")
    if parameter is None or parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return None
    return sys.maxsize if parameter.kind is inspect.Parameter.KEYWORD_ONLY else list(parameters).index("context")
