"""Small programs and listeners, for the tests of the debugger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph
from autograph.interpreter.debugging import Paused
from autograph.models import ScriptedModel

Debug = Callable[[Paused], object]


def load(*rows: tuple[str, ...], model: Any = None, **options: Any) -> autograph.Autograph:
    """A program of name, action, transitions, instruction and, where there is one, a question."""
    fields = ("name", "action", "transitions", "instruction", "transition_question", "a", "b")
    names = [*fields[:5], "transition_choice_a", "transition_choice_b"]
    return autograph.load(
        [dict(zip(names, row, strict=False)) for row in rows], model=model or ScriptedModel(), **options
    )


CALLS = (
    ("start1", "function", "done", "total = order(2)"),
    ("order(count)", "python_function", "deeper", "count = count + 1"),
    ("deeper", "local_function", "return count * 2 + more", "more = one()"),
    ("one()", "transition", "return 1", ""),
    ("done", "chat_exact", "quit", "That makes $total."),
)

GUESTS = (
    ("start1", "chat_exact", "keep", "Who are you?"),
    ("keep", "python_function", "greet", "names = ['Bo']\nnames.append(_last_user_reply)"),
    ("greet", "chat", "more", "Greet ${', '.join(names)}."),
    ("more", "python_function", "ask", "n = len(names)"),
    ("ask", "transition", "greet, end", "", "More?", "yes", "no"),
    ("end", "chat_exact", "quit", "Bye, $n."),
)


def at(name: str, look: Debug) -> Debug:
    """A function that looks where one node is entered."""

    def debug(paused: Paused) -> None:
        if paused.node.name == name and paused.why == "enter":
            look(paused)

    return debug
