"""The parent is safe from a worker that was taken over: it does nothing it may not do, says so, and goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import autograph
from autograph.locked import Limits, process
from autograph.locked.nursery import Nursery
from autograph.models import ScriptedModel
from autograph.models.base import Choice, GenerateRequest, Question, Reply, Usage
from locked_support import HERE, needs_lock

pytestmark = needs_lock

SHEET = [
    {"name": "start1", "action": "chat_exact", "instruction": "hello", "transitions": "again"},
    {"name": "again", "action": "chat", "instruction": "hello", "transitions": "start1"},
]


@pytest.fixture(scope="module")
def nest() -> Iterator[Nursery]:
    nursery = Nursery(entry="hostile_worker:serve", path=[str(HERE)])
    yield nursery
    nursery.close()


CALLED: list[Any] = []


def note(*args: Any) -> str:
    CALLED.append(args)
    return "noted"


async def later(*args: Any) -> str:
    return note(*args)


@pytest.fixture
def bot(nest: Nursery, monkeypatch: pytest.MonkeyPatch) -> autograph.Autograph:
    monkeypatch.setattr(process, "nursery", lambda tables: nest)
    CALLED.clear()
    limits = Limits(seconds=1, frame_mb=1, requests=5, calls=50)
    model = ScriptedModel(replies=["hi"] * 100)
    return autograph.load(SHEET, model=model, modules={"note": note, "later": later}, trust=limits)


FAILED = {"is": "failed", "error": {"class": "RunError", "message": "well", "trace": [], "notes": []}}


def done(**other: Any) -> dict[str, Any]:
    frame = {"is": "done", "reply": "x", "speaker": None, "result": None, "log": None}
    return {**frame, "memory": autograph.MemoryObject().to_dict(), **other}


def log(*entries: Any, values: Any = ()) -> dict[str, Any]:
    return {"entries": list(entries), "values": list(values)}


REQUEST = {
    "node": "again", "messages": [["user", "x"]], "purpose": "chat", "instruction": "", "user_text": None,
    "suffix": "", "max_tokens": None, "timeout": None, "seed": None,
}  # fmt: skip

P = 2**61 - 1
"""Whole numbers that are multiples of it have the hash 0."""

BROKEN: dict[str, list[Any]] = {
    "no JSON": ["hello"],
    "no mapping": ["[1]"],
    "nothing in it": [{}],
    "unknown word": [{"is": "boom"}],
    "word of a wrong type": [{"is": ["done"]}],
    "too deep": ["[" * 100_000 + "]" * 100_000],
    "too deep in a mapping": ['{"is":' + "[" * 5_000 + "]" * 5_000 + "}"],
    "too long": [2**31],
    "broken off": ['{"is": "done"', "die"],
    "death": ["die"],
    "a function that it was not given": [{"is": "ask", "what": "call", "name": "open", "args": [["/etc/passwd"], {}]}],
    "an attribute of a function": [{"is": "ask", "what": "call", "name": "note.__globals__", "args": [[], {}]}],
    "a method": [{"is": "await", "name": "note", "args": [[], {}], "timeout": None}],
    "arguments of a wrong form": [{"is": "ask", "what": "call", "name": "note", "args": [1, 2]}],
    "names that are none": [{"is": "ask", "what": "call", "name": "note", "args": [[], {"a b": 1}]}],
    "an unknown question": [{"is": "ask", "what": "secret"}],
    "a model that is not the program's": [
        {"is": "generate", "request": REQUEST, "model": "node:recorded:/etc/passwd", "streams": False}
    ],
    "no model": [{"is": "generate", "request": REQUEST, "model": None, "streams": False}],
    "a request with another field": [
        {"is": "generate", "request": {**REQUEST, "extra": 1}, "model": "chatbot", "streams": False}
    ],
    "a message that is none": [
        {"is": "generate", "request": {**REQUEST, "messages": [1]}, "model": "chatbot", "streams": False}
    ],
    "questions that are none": [{"is": "choose", "questions": [1], "model": "classifier"}],
    "a memory that is none": [done(memory={"autograph": "memory"})],
    "a memory of another type": [done(memory=[1])],
    "no memory": [{key: value for key, value in done().items() if key != "memory"}],
    "a set of numbers with one hash": [done(result={"$": "set", "items": [P * i for i in range(200)]})],
    "a dict of tuples with one hash": [
        done(result={"$": "dict", "items": [[{"$": "tuple", "items": [P * i]}, 1] for i in range(200)]})
    ],
    "such a set, written otherwise": [
        json.dumps(done(result={"$": "set", "items": [P * i for i in range(200)]})).replace("set", "s\\u0065t")
    ],
    "a long fraction": [done(result={"$": "Fraction", "value": [{"$": "int", "value": "0x" + "f" * 9000}, 3]})],
    "code for a value": [done(result={"$": "pickle", "value": "x"})],
    "a reply that is no text": [done(reply=1)],
    "too many parts": ['{"is": "done", "result": [' + "[]," * 200_000 + "1]}"],
    "a time that nobody can wait for": [
        {"is": "generate", "request": {**REQUEST, "timeout": 10**400}, "model": "chatbot", "streams": False}
    ],
    "a time that is none": [{"is": "await", "name": "later", "args": [[], {}], "timeout": float("nan")}],
    "an unknown event": [done(log=log(["boom", "n"]))],
    "an event of another form": [done(log=log(["entered"]))],
    "an event with a wrong field": [done(log=log(["said", "n", ["value", 0]], values=[1]))],
    "an event that names nothing": [done(log=log(["generated", "n", ["known", 0], ["known", 1]]))],
    "a log that is none": [done(log=7)],
    "an error of an unknown class": [{"is": "failed", "error": {"class": "SystemExit", "message": "x"}}],
    "an error without words": [{"is": "failed", "error": {"class": "RunError"}}],
    "an error from nowhere": [{**FAILED, "number": 4}],
    "a location that is none": [{"is": "failed", "error": {**FAILED["error"], "location": {"file": 1}}}],  # type: ignore[dict-item]
}


@pytest.mark.parametrize("script", BROKEN)
def test_what_is_wrong_is_refused(bot: autograph.Autograph, script: str) -> None:
    memory = bot.start(variables={"a": 1})
    before = memory.to_json()
    with pytest.raises(autograph.RunError, match="locked worker") as caught:
        bot.reply(json.dumps(BROKEN[script]), memory)
    assert "Nothing has changed" in str(caught.value)
    assert memory.to_json() == before
    assert CALLED == []
    with pytest.raises(autograph.RunError, match=r"^well$"):  # a new worker answers
        bot.reply(json.dumps([FAILED]), memory)


def test_it_cannot_compute_for_ever(bot: autograph.Autograph) -> None:
    with pytest.raises(autograph.LimitError, match=r"computed longer than 1 s"):
        bot.reply('["sleep"]')
    with pytest.raises(autograph.RunError, match=r"^well$"):
        bot.reply(json.dumps([FAILED]))


def test_it_cannot_ask_for_ever(bot: autograph.Autograph) -> None:
    asks = {"is": "endless", "frame": {"is": "ask", "what": "call", "name": "note", "args": [[1], {}]}}
    with pytest.raises(autograph.RunError) as caught:
        bot.reply(json.dumps([asks]))
    assert "computed longer" in str(caught.value) or "more than 50 times" in str(caught.value)
    assert len(CALLED) <= 50


def test_it_cannot_spend_without_end(bot: autograph.Autograph) -> None:
    wants = {"is": "endless", "frame": {"is": "generate", "request": REQUEST, "model": "chatbot", "streams": False}}
    with pytest.raises(autograph.LimitError, match="more than 5 requests"):
        bot.reply(json.dumps([wants]))
    assert len(bot.model.requests) == 5  # type: ignore[attr-defined]


def test_it_cannot_fill_the_parents_memory(bot: autograph.Autograph) -> None:
    noise = {"is": "ask", "what": "call", "name": "note", "args": [["x" * 400_000], {}]}
    with pytest.raises(autograph.LimitError, match="sends too much"):
        bot.reply(json.dumps([{"is": "endless", "frame": noise}]))


def test_a_turn_cannot_fill_the_parents_memory_bit_by_bit(nest: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "nursery", lambda tables: nest)
    CALLED.clear()
    bot = autograph.load(SHEET, model=ScriptedModel(), modules={"later": later}, trust=Limits(frame_mb=1))
    noise = log(["printed", "start1", ["value", 0]], values=["x" * 900_000])
    wants = {"is": "await", "name": "later", "args": [[], {}], "timeout": None, "log": noise}
    with pytest.raises(autograph.LimitError, match="sends too much in one turn"):
        bot.reply(json.dumps([{"is": "endless", "frame": wants}]))
    assert 32 <= len(CALLED) <= 40


class Costly:
    """A model that says what it has used."""

    def generate(self, request: GenerateRequest) -> Reply:
        return Reply("hi", Usage(3, 4, 1))

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        return [Choice(0) for _ in questions]


def test_what_was_used_is_counted_here(nest: Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "nursery", lambda tables: nest)
    bot = autograph.load(SHEET, model=Costly(), trust=Limits(seconds=1))
    wants = {"is": "generate", "request": REQUEST, "model": "chatbot", "streams": False}
    _, memory = bot.reply(json.dumps([wants, done(usage=[-1_000_000, 0, 0, 0, 0])]))
    assert memory.last_turn is not None
    assert memory.last_turn.usage == Usage(3, 4, 1)


def test_what_is_right_is_done(bot: autograph.Autograph) -> None:
    script = [{"is": "ask", "what": "call", "name": "note", "args": [[1, 2], {}]}, done(reply="good")]
    reply, memory = bot.reply(json.dumps(script))
    assert (reply, CALLED, memory.stack) == ("good", [(1, 2)], [])
