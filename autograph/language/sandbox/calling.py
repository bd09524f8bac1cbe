"""What may be called? Functions known by name, lambdas made by the program itself, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import CALL_DEPTH
from autograph.language.sandbox.tokens import FILENAME, Function, TypeToken

__all__ = ["call", "callee"]


def call(fuel: Units, function: Any, /, *args: Any, **names: Any) -> Any:
    """``function(*args, **names)`` for a function that is not known by name."""
    return _within_depth(fuel, callee(fuel, function), args, names)


def _within_depth(fuel: Units, function: Callable[..., Any], args: tuple[Any, ...], names: dict[str, Any]) -> Any:
    fuel.depth += 1
    try:
        if fuel.depth > CALL_DEPTH:
            raise LimitError(f"the statement's lambdas call each other more than {CALL_DEPTH} levels deep.")
        return function(*args, **names)
    finally:
        fuel.depth -= 1


def callee(fuel: Units, function: Any) -> Callable[..., Any]:
    """What has to be called to call ``function``. Raises ``StatementError`` for anything that may not be called."""
    kind = type(function)
    if kind is FunctionType and function.__code__.co_filename == FILENAME:
        return function  # type: ignore[no-any-return]
    if kind is Function:
        return partial(function.run, fuel)
    if kind is TypeToken and function.construct is not None:
        return partial(function.construct, fuel)
    raise StatementError(f"a value of type {kind.__name__} is no function and cannot be called.")
