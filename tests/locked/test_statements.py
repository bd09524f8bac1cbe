"""Statements in a locked worker: the batteries of the sandbox have the same outcome as where they are trusted."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

import autograph
from autograph.language.sandbox import Sandbox
from locked_support import needs_lock
from sandbox_support import add, lookup, variables, vectors

pytestmark = needs_lock

MODULES = {"lookup": lookup, "add": add}
SECONDS = 0.4


def compiles(code: str) -> bool:
    try:
        Sandbox(CONFIG, MODULES).statements(code)
    except autograph.AutographError:
        return False
    return True


CONFIG = autograph.AutographConfig(statement_seconds=SECONDS)
BENIGN = [one for one in vectors("benign") if compiles(one["code"])]
BOMBS = [one for one in vectors("hostile") if one["must"] == "bounded error" and compiles(one["code"])]


def programs(battery: list[dict[str, Any]]) -> tuple[autograph.Autograph, autograph.Autograph, autograph.MemoryObject]:
    """A program with a function for each statement, trusted and not, and a memory with the variables."""
    rows: list[dict[str, Any]] = [{"name": "start1", "action": "chat_exact", "instruction": "x"}]
    for number, one in enumerate(battery):
        row = {"name": f"v{number}()", "action": "python_function", "instruction": one["code"], "transitions": "return"}
        rows.append(row)
    kept = {name: value for name, value in variables().items() if name != "order"}
    own, locked = (autograph.load(rows, config=CONFIG, modules=MODULES, trust=trust) for trust in ("own", "untrusted"))
    return own, locked, own.start(variables=kept)


def outcome(bot: autograph.Autograph, number: int, memory: autograph.MemoryObject) -> tuple[str, str]:
    """The class of the outcome, and all that can be seen of it."""
    try:
        value, after = bot.apply_fn(f"v{number}()", memory=memory, function_type="global", return_memory=True)
    except autograph.AutographError as error:
        return type(error).__name__, str(error)
    return type(value).__name__, f"{value!r} {after.to_json()}"


def test_benign_statements_give_the_same() -> None:
    own, locked, memory = programs(BENIGN)
    assert len(BENIGN) > 150
    different = [
        (one["code"], theirs, ours)
        for number, one in enumerate(BENIGN)
        if (theirs := outcome(locked, number, memory)) != (ours := outcome(own, number, memory))
    ]
    assert different == []


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """No finalizer of other tests runs inside a bomb, where the watchdog's exception could hit it."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage")
def test_bombs_end_alike() -> None:
    own, locked, memory = programs(BOMBS)
    assert len(BOMBS) > 50
    different = []
    for number, one in enumerate(BOMBS):
        ours, theirs = outcome(own, number, memory)[0], outcome(locked, number, memory)[0]
        if theirs not in (ours, "LimitError"):  # there is less memory in the worker
            different.append((one["code"], theirs, ours))
    assert different == []
    assert outcome(locked, 0, memory)[0] == outcome(own, 0, memory)[0]


@pytest.mark.parametrize("code", ["open('/etc/passwd')", "().__class__.__mro__", "__import__('os')", "exec('1')"])
def test_what_is_refused_is_refused_when_it_is_loaded(code: str) -> None:
    words = []
    for trust in ("own", "untrusted"):
        with pytest.raises(autograph.ProgramError) as caught:
            autograph.load([{"name": "a", "action": "python_function", "instruction": code}], trust=trust)
        words.append(str(caught.value))
    assert words[0] == words[1]
