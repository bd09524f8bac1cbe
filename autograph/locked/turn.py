"""What does a turn look like that runs in a locked worker? The same effects as in ``interpreter.loop``."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any

from autograph.errors import AutographError, LimitError, RunError
from autograph.interpreter.effects import Effect, Wait
from autograph.interpreter.run import Run
from autograph.locked.data import Malformed
from autograph.locked.frames import FrameError, pack
from autograph.locked.process import Job, Outcome, Tally, Worker, promise
from autograph.locked.wishes import Frame, Wishes
from autograph.memory import MemoryObject

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.locked.engine import LockedTurns

__all__ = ["TABLE", "locked_loop"]

TABLE = b'"$":"frame"'
"""How a table shows in a frame; a worker for it must know pandas. (In a text the quotes would be escaped.)"""

_GRACE = 1.5
"""Seconds past a turn's time-out: the worker itself looks at the clock between two statements."""


def locked_loop(
    engine: LockedTurns, bot: Autograph, run: Run, begin: Frame, memory: MemoryObject | None
) -> Generator[Effect, Any, None]:
    """Have the turn that ``begin`` describes go on from ``memory`` in a worker; the desk ``run`` gets the outcome.

    A generator of effects, as ``run_loop``; besides it waits for its worker. Closing it abandons the turn.
    """
    line, wishes = _Line(engine, run), Wishes(engine, bot, run, begin, memory)
    frame: Frame | None = wishes.begin(line.recall(memory))
    try:
        while frame is not None:
            outcome = yield line.hand_in(frame)
            line.heard(outcome)
            if isinstance(outcome, AutographError):
                raise outcome
            try:
                effect, frame = wishes.consider(outcome)
            except Malformed as error:
                raise line.cut(error) from None
            if effect is not None:
                try:
                    frame = wishes.result(effect, (yield effect))
                except AutographError as failed:
                    frame = wishes.failure(failed)
        line.remember(run.memory)
    finally:
        line.close()


class _Line:
    """The line from a turn to its worker."""

    def __init__(self, engine: LockedTurns, run: Run) -> None:
        self._engine = engine
        self._run = run
        self._answers: SimpleQueue[tuple[bytes, Future[Outcome]] | None] = SimpleQueue()
        self._tally = Tally()
        self._number = engine.number()
        self._worker: Worker | None = None
        self._asked = False
        self._open = False

    def recall(self, memory: MemoryObject | None) -> int | None:
        """Take the worker that keeps ``memory``, if it has time; the number of the memory there."""
        found = self._engine.recall(memory)
        if found is None:
            return None
        self._worker, number = found
        self._open = True
        return number

    def remember(self, memory: MemoryObject) -> None:
        """The turn has led to ``memory``, which its worker keeps."""
        if self._worker is not None:
            self._engine.remember(memory, self._worker, self._number)

    def hand_in(self, frame: Frame) -> Wait:
        """Give the worker a frame, and wait for what it says. The first frame finds a worker."""
        limits = self._engine.limits
        try:
            data = pack({**frame, "turn": self._number}, limits.frame_bytes)
        except FrameError as error:
            raise LimitError(f"the conversation is too large for a program that is not trusted: {error}.") from None
        if self._worker is not None and TABLE in data and not self._worker.tables:
            self._engine.learn_tables()
            raise RunError(
                "the program was given a pandas table for the first time, and its locked worker does not know pandas. "
                "Nothing has changed; say the same again."
            )
        future = promise()
        if self._asked:
            self._asked = False
            self._answers.put((data, future))
            return Wait(future)
        if self._worker is None:
            self._worker = self._engine.worker(data)
            self._open = True
        self._worker.submit(Job(data, *self._time(), future, self._answers, self._tally))
        return Wait(future)

    def _time(self) -> tuple[float, str]:
        """How long the worker may compute, and what is said if it takes longer."""
        seconds, deadline = self._engine.limits.seconds, self._run.deadline
        if deadline is not None:
            left = max(deadline - monotonic(), 0) + _GRACE
            if left < seconds:
                return left, "the turn took longer than its time-out. Allow more seconds, or simplify the program."
        return seconds, self._engine.late

    def heard(self, outcome: Outcome) -> None:
        """Note what the worker has said: whether a statement waits for an answer, and whether the turn has ended."""
        kind = "failed" if isinstance(outcome, AutographError) else outcome.get("is")
        self._asked = kind == "ask"
        self._open = kind not in ("done", "failed")

    def cut(self, error: Malformed) -> RunError:
        """The worker does not keep to the rules, so it is no longer the worker that was started: what is said of it."""
        if self._worker is not None:
            self._worker.condemn()
        return RunError(
            f"the locked worker that runs the program sent what it never sends ({error}), and was ended. "
            "Nothing has changed."
        )

    def close(self) -> None:
        """Give the turn up if it has not ended, and let go of the worker."""
        worker = self._worker
        if worker is None:
            return
        if self._open:
            self._open = False
            if self._asked:
                self._answers.put(None)
            else:
                abort = pack({"do": "abort", "turn": self._number}, 1_000)
                limits, late = self._engine.limits, self._engine.late
                worker.submit(Job(abort, limits.seconds, late, promise(), self._answers, self._tally))
        worker.leave()
        self._worker = None
