"""What is an author told when a statement fails? One sentence instead of a Python exception."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from autograph.errors import AutographError, LimitError, RunError, StatementError
from autograph.language.sandbox.policy import no_function, undefined

if TYPE_CHECKING:
    from autograph.language.sandbox.compile import Statement

__all__ = ["translate_error"]

_ARGUMENTS = re.compile(r"(?:[\w.<>]*\.)?(\w+)\(\) (?:takes|missing|got).*argument.*")


def translate_error(error: BaseException, statement: Statement, scope: dict[str, Any]) -> RunError:
    """The error to be raised (``from None``) for what the evaluation of ``statement`` raised.

    Raises other autograph errors, which host functions may have let through, as they are.
    """
    if isinstance(error, StatementError | LimitError):
        return error
    if isinstance(error, AutographError):
        raise error
    if isinstance(error, RecursionError):
        return LimitError("the statement's functions call each other too deeply, or its data is nested too deeply.")
    if isinstance(error, MemoryError):
        return LimitError("the statement needs more memory than there is; work on less data.")
    if isinstance(error, NameError):
        return _undefined(error, statement, scope)
    return StatementError(_sentence(error))


def _undefined(error: NameError, statement: Statement, scope: dict[str, Any]) -> StatementError:
    name = error.name or ""
    if name == "@visits":
        return StatementError("visits() is available inside a program only.")
    if name.startswith("@call:"):
        return no_function(name.removeprefix("@call:"), statement.sandbox.names)
    if name.startswith("@") or not name:
        return StatementError("a value that the statement needs is not there.")
    return undefined(name, [*scope, *statement.sandbox.names])


def _sentence(error: BaseException) -> str:
    try:
        text = str(error)
    except ValueError:  # it holds a number with more digits than Python writes out
        text = "that large"
    if isinstance(error, KeyError):
        return f"there is no key {text[:80]}."
    if isinstance(error, ZeroDivisionError):
        return "a number is divided by zero."
    if isinstance(error, ValueError) and text.startswith("The truth value of a"):
        return "a table or column is neither true nor false; join conditions with & | ~, or use any() or all()."
    if isinstance(error, TypeError):
        text = _call_text(text)
    if not text:
        text = f"it failed with {type(error).__name__}"
    return f"{text.rstrip('.')}."


def _call_text(text: str) -> str:
    """Python's words for a wrong call count the guards' own arguments; say it without numbers."""
    found = _ARGUMENTS.fullmatch(text)
    if found is None:
        return text.replace("(<", "(").replace("fuel, ", "")
    name = found[1].strip("_")
    return f"{name}() was not given the arguments it takes" if name != "<lambda>" else text
