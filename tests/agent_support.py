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
    """Counts the words of each hypothesis; of several of one skill, those of the last."""

    def answer(self, dialog: dict[str, Any]) -> Any:
        hypotheses = dialog["utterances"][-1]["hypotheses"]
        words = {found["skill_name"]: len(found["text"].split()) for found in hypotheses}
        return {"batch": [{"n_tokens": words[found["skill_name"]]} for found in hypotheses]}


# ---------------------------------------------------------------------- functions as services


def words(dialog: dict[str, Any]) -> list[str]:
    """An annotator; changes what it is given, which is its own copy."""
    found = said(dialog).split()
    dialog["utterances"].clear()
    return found


def echo(dialog: dict[str, Any]) -> tuple[str, float]:
    return f"You said {said(dialog)}.", 0.4


async def shout(dialog: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"text": said(dialog).upper(), "confidence": 0.4}]


def several(dialog: dict[str, Any]) -> list[Any]:
    return [("one", 0.2), ("two", 0.6, {"n": 2}), ("", 0.9), ("three", 0.0)]


def wrong_id(dialog: dict[str, Any]) -> dict[str, Any]:
    return {"text": "I am you.", "confidence": 1.0, "human_attributes": {"id": "x"}}


def nothing(dialog: dict[str, Any]) -> None:
    return None


def failing(dialog: dict[str, Any]) -> Any:
    raise KeyError("oops")


async def waiting(dialog: dict[str, Any]) -> Any:
    await asyncio.Event().wait()


def remembers(dialog: dict[str, Any]) -> dict[str, Any]:
    """Counts its turns in the human's attributes."""
    count = dialog["human"]["attributes"].get("count", {"n": 0})["n"] + 1
    return {"text": f"Turn {count}.", "confidence": 0.9, "human_attributes": {"count": {"n": count}, "name": "Ann"}}


def last_hypothesis(dialog: dict[str, Any]) -> int:
    return len(dialog["utterances"][-1]["hypotheses"]) - 1


def polite(dialog: dict[str, Any]) -> str:
    return f"{dialog['utterances'][-1]['text']} Please."


def length(payload: dict[str, Any]) -> int:
    """Annotates one hypothesis: what ``base_hypotheses_formatter_in`` makes of it."""
    return len(payload["x"][0])


def two_texts(dialog: dict[str, Any]) -> list[Any]:
    """A dialog formatter."""
    return [{"say": said(dialog)}]


def said_again(payload: dict[str, Any]) -> list[Any]:
    return [payload["say"]]


class Meeting:
    """Two services that can only end if they run at the same time."""

    met: asyncio.Event | None = None

    def __init__(self, name: str) -> None:
        self.name = name

    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        if Meeting.met is None:
            Meeting.met = asyncio.Event()
            await Meeting.met.wait()
        else:
            Meeting.met.set()
            Meeting.met = None
        await callback(task_id=payload["task_id"], response=[{"text": self.name, "confidence": 0.5}])


class Silent:
    """A connector that never calls back."""

    async def send(self, payload: dict[str, Any], callback: Callback) -> None:
        return None
