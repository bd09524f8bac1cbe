"""A model without a language model: plain speech and simple rules, and honest about it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from autograph.models.base import Choice, GenerateRequest, Question, Reply
from autograph.models.realizer import spoken, thought, user_speech
from autograph.models.rules import answer
from autograph.models.scripted import pieces

__all__ = ["OfflineModel"]


class OfflineModel:
    """Turns instructions into plain speech, and answers questions by rules. Deterministic.

    What needs a language model (to explain, to summarise) is said to be missing. Answers carry a
    modest confidence. Not fit for any decision about somebody's safety.
    """

    describe = "offline rules (no language model)"
    instruction_role = "user"

    def generate(self, request: GenerateRequest) -> Reply:
        """Speak as the instruction says, as far as that is possible without understanding."""
        if request.purpose == "thought":
            text = thought(request.instruction)
        elif request.purpose == "user":
            text = user_speech(request.instruction)
        elif request.suffix:
            text = "I see." if request.user_text else ""
        else:
            persona = request.messages[0].content if request.messages and request.messages[0].role == "system" else ""
            text = spoken(request.instruction, request.user_text, persona)
        return Reply(text, model="offline")

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """Answer by rules, up to the first interjection that decides the route."""
        choices: list[Choice | None] = [None] * len(questions)
        for position, question in enumerate(questions):
            choice = answer(question)
            choices[position] = choice
            if question.purpose == "interjection" and question.decides(choice):
                break
        return choices

    def stream(self, request: GenerateRequest) -> Iterator[str | Reply]:
        """The text in a few pieces, then the ``Reply``."""
        reply = self.generate(request)
        yield from pieces(reply.text)
        yield reply

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        return self.generate(request)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        return self.choose(questions)

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        """``stream`` for asynchronous drivers."""
        for piece in self.stream(request):
            yield piece
