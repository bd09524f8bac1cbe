"""What does a host say about what it gives to programs? ``host_function`` marks a function, ``expose_type`` a type."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar, overload

from autograph.errors import StatementError

__all__ = ["CALL_COST", "ExposedType", "HostMark", "as_modules", "expose_type", "host_function", "mark_of"]

CALL_COST = 50
"""Units for a call of a host function, unless its host says otherwise."""

_MARK = "__autograph_host__"
_OWN_RULES = frozenset(("builtins", "types", "pandas", "numpy"))
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class HostMark:
    """What ``host_function`` notes: the name in programs, the documentation, units per call, and purity."""

    name: str
    documentation: str
    costs: int
    pure: bool


@overload
def host_function(function: _Function, /) -> _Function: ...


@overload
def host_function(
    *, name: str | None = None, costs: int = CALL_COST, pure: bool = False
) -> Callable[[_Function], _Function]: ...


def host_function(
    function: Any = None, /, *, name: str | None = None, costs: int = CALL_COST, pure: bool = False
) -> Any:
    """Mark a function that is given to programs, as ``@host_function`` or ``@host_function(pure=True)``.

    ``name`` is what programs call it (default: its own name), ``costs`` how many of a statement's 200,000 units a
    call uses up, ``pure`` that it changes none of its arguments, so that nothing has to be copied before a call.
    The function stays what it is. Raises ``StatementError`` for names that programs cannot write.
    """

    def mark(target: Any) -> Any:
        if not callable(target):
            raise StatementError(f"host_function marks functions, not a value of type {type(target).__name__}.")
        called = name if name is not None else getattr(target, "__name__", "")
        check_name(called, "the host function")
        if costs < 0:
            raise StatementError(f"the host function {called} cannot cost {costs} units; 0 is the least.")
        note = HostMark(called, inspect.getdoc(target) or "", costs, pure)
        try:
            setattr(target, _MARK, note)
        except (AttributeError, TypeError):
            raise StatementError(f"{called} cannot be marked; write a function of your own that calls it.") from None
        return target

    return mark if function is None else mark(function)


def mark_of(function: object) -> HostMark | None:
    """What ``host_function`` noted about a function; None if it is not marked."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, HostMark) else None


def as_modules(given: Mapping[str, Any] | Iterable[Any] | None) -> dict[str, Any]:
    """``modules=`` as a dict: functions in a list go by the names they were marked with, or their own.

    Raises ``StatementError`` for what has no name, and for a name that stands there twice.
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, Any] = {}
    for value in given:
        mark = mark_of(value)
        name = value.kind.__name__ if isinstance(value, ExposedType) else getattr(value, "__name__", None)
        if mark is not None:
            name = mark.name
        if not isinstance(name, str) or not (callable(value) or isinstance(value, ExposedType)):
            raise StatementError(
                f"modules= lists a value of type {type(value).__name__}, which has no name; "
                f"give functions and exposed types, or a dict of names."
            )
        check_name(name, "what modules= lists")
        if name in found:
            raise StatementError(f"modules= lists two functions called {name}; give a dict with different names.")
        found[name] = value
    return found


def check_name(name: str, what: str) -> None:
    """Raise ``StatementError`` if programs cannot write ``name``."""
    if not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name):
        raise StatementError(
            f"{name[:60]!r} cannot be the name of {what}; it consists of letters, digits and underscores, begins "
            f"with a letter and is no word of Python."
        )


# ---------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class ExposedType:
    """What programs may read of values of exactly one type; made by ``expose_type``, given in ``modules``.

    ``shown`` tells whether the type's own ``__repr__`` is its text in programs.
    """

    kind: type
    attrs: frozenset[str]
    methods: frozenset[str]
    to_plain: Callable[[Any], Any] | None
    shown: bool


def expose_type(
    cls: type,
    *,
    attrs: Collection[str] = (),
    methods: Collection[str] = (),
    to_plain: Callable[[Any], Any] | None = None,
) -> ExposedType:
    """Let programs read ``attrs`` and call ``methods`` of objects whose type is exactly ``cls``.

    Subclasses get nothing, and attributes are never written. With ``to_plain`` an object that is stored in a
    variable is stored as the plain data that this function gives; without it it cannot be stored. Raises
    ``StatementError`` for names with an underscore, for missing or asynchronous methods, and for types of Python.
    """
    if not isinstance(cls, type):
        raise StatementError(f"expose_type takes a class, not a value of type {type(cls).__name__}.")
    if cls.__module__.partition(".")[0] in _OWN_RULES:
        raise StatementError(f"the type {cls.__name__} cannot be exposed; programs see of it what they may.")
    for names in (attrs, methods):
        if isinstance(names, str):
            raise StatementError(f"attrs= and methods= are collections of names; write {{{names!r}}}.")
        for name in names:
            check_name(name, f"an attribute of {cls.__name__} in programs")
    twice = sorted(set(attrs) & set(methods))
    if twice:
        raise StatementError(f"{cls.__name__}.{twice[0]} is named both in attrs= and in methods=; name it once.")
    for name in methods:
        _check_method(cls, name)
    return ExposedType(cls, frozenset(attrs), frozenset(methods), to_plain, _has_own_text(cls, attrs))


def _check_method(cls: type, name: str) -> None:
    found = inspect.getattr_static(cls, name, None)
    if found is None or isinstance(found, staticmethod | classmethod | property) or not callable(found):
        raise StatementError(f"{cls.__name__} has no method {name}; name attributes and properties in attrs=.")
    if inspect.iscoroutinefunction(found):
        raise StatementError(f"{cls.__name__}.{name} is asynchronous; give a function of its own instead.")


def _has_own_text(cls: type, attrs: Collection[str]) -> bool:
    """Whether the class itself says how its objects are written.

    A text that was generated from the fields counts only where no field of it is hidden from programs.
    """
    if not inspect.isfunction(vars(cls).get("__repr__")) or hasattr(cls, "__attrs_attrs__"):
        return False
    return not is_dataclass(cls) or {field.name for field in fields(cls) if field.repr} <= set(attrs)
