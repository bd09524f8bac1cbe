"""Where do the turns of a program that is not trusted run? ``LockedTurns``: the same beginnings, in locked workers."""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig
from autograph.errors import AutographError, LimitError, RunError
from autograph.interpreter import turns
from autograph.interpreter.debugging import NOT_TRUSTED
from autograph.interpreter.turns import Begun
from autograph.locked.frames import FrameError, pack
from autograph.locked.hosts import describe
from autograph.locked.kept import KeptThere
from autograph.locked.limits import Limits
from autograph.locked.process import Worker
from autograph.locked.rows import config_data, rows_data
from autograph.locked.turn import TABLE, locked_loop
from autograph.memory import MemoryObject
from autograph.memory.codec import encode_values

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.tables import Rows

__all__ = ["LockedTurns"]

_KEPT = 64
"""How many conversations are remembered to be kept by a worker."""


class LockedTurns:
    """Begins the turns of one program in its locked workers. The workers see no other program.

    The program is compiled by a worker at once, before this process looks at it. Raises ``AutographError`` if no
    process can be locked here, ``LimitError`` if compiling takes too much. ``problem`` is what the worker says is wrong
    with the program; this process then says so itself, with addresses.
    """

    def __init__(self, rows: Rows, config: AutographConfig, modules: Mapping[str, Any], limits: Limits) -> None:
        hosts = describe({**config.python_modules, **modules})
        self.limits = limits
        self.functions = hosts.functions
        self.late = (
            f"the program is not trusted, and it computed longer than {limits.seconds:g} s; its locked worker was "
            "ended. Let it work on less data, or allow more seconds."
        )
        program = {
            "do": "program",
            "rows": rows_data(rows),
            "config": config_data(config),
            "hosts": dict(hosts.description),
        }
        try:
            self._program = pack(program, limits.frame_bytes)
        except FrameError as error:
            raise LimitError(f"the program is too large for one that is not trusted: {error}.") from None
        self._tables = TABLE in self._program or (bool(self.functions) and "pandas" in sys.modules)
        self._workers: list[Worker] = []
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._count = count(1)
        self._kept = KeptThere(_KEPT)
        weakref.finalize(self, _retire, self._workers).atexit = False  # the nursery ends all workers then
        self.problem = self._compile()

    def _compile(self) -> str | None:
        with self._lock:
            outcome = self._start().started.result()
        if isinstance(outcome, AutographError):
            raise outcome
        return None if outcome.get("is") == "compiled" else str(outcome.get("text"))

    # ------------------------------------------------------------------ beginnings, as those of interpreter.turns

    def begin_turn(
        self,
        bot: Autograph,
        user_reply: str,
        memory: MemoryObject | None,
        set_state: str | None,
        options: dict[str, Any],
    ) -> Begun:
        """As ``turns.begin_turn``; what that refuses is refused, the rest is for a worker."""
        run, _ = turns.begin_turn(bot, user_reply, memory, set_state, options)
        frame = {"do": "turn", "text": user_reply, "node": set_state, **_common(options)}
        return run, locked_loop(self, bot, run, frame, memory)

    def begin_call(
        self,
        bot: Autograph,
        entry: str,
        args: Any,
        memory: MemoryObject | None,
        function_type: str,
        options: dict[str, Any],
    ) -> Begun:
        """As ``turns.begin_call``."""
        if not isinstance(args, (str, bytes, Mapping)):
            with suppress(TypeError):  # which begin_call says in its own words
                args = list(args)  # an iterator can be read once only
        run, _ = turns.begin_call(bot, entry, args, memory, function_type, options)
        given = dict(args) if isinstance(args, Mapping) else args
        frame = {"do": "call", "entry": entry, "args": encode_values([given])[0], "scope": function_type}
        return run, locked_loop(self, bot, run, {**frame, **_common(options)}, memory)

    def begin_simulation(
        self, bot: Autograph, memory: MemoryObject, seed: int | None, options: dict[str, Any]
    ) -> Begun:
        """As ``turns.begin_simulation``."""
        run, _ = turns.begin_simulation(bot, memory, seed, options)
        return run, locked_loop(self, bot, run, {"do": "simulate", "seed": seed, **_common(options)}, memory)

    # ------------------------------------------------------------------ workers

    def number(self) -> int:
        """A number for a turn, by which its worker knows it."""
        return next(self._count)

    def remember(self, memory: MemoryObject, worker: Worker, number: int) -> None:
        """A worker keeps ``memory``, as the outcome of the turn ``number``."""
        self._kept.put(memory, worker, number)

    def recall(self, memory: MemoryObject | None) -> tuple[Worker, int] | None:
        """A worker that keeps ``memory`` and has nothing else to do, entered for a turn; and the number there."""
        found = None if memory is None or self._owner != os.getpid() else self._kept.get(memory)
        return found if found is not None and found[0].load == 0 and found[0].enter() else None

    def worker(self, frame: bytes) -> Worker:
        """A worker for a turn that begins with ``frame``, and in which the turn has entered.

        One that has nothing to do, else a new one, else the least busy one.
        """
        with self._lock:
            if self._owner != os.getpid():  # a fork has none of its parent's threads
                self._workers.clear()
                self._owner = os.getpid()
            if TABLE in frame:
                self._learn_tables()
            while True:
                self._workers[:] = [worker for worker in self._workers if worker.ended is None]
                free = min(self._workers, key=lambda worker: worker.load, default=None)
                if free is None or (free.load > 0 and len(self._workers) < self.limits.workers):
                    free = self._start()
                if free.enter():
                    return free

    def learn_tables(self) -> None:
        """From now on there are tables: workers that do not know pandas are not used any more."""
        with self._lock:
            self._learn_tables()

    def _learn_tables(self) -> None:
        if not self._tables:
            self._tables = True
            _retire(self._workers)

    def _start(self) -> Worker:
        worker = Worker(self._program, self.limits, self._tables)
        self._workers.append(worker)
        return worker


def _common(options: Mapping[str, Any]) -> dict[str, Any]:
    if options.get("debug") is not None:
        raise RunError(NOT_TRUSTED)
    return {"timeout": options.get("timeout"), "listens": options.get("on_event") is not None}


def _retire(workers: list[Worker]) -> None:
    for worker in workers:
        worker.retire()
    workers.clear()
