"""autograph as it is shipped: sandbox, limits, trace and checks are on, and every setting has its default."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import Work

from contestants import LISTEN, SAID

NAME = "autograph"
DATA = Path(__file__).parent.parent / "data"


def function(path: Path, entry: str, values: Sequence[Any], expected: object) -> Work:
    """The task of evaluating a function with ``apply_fn``; a unit is a node entered."""
    bot = load(path)
    name = f"{entry}()"
    _, memory = bot.apply_fn(name, list(values), return_memory=True)
    return Work(NAME, len(memory.trajectory), lambda: bot.apply_fn(name, list(values)), expected)


def turns(count: int) -> Work:
    """Two ``chat_exact`` nodes that alternate; a unit is a turn. Every run is a conversation of its own."""
    bot = load(DATA / "turns.csv")

    def run() -> tuple[str, int]:
        reply, memory = bot.reply(SAID)
        for _ in range(count - 1):
            reply, memory = bot.reply(SAID, memory)
        return str(reply), len(memory.trajectory)

    return Work(NAME, count, run, (LISTEN, count))


def load(source: Any, model: Any = None, **config: Any) -> Any:
    """The program of a sheet or of rows. Without ``model`` it has one with an empty script, never asked."""
    import autograph
    from autograph.models import ScriptedModel

    model = model or ScriptedModel()
    return autograph.load(source, config=autograph.AutographConfig(**config), model=model, classifier=model)
