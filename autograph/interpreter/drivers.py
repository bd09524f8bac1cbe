"""Who performs the effects? Synchronously, asynchronously, or while the reply is read piece by piece.

Each driver runs the same loop; only the way of asking models and awaiting host functions differs.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Generator, Iterator
from typing import Any

from autograph.errors import AutographError, LimitError, ModelError, StatementError
from autograph.interpreter.effects import Call, Choose, Effect, Generate, Wait
from autograph.models.base import Reply

__all__ = ["drive", "drive_async", "stream", "stream_async"]

Loop = Generator[Effect, Any, None]


def drive(loop: Loop) -> None:
    """Run a loop to its end, performing its effects one after the other."""
    send: Any = None
    failed: AutographError | None = None
    while True:
        try:
            effect = _resume(loop, send, failed)
        except StopIteration:
            return
        finally:
            send = failed = None  # an error that is raised must not be held by its own traceback
        try:
            send = perform(effect)
        except AutographError as error:
            failed = error


def _resume(loop: Loop, send: Any, failed: AutographError | None) -> Effect:
    """Go on to the next effect; what failed is raised inside the loop, where it gets its address."""
    try:
        return loop.send(send) if failed is None else loop.throw(failed)
    finally:
        del failed


def perform(effect: Effect) -> Any:
    """The result of an effect."""
    if isinstance(effect, Generate):
        generate = getattr(effect.model, "generate", None)
        return generate(effect.request) if generate else _in_private_loop(effect.model.agenerate(effect.request))  # type: ignore[attr-defined]
    if isinstance(effect, Choose):
        choose = getattr(effect.model, "choose", None)
        questions = list(effect.questions)
        return choose(questions) if choose else _in_private_loop(effect.model.achoose(questions))  # type: ignore[attr-defined]
    if isinstance(effect, Wait):
        return effect.future.result()
    return _in_private_loop(_call(effect))


async def _call(effect: Call) -> Any:
    """Await a host function, until the turn's time-out; what goes wrong in it is told with its name."""
    import asyncio

    limit = asyncio.timeout(effect.timeout)
    try:
        async with limit:
            return await effect.function(*effect.positional, **effect.keywords)
    except AutographError:
        raise
    except Exception as error:
        if limit.expired():
            message = f"the turn took longer than its time-out while {effect.name}() was at work. Allow more seconds."
            raise LimitError(message) from None
        raise StatementError(f"{effect.name}() failed: {type(error).__name__}: {error}") from error


def _in_private_loop(work: Awaitable[Any]) -> Any:
    """Run a coroutine to its end from synchronous code, also where an event loop is already running."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    async def main() -> Any:
        return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main()).result()


# ---------------------------------------------------------------------- asynchronous


async def drive_async(loop: Loop) -> None:
    """Run a loop to its end, awaiting its effects."""
    send: Any = None
    failed: AutographError | None = None
    while True:
        try:
            effect = _resume(loop, send, failed)
        except StopIteration:
            return
        finally:
            send = failed = None  # an error that is raised must not be held by its own traceback
        try:
            send = await perform_async(effect)
        except AutographError as error:
            failed = error


async def perform_async(effect: Effect) -> Any:
    """The result of an effect; a model without asynchronous twins works in a thread."""
    if isinstance(effect, Generate):
        return await _ask(effect.model, "agenerate", "generate", effect.request)
    if isinstance(effect, Choose):
        return await _ask(effect.model, "achoose", "choose", list(effect.questions))
    if isinstance(effect, Wait):
        import asyncio

        return await asyncio.wrap_future(effect.future)
    return await _call(effect)


async def _ask(model: Any, twin: str, plain: str, what: Any) -> Any:
    import asyncio

    method = getattr(model, twin, None)
    if method is not None:
        return await method(what)
    return await asyncio.to_thread(getattr(model, plain), what)


# ---------------------------------------------------------------------- streaming


def stream(loop: Loop) -> Iterator[str]:
    """Run a loop, giving out the pieces of a streamed reply as they come."""
    send: Any = None
    failed: AutographError | None = None
    while True:
        try:
            effect = _resume(loop, send, failed)
        except StopIteration:
            return
        finally:
            send = failed = None  # an error that is raised must not be held by its own traceback
        try:
            if isinstance(effect, Generate) and effect.streams and hasattr(effect.model, "stream"):
                send = yield from _pieces(effect)
            else:
                send = perform(effect)
        except AutographError as error:
            failed = error


def _pieces(effect: Generate) -> Generator[str, None, Reply]:
    parts: list[str] = []
    final: Reply | None = None
    source = effect.model.stream(effect.request)  # type: ignore[attr-defined]
    try:
        for piece in source:
            if isinstance(piece, Reply):
                final = piece
            elif piece:
                parts.append(piece)
                yield piece
    finally:
        if hasattr(source, "close"):
            source.close()
    return _joined(parts, final)


def _joined(parts: list[str], final: Reply | None) -> Reply:
    text = "".join(parts)
    if final is None:
        return Reply(text)
    if parts and final.text != text:
        raise ModelError("the model's whole text differs from the pieces it streamed", retryable=True)
    return final


async def stream_async(loop: Loop) -> AsyncIterator[str]:
    """As ``stream``, awaiting the effects."""
    send: Any = None
    failed: AutographError | None = None
    while True:
        try:
            effect = _resume(loop, send, failed)
        except StopIteration:
            return
        finally:
            send = failed = None  # an error that is raised must not be held by its own traceback
        try:
            if isinstance(effect, Generate) and effect.streams and hasattr(effect.model, "astream"):
                parts: list[str] = []
                final: Reply | None = None
                source = effect.model.astream(effect.request)
                if inspect.isawaitable(source):
                    source = await source
                try:
                    async for piece in source:
                        if isinstance(piece, Reply):
                            final = piece
                        elif piece:
                            parts.append(piece)
                            yield piece
                finally:
                    if hasattr(source, "aclose"):
                        await source.aclose()
                send = _joined(parts, final)
            else:
                send = await perform_async(effect)
        except AutographError as error:
            failed = error
