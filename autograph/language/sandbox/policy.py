"""What may stand in a program's code? Names, attributes and constructs, and what to say about all others."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.limits import INT_BITS

__all__ = [
    "RESERVED",
    "attribute_name",
    "bindable",
    "check_constant",
    "check_variable",
    "no_function",
    "refusal",
    "undefined",
]

RESERVED: frozenset[str] = frozenset(("_last_user_reply", "_last_state", "_last_variable_output"))
"""Variables that the interpreter sets; programs may read them."""

_HIDDEN = ("gi_", "cr_", "ag_", "tb_", "f_", "co_", "func_", "im_")
_HIDDEN_WHOLE = frozenset(("mro",))

_CONSTRUCTS: dict[str, tuple[str, str]] = {
    "Import": ("import", "the modules a program may use are there without it"),
    "ImportFrom": ("import", "the modules a program may use are there without it"),
    "FunctionDef": ("def", "write a callable node, or a lambda"),
    "AsyncFunctionDef": ("async def", "write a callable node"),
    "ClassDef": ("class", "use dicts"),
    "Return": ("return", "write it in the transitions"),
    "Delete": ("del", "use pop(), or assign a new value"),
    "For": ("for", "use a comprehension, or a loop of nodes"),
    "AsyncFor": ("async for", "use a comprehension"),
    "While": ("while", "use a loop of nodes"),
    "If": ("an if block", "write `value if condition else other`, or use transitions"),
    "With": ("with", "leave it out"),
    "AsyncWith": ("async with", "leave it out"),
    "Match": ("match", "use transitions"),
    "Raise": ("raise", "use a transition to a node that handles the case"),
    "Try": ("try", "test the condition before"),
    "TryStar": ("try", "test the condition before"),
    "Assert": ("assert", "use a transition"),
    "Global": ("global", "assignments need no declaration"),
    "Nonlocal": ("nonlocal", "assignments need no declaration"),
    "Pass": ("pass", "use the action transition for a node that does nothing"),
    "Break": ("break", "use a loop of nodes"),
    "Continue": ("continue", "use a loop of nodes"),
    "AnnAssign": ("a type annotation", "write `name = value`"),
    "TypeAlias": ("type", "leave it out"),
    "NamedExpr": (":=", "assign on a line of its own"),
    "Await": ("await", "call the function without it"),
    "Yield": ("yield", "use a generator expression"),
    "YieldFrom": ("yield", "use a generator expression"),
    "MatMult": ("@", "use a comprehension"),
    "Slice": ("a slice here", "slice with [start:stop] only"),
}


def refusal(node: ast.AST) -> StatementError:
    """The error for a construct that does not exist in programs."""
    name = type(node).__name__
    word, remedy = _CONSTRUCTS.get(name, (name, "write it in another way"))
    return StatementError(f"`{word}` is not possible here; {remedy}.")


def bindable(name: str) -> str:
    """``name``, if a program may bind it: a parameter, a loop's variable or a variable."""
    if name.startswith("_") and name != "_":
        if name in RESERVED:
            raise StatementError(f"`{name}` is set by the interpreter and can only be read.")
        raise StatementError(f"the name `{name}` begins with an underscore, which no name of a program does.")
    if name.startswith("$"):
        raise StatementError(f"`{name}` stands for a value; write `{name[1:]}` without $ where something is assigned.")
    if "$" in name:
        raise StatementError(f"`{name}` is no name: $ stands before names of variables only.")
    return name


def readable(name: str) -> str:
    """``name``, if a program may read it."""
    if name.startswith("_") and name != "_" and name not in RESERVED:
        raise StatementError(f"the name `{name}` begins with an underscore, which no name of a program does.")
    if "$" in name[1:]:
        raise StatementError(f"`{name}` is no name: $ stands before names of variables only.")
    return name


def check_variable(name: object) -> None:
    """Refuse names for variables from outside that a program could not write itself."""
    if type(name) is not str:
        raise StatementError(f"the name of a variable is a text, not a value of type {type(name).__name__}.")
    if name in RESERVED:
        return
    if not name.isidentifier() or keyword.iskeyword(name) or (name.startswith("_") and name != "_"):
        raise StatementError(
            f"{name[:60]!r} cannot be the name of a variable; names consist of letters, digits and underscores, "
            f"begin with a letter and are no word of Python."
        )


def attribute_name(node: ast.Attribute) -> str:
    """The name of an attribute, if a program may ask for it at all."""
    name = node.attr
    if name == "__name__":
        return name
    if name.startswith("_"):
        raise StatementError(f'"{name}" cannot be read: names that begin with an underscore are internal.')
    if name in _HIDDEN_WHOLE or name.startswith(_HIDDEN):
        raise StatementError(f'"{name}" cannot be read: it belongs to the inside of Python.')
    if "$" in name:
        raise StatementError(f"`.{name}` is not possible; $ stands before names of variables only.")
    return name


def check_constant(value: Any) -> None:
    """Refuse constants of other types than text, numbers, True, False and None, and numbers that are too large."""
    if value is ...:
        raise StatementError("`...` is not possible here; write None.")
    if type(value) is int and value.bit_length() > INT_BITS:
        raise StatementError("a number in the code is too large.")


_ADVICE: dict[str, str] = {
    "open": "files cannot be read or written",
    "eval": "text is never run as code",
    "exec": "text is never run as code",
    "compile": "text is never run as code",
    "__import__": "the modules a program may use are there without it",
    "input": "use a chat node to ask",
    "getattr": "attributes are written with a dot",
    "quit": "use the transition quit",
    "exit": "use the transition quit",
}


def no_function(name: str, known: Iterable[str]) -> StatementError:
    """The error for a call of a name that is no function."""
    if name in _ADVICE:
        return StatementError(f"there is no {name}() here; {_ADVICE[name]}.")
    if hasattr(builtins, name):
        return StatementError(f"there is no {name}() here; it is not among the builtins that the configuration allows.")
    return StatementError(f"there is no function {name}(). {suggestion(name, known)}".rstrip())


def undefined(name: str, known: Iterable[str]) -> StatementError:
    """The error for a name without a value."""
    if name in _ADVICE:
        return StatementError(f"'{name}' is not defined: there is no {name}() here; {_ADVICE[name]}.")
    return StatementError(f"'{name}' is not defined. {suggestion(name, known)}".rstrip())


def suggestion(name: str, known: Iterable[str]) -> str:
    """``Did you mean 'name'?`` for the nearest of ``known``, or ``""``."""
    from difflib import get_close_matches

    names = [other for other in known if type(other) is str and other.isidentifier() and other != name]
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    return f"Did you mean '{near[0]}'?" if near else ""
