"""How does Python code become a service? A function, or a class with an asynchronous ``send``, found by its name.

Code is imported and run only where the caller has allowed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
import weakref
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from autograph.errors import RunError
from autograph.evaluation.running import in_thread

__all__ = ["Call", "call_of", "found_code"]

Call = Callable[[Any], Any]
"""Awaited with a payload, gives the answer of a service."""


def found_code(name: str, module: str | None, folder: Path) -> Any:
    """What is called ``module:name``, or ``name`` alone in ``module``; ``folder`` is searched first.

    Raises ``RunError`` with the reason if there is no such thing.
    """
    place, colon, thing = name.rpartition(":")
    place = place if colon else module or ""
    if not place or not thing:
        raise RunError(f'"{name}" names no code. Write module:function or module:Class.')
    here = str(folder.resolve())
    sys.path.insert(0, here)
    try:
        found = import_module(place)
        _refuse_namesake(found, place, folder)
    except RunError:
        raise
    except (Exception, SystemExit) as error:  # whatever the module does when it is run
        raise RunError(f"the module {place} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(here)
    try:
        return getattr(found, thing)
    except AttributeError:
        raise RunError(f"the module {place} has no {thing}") from None


def _refuse_namesake(found: ModuleType, place: str, folder: Path) -> None:
    """Refuse a module of this name that was imported from elsewhere, where one stands beside the pipeline."""
    beside = [folder.joinpath(*place.split(".")).with_suffix(".py"), folder.joinpath(*place.split("."), "__init__.py")]
    meant = next((path for path in beside if path.is_file()), None)
    known = getattr(found, "__file__", None)
    if meant is not None and not (known and Path(known).exists() and meant.samefile(known)):
        raise RunError(
            f"another module {place} is loaded already ({known or 'a part of Python'}), so {meant} cannot be. "
            "Give it another name."
        )


def call_of(code: Any, arguments: Mapping[str, Any]) -> Call:
    """The service that is ``code``: a class is made with ``arguments``, a function gets them beside the payload.

    Raises ``RunError`` for what is neither.
    """
    if inspect.isclass(code):
        try:
            code = code(**arguments)
        except (Exception, SystemExit) as error:
            raise RunError(f"{code.__name__} cannot be made: {type(error).__name__}: {error}") from error
        arguments = {}
    send = getattr(code, "send", None)
    if send is None and not callable(code):
        raise RunError(f"{code!r:.60} is no function, and no class with a method send")
    return _contained(_sending(send) if send is not None else _calling(code, arguments))


def _contained(service: Call) -> Call:
    """``service``; should it end the program, or cancel itself, only it has failed."""

    async def call(payload: Any) -> Any:
        try:
            return await service(payload)
        except SystemExit as error:
            raise RunError(f"the service wanted to end the program (SystemExit: {error})") from error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise RunError("the service has cancelled itself") from error

    return call


def _calling(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Call:
    asynchronous = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - its kind is what matters here
    )

    async def call(payload: Any) -> Any:
        if asynchronous:
            return await function(payload, **arguments)
        return await in_thread(lambda: function(payload, **arguments))

    return call


def _sending(send: Callable[..., Any]) -> Call:
    """A connector of DeepPavlov Agent: it tells a callback what came out, or the exception; at once, or later.

    If nobody has the callback any longer, nobody will call it.
    """

    async def call(payload: Any) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def settle(response: Any) -> None:
            if not answer.done():
                answer.set_result(response)

        async def callback(task_id: str, response: Any = None, **_: Any) -> None:
            settle(response)

        def gone() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits any longer
                loop.call_soon_threadsafe(settle, RunError("the connector has not called back"))

        weakref.finalize(callback, gone).atexit = False
        await send(payload={"task_id": "task", "payload": payload}, callback=callback)
        del callback
        response = await answer
        if isinstance(response, Exception):
            raise response
        return response

    return call
