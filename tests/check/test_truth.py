"""What the checks claim is true when the program runs: no false alarm, and no variable that is unset by surprise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import autograph
from autograph.check import check
from autograph.errors import RunError
from autograph.models import ScriptedModel

VARIABLES = ("x", "y", "z")
NAMES = ("a", "b", "c", "p.1", "p.2", "q.a", "q.b")
FIRST = {"p.2": "p.1", "q.b": "q.a"}
FUNCTIONS = ("f(x)", "g(y)")
Node = dict[str, Any]


@st.composite
def programs(draw: st.DrawFn) -> list[Node]:
    """Programs of nodes that set, read, ask, call and return."""
    names = ["start1", *draw(st.lists(st.sampled_from(NAMES), max_size=5, unique=True))]
    names = [name for name in names if name not in FIRST or FIRST[name] in names]
    functions = draw(st.lists(st.sampled_from(FUNCTIONS), max_size=2, unique=True))
    inside = ["h", "i"] if functions else []
    targets = [n for n in names if "." not in n] + ["p.n"] * ("p.1" in names) + ["q.*"] * ("q.a" in names) + ["quit"]
    return [draw(_nodes(name, targets, functions)) for name in names] + [
        draw(_nodes(name, [*inside, "return", "return"], functions)) for name in [*functions, *inside]
    ]


@st.composite
def _nodes(draw: st.DrawFn, name: str, targets: list[str], functions: list[str]) -> Node:
    variable, other = draw(st.sampled_from(VARIABLES)), draw(st.sampled_from(VARIABLES))
    kinds = ["say", "set", "set", "copy", "maybe"] + (["call"] * 2 if functions else [])
    kind = draw(st.sampled_from(kinds))
    node: Node = {"name": name, "transitions": draw(st.sampled_from(targets))}
    if kind == "say":
        node.update(action="chat_exact", instruction=f"Say ${variable}")
    elif kind == "maybe":
        node.update(action="chat_exact", instruction=f"Say?{{ ${variable}}}")
    elif kind == "set":
        node.update(action="python_function", instruction=f"{variable} = 1")
    elif kind == "copy":
        node.update(action="python_function", instruction=f"{variable} = {other}")
    else:
        action = draw(st.sampled_from(["function", "local_function", "global_function"]))
        called = draw(st.sampled_from(functions))[0]
        node.update(action=action, instruction=f"{variable} = {called}(2)")
    if draw(st.booleans()) and len(targets) > 1:
        node["transitions"] = [node["transitions"], draw(st.sampled_from(targets))]
        node.update(transition_question="Which?", transition_choices=["one", "two"])
    return node


@dataclass(frozen=True)
class Ran:
    """A conversation: the nodes that it entered, and the variable on whose account it failed, if it did."""

    entered: list[str]
    failed: bool
    undefined: str = ""


def _run(rows: list[Node], answers: list[int]) -> Ran:
    config = autograph.AutographConfig(max_steps=60, max_depth=20)
    bot = autograph.load(rows, config=config, model=ScriptedModel(answers=answers * 10))
    memory = None
    entered: list[str] = []
    try:
        for text in ("", "one", "two", "three"):
            _, memory = bot.reply(text, memory)
            entered = memory.trajectory
    except RunError as error:
        undefined = re.search(r"[\"'](\w+)[\"'] is not defined", error.message)
        return Ran([*entered, *error.trace], True, undefined[1] if undefined else "")
    return Ran(entered, False)


@settings(deadline=None, max_examples=400)
@given(programs(), st.lists(st.integers(0, 1), min_size=30, max_size=30))
def test_what_is_claimed_is_true(rows: list[Node], answers: list[int]) -> None:
    problems = check(rows).problems
    if any(found.severity == "error" for found in problems):
        return
    ran = _run(rows, answers)
    for code in ("AG301", "AG305"):
        assert {p.message.split('"')[1] for p in problems if p.code == code}.isdisjoint(ran.entered)
    unset = [found for found in problems if found.code in ("AG401", "AG402", "AG403", "AG405")]
    if ran.undefined:
        assert any(re.search(rf"\b{ran.undefined}\b", found.message) for found in unset)
    if not ran.failed:
        never = [found.message.split('"')[1] for found in unset if found.message.startswith("no path to")]
        assert all(name not in ran.entered[:-1] for name in never)
