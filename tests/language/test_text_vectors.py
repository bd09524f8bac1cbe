"""``$name`` in a text never becomes code, nor a template again: the vectors of ``sandbox/templates.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.memory import MemoryObject

VECTORS = json.loads((Path(__file__).parent.parent / "sandbox" / "templates.json").read_text("utf-8"))["vectors"]


def say(template: str, variables: dict[str, Any]) -> str:
    """What a node with this text says. Names that no program can have come from a tampered memory."""
    bot = autograph.load([{"name": "start1", "action": "chat_exact", "instruction": template, "transitions": "start1"}])
    possible = {name: value for name, value in variables.items() if name.isidentifier() and name[0] != "_"}
    memory: MemoryObject = bot.start(possible)
    memory.stack[0].scope.update(variables)
    return bot.reply("", memory)[0]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    said = say(vector["template"], vector["vars"])
    assert said == vector.get("expect", "['Ada'][0]")
    assert "MARKER" not in said


def test_a_computed_target_is_looked_up_once() -> None:
    nodes = [
        {"name": "start1", "action": "transition", "transitions": "$next_node"},
        {"name": "admin", "action": "chat_exact", "instruction": "MARKER", "transitions": "quit"},
    ]
    bot = autograph.load(nodes)
    memory = bot.start({"next_node": "$other", "other": "admin"})
    with pytest.raises(autograph.TransitionError, match="is never code"):
        bot.reply("", memory)
