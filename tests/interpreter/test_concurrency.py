"""100 conversations at once on one program object: nothing of one gets into another."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import autograph
from autograph.models.base import Choice, GenerateRequest, Question, Reply

PROGRAM = [
    {"name": "start1", "action": "chat", "transitions": "keep", "instruction": "Greet."},
    {"name": "keep", "action": "python", "transitions": "call", "instruction": "log = log + [_last_user_reply]"},
    {"name": "call", "action": "function", "transitions": "ask", "instruction": "n = count(log)"},
    {"name": "ask", "action": "chat", "transitions": "keep, done", "instruction": "Say $n for $who.",
     "transition_question": "Does $who go on?", "transition_choice_a": "goes on", "transition_choice_b": "stops"},
    {"name": "done", "action": "chat_exact", "transitions": "", "instruction": "${who}: $log"},
    {"name": "count(xs)", "action": "python_function", "transitions": "grow", "instruction": "xs.append('seen')"},
    {"name": "grow", "action": "python_function", "transitions": "return", "instruction": "pause(len(xs))"},
]  # fmt: skip


class Echo:
    """Answers with what it was asked, after a moment in which others get their turn."""

    def generate(self, request: GenerateRequest) -> Reply:
        time.sleep(0.001)
        return Reply(request.instruction)

    def choose(self, questions: list[Question]) -> list[Choice | None]:
        time.sleep(0.001)
        stops = any("stop" in message.content for message in questions[-1].context[-1:])
        return [Choice(1 if stops else 0)]

    async def agenerate(self, request: GenerateRequest) -> Reply:
        await asyncio.sleep(0.001)
        return Reply(request.instruction)

    async def achoose(self, questions: list[Question]) -> list[Choice | None]:
        await asyncio.sleep(0.001)
        stops = any("stop" in message.content for message in questions[-1].context[-1:])
        return [Choice(1 if stops else 0)]


def pause(count: int) -> int:
    time.sleep(0.0005)
    return count


BOT = autograph.load(PROGRAM, model=Echo(), modules={"pause": pause})  # type: ignore[arg-type]


def said(who: str) -> list[str]:
    return ["", f"{who} one", f"{who} two", f"{who} three", f"{who} stop"]


def expected(who: str) -> list[str]:
    log = [f"{who} one", "seen", f"{who} two", "seen", f"{who} three", "seen"]
    return ["Greet.", f"Say 2 for {who}.", f"Say 4 for {who}.", f"Say 6 for {who}.", f"{who}: {log}"]


def talk(who: str) -> list[str]:
    memory: Any = BOT.start(variables={"who": who, "log": []})
    replies = []
    for text in said(who):
        reply, memory = BOT.reply(text, memory)
        replies.append(reply)
    assert memory.finished
    return replies


async def atalk(who: str) -> list[str]:
    memory: Any = BOT.start(variables={"who": who, "log": []})
    replies = []
    for text in said(who):
        reply, memory = await BOT.areply(text, memory)
        replies.append(reply)
    return replies


NAMES = [f"user{number}" for number in range(100)]


def test_threads() -> None:
    with ThreadPoolExecutor(100) as pool:
        assert list(pool.map(talk, NAMES)) == [expected(who) for who in NAMES]


def test_asyncio() -> None:
    async def everybody() -> list[list[str]]:
        return list(await asyncio.gather(*map(atalk, NAMES)))

    assert asyncio.run(everybody()) == [expected(who) for who in NAMES]


def test_two_threads_continue_one_memory() -> None:
    memory: Any = BOT.start(variables={"who": "x", "log": []})
    _, memory = BOT.reply("", memory)
    before = memory.to_json()
    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(lambda n: BOT.reply(f"text {n}", memory), range(40)))
    assert memory.to_json() == before
    for number, (_, after) in enumerate(results):
        assert after.variables["log"] == [f"text {number}", "seen"]
