"""The library ``transitions``: a state machine whose model holds the counter, or the conversation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from measure import Work

from contestants import HELLO, LISTEN, SAID

NAME = "transitions"
MODULE = "transitions"


class Counter:
    """The model of the counter: entering ``inc`` adds one."""

    state: str

    def __init__(self, n: int) -> None:
        self.n = n
        self.i = 0

    def more(self) -> bool:
        return self.i < self.n

    def on_enter_inc(self) -> None:
        self.i += 1


class Conversation:
    """The model of the chat: entering a state gives its reply and keeps the turn."""

    state: str
    reply: str

    def __init__(self) -> None:
        self.turns: list[tuple[str, str]] = []

    def on_enter_hello(self, user_text: str) -> None:
        self.speak(user_text, HELLO)

    def on_enter_listen(self, user_text: str) -> None:
        self.speak(user_text, LISTEN)

    def speak(self, user_text: str, reply: str) -> None:
        self.reply = reply
        self.turns.append((user_text, reply))


def counter(iterations: int) -> Work:
    """Two states and a condition between them; a unit is a state entered."""
    library: Any = import_module(MODULE)
    steps = [
        {"trigger": "step", "source": "loop", "dest": "inc", "conditions": "more"},
        {"trigger": "step", "source": "loop", "dest": "done"},
        {"trigger": "step", "source": "inc", "dest": "loop"},
    ]
    model = Counter(iterations)
    machine = library.Machine(
        model, states=["inc", "loop", "done"], transitions=steps, initial="loop", auto_transitions=False
    )

    def run() -> int:
        model.i = 0
        machine.set_state("loop")
        step = model.step  # type: ignore[attr-defined]
        while model.state != "done":
            step()
        return model.i

    return Work(NAME, 2 * iterations + 1, run, iterations)


def turns(count: int) -> Work:
    """Two states that alternate; a unit is a turn. Every run is a conversation of its own."""
    library: Any = import_module(MODULE)
    says = [
        {"trigger": "say", "source": ["start", "listen"], "dest": "hello"},
        {"trigger": "say", "source": "hello", "dest": "listen"},
    ]
    model = Conversation()
    machine = library.Machine(
        model, states=["start", "hello", "listen"], transitions=says, initial="start", auto_transitions=False
    )

    def run() -> tuple[str, int]:
        model.turns = []
        machine.set_state("start")
        say = model.say  # type: ignore[attr-defined]
        for _ in range(count):
            say(SAID)
        return model.reply, len(model.turns)

    return Work(NAME, count, run, (LISTEN, count))
