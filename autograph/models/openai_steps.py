"""Which requests does a text, or a set of questions, take? The steps, free of I/O."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

from autograph.models.base import Choice, GenerateRequest, Message, Question, Reply, Usage
from autograph.models.exchange import Deadline, Steps, exchange
from autograph.models.logprobs import choice_probabilities
from autograph.models.openai_errors import Peer
from autograph.models.openai_payload import OPTIONAL, Settings, reply_of, text_of, usage_of
from autograph.models.questions import complaint, read_answers

__all__ = ["Requests"]


class Requests:
    """The requests of one model object: what was refused before, what it has cost so far."""

    def __init__(self, settings: Settings, peer: Peer, max_retries: int) -> None:
        self.peer = peer
        self.total = Usage(requests=0)
        self._settings = settings
        self._max_retries = max_retries
        self._refused: set[str] = set()  # at most the names in OPTIONAL, and "developer"
        self._lock = Lock()

    def deadline(self, limit: float | None) -> Deadline:
        """The time that a request has, given its own ``timeout``."""
        return Deadline(self.peer.timeout, limit)

    def count(self, usage: Usage | None) -> None:
        """Add to the running total."""
        with self._lock:
            self.total += usage or Usage()

    def text(self, request: GenerateRequest) -> Steps[Reply]:
        """Steps to a text."""
        completion = yield from self._exchange(
            lambda: self._settings.for_text(request, self._refused, stream=False), self.deadline(request.timeout)
        )
        self.count(usage_of(completion))
        return reply_of(completion, self.peer)

    def opened(self, request: GenerateRequest, deadline: Deadline) -> Steps[Any]:
        """Steps to the open stream of a text."""
        return (
            yield from self._exchange(lambda: self._settings.for_text(request, self._refused, stream=True), deadline)
        )

    def answers(self, questions: Sequence[Question]) -> Steps[list[Choice | None]]:
        """Steps to the answers: one request, and a second one that quotes answers which are no choices."""
        if not questions:
            return []
        deadline = self.deadline(min((q.timeout for q in questions if q.timeout is not None), default=None))
        text, choices, usage = yield from self._asked(questions, deadline, ())
        invalid = _unsettled(questions, choices)
        if invalid:
            as_json = "response_format" not in self._refused
            answers = [choice.text for choice in choices]
            after = [Message("user", complaint(questions, invalid, answers, as_json=as_json))]
            if text.strip():
                after.insert(0, Message("assistant", text))
            _, again, more = yield from self._asked(questions, deadline, after)
            usage += more
            for position in invalid:
                choices[position] = again[position]
        return _given(questions, choices, usage)

    def _asked(
        self, questions: Sequence[Question], deadline: Deadline, after: Sequence[Message]
    ) -> Steps[tuple[str, list[Choice], Usage]]:
        completion = yield from self._exchange(
            lambda: self._settings.for_questions(questions, self._refused, after), deadline
        )
        usage = usage_of(completion) or Usage()
        self.count(usage)
        text = text_of(completion, self.peer)
        likely = choice_probabilities(completion, questions)
        choices = [
            Choice(
                index,
                confidence=spread[index] if spread is not None and index is not None else None,
                text=words,
                probabilities=spread,
            )
            for (index, words), spread in zip(read_answers(text, questions), likely, strict=True)
        ]
        return text, choices, usage

    def _exchange(self, build: Any, deadline: Deadline) -> Steps[Any]:
        return exchange(
            build,
            optional=OPTIONAL,
            refused=self._refused,
            peer=self.peer,
            deadline=deadline,
            max_retries=self._max_retries,
        )


def _unsettled(questions: Sequence[Question], choices: Sequence[Choice]) -> list[int]:
    """Positions of answers that are no choices, up to the first interjection that decides the route."""
    invalid = []
    for position, (question, choice) in enumerate(zip(questions, choices, strict=True)):
        if choice.index is None:
            invalid.append(position)
        elif question.purpose == "interjection" and question.decides(choice):
            break
    return invalid


def _given(questions: Sequence[Question], choices: Sequence[Choice], usage: Usage) -> list[Choice | None]:
    """The answers up to the one that decides; the first one carries what all of them cost."""
    from dataclasses import replace

    given: list[Choice | None] = [None] * len(choices)
    for position, (question, choice) in enumerate(zip(questions, choices, strict=True)):
        given[position] = replace(choice, usage=usage) if position == 0 else choice
        if question.purpose == "interjection" and question.decides(choice):
            break
    return given
