"""Has a statement run too long? One daemon thread interrupts statements that pass their deadline.

The thread is started when the first statement is watched, and ends itself when there was nothing to watch
for a while. It can interrupt Python code between two instructions, not one long operation in C: those are
what the budgets are for.
"""

from __future__ import annotations

import threading
import time
from types import CodeType
from typing import Any

from autograph.errors import LimitError

__all__ = ["Expired", "Watch", "Watchdog"]

_POLL_SECONDS = 0.05
_IDLE_POLLS = 100


class Expired(BaseException):
    """Raised inside a statement that has run too long; no program and no guard catches it."""


class Watch:
    """One watched run: its thread and its deadline. ``pause`` and ``resume`` enclose host functions."""

    __slots__ = ("_dog", "_seconds", "_since", "deadline", "fired", "thread")

    def __init__(self, dog: Watchdog, seconds: float) -> None:
        self._dog = dog
        self._seconds = seconds
        self._since = time.monotonic()
        self.deadline = self._since + seconds
        self.thread = threading.get_ident()
        self.fired = False

    def pause(self) -> None:
        """Stop the clock: what runs now is not the program's."""
        self._seconds = self.deadline - time.monotonic()
        self._dog.remove(self)

    def resume(self) -> None:
        """Let the clock run on."""
        self.deadline = time.monotonic() + self._seconds
        self._dog.add(self)


class Watchdog:
    """Runs code with a deadline. One object may serve any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: set[Watch] = set()
        self._thread: threading.Thread | None = None

    def run(self, code: CodeType, scope: dict[str, object], seconds: float) -> Any:
        """``eval(code, scope)`` within ``seconds``. Raises ``LimitError`` when the time is over.

        The fuel in the scope is told of the watch, so that host functions can pause it.
        """
        watch = Watch(self, seconds)
        fuel: Any = scope["@fuel"]
        outer = fuel.watch  # of a statement that called the host function that evaluates this one
        try:
            try:
                fuel.watch = watch
                self.add(watch)
                return eval(code, scope)
            finally:
                fuel.watch = outer
                self.remove(watch)
        except Expired:
            fuel.watch = outer
            self.remove(watch)
            raise LimitError(f"the statement ran longer than {seconds:g} s; work on less data.") from None

    def add(self, watch: Watch) -> None:
        """Begin to watch."""
        with self._lock:
            self._watches.add(watch)
            if self._thread is None or not self._thread.is_alive():  # a fork has no patrol
                self._thread = threading.Thread(target=self._patrol, name="autograph-watchdog", daemon=True)
                self._thread.start()

    def remove(self, watch: Watch) -> None:
        """Watch no more; an interruption that is on its way is called off."""
        with self._lock:
            self._watches.discard(watch)
            if watch.fired:
                _interrupt(watch.thread, None)

    def _patrol(self) -> None:
        idle = 0
        while True:
            time.sleep(_POLL_SECONDS)
            with self._lock:
                now = time.monotonic()
                for watch in [watch for watch in self._watches if watch.deadline < now]:
                    self._watches.discard(watch)
                    watch.fired = True
                    _interrupt(watch.thread, Expired)
                idle = 0 if self._watches else idle + 1
                if idle > _IDLE_POLLS:
                    self._thread = None
                    return


def _interrupt(thread: int, kind: type[BaseException] | None) -> None:
    """Have ``kind`` raised in the thread, or call a pending one off."""
    import ctypes

    exception = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)
