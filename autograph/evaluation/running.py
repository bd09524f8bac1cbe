"""How is asynchronous work done from synchronous code? In an event loop of its own, also where one is running."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

__all__ = ["run_now"]

Result = TypeVar("Result")


def run_now(work: Callable[[], Awaitable[Result]]) -> Result:
    """The result of the work, as soon as it is there."""

    async def main() -> Result:
        return await work()

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main())
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:  # as in a notebook, whose loop must not be waited for
        return pool.submit(asyncio.run, main()).result()
