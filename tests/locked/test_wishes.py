"""Whatever a worker sends is done, refused or an error of ours; nothing else ever happens."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import autograph
from autograph.interpreter.effects import Call, Choose, Generate
from autograph.locked import Limits
from autograph.locked.checks import check_values
from autograph.locked.data import Malformed
from autograph.locked.hosts import describe
from autograph.locked.wishes import Wishes
from autograph.memory.stored import to_dict
from autograph.models import ScriptedModel


async def later(x: Any) -> Any:
    return x


ROWS = [
    {"name": "start1", "action": "chat", "instruction": "hello", "transitions": "again"},
    {"name": "again", "action": "chat_exact", "instruction": "${twice(2)} ${n}", "transitions": "start1"},
]
HOSTS = describe({"twice": lambda x: [x, x], "later": later})
BOT = autograph.load(ROWS, model=ScriptedModel(["a"] * 9), modules={"twice": lambda x: [x, x]})
FIRST = BOT.reply("", BOT.start({"n": {1: (2, {3})}}))[1]
SECOND = BOT.reply("go on", FIRST)[1]
ENGINE: Any = SimpleNamespace(limits=Limits(), functions=HOSTS.functions)
REQUEST = {
    "node": "start1", "messages": [["user", "x"]], "purpose": "chat", "instruction": "", "user_text": None,
    "suffix": "", "max_tokens": None, "timeout": None, "seed": None,
}  # fmt: skip
QUESTION = {
    "node": "start1", "question": "?", "choices": ["a", "b"], "question_prompt": "", "context": [["user", "x"]],
    "purpose": "transition", "passes_on": None, "unclear_decides": True, "timeout": None, "seed": 1,
}  # fmt: skip
LOG = {
    "entries": [["entered", "again"], ["value", "again", ["value", 0], ["value", 1]], ["said", "again", ["value", 1]]],
    "values": [{"$": "tuple", "items": [1]}, "n"],
}
LOCATION = {"file": "f", "sheet": None, "row": 1, "column": "c", "cell": "A1", "line": None}
ERROR = {"class": "LimitError", "message": "m", "node": "n", "location": LOCATION, "trace": ["a"], "notes": ["x"]}
FRAMES: list[dict[str, Any]] = [
    {"is": "generate", "request": REQUEST, "model": "chatbot", "streams": True, "log": LOG},
    {"is": "choose", "questions": [QUESTION, QUESTION], "model": "classifier"},
    {"is": "await", "name": "later", "args": [[1], {}], "timeout": None},
    {"is": "ask", "what": "call", "name": "twice", "args": [[{"$": "list", "id": 1, "items": [1]}], {}]},
    {"is": "ask", "what": "clock"},
    {"is": "ask", "what": "role", "model": "chatbot"},
    {"is": "missing"},
    {"is": "failed", "error": ERROR, "number": None, "log": None},
    {"is": "done", "reply": "r", "speaker": "again", "result": {"$": "set", "items": [1, 2]},
     "memory": to_dict(SECOND, FIRST), "log": LOG},
    {"is": "done", "reply": None, "speaker": None, "result": 1, "memory": SECOND.to_dict(), "log": LOG},
]  # fmt: skip

junk = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=5)
    | some.sampled_from(["$", "items", "set", "dict", "tuple", "ref", "id", "frame", "known", "value", "follows"]),
    lambda inner: some.lists(inner, max_size=3)
    | some.dictionaries(some.sampled_from(["$", "items", "id", "value"]) | some.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all parts of ``data``."""
    found = [path] if path else []
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        found += places(item, (*path, key))
    return found


@some.composite
def frames(draw: Any) -> dict[str, Any]:
    """A frame in which some parts are others than they should be, or are missing."""
    frame = copy.deepcopy(draw(some.sampled_from(FRAMES)))
    for _ in range(draw(some.integers(0, 3))):
        *way, last = draw(some.sampled_from(places(frame)))
        at: Any = frame
        for step in way:
            at = at[step]
        if draw(some.booleans()):
            at[last] = draw(junk)
        else:
            del at[last]
        if not places(frame):
            break
    return frame


def wishes() -> Wishes:
    first = {"do": "turn", "text": "x", "node": None}
    found = Wishes(ENGINE, BOT, BOT.start_run(FIRST), first, FIRST)
    found.begin(7)
    return found


def test_frames_as_they_should_be() -> None:
    kinds = []
    for frame in FRAMES:
        check_values(frame)
        if frame["is"] == "failed":
            with pytest.raises(autograph.LimitError, match=r'f, row 1, column "c" \(A1\): m \(path: a\)'):
                wishes().consider(frame)
            continue
        effect, answer = wishes().consider(copy.deepcopy(frame))
        kinds.append((type(effect), None if answer is None else answer["do"]))
    nothing = type(None)
    assert kinds == [
        (Generate, None), (Choose, None), (Call, None), (nothing, "answer"), (nothing, "answer"), (nothing, "answer"),
        (nothing, "turn"), (nothing, None), (nothing, None),
    ]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(frames())
def test_frames_as_they_should_not_be(frame: dict[str, Any]) -> None:
    before = FIRST.to_json()
    try:
        check_values(frame)
        wishes().consider(frame)
    except (Malformed, autograph.AutographError):
        pass
    assert FIRST.to_json() == before
