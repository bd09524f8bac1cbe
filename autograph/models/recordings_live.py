"""How is the model behind a recording asked, and the same thing only once at a time?"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock
from typing import Any

__all__ = ["UnderWay", "ask", "ask_now", "end_of"]


class UnderWay:
    """The requests that are being asked just now, by their keys."""

    def __init__(self) -> None:
        self._ends: dict[str, Future[None]] = {}
        self._lock = Lock()

    @contextmanager
    def claim(self, key: str) -> Iterator[Future[None] | None]:
        """Claim a request for asking it: None if it is ours, else the end of the asking that is under way."""
        with self._lock:
            others = self._ends.get(key)
            if others is None:
                ours = self._ends[key] = Future()
        if others is not None:
            yield others
            return
        try:
            yield None
        finally:
            with self._lock:
                del self._ends[key]
            ours.set_result(None)


async def end_of(asking: Future[None]) -> None:
    """Wait until somebody else's asking is over, however it ends."""
    import asyncio

    await asyncio.shield(asyncio.wrap_future(asking))


async def ask(model: Any, name: str, argument: Any) -> Any:
    """The model's asynchronous method, or its synchronous one in a thread."""
    import asyncio

    twin = getattr(model, f"a{name}", None)
    return await (twin(argument) if twin else asyncio.to_thread(getattr(model, name), argument))


def ask_now(model: Any, name: str, argument: Any) -> Any:
    """The model's synchronous method, or its asynchronous one on an event loop of its own."""
    method = getattr(model, name, None)
    if method is not None:
        return method(argument)
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:  # a loop may be running in this thread
        return pool.submit(asyncio.run, getattr(model, f"a{name}")(argument)).result()
