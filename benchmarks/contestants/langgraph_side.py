"""LangGraph: a compiled ``StateGraph`` without a checkpointer; the state goes in and comes out."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypedDict

from measure import Work

from contestants import HELLO, LISTEN, SAID

NAME = "LangGraph"
MODULE = "langgraph"


class Count(TypedDict):
    i: int
    n: int


class Talk(TypedDict):
    user: str
    reply: str
    next: str
    turns: list[tuple[str, str]]


def counter(iterations: int) -> Work:
    """Two nodes and a conditional edge; a unit is a node entered."""
    library: Any = import_module("langgraph.graph")
    start, end = library.START, library.END

    def inc(state: Count) -> dict[str, int]:
        return {"i": state["i"] + 1}

    def loop(state: Count) -> dict[str, int]:
        return {}

    def more(state: Count) -> str:
        return "inc" if state["i"] < state["n"] else end

    builder = library.StateGraph(Count)
    builder.add_node("inc", inc)
    builder.add_node("loop", loop)
    builder.add_edge(start, "inc")
    builder.add_edge("inc", "loop")
    builder.add_conditional_edges("loop", more, ["inc", end])
    graph = builder.compile()

    def run() -> int:
        return int(graph.invoke({"i": 0, "n": iterations}, {"recursion_limit": 4 * iterations})["i"])

    return Work(NAME, 2 * iterations, run, iterations)


def turns(count: int) -> Work:
    """Two nodes that alternate; a unit is a turn. Every run is a conversation of its own."""
    library: Any = import_module("langgraph.graph")
    start, end = library.START, library.END

    def hello(state: Talk) -> dict[str, object]:
        return {"reply": HELLO, "next": "listen", "turns": [*state["turns"], (state["user"], HELLO)]}

    def listen(state: Talk) -> dict[str, object]:
        return {"reply": LISTEN, "next": "hello", "turns": [*state["turns"], (state["user"], LISTEN)]}

    builder = library.StateGraph(Talk)
    builder.add_node("hello", hello)
    builder.add_node("listen", listen)
    builder.add_conditional_edges(start, lambda state: state["next"], ["hello", "listen"])
    builder.add_edge("hello", end)
    builder.add_edge("listen", end)
    graph = builder.compile()

    def run() -> tuple[str, int]:
        state: dict[str, Any] = {"reply": "", "next": "hello", "turns": []}
        for _ in range(count):
            state["user"] = SAID
            state = graph.invoke(state)
        return state["reply"], len(state["turns"])

    return Work(NAME, count, run, (LISTEN, count))
