"""What does the loop want from the world? It yields these, and is sent their results.

The interpreter does no input or output of its own: drivers perform effects (``drivers``), tests
answer them from a script, simulations bundle those of many conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph.models.base import GenerateRequest, Model, Question

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Call", "Choose", "Effect", "Generate", "Wait"]


@dataclass(frozen=True, slots=True)
class Generate:
    """A text is wanted; the result is a ``Reply``. ``streams``: its pieces may go straight to the user."""

    request: GenerateRequest
    model: Model
    streams: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Answers to the questions of one moment are wanted; the result is a list of ``Choice`` or None."""

    questions: tuple[Question, ...]
    model: Model


@dataclass(frozen=True, slots=True)
class Call:
    """The value of an asynchronous host function is wanted, within ``timeout`` seconds (None: whenever it comes)."""

    name: str
    function: Callable[..., Any]
    positional: tuple[Any, ...]
    keywords: Mapping[str, Any]
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Something is under way elsewhere, and its result is wanted: the turn runs in another process."""

    future: Future[Any]


Effect = Generate | Choose | Call | Wait
