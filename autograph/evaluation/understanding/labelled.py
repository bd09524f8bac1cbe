"""Which answers are right? A labelled set: questions with their context, choices and answer, one JSON object a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph.config import AutographConfig
from autograph.errors import Location
from autograph.evaluation.columns import read_json_lines
from autograph.evaluation.fault import DataError, Fault
from autograph.models.base import Message, Question

__all__ = ["Labelled", "is_labelled", "read_labelled"]

_INTERJECTION = "interject"
_ROLES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question with the index of its right answer. ``kind`` groups questions of one sort."""

    name: str
    kind: str
    question: Question
    answer: int
    location: Location = Location()

    @property
    def said(self) -> str:
        """The user's last text."""
        texts = [message.content for message in self.question.context if message.role == "user"]
        return texts[-1] if texts else ""


def is_labelled(path: Path) -> bool:
    """Whether a file of JSON lines is a labelled set (rather than sayings): its first object has a question."""
    return "question" in read_json_lines(path)[0][1]


def read_labelled(path: Path) -> tuple[Labelled, ...]:
    """The questions of a labelled set: ``{"id", "kind", "turns": [{"role", "content"}], "question", "choices",
    "answer"}`` a line; ``answer`` is the index of a choice, counted from 0, or its text.

    A ``kind`` that begins with ``interject`` is asked as a question about interjections. ``id`` and ``kind`` may be
    missing. Raises ``DataError`` with everything that is wrong, each with its line.
    """
    faults: list[Fault] = []
    found = [_labelled(where, data, faults) for where, data in read_json_lines(path)]
    if faults:
        raise DataError(faults)
    return tuple(item for item in found if item is not None)


def _labelled(where: Location, data: dict[str, Any], faults: list[Fault]) -> Labelled | None:
    def wrong(message: str, hint: str) -> None:
        faults.append(Fault(where, message, hint))

    choices, text, turns = data.get("choices"), data.get("question"), data.get("turns", [])
    before = len(faults)
    if not isinstance(text, str) or not text.strip():
        wrong('"question" is missing.', "Write the question as a text.")
    if not _are_texts(choices) or len(choices or ()) < 2:
        wrong('"choices" must be a list of two texts or more.', 'Write them like ["Yes", "No"].')
    if not _are_turns(turns):
        wrong('"turns" must be a list of messages.', 'Write them like [{"role": "user", "content": "Hi"}].')
    if len(faults) > before:
        return None
    assert isinstance(choices, list)
    assert isinstance(text, str)
    answer = _answer(data.get("answer"), choices)
    if answer is None:
        wrong(f'"answer" is {data.get("answer")!r}, which is none of the {len(choices)} choices.',
              "Give the number of a choice, counted from 0, or its text.")  # fmt: skip
        return None
    name, kind = str(data.get("id", f"line {where.line}")), str(data.get("kind", "question"))
    return Labelled(name, kind, _question(name, kind, text, choices, turns), answer, where)


def _question(name: str, kind: str, text: str, choices: Sequence[str], turns: Sequence[dict[str, str]]) -> Question:
    prompt = AutographConfig().default_question_prompt
    context = tuple(Message(turn["role"], turn["content"]) for turn in turns)
    if kind.lower().startswith(_INTERJECTION):
        return Question(name, text, tuple(choices), prompt, context, "interjection", passes_on=len(choices) - 1)
    return Question(name, text, tuple(choices), prompt, context)


def _answer(value: Any, choices: Sequence[str]) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value < len(choices) else None
    return choices.index(value) if value in choices else None


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and text.strip() for text in value)


def _are_turns(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(turn, dict) and turn.get("role") in _ROLES and isinstance(turn.get("content"), str) for turn in value
    )
