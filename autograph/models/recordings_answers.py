"""Which of the questions of one moment are answered by the recording, and what comes of the others?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograph.errors import ModelError
from autograph.models.base import Choice, Question
from autograph.models.recordings_request import rendered

if TYPE_CHECKING:
    from autograph.models.recorded import RecordedModel

__all__ = ["Answers"]


class Answers:
    """The answers to the questions of one moment: those that are recorded, and those that are ``missing``."""

    def __init__(self, model: RecordedModel, questions: Sequence[Question]) -> None:
        self._model = model
        self._questions = questions
        self._asked = [rendered(question) for question in questions]
        self._choices: list[Choice | None] = [None] * len(questions)
        self._open: list[int] = []
        for position, question in enumerate(questions):
            record = model.recorded(question, self._asked[position])
            if record is None:
                self._open.append(position)
            else:
                assert isinstance(record.answer, Choice)  # the key has the kind in it
                self._choices[position] = record.answer
                if not self._open and _decides(question, record.answer):
                    break

    @property
    def missing(self) -> list[Question]:
        """The questions that must be asked."""
        return [self._questions[position] for position in self._open]

    def take(self, given: Sequence[Choice | None]) -> None:
        """Record what the model has answered to the missing questions. Raises ``ModelError``."""
        if len(given) != len(self._open):
            raise ModelError(f"the model gave {len(given)} answers to {len(self._open)} questions")
        for position, choice in zip(self._open, given, strict=True):
            if choice is not None:
                kept = self._model.keep(self._questions[position], self._asked[position], choice)
                assert isinstance(kept, Choice)
                self._choices[position] = kept

    def settled(self) -> list[Choice | None]:
        """The answers up to the first that decides: later ones are left out, as they are when played back."""
        for position, (question, choice) in enumerate(zip(self._questions, self._choices, strict=True)):
            if choice is not None and _decides(question, choice):
                return [*self._choices[: position + 1], *[None] * (len(self._choices) - position - 1)]
        return self._choices


def _decides(question: Question, choice: Choice) -> bool:
    return question.purpose == "interjection" and question.decides(choice)
