"""Has a statement in a locked worker run too long? A timer's signal says so, since a worker can have no threads."""

from __future__ import annotations

import signal
import time
from typing import Any

from autograph.language.sandbox.watchdog import Expired, Watch, Watchdog

__all__ = ["AlarmWatchdog"]

_SOON = 0.001


class AlarmWatchdog(Watchdog):
    """As ``Watchdog``, for the main thread of a process that has no other. One for each process."""

    def __init__(self) -> None:
        super().__init__()
        signal.signal(signal.SIGALRM, self._ring)

    def add(self, watch: Watch) -> None:
        """Begin to watch."""
        self._watches.add(watch)
        self._arm()

    def remove(self, watch: Watch) -> None:
        """Watch no more."""
        self._watches.discard(watch)
        self._arm()

    def _arm(self) -> None:
        left = 0.0
        if self._watches:
            left = max(min(watch.deadline for watch in self._watches) - time.monotonic(), _SOON)
        signal.setitimer(signal.ITIMER_REAL, left)

    def _ring(self, number: int, frame: Any) -> None:
        now = time.monotonic()
        late = [watch for watch in self._watches if watch.deadline <= now]
        self._watches.difference_update(late)
        if late:
            raise Expired
        self._arm()
