"""Small requests that the tests of models share."""

from __future__ import annotations

from typing import Any

from autograph.models.base import GenerateRequest, Message, Question


def ask(text: str = "Hello", **more: Any) -> GenerateRequest:
    """A chat request with one user message."""
    return GenerateRequest("greet", (Message("system", "You are kind."), Message("user", text)), **more)


def yes_no(**more: Any) -> Question:
    """A question answered with the words yes and no."""
    return Question("start1", "Is it?", ("Yes", "No"), context=(Message("user", "hm"),), **more)


def three(**more: Any) -> Question:
    """A question answered with letters."""
    return Question("start1", "Which?", ("red", "green", "blue"), context=(Message("user", "hm"),), **more)


def interjection(**more: Any) -> Question:
    """An interjection question whose last choice passes on."""
    choices = ("The user wants to stop", "None of the above")
    return Question(
        "start1",
        "Which is true?",
        choices,
        purpose="interjection",
        passes_on=1,
        context=(Message("user", "hm"),),
        **more,
    )
