"""Conversations to replay: those of the conformance cases and of the shipped programs, and a model that can fail."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import autograph
from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Question, Reply
from autograph.models.scripted import ScriptedModel

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "programs"


class Injected(Exception):
    """An exception that nobody expects."""


@dataclass
class FaultyModel:
    """A scripted model whose script can be rewound, and which fails at one request (counted from 0)."""

    replies: list[str]
    answers: list[Any]
    fail_at: int | None = None
    asked: int = 0
    position: tuple[int, int] = (0, 0)
    instruction_role: str = field(default="user", repr=False)

    def _scripted(self) -> ScriptedModel:
        return ScriptedModel(self.replies[self.position[0] :], self.answers[self.position[1] :])

    def _use(self, model: ScriptedModel) -> None:
        replies, answers = model.left
        self.position = (len(self.replies) - replies, len(self.answers) - answers)

    def _maybe_fail(self) -> None:
        self.asked += 1
        if self.fail_at is not None and self.asked - 1 == self.fail_at:
            raise ModelError("the server is down", retryable=True)

    def generate(self, request: GenerateRequest) -> Reply:
        self._maybe_fail()
        model = self._scripted()
        reply = model.generate(request)
        self._use(model)
        return reply

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        self._maybe_fail()
        model = self._scripted()
        choices = model.choose(questions)
        self._use(model)
        return choices

    async def agenerate(self, request: GenerateRequest) -> Reply:
        return self.generate(request)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        return self.choose(questions)

    def stream(self, request: GenerateRequest) -> Iterator[str | Reply]:
        reply = self.generate(request)
        middle = len(reply.text) // 2
        yield reply.text[:middle]
        yield reply.text[middle:]
        yield reply

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        for piece in self.stream(request):
            yield piece


@dataclass(frozen=True)
class Conversation:
    """A program, the script of its model, and what the user says."""

    name: str
    program: Path
    config: dict[str, Any]
    replies: list[str]
    answers: list[Any]
    says: tuple[str, ...]

    def bot(self, model: Any) -> autograph.Autograph:
        return autograph.load(
            self.program, config=autograph.AutographConfig(**self.config), model=model, classifier=model
        )

    def model(self, fail_at: int | None = None) -> FaultyModel:
        return FaultyModel(list(self.replies), list(self.answers), fail_at)


def conformance_conversations() -> list[Conversation]:
    """The cases that only talk, and end without an error."""
    found = []
    for path in sorted(HERE.glob("conformance/*/case.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        steps = case.get("steps", [])
        talks = [step for step in steps if "say" in step]
        plain = all(set(step) <= {"say", "expect"} and not step["expect"].get("error") for step in talks)
        if talks and plain and len(talks) + sum("json_roundtrip" in s for s in steps) == len(steps):
            if any("program" in step for step in steps):
                continue
            says = tuple(step["say"] for step in talks)
            found.append(
                Conversation(
                    path.parent.name,
                    path.parent / "program.csv",
                    case["config"],
                    case["replies"],
                    case["answers"],
                    says,
                )
            )
    return found


def snapshot(memory: autograph.MemoryObject | None) -> str:
    return "null" if memory is None else memory.to_json()
