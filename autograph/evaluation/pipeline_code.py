"""How does Python code become a service? A function, or a class with an asynchronous ``send``, found by its name.

Code is imported and run only where the caller has allowed it.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from autograph.errors import RunError
from autograph.evaluation.runner import in_thread

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
    except Exception as error:  # whatever the module does when it is run
        raise RunError(f"the module {place} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(here)
    try:
        return getattr(found, thing)
    except AttributeError:
        raise RunError(f"the module {place} has no {thing}") from None


def call_of(code: Any, arguments: Mapping[str, Any]) -> Call:
    """The service that is ``code``: a class is made with ``arguments``, a function gets them beside the payload.

    Raises ``RunError`` for what is neither.
    """
    if inspect.isclass(code):
        try:
            code = code(**arguments)
        except Exception as error:
            raise RunError(f"{code.__name__} cannot be made: {type(error).__name__}: {error}") from error
        arguments = {}
    send = getattr(code, "send", None)
    if send is not None:
        return _sending(send)
    if not callable(code):
        raise RunError(f"{code!r:.60} is no function, and no class with a method send")
    return _calling(code, arguments)


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
    """A connector of DeepPavlov Agent: it tells a callback what came out, or the exception."""

    async def call(payload: Any) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        async def callback(task_id: str, response: Any = None, **_: Any) -> None:
            if not answer.done():
                answer.set_result(response)

        await send(payload={"task_id": "task", "payload": payload}, callback=callback)
        if not answer.done():
            raise RunError("the connector has not called back")
        response = answer.result()
        if isinstance(response, Exception):
            raise response
        return response

    return call
