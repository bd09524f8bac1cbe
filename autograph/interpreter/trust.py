"""Whose program is it? That decides where its turns begin: in this process, or in one that the system has locked."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from autograph.config import AutographConfig
from autograph.errors import AutographError, ModelError, RunError
from autograph.interpreter import turns

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.turns import Begun
    from autograph.memory import MemoryObject
    from autograph.tables import Rows

__all__ = [
    "TRUST",
    "Turns",
    "refuse_disagreement",
    "refuse_model",
    "refuse_python",
    "trust_of",
    "trust_word",
    "turns_for",
]

TRUST = ("own", "untrusted")

_LOCKED = "autograph.locked"
"""The room that runs strangers' programs. It stands above this one, so it is looked up by its name, on use."""


class Turns(Protocol):
    """How turns begin: the desk, and the loop to be driven (``interpreter.turns`` is one)."""

    def begin_turn(
        self,
        bot: Autograph,
        user_reply: str,
        memory: MemoryObject | None,
        set_state: str | None,
        options: dict[str, Any],
    ) -> Begun: ...

    def begin_call(
        self,
        bot: Autograph,
        entry: str,
        args: Any,
        memory: MemoryObject | None,
        function_type: str,
        options: dict[str, Any],
    ) -> Begun: ...

    def begin_simulation(
        self, bot: Autograph, memory: MemoryObject, seed: int | None, options: dict[str, Any]
    ) -> Begun: ...


def trust_of(source: object, trust: Any) -> Any:
    """``trust``, or if it is None what ``source`` deserves: what was read from a link is a stranger's."""
    if trust is None and str(source)[:8].lower().startswith(("http://", "https://")):
        return "untrusted"
    return trust or "own"


def trust_word(trust: Any) -> str:
    """``own`` or ``untrusted``; limits for a program mean that it is not trusted. Raises ``RunError``."""
    word = "own" if trust is None else trust
    if not isinstance(word, str) and isinstance(word, import_module(_LOCKED).Limits):
        return "untrusted"
    if word not in TRUST:
        raise RunError(f'trust is {trust!r}; it must be "own", "untrusted" or autograph.locked.Limits(…)')
    return str(word)


def refuse_python(source: object, trust: Any) -> None:
    """Raise ``AutographError`` if a Python file is not trusted: reading it is running it."""
    if trust_word(trust) != "own":
        raise AutographError(
            f"{source} is a Python file, which is run when it is loaded, so it cannot be loaded with "
            'trust="untrusted". Read it first; then load it with trust="own", or have its author send a sheet or YAML.'
        )


def refuse_model(spec: str, trust: str) -> None:
    """Raise ``ModelError`` if a stranger's program may not choose this model: it names a file or a server.

    What is said to the program would go to that server, and the file may be any file of the user's.
    """
    kind, _, rest = spec.strip().lower().partition(":")
    harmless = kind in ("auto", "offline", "local") and not rest
    if trust == "own" or harmless or (kind == "openai" and "@" not in rest and "//" not in rest):
        return
    raise ModelError(
        f'the program chooses the model "{spec}", and it is not trusted: it may name auto, offline, local or '
        "openai:MODEL. Choose the model yourself, with model= or --model."
    )


def turns_for(trust: Any, rows: Rows, config: AutographConfig, modules: Mapping[str, Any]) -> Turns:
    """Where the turns of a program begin. A stranger's is compiled in its locked process first.

    Raises ``AutographError`` where no process can be locked, ``LimitError`` for a program that is too much to compile.
    """
    if trust_word(trust) == "own":
        return turns
    locked = import_module(_LOCKED)
    begun: Turns = locked.LockedTurns(
        rows, config, modules, trust if isinstance(trust, locked.Limits) else locked.Limits()
    )
    return begun


def refuse_disagreement(begins: Turns) -> None:
    """Raise ``AutographError`` if the locked process refuses a program that this one has compiled."""
    problem = getattr(begins, "problem", None)
    if problem is not None:
        raise AutographError(f"the program is not trusted, and its locked worker cannot compile it: {problem}")
