"""When is a request sent, repeated or given up? The course of a request, free of I/O.

The steps are generators that yield ``Call`` and ``Pause`` and are sent the outcome, so that the
synchronous and the asynchronous client go exactly the same way.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from autograph.models.openai_errors import Peer, explained, refused_name, retry_delay, timed_out

__all__ = ["Call", "Deadline", "Pause", "Steps", "adrive", "drive", "exchange"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """Send this payload; the outcome is the server's answer. ``timeout`` is in seconds."""

    payload: dict[str, Any]
    timeout: float


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait so many seconds."""

    seconds: float


Steps = Generator[Call | Pause, Any, T]


class Deadline:
    """How much time a request has: ``timeout`` for each try, and ``limit`` for all of it."""

    __slots__ = ("_end", "limit", "timeout")

    def __init__(self, timeout: float, limit: float | None) -> None:
        self.timeout = timeout
        self.limit = limit
        self._end = None if limit is None else time.monotonic() + limit

    def left(self) -> float:
        """Seconds that the next try may take; not above 0 when time is up."""
        return self.timeout if self._end is None else min(self.timeout, self._end - time.monotonic())

    def allows(self, seconds: float) -> bool:
        """Whether a wait of ``seconds`` ends before the limit."""
        return self._end is None or time.monotonic() + seconds < self._end

    @property
    def span(self) -> float:
        """The seconds that a message names: the shorter of the two limits."""
        return self.timeout if self.limit is None else min(self.timeout, self.limit)


def exchange(
    build: Callable[[], dict[str, Any]],
    *,
    optional: frozenset[str],
    refused: set[str],
    peer: Peer,
    deadline: Deadline,
    max_retries: int,
) -> Steps[Any]:
    """Send what ``build`` makes until it is answered, and return the answer.

    A parameter that the server refuses by name is put into ``refused`` and ``build`` is asked
    again; passing failures are repeated ``max_retries`` times. Raises ``ModelError``.
    """
    retries = 0
    while True:
        payload, seconds = build(), deadline.left()
        if seconds <= 0:
            raise timed_out(peer, deadline.span)
        try:
            return (yield Call(payload, seconds))
        except Exception as error:
            name = refused_name(error, payload, optional)
            if name is not None:  # `build` leaves it out from now on, so this ends
                refused.add(name)
                continue
            delay = retry_delay(error, retries, peer)
            if delay is None or retries >= max_retries or not deadline.allows(delay):
                told = explained(error, peer, deadline.span)
                if told is None:
                    raise
                raise told from None  # the client's own message may hold a key
        retries += 1
        yield Pause(delay)


def drive(steps: Steps[T], call: Callable[[Call], Any]) -> T:
    """Run ``steps`` with a synchronous ``call``."""
    try:
        step = next(steps)
        while True:
            try:
                outcome: Any = None
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                else:
                    outcome = call(step)
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(outcome)
    except StopIteration as stop:
        result: T = stop.value
        return result


async def adrive(steps: Steps[T], call: Callable[[Call], Awaitable[Any]]) -> T:
    """Run ``steps`` with an asynchronous ``call``."""
    import asyncio

    try:
        step = next(steps)
        while True:
            try:
                outcome = await (asyncio.sleep(step.seconds) if isinstance(step, Pause) else call(step))
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(outcome)
    except StopIteration as stop:
        result: T = stop.value
        return result
