"""Services of the recorded agent (``tests/data/dialogue-states/agent-trace.json``), and small ones for other tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data" / "dialogue-states"
STATES = sorted(DATA.glob("state-*.json"))

Callback = Callable[..., Awaitable[None]]


def state(number: int) -> dict[str, Any]:
    """One of the six states of the original."""
    [path] = DATA.glob(f"state-{number}-*.json")
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def trace() -> dict[str, Any]:
    """The recorded agent: its pipeline, and what came of every turn."""
    data: dict[str, Any] = json.loads((DATA / "agent-trace.json").read_text("utf-8"))
    return data


def here(config: Any) -> Any:
    """A pipeline with the connectors of this module in place of those of the recording."""
    return json.loads(json.dumps(config).replace('"conn:', f'"{__name__}:'))


class Connector:
    """A connector as DeepPavlov Agent has them: it tells the callback what came out."""

    def answer(self, dialog: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        try:
            response = self.answer(payload["payload"])
        except Exception as error:
            response = error
        await callback(task_id=payload["task_id"], response=response)


def said(dialog: dict[str, Any]) -> str:
    return str(dialog["utterances"][-1]["text"])


class Intent(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        words = said(dialog).lower().split()
        found = {name: int(name in words) for name in ("coffee", "bye")}
        found["coffee"] = int("coffee" in said(dialog))
        return {name: {"detected": value, "confidence": float(value)} for name, value in found.items()}


class Tok(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        return said(dialog).split()


class BotAnn(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        return {"seen": dialog["utterances"][-2]["text"] if len(dialog["utterances"]) > 1 else ""}


class Sel(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        if "crash" in said(dialog):
            return ["broken_skill"]
        return ["slow_skill"] if "slow" in said(dialog) else ["order_skill", "dummy_skill"]


class Order(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        if "order_skill_state" not in dialog["human"]["attributes"]:
            asked = {"order_skill_state": {"node": "ask_size"}}
            return [{"text": "Small or large?", "confidence": 0.9, "human_attributes": asked}]
        return [
            {
                "text": "One large latte, coming up!",
                "confidence": 0.95,
                "human_attributes": {"order_skill_state": {"node": "done", "size": "large"}, "name": "Ann"},
                "bot_attributes": {"mood": "happy", "persona": {"lines": ["I make coffee."]}},
                "attributes": {"can_continue": "no"},
            },
            {"text": "Anything else?", "confidence": 0.4},
        ]


class Dummy(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        return [{"text": "Tell me more.", "confidence": 0.5}]


class Broken(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        raise RuntimeError("boom")


class Slow(Connector):
    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        await asyncio.Event().wait()


class HypTok(Connector):
    def answer(self, dialog: dict[str, Any]) -> Any:
        return {"batch": [{"n_tokens": len(h["text"].split())} for h in dialog["utterances"][-1]["hypotheses"]]}
