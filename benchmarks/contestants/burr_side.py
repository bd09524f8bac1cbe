"""Burr: an ``Application`` of function actions without tracker or persister; it holds its state itself."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from measure import Work

from contestants import HELLO, LISTEN, SAID

NAME = "Burr"
MODULE = "burr"


def counter(iterations: int) -> Work:
    """Two actions and a condition; a unit is an action run, with the ones that begin and end a round."""
    library: Any = import_module("burr.core")

    def begin(state: Any) -> Any:
        return state.update(i=0)

    def inc(state: Any) -> Any:
        return state.update(i=state["i"] + 1)

    def stay(state: Any) -> Any:
        return state

    more = library.Condition(["i"], lambda state: state["i"] < iterations, name="more")
    app = (
        library.ApplicationBuilder()
        .with_actions(
            begin=library.action(reads=[], writes=["i"])(begin),
            inc=library.action(reads=["i"], writes=["i"])(inc),
            loop=library.action(reads=["i"], writes=[])(stay),
            done=library.action(reads=["i"], writes=[])(stay),
        )
        .with_transitions(("begin", "inc"), ("inc", "loop"), ("loop", "inc", more), ("loop", "done"), ("done", "begin"))
        .with_entrypoint("begin")
        .with_state(i=0)
        .build()
    )

    def run() -> Any:
        return app.run(halt_after=["done"])[2]["i"]

    return Work(NAME, 2 * iterations + 2, run, iterations)


def turns(count: int) -> Work:
    """Two actions that alternate; a unit is a turn. Every run is a conversation of its own."""
    library: Any = import_module("burr.core")
    speaks = {"reads": ["turns"], "writes": ["reply", "turns"]}

    def hello(state: Any, user_text: str) -> Any:
        return state.update(reply=HELLO, turns=[*state["turns"], (user_text, HELLO)])

    def listen(state: Any, user_text: str) -> Any:
        return state.update(reply=LISTEN, turns=[*state["turns"], (user_text, LISTEN)])

    app = (
        library.ApplicationBuilder()
        .with_actions(hello=library.action(**speaks)(hello), listen=library.action(**speaks)(listen))
        .with_transitions(("hello", "listen"), ("listen", "hello"))
        .with_entrypoint("hello")
        .with_state(turns=[])
        .build()
    )

    def run() -> tuple[Any, int]:
        app.update_state(app.state.update(turns=[]))
        for _ in range(count):
            app.step(inputs={"user_text": SAID})
        return app.state["reply"], len(app.state["turns"])

    return Work(NAME, count, run, (LISTEN, count))
