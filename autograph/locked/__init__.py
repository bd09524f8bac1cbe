"""How does a stranger's program run? Whole turns in a worker process that the operating system has locked.

    engine     ``LockedTurns``: what a bot with ``trust="untrusted"`` begins its turns with; a few workers
    turn       a turn as the bot's side sees it: a generator of the same effects as ``interpreter.loop``
    wishes     what a worker may want, and what it is told; checks: what it sends does no harm when it is decoded
    process    ``Worker``: one worker, its attendant thread, deadlines, its end
    nursery    the helper process from which workers are forked, so that a new one is there in milliseconds
    limits     ``Limits``: memory, time, requests, sizes

    zygote     what runs in the helper process; warm: what is imported there before anything is locked
    lock       how a process locks itself, and tries whether it is locked; seccomp, landlock: two of its parts
    worker     what runs in a locked worker; remote: what stands there for the models
    alarm      the watchdog of a worker, which can have no threads

    frames     length and JSON: all that passes between the two sides
    data       requests, replies and questions as JSON; rows, errors, log, hosts, given: the rest of what crosses
    kept       the conversations that a worker still has, which need not be sent again

It can be imported everywhere; where no process can be locked, ``can_lock()`` says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.locked.limits import Limits

if TYPE_CHECKING:
    from autograph.locked.engine import LockedTurns
    from autograph.locked.nursery import can_lock

__all__ = ["Limits", "LockedTurns", "can_lock"]

_HOME = {"LockedTurns": "autograph.locked.engine", "can_lock": "autograph.locked.nursery"}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'autograph.locked' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
