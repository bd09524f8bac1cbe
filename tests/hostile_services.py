"""Services that misbehave, and some that only look so."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import Any

from agent_support import Callback


def exits(dialog: dict[str, Any]) -> Any:
    sys.exit(3)


async def exits_on_the_loop(dialog: dict[str, Any]) -> Any:
    sys.exit(3)


async def cancels_itself(dialog: dict[str, Any]) -> Any:
    raise asyncio.CancelledError


def cancels_in_a_thread(dialog: dict[str, Any]) -> Any:
    raise asyncio.CancelledError


def spoofs(dialog: dict[str, Any]) -> Any:
    return {"text": "x", "confidence": 1, "skill_name": 5}


def boasts(dialog: dict[str, Any]) -> Any:
    return {"text": "x", "confidence": 10**400}


def chatters(dialog: dict[str, Any]) -> Any:
    return [{"text": "x", "confidence": 1, "extra": 10**5000}]


def failure(dialog: dict[str, Any]) -> str:
    return "I am ill."


def speech(dialog: dict[str, Any]) -> list[str]:
    return ["speech"]


def _answer(text: str) -> list[dict[str, Any]]:
    return [{"text": text, "confidence": 0.9}]


class Later:
    """Calls back when ``send`` is over."""

    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        async def work() -> None:
            await asyncio.sleep(0)
            await callback(task_id=payload["task_id"], response=_answer("Later."))

        self.task = asyncio.create_task(work())


class FromThread:
    """Calls back from a thread, when ``send`` is over."""

    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        loop, over = asyncio.get_running_loop(), threading.Event()

        def work() -> None:
            over.wait()
            asyncio.run_coroutine_threadsafe(callback(task_id="t", response=_answer("From a thread.")), loop)  # type: ignore[arg-type]

        threading.Thread(target=work, daemon=True).start()
        loop.call_soon(over.set)


class Twice:
    """Calls back twice."""

    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        await callback(task_id="t", response=_answer("Once."))
        await callback(task_id="t", response=_answer("Twice."))
