"""What does a program ask of its host beside plain expressions? Host functions, by the setting ``capabilities``.

A program that lists what it needs can be looked at, checked and drawn without it: what is not given is
known by name, and says so when it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from autograph.config import AutographConfig
from autograph.errors import Problem, StatementError
from autograph.problems import problem
from autograph.tables import Rows

__all__ = ["ALL", "SELF_EXTENSION", "asked_of", "permitted", "refused", "with_stand_ins"]

ALL = "all"
"""As ``allow``: everything that the program asks for."""

SELF_EXTENSION = "self-extension"
"""What a program with ``self_referential`` asks for: to change itself. It may be allowed, and has no effect."""


def asked_of(settings: AutographConfig) -> tuple[str, ...]:
    """The names of all that the program asks for, in order."""
    names = dict.fromkeys(settings.capabilities)
    if settings.self_referential:
        names[SELF_EXTENSION] = None
    return tuple(names)


def with_stand_ins(hosts: Mapping[str, Any], asked: Iterable[str]) -> dict[str, Any]:
    """``hosts``, and for each function that is asked for and not given one that says so when it is called."""
    missing = {name: _stand_in(name) for name in asked if name not in hosts and name.isidentifier()}
    return {**hosts, **missing}


def _stand_in(name: str) -> Callable[..., Any]:
    def not_given(*positional: Any, **keywords: Any) -> Any:
        raise StatementError(
            f"`{name}()` is not given to the program: pass modules={{{name!r}: …}} to load, or --host FILE and --allow."
        )

    not_given.__name__ = name
    return not_given


def permitted(modules: Mapping[str, Any], allow: str | Collection[str] | None) -> dict[str, Any]:
    """The host functions that a program may have; ``allow`` None or ``all``: those that are given."""
    if allow is None or ALL in _names(allow):
        return dict(modules)
    names = _names(allow)
    return {name: value for name, value in modules.items() if name in names}


def refused(asked: Iterable[str], allow: str | Collection[str] | None, rows: Rows) -> list[Problem]:
    """A problem for each thing that is asked for and not allowed."""
    if allow is None or ALL in _names(allow):
        return []
    names = _names(allow)
    where = rows.config_location("capabilities")
    return [
        problem(
            "not-allowed", f"the program asks for {name}, which it is not allowed", where,
            f'If you trust it, pass allow=["{name}"] to load, or --allow {name}.',
        )
        for name in asked
        if name not in names
    ]  # fmt: skip


def _names(allow: str | Collection[str]) -> frozenset[str]:
    return frozenset((allow,)) if isinstance(allow, str) else frozenset(allow)
