"""Which asynchronous client belongs to the running event loop?"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

__all__ = ["LoopClients"]


class LoopClients:
    """One client per event loop, since connections cannot move from loop to loop.

    A client is closed when its loop shuts down its asynchronous generators, as ``asyncio.run``
    does at its end, or by ``aclose``.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._lock = Lock()
        self._kept: WeakKeyDictionary[AbstractEventLoop, tuple[Any, AsyncGenerator[None, None]]] = WeakKeyDictionary()

    async def get(self) -> Any:
        """The client of the running loop, made on first use."""
        import asyncio

        loop = asyncio.get_running_loop()
        with self._lock:
            for other in [other for other in self._kept if other.is_closed()]:
                del self._kept[other]
            kept = self._kept.get(loop)
            if kept is not None:
                return kept[0]
            client = self._make()
            keeper = self._keep(loop, client)
            self._kept[loop] = (client, keeper)
        await anext(keeper)
        return client

    async def aclose(self) -> None:
        """Close the client of the running loop, if it has one."""
        import asyncio

        with self._lock:
            kept = self._kept.get(asyncio.get_running_loop())
        if kept is not None:
            await kept[1].aclose()

    async def _keep(self, loop: AbstractEventLoop, client: Any) -> AsyncGenerator[None, None]:
        """Suspended for as long as the client is in use; the loop ends it, and with it the client."""
        try:
            yield
        finally:
            with self._lock:
                self._kept.pop(loop, None)
            await client.close()
