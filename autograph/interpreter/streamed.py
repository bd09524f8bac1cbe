"""A reply that comes piece by piece. Cancelling it at any piece leaves the memory as it was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING

from autograph.errors import RunError
from autograph.interpreter.drivers import Loop, stream, stream_async
from autograph.memory import MemoryObject

if TYPE_CHECKING:
    from autograph.interpreter.run import Run

__all__ = ["AsyncStreamedReply", "StreamedReply"]

Finish = Callable[[], tuple[str, MemoryObject]]


class _Streamed:
    """What both kinds share: the result, once the last piece was read."""

    def __init__(self, loop: Loop, run: Run, finish: Finish) -> None:
        self._loop = loop
        self._run = run
        self._finish = finish
        self._sent: list[str] = []
        self._result: tuple[str, MemoryObject] | None = None

    @property
    def memory(self) -> MemoryObject:
        """The memory after the turn. Raises ``RunError`` before the last piece was read."""
        return self._done()[1]

    @property
    def reply(self) -> str:
        """The whole reply. Raises ``RunError`` before the last piece was read."""
        return self._done()[0]

    def _done(self) -> tuple[str, MemoryObject]:
        if self._result is None:
            raise RunError("the streamed reply has no result yet: read it to its last piece first")
        return self._result

    def _rest(self) -> str:
        """End the turn; what of the reply was not streamed (an exact text, say)."""
        self._result = self._finish()
        sent = "".join(self._sent)
        reply = self._result[0]
        return reply[len(sent) :] if reply.startswith(sent) else ""


class StreamedReply(_Streamed):
    """An iterator over the pieces of a reply. ``close()`` abandons the turn."""

    def __init__(self, loop: Loop, run: Run, finish: Finish) -> None:
        super().__init__(loop, run, finish)
        self._pieces = self._iterate()

    def _iterate(self) -> Iterator[str]:
        for piece in stream(self._loop):
            self._sent.append(piece)
            yield piece
        rest = self._rest()
        if rest:
            yield rest

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Abandon the turn: the model's stream is closed, the memory given stays as it was."""
        self._pieces.close()  # type: ignore[attr-defined]


class AsyncStreamedReply(_Streamed):
    """An asynchronous iterator over the pieces of a reply. ``aclose()`` abandons the turn."""

    def __init__(self, loop: Loop, run: Run, finish: Finish) -> None:
        super().__init__(loop, run, finish)
        self._pieces = self._iterate()

    async def _iterate(self) -> AsyncIterator[str]:
        source = stream_async(self._loop)
        try:
            async for piece in source:
                self._sent.append(piece)
                yield piece
        finally:
            await source.aclose()  # type: ignore[attr-defined]
        rest = self._rest()
        if rest:
            yield rest

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        """Abandon the turn: the model's stream is closed, the memory given stays as it was."""
        await self._pieces.aclose()  # type: ignore[attr-defined]
