"""Which bot is under test? One for each program and configuration; its models are those of the case at work.

All requests of a bot under test go to the model at the desk of the case (a context variable, so that cases may run
in several threads or tasks), also those of nodes that name a model of their own: a test is never a surprise on a bill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from autograph.errors import AutographError, ModelError
from autograph.interpreter.bot import Autograph
from autograph.interpreter.loading import read_source
from autograph.models.base import Choice, GenerateRequest, Model, Question, Reply

__all__ = ["BotUnderTest", "Bots", "Desk", "at_desk", "load_bot"]


@dataclass(slots=True)
class Desk:
    """What a case works with: its model (None: those of the program), and what was asked of it so far.

    An entry of ``requests`` is a ``GenerateRequest``, or a tuple of the questions that were put together.
    """

    model: Model | None
    requests: list[GenerateRequest | tuple[Question, ...]] = field(default_factory=list)


_DESK: ContextVar[Desk] = ContextVar("autograph_desk")


@contextmanager
def at_desk(desk: Desk) -> Iterator[Desk]:
    """Let all bots under test answer from this desk."""
    token = _DESK.set(desk)
    try:
        yield desk
    finally:
        _DESK.reset(token)


class BotUnderTest(Autograph):
    """A bot that asks the model of the case; with ``live``, a case without a model has the program's own asked."""

    def __init__(
        self, config: Mapping[str, Any] | None = None, *, modules: Mapping[str, Any] | None = None, live: bool = False
    ) -> None:
        self._live = live
        self._meters: dict[int, _Meter] = {}
        super().__init__(config, modules=modules)

    def _resolve(self, role: str) -> Model:
        return self._metered(super()._resolve(role) if self._live else None)

    def model_of(self, spec: str, *, from_program: bool = True) -> Model:
        """The model of the case, whatever the node names."""
        return self._metered(super().model_of(spec, from_program=from_program) if self._live else None)

    def _metered(self, model: Model | None) -> Model:
        if isinstance(model, _Meter):
            return model
        return self._meters.setdefault(id(model), _Meter(model))


class _Meter:
    """A model that notes down each request and passes it on."""

    def __init__(self, own: Model | None) -> None:
        self._own = own

    def _inner(self) -> Any:
        desk = _DESK.get(None)
        model = self._own if desk is None or desk.model is None else desk.model
        if model is None:
            raise ModelError("a bot under test was asked outside of a test. Use autograph.load for other purposes.")
        return model

    def _note(self, request: GenerateRequest | tuple[Question, ...]) -> None:
        desk = _DESK.get(None)
        if desk is not None:
            desk.requests.append(request)

    @property
    def instruction_role(self) -> str:
        """That of the model behind."""
        return str(getattr(self._inner(), "instruction_role", "user"))

    def generate(self, request: GenerateRequest) -> Reply:
        self._note(request)
        reply: Reply = self._inner().generate(request)
        return reply

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        self._note(tuple(questions))
        choices: list[Choice | None] = self._inner().choose(questions)
        return choices


class Bots:
    """The bots under test, each loaded once: by program, settings, and whether real models may be asked."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[str, str, bool], BotUnderTest | AutographError] = {}
        self._lock = Lock()

    def get(self, program: str | Path, config: Mapping[str, Any] | None = None, *, live: bool = False) -> BotUnderTest:
        """The bot of a program. Raises ``ProgramError`` and ``AutographError`` as loading does."""
        key = (str(program), repr(sorted((config or {}).items())), live)
        with self._lock:
            found = self._loaded.get(key)
            if found is None:
                try:
                    found = load_bot(program, config, live=live)
                except AutographError as error:
                    found = error
                self._loaded[key] = found
        if isinstance(found, AutographError):
            raise found.with_traceback(None)
        return found


def load_bot(program: str | Path, config: Mapping[str, Any] | None = None, *, live: bool = False) -> BotUnderTest:
    """Load a program for testing. Raises ``ProgramError``, ``AutographError``."""
    source = read_source(str(program))
    bot = BotUnderTest(config or None, modules=dict(source.modules), live=live)
    bot.load_rows(source.rows)
    return bot
