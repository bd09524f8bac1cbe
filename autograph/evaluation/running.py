"""How is asynchronous work done from synchronous code? In an event loop of its own, also where one is running."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

__all__ = ["in_thread", "run_now"]

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


async def in_thread(work: Callable[[], Result]) -> Result:
    """The result of ``work``, which is done in a thread of its own that nobody waits for when this is cancelled.

    (``asyncio.to_thread`` would hold up the end of the event loop until the work is done.)
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: Result | None = None
        failed: BaseException | None = None
        try:
            result = work()
        except BaseException as error:
            failed = RuntimeError(f"{type(error).__name__}: {error}") if isinstance(error, StopIteration) else error
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits any longer
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, name="autograph-service", daemon=True).start()
    return await future
