"""Conversations and manifests of simulations, made up for tests of what is said about them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from autograph.interpreter.traffic import Traffic
from autograph.models.base import Usage
from autograph.simulation.record import Conversation, Failure, Manifest, Taken

__all__ = ["manifest", "program_rows", "run", "said", "talk"]


def said(user: str, reply: str, *path: str) -> Taken:
    """One turn, with one request of the program."""
    return Taken(user, reply, path[-1] if path else None, path, Usage(10, 5, 0, 0, 1))


def talk(index: int = 0, **fields: Any) -> Conversation:
    """A conversation that finished with success after two turns, unless ``fields`` say otherwise."""
    turns: Sequence[Taken] = fields.pop("turns", (said("", "Hello! Tea?", "greet"), said("Tea", "Here.", "tea")))
    path = tuple(name for turn in turns for name in turn.path)
    steps = dict.fromkeys(pairwise(path), 1)
    traffic = Traffic(nodes={name: path.count(name) for name in path}, edges=steps)
    given: dict[str, Any] = {
        "case": index,
        "round": 0,
        "seed": 100 + fields.get("case", index),
        "persona": None,
        "outcome": "finished",
        "success": True,
        "reason": "the program ended",
        "turns": tuple(turns),
        "path": path,
        "last_node": path[-1] if path else None,
        "ended_by": "program",
        "usage": Usage(10 * len(turns), 5 * len(turns), 0, 0, len(turns)),
        "traffic": traffic.to_dict(),
        **fields,
    }
    return Conversation(index=index, **given)


def manifest(**fields: Any) -> Manifest:
    """The manifest of a run of ten conversations."""
    given: dict[str, Any] = {
        "program": "shop.csv",
        "fingerprint": "f00d",
        "source": "shop.csv",
        "models": {"chatbot": "offline", "user": "offline"},
        "user": "sheet",
        "personas": None,
        "seed": 7,
        "n": 10,
        "repeat": 1,
        "max_turns": 20,
        "success": "finished",
        "prices": None,
        "options": {},
        "autograph": "1.0",
        "python": "3.11",
        "date": "2026-11-30",
        **fields,
    }
    return Manifest(**given)


def program_rows() -> list[dict[str, Any]]:
    """The program that ``run`` made up conversations with."""
    question = {"transition_question": "What now?", "transition_choice_a": "tea", "transition_choice_b": "cake"}
    return [
        {
            "name": "greet",
            "action": "chat_exact",
            "instruction": "Hello! Tea?",
            "transitions": ["tea", "cake"],
            **question,
        },
        {"name": "tea", "action": "chat", "instruction": "Serve tea.", "transitions": "pay"},
        {"name": "cake", "action": "chat", "instruction": "Serve cake.", "transitions": "pay"},
        {
            "name": "pay",
            "action": "chat_exact",
            "instruction": "That is 3.",
            "transitions": ["greet", "bye"],
            **question,
        },
        {"name": "bye", "action": "chat_exact", "instruction": "Bye.", "transitions": "quit"},
        {"name": "attic", "action": "chat_exact", "instruction": "Nobody comes here.", "transitions": "quit"},
    ]


_PERSONAS = ("Hurried guest", "Old friend", "Critic")


def run(n: int, seed: int = 1, *, turns: int = 6, skill: float = 0.8, costs: bool = True) -> list[Conversation]:
    """``n`` conversations with the program of ``program_rows`` of which about ``skill`` succeed."""
    draw = random.Random(seed)
    return [_drawn(index, draw, turns, skill, costs) for index in range(n)]


def _drawn(index: int, draw: random.Random, turns: int, skill: float, costs: bool) -> Conversation:
    length = max(2, min(20, round(draw.gauss(turns, turns / 4))))
    names = ["greet", *(draw.choice(("tea", "cake", "pay")) for _ in range(length - 2))]
    good = draw.random() < skill
    outcome = "finished" if good or draw.random() < 0.2 else draw.choice(("failed", "stuck", "limit"))
    if outcome == "finished":
        names.append("bye")
    spoken = [
        said(f"I want number {draw.randrange(99)}, please." if i else "", f"Here is {name}, friend.", name)
        for i, name in enumerate(names)
    ]
    error = (
        Failure("StatementError", f'no price "{draw.randrange(9)}" is known', names[-1])
        if outcome == "failed"
        else None
    )
    reasons = {
        "finished": "the program ended",
        "stuck": "the same reply 4 times",
        "failed": "an error",
        "limit": "20 turns",
    }
    return talk(
        index,
        persona=_PERSONAS[index % 3],
        outcome=outcome,
        success=good,
        reason=reasons[outcome],
        turns=spoken,
        error=error,
        ended_by="program" if outcome == "finished" else "",
        cost=round(0.001 * len(spoken) + draw.random() / 1000, 6) if costs else None,
    )
