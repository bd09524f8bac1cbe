"""How are many conversations held? So many at a time, each with its own seed, and each saved when it has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256

from autograph.errors import AutographError, ModelError
from autograph.models.limited import BudgetError
from autograph.simulation.conversation import Case, Terms, converse
from autograph.simulation.personas import Persona, cast_list
from autograph.simulation.record import Conversation, Measured

__all__ = ["GIVE_UP", "Keep", "Progress", "cases_of", "hold_all", "seed_of"]

Keep = Callable[[Conversation, Measured], None]

GIVE_UP = 10
"""Conversations in a row that a model ended; then it is taken to be out of reach, and the run stops."""


@dataclass(slots=True)
class Progress:
    """How a run went: how many conversations were kept, how many of them were a success, and what stopped it."""

    kept: int = 0
    succeeded: int = 0
    stopped: str = ""
    error: ModelError | None = None


def seed_of(seed: int, case: int) -> int:
    """The seed of a case: it depends on nothing but the run's seed and the case's number; 31 bits."""
    return int.from_bytes(sha256(f"{seed} {case}".encode()).digest()[:4], "big") >> 1


def cases_of(seed: int, n: int, repeat: int = 1, personas: Sequence[Persona] = ()) -> list[Case]:
    """All conversations of a run: ``n`` cases, each in ``repeat`` rounds."""
    cast = cast_list(personas, n)
    return [
        Case(round_ * n + case, case, round_, seed_of(seed, case), cast[case])
        for round_ in range(repeat)
        for case in range(n)
    ]


async def hold_all(
    cases: Iterable[Case],
    terms: Terms,
    keep: Keep,
    *,
    concurrency: int = 200,
    notice: Callable[[Progress], object] = lambda progress: None,
) -> Progress:
    """Hold the conversations, ``concurrency`` at a time, and ``keep`` each as soon as it has ended.

    A budget that is used up ends the run early (``Progress.stopped``), and so does a model that cannot be reached
    (``Progress.error``); what was kept stays. ``notice`` is told after each one. What ``keep`` raises ends the run.
    """
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(concurrency, "simulation"))  # for models that know no asyncio
    held = _Held(iter(cases), terms, keep, notice)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(held.work())
    except BaseExceptionGroup as errors:
        first = _first(errors)
        if not isinstance(first, _OutOfReachError):
            raise first from None
        return held.progress
    held.settle()
    return held.progress


class _OutOfReachError(Exception):
    """The run cannot go on, since its model does not answer."""


@dataclass(slots=True)
class _Held:
    """The conversations of a run that are held now; ``doubtful`` are those that a model ended, in a row."""

    cases: Iterator[Case]
    terms: Terms
    keep: Keep
    notice: Callable[[Progress], object]
    progress: Progress = field(default_factory=Progress)
    doubtful: list[tuple[Conversation, Measured]] = field(default_factory=list)

    async def work(self) -> None:
        """Hold one conversation after the other, as long as there are any and the budget lasts."""
        for case in self.cases:
            try:
                conversation, measured, cause = await converse(case, self.terms)
            except BudgetError as error:
                self.progress.stopped = str(error)
            else:
                self.ended(conversation, measured, cause)
            if self.progress.stopped:
                return

    def ended(self, conversation: Conversation, measured: Measured, cause: AutographError | None) -> None:
        """Keep what has ended. What a model ended is held back until it is known not to be out of reach."""
        if isinstance(cause, ModelError):
            self.doubtful.append((conversation, measured))
            if len(self.doubtful) == GIVE_UP:
                self.progress.error = cause
                raise _OutOfReachError
            return
        self.settle()
        self._kept(conversation, measured)

    def settle(self) -> None:
        """Keep what was held back."""
        for conversation, measured in self.doubtful:
            self._kept(conversation, measured)
        self.doubtful.clear()

    def _kept(self, conversation: Conversation, measured: Measured) -> None:
        self.keep(conversation, measured)
        self.progress.kept += 1
        self.progress.succeeded += conversation.success is True
        self.notice(self.progress)


def _first(errors: BaseException) -> BaseException:
    """The first error of a group, however deep it lies."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
