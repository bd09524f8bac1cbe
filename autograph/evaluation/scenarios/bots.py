"""How large does the context of a conversation get? Bots whose models are seeded, and whose prompts are measured."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from autograph.evaluation.watched_bot import WatchedBot, WatchedModel
from autograph.interpreter.loading import read_source
from autograph.interpreter.trust import trust_of
from autograph.language.sandbox.exposure import as_modules
from autograph.models.base import Choice, GenerateRequest, Message, Model, Question, Reply, Usage
from autograph.models.limited import asked

__all__ = ["Context", "ScenarioBot", "scenario_bot"]

_CHARACTERS = 4
"""Characters of a token, about, where a model does not count them."""


@dataclass(slots=True)
class Context:
    """The largest prompt that a model was sent in one conversation, and the seed of its requests.

    ``tokens`` are as the model counts them, or about four characters each where it does not.
    """

    seed: int
    words: int = 0
    tokens: int = 0

    def see(self, texts: Sequence[str], usage: Usage | None) -> None:
        """A prompt of these texts was sent."""
        counted = usage.prompt if usage is not None else 0
        self.words = max(self.words, sum(len(text.split()) for text in texts))
        self.tokens = max(self.tokens, counted or -(-sum(map(len, texts)) // _CHARACTERS))


class _Measured(WatchedModel):
    """Another model, asked with the conversation's seed; what it was sent is measured."""

    def __init__(self, model: Model, context: ContextVar[Context]) -> None:
        super().__init__(model)
        self._context = context

    def generate(self, request: GenerateRequest) -> Reply:
        """The model's text."""
        return self._seen(request, self.inner.generate(replace(request, seed=self._context.get().seed)))

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        return self._seen(request, await asked(self.inner, "generate", replace(request, seed=self._context.get().seed)))

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The model's answers."""
        return self._answered(questions, self.inner.choose(self._seeded(questions)))

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        return self._answered(questions, await asked(self.inner, "choose", self._seeded(questions)))

    def _seeded(self, questions: Sequence[Question]) -> list[Question]:
        return [replace(question, seed=self._context.get().seed) for question in questions]

    def _seen(self, request: GenerateRequest, reply: Reply) -> Reply:
        self._context.get().see(_contents(request.messages), reply.usage)
        return reply

    def _answered(self, questions: Sequence[Question], choices: list[Choice | None]) -> list[Choice | None]:
        for question, choice in zip(questions, choices, strict=False):
            texts = [question.question_prompt, *_contents(question.context), question.question, *question.choices]
            self._context.get().see(texts, choice.usage if choice else None)
        return choices


def _contents(messages: Sequence[Message]) -> list[str]:
    return [message.content for message in messages]


class ScenarioBot(WatchedBot):
    """A bot whose models are measured. ``context`` holds the conversation that the running task is busy with."""

    def __init__(self, **options: Any) -> None:
        context: ContextVar[Context] = ContextVar("context")
        self.context = context
        super().__init__(lambda model: _Measured(model, context), **options)


def scenario_bot(source: Any, *, modules: Any = None, trust: Any = None, **options: Any) -> ScenarioBot:
    """Load a program for scenarios; arguments are those of ``autograph.load``. Raises ``ProgramError``."""
    trust = trust_of(source, trust)
    found = read_source(source, trust=trust)
    bot = ScenarioBot(modules={**found.modules, **as_modules(modules)}, trust=trust, **options)
    bot.load_rows(found.rows)
    return bot
