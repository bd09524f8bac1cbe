"""Who speaks in a simulation? Bots whose models are seeded per conversation, counted, recorded and kept in limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograph.evaluation.watched_bot import WatchedBot, WatchedModel
from autograph.models.base import Choice, GenerateRequest, Model, Question, Reply, Usage
from autograph.models.limited import asked
from autograph.simulation.record import NOTHING

if TYPE_CHECKING:
    from autograph.interpreter.loading import Source

__all__ = ["Books", "CastBot", "CountedModel", "Stage"]

_ONE = Usage()
"""A request of which the model counts no tokens."""


@dataclass(slots=True)
class Books:
    """What is kept of one conversation's requests: the seed they are made with, and what each side used."""

    seed: int
    program: Usage = NOTHING
    user: Usage = NOTHING


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What all models of a run share.

    ``books`` holds those of the conversation that the running task is busy with. ``change`` is laid around every
    model that is asked (limits, recordings); None leaves them as they are.
    """

    books: ContextVar[Books] = field(default_factory=lambda: ContextVar("books"))
    change: Callable[[Model], Model] | None = None


class CountedModel(WatchedModel):
    """Another model as a conversation meets it: asked with the conversation's seed, its usage put into the books."""

    def __init__(self, model: Model, stage: Stage, by_user: bool) -> None:
        super().__init__(model)
        self._model = stage.change(model) if stage.change else model
        self._books = stage.books
        self._by_user = by_user

    @property
    def instruction_role(self) -> str:
        """That of the model, with what is laid around it."""
        return str(getattr(self._model, "instruction_role", "user"))

    def generate(self, request: GenerateRequest) -> Reply:
        """The model's text."""
        books = self._books.get()
        return self._noted(books, request, self._model.generate(_seeded_text(request, books.seed)))

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The model's answers."""
        books = self._books.get()
        choices = self._model.choose([_seeded(question, books.seed) for question in questions])
        return self._noted_choices(books, choices)

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        books = self._books.get()
        return self._noted(books, request, await asked(self._model, "generate", _seeded_text(request, books.seed)))

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        books = self._books.get()
        given = [_seeded(question, books.seed) for question in questions]
        return self._noted_choices(books, await asked(self._model, "choose", given))

    def _noted(self, books: Books, request: GenerateRequest, reply: Reply) -> Reply:
        if self._by_user or request.purpose == "user":
            books.user = books.user + (reply.usage or _ONE)
        else:
            books.program = books.program + (reply.usage or _ONE)
        return reply

    def _noted_choices(self, books: Books, choices: list[Choice | None]) -> list[Choice | None]:
        told = [choice.usage for choice in choices if choice is not None and choice.usage is not None]
        used = sum(told[1:], told[0]) if told else _ONE
        if self._by_user:
            books.user = books.user + used
        else:
            books.program = books.program + used
        return choices


def _seeded_text(r: GenerateRequest, seed: int) -> GenerateRequest:
    """The request with a seed (``dataclasses.replace`` takes four times as long, for every request)."""
    return GenerateRequest(
        r.node, r.messages, r.purpose, r.instruction, r.user_text, r.suffix, r.max_tokens, r.timeout, seed
    )  # fmt: skip


def _seeded(question: Question, seed: int) -> Question:
    return replace(question, seed=seed)


class CastBot(WatchedBot):
    """A bot of a simulation: whatever model it would ask, it asks as a ``CountedModel`` of the stage.

    ``by_user``: it plays the user, so what it uses is the user's.
    """

    def __init__(self, stage: Stage, *, by_user: bool = False, **options: Any) -> None:
        self.stage = stage
        super().__init__(lambda model: CountedModel(model, stage, by_user), **options)

    @classmethod
    def of(cls, source: Source, stage: Stage, *, by_user: bool = False, **options: Any) -> CastBot:
        """The bot of what was read; ``options`` are those of ``Autograph``. Raises ``ProgramError``."""
        bot = cls(stage, by_user=by_user, **options)
        bot.load_rows(source.rows)
        return bot
