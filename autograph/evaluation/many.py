"""How are many questions asked at once? Some at a time, with their results in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["AT_ONCE", "Count", "Progress", "in_order"]

AT_ONCE = 8
"""How many questions are with a model at the same time."""

Progress = Callable[[int, int], object]
"""Is told how many sayings of how many were classified."""

Result = TypeVar("Result")


class Count:
    """Counts what is done, for whoever wants to know."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def one(self) -> None:
        """One more is done."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)


def in_order(jobs: Sequence[Callable[[], Awaitable[Result]]], at_once: int, count: Count) -> list[Result]:
    """The results of the jobs in order, at most ``at_once`` of them under way. The first error stops the rest.

    Works also where an event loop is running already, as in a notebook.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_gathered(jobs, at_once, count))
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(_gathered(jobs, at_once, count))).result()


async def _gathered(jobs: Sequence[Callable[[], Awaitable[Result]]], at_once: int, count: Count) -> list[Result]:
    gate = asyncio.Semaphore(at_once)

    async def one(job: Callable[[], Awaitable[Result]]) -> Result:
        async with gate:
            result = await job()
        count.one()
        return result

    tasks = [asyncio.ensure_future(one(job)) for job in jobs]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
