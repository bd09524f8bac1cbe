"""Programs to be drawn, the layout programs that are there, and a browser without a network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograph.graph import View, view_of
from autograph.graph.engine import ENGINES, DrawingError, find_engine
from autograph.program import build
from autograph.tables import read_rows

ROOT = Path(__file__).parents[2]

SHOP: list[dict[str, Any]] = [
    {"name": "start", "action": "set_prompt", "instruction": "You sell tea.", "transitions": "greet"},
    {
        "name": "greet",
        "action": "chat_exact",
        "instruction": "Welcome! Tea or cake?",
        "transitions": ["tea", "cake", "ask.*", "quit"],
        "transition_question": "What does the guest want?",
        "transition_choice_a": "tea",
        "transition_choice_b": "cake",
        "transition_choice_c": "cannot say",
        "transition_choice_d": "nothing",
        "on_unclear": "cake",
        "state_category": "talk",
    },
    {"name": "tea", "action": "local_function", "instruction": "cost = price('tea')", "transitions": "tell"},
    {"name": "cake", "action": "local_function", "instruction": "cost = price('cake', 2)", "transitions": "tell"},
    {"name": "tell", "action": "chat", "instruction": "Say that it costs $cost.", "transitions": "greet"},
    {
        "name": "ask.a",
        "action": "chat",
        "instruction": "Ask again.",
        "boolean_condition": "visits('ask.a') < 2",
        "transitions": "greet",
        "state_category": "talk",
    },
    {"name": "ask.b", "action": "transition", "transitions": "step.n"},
    {"name": "step.1", "action": "thought", "instruction": "What do they mean?", "transitions": "step.2"},
    {"name": "step.2", "action": "chat", "instruction": "Give up.", "transitions": "quit"},
    {
        "name": "hours",
        "action": "chat_exact",
        "instruction": "Until six.",
        "condition_interjection": "The guest asks for the hours.",
        "transitions": "resume",
    },
    {"name": "price(what, each=3)", "action": "python_function", "instruction": "x = each", "transitions": "sum"},
    {"name": "sum", "action": "transition", "transitions": "return x + len(what)"},
]


def view(nodes: Any, title: str = "shop") -> View:
    """The view of a program given as a list of nodes."""
    return view_of(build(read_rows(nodes)), title)


@pytest.fixture(scope="session")
def shop() -> View:
    """A small program with one of everything."""
    return view(SHOP)


def installed_engines() -> list[str]:
    """The layout programs of this machine; ``graphviz-pure`` comes with the package."""
    found = []
    for name in ENGINES:
        try:
            find_engine(name)
        except DrawingError:
            continue
        found.append(name)
    return found


@pytest.fixture(params=installed_engines())
def engine(request: pytest.FixtureRequest) -> str:
    """Each layout program in turn."""
    return str(request.param)


CHROMIUM = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, driven by Playwright; in continuous integration it must be there.

    Not for the session: while Playwright runs, no other test of the process could use ``asyncio.run``.
    """
    path = Path("/usr/bin/chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = Path("playwright, which is not installed")
    if not path.exists():
        message = f"the pages cannot be tested without {path}: apt-get install chromium libatomic1"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(path), args=CHROMIUM)
        yield found
        found.close()
