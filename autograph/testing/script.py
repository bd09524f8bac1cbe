"""Who plays the model in a test? A script: entries kept for a node, and the others in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Question, Reply, letter
from autograph.models.scripted import choice_of
from autograph.testing.case import Script
from autograph.testing.keys import INTERJECTIONS

__all__ = ["NONE_OF_THEM", "ScriptModel"]

NONE_OF_THEM = "none"
"""The answer to an interjection question with which the conversation goes on as it would."""


class ScriptModel:
    """A model that gives out the entries of a script, each once.

    A node that has entries of its own gets those and no others. Where answers are kept by node, an interjection
    question is answered from the entries ``interjections``, and passes on if there are none.
    """

    describe = "script of the test"
    instruction_role = "user"

    def __init__(self, script: Script) -> None:
        self._replies: deque[str] = deque()
        self._answers: deque[Any] = deque()
        self._node_replies: dict[str, deque[str]] = {}
        self._node_answers: dict[str, deque[Any]] = {}
        self.extend(script)

    def extend(self, script: Script) -> None:
        """Add the entries of another script behind those that are left."""
        self._replies.extend(script.replies)
        self._answers.extend(script.answers)
        for node, replies in script.node_replies.items():
            self._node_replies.setdefault(node, deque()).extend(replies)
        for node, answers in script.node_answers.items():
            self._node_answers.setdefault(node, deque()).extend(answers)

    def unused(self) -> list[str]:
        """What is left, each entry as a person reads it: ``reply "Hi!"``."""
        left = [f"reply {text!r}" for text in self._replies]
        left += [f"answer {_shown(answer)}" for answer in self._answers]
        for node, replies in self._node_replies.items():
            left += [f"reply {text!r} for {node}" for text in replies]
        for node, answers in self._node_answers.items():
            left += [f"answer {_shown(answer)} for {node}" for answer in answers]
        return left

    def generate(self, request: GenerateRequest) -> Reply:
        """The next text for the node. Raises ``ModelError`` when there is none."""
        entries = self._node_replies.get(request.node, self._replies)
        if not entries:
            last = request.messages[-1].content if request.messages else ""
            what = f"asked the model for a {request.purpose} text; its last message was {_short(last)}"
            raise ModelError(self._ran_out(request.node, what, "replies", request.node in self._node_replies))
        return Reply(entries.popleft(), model="script")

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The next answers, until one decides the route. Raises ``ModelError`` when there is none."""
        choices: list[Choice | None] = [None] * len(questions)
        for position, question in enumerate(questions):
            choice = self._choose(question)
            choices[position] = choice
            if question.purpose == "interjection" and question.decides(choice):
                break
        return choices

    def _choose(self, question: Question) -> Choice:
        key = question.node
        if question.purpose == "interjection" and self._node_answers:
            if INTERJECTIONS not in self._node_answers:
                return _passing_on(question)
            key = INTERJECTIONS
        entries = self._node_answers.get(key, self._answers)
        if not entries:
            choices = ", ".join(f"{letter(index)}. {choice}" for index, choice in enumerate(question.choices))
            what = f"asked the model {_short(question.question)} with the choices {choices}"
            raise ModelError(self._ran_out(question.node, what, "answers", key in self._node_answers))
        answer = entries.popleft()
        if question.purpose == "interjection" and answer == NONE_OF_THEM:
            return _passing_on(question)
        return choice_of(answer, question)

    def _ran_out(self, node: str, what: str, key: str, own: bool) -> str:
        where = f"for {node} in `{key}`" if own else f"in `{key}`"
        return f'node "{node}" {what}. The test has no (further) entry {where}. Add one, or choose a `model`.'


def _passing_on(question: Question) -> Choice:
    index = len(question.choices) - 1 if question.passes_on is None else question.passes_on
    return Choice(index, None, question.choices[index])


def _shown(answer: Any) -> str:
    return str(list(answer)) if isinstance(answer, tuple) else str(answer)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 120 else f"{text[:119]}…")
