"""Who leads a program along a known way? A model that gives the known texts, and tries answers until it is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.interpreter.bot import Autograph
from autograph.models.base import Choice, GenerateRequest, Question, Reply
from autograph.models.scripted import choice_of
from autograph.testing.script import NONE_OF_THEM
from autograph.testing.told import Answer, ToldTurn

__all__ = ["UNKNOWN_TEXT", "Astray", "Guide"]

UNKNOWN_TEXT = "…"
"""What the model is taken to have written where that is not known."""

_UNCLEAR = ("unclear", "?", "(unclear)")
_SHORT = 80


class Astray(Exception):
    """The turn took another way than the known one."""


@dataclass(slots=True)
class _Asked:
    """A question that was asked: which of the answers that it may have was given, and how many there are."""

    tried: int
    options: int


class Guide:
    """The model of one attempt at a turn; ``listen`` to its events.

    ``tried`` says which of the possible answers is given to each question, by their likeliness; questions beyond it
    get the first. ``replies`` and ``answers`` is the script that would do the same; ``guessed`` whether a text in it
    is not known.
    """

    describe = "guide"
    instruction_role = "user"

    def __init__(self, bot: Autograph, turn: ToldTurn, tried: Sequence[int]) -> None:
        self._bot = bot
        self._turn = turn
        self._tried = tried
        self._asked: list[_Asked] = []
        self.entered = 0
        self.guessed = False
        self.replies: list[str] = []
        self.answers: list[Any] = []

    def listen(self, event: Any) -> None:
        """Follow the way. Raises ``Astray``."""
        if event.kind == "entered":
            path = self._turn.path
            if self.entered >= len(path) or event.node != path[self.entered]:
                raise Astray
            self.entered += 1

    @property
    def arrived(self) -> bool:
        """Whether the whole way was gone."""
        return self.entered == len(self._turn.path)

    def next_try(self) -> list[int] | None:
        """What to try next, as ``tried``; None if everything was tried."""
        asked = list(self._asked)
        while asked and asked[-1].tried + 1 >= asked[-1].options:
            asked.pop()
        return [*(a.tried for a in asked[:-1]), asked[-1].tried + 1] if asked else None

    # ------------------------------------------------------------------ the model

    def generate(self, request: GenerateRequest) -> Reply:
        """The text that is known for this place of the way."""
        text = self._turn.texts.get(self.entered - 1)
        if text is None:
            self.guessed, text = True, UNKNOWN_TEXT
        self.replies.append(text)
        return Reply(text)

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The answers to be tried."""
        choices: list[Choice | None] = [None] * len(questions)
        for position, question in enumerate(questions):
            choices[position] = choice = self._answer(question)
            if question.purpose == "interjection" and question.decides(choice):
                break
        return choices

    def _answer(self, question: Question) -> Choice:
        number = len(self._asked)
        options = _options(question, self._turn.answers[number] if number < len(self._turn.answers) else None)
        tried = self._tried[number] if number < len(self._tried) else 0
        self._asked.append(_Asked(tried, len(options)))
        entry = self._entry(question, options[tried])
        self.answers.append(entry)
        if entry == NONE_OF_THEM and question.purpose == "interjection" and question.passes_on is not None:
            return Choice(question.passes_on, None, question.choices[question.passes_on])
        return choice_of(entry, question)

    def _entry(self, question: Question, answer: Answer) -> Any:
        """The answer as a script has it; with its confidence where that matters."""
        index, sure = answer
        node = self._bot.node_table.get(question.node)
        matters = question.purpose == "transition" and node is not None and node.spec.min_confidence is not None
        word = _word(question, index)
        return (word, sure) if matters and sure is not None and index is not None else word


def _options(question: Question, known: Answer | None) -> list[Answer]:
    """The answers that a question may have, the known one first, and unclear last."""
    indexes: list[int | None] = list(range(len(question.choices)))
    if question.passes_on is not None:
        indexes.remove(question.passes_on)
        indexes.insert(0, question.passes_on)
    options: list[Answer] = [(index, None) for index in [*indexes, None]]
    if known is None or (known[0] is not None and not 0 <= known[0] < len(question.choices)):
        return options
    return [known, *options]


def _word(question: Question, index: int | None) -> str | int:
    """What stands for a choice in a script: its label, where that is short and says it alone, else its number."""
    if index is None:
        return next((word for word in _UNCLEAR if choice_of(word, question).index is None), -1)
    if question.purpose == "interjection" and index == question.passes_on:
        return NONE_OF_THEM
    label = question.choices[index]
    alone = choice_of(label, question).index == index and label != NONE_OF_THEM
    return label if alone and 0 < len(label) <= _SHORT and label.isprintable() else index
