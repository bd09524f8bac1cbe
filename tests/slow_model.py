"""A model that takes its time, and a program that asks it: for tests of turns that wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from autograph.models.base import Choice, GenerateRequest, Question, Reply

ECHO = [
    {"name": "start1", "action": "python_function", "instruction": "log = []", "transitions": "hello"},
    {"name": "hello", "action": "chat_exact", "instruction": "Hello, $who", "transitions": "note"},
    {"name": "note", "action": "python_function", "instruction": "log.append(_last_user_reply)",
     "transitions": "answer"},
    {"name": "answer", "action": "chat", "instruction": "Answer $who, ${len(log)}", "transitions": "note, bye",
     "transition_question": "More?", "transition_choice_a": "yes", "transition_choice_b": "no"},
    {"name": "bye", "action": "chat_exact", "instruction": "Bye: $log", "transitions": "quit"},
]  # fmt: skip


class Slow:
    """A model that takes its time, says what it was told to, and goes on until the user says no."""

    seconds = 0.0
    instruction_role = "user"

    def generate(self, request: GenerateRequest) -> Reply:
        time.sleep(self.seconds)
        return Reply(f"<{request.instruction}>")

    def choose(self, questions: Any) -> list[Choice | None]:
        return [Choice(1 if _says_no(question) else 0) for question in questions]

    async def agenerate(self, request: GenerateRequest) -> Reply:
        await asyncio.sleep(self.seconds)
        return Reply(f"<{request.instruction}>")

    async def achoose(self, questions: Any) -> list[Choice | None]:
        return self.choose(questions)

    def stream(self, request: GenerateRequest) -> Iterator[str]:
        yield from f"<{request.instruction}>"

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str]:
        for piece in f"<{request.instruction}>":
            await asyncio.sleep(0)
            yield piece


def _says_no(question: Question) -> bool:
    return any(message.content == "no" for message in question.context)
