"""How does the bot's side speak with one worker? Through a thread, its attendant, which also watches the clock.

Whoever has a turn hands in a frame and gets a future. Frames of several turns are answered one after the other. While
a host function runs that a statement has called, the worker belongs to that statement's turn.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from autograph.errors import AutographError, LimitError, RunError
from autograph.locked.checks import check_values, may_be_harmful
from autograph.locked.data import Malformed
from autograph.locked.frames import HEADER, FrameError, pack, unpack
from autograph.locked.limits import Limits
from autograph.locked.lock import LockError
from autograph.locked.nursery import Birth, Nursery, nursery

__all__ = ["Job", "Outcome", "Tally", "Worker", "promise"]

Outcome = dict[str, Any] | AutographError
"""What became of a frame: the worker's answer, or why there is none."""

_READY_SECONDS = 60.0
_FRAMES_AT_ONCE, _FRAMES_IN_A_TURN = 4, 32
"""How often the size of a message a worker may send before it is given a frame, and in a whole turn."""
_ABORT = pack({"do": "abort", "turn": None}, 100)


def promise() -> Future[Outcome]:
    """The future of an outcome. Nobody can cancel it: the worker computes on, whoever waits."""
    future: Future[Outcome] = Future()
    future.set_running_or_notify_cancel()
    return future


@dataclass(slots=True)
class Tally:
    """How many bytes the worker has sent in a turn, which the turn may keep until its end."""

    received: int = 0


@dataclass(slots=True)
class Job:
    """A frame for the worker. ``seconds``: how long it may compute; ``late``: what is said if it takes longer.
    ``tally`` is the turn's.

    ``answers``: where the frames come from with which the turn answers what a statement asks, each with the
    future of what follows; None: it wants to go on no more.
    """

    frame: bytes
    seconds: float
    late: str
    future: Future[Outcome]
    answers: SimpleQueue[tuple[bytes, Future[Outcome]] | None]
    tally: Tally


class _Over(Exception):
    """The worker has to end, or has ended; the error is for those who waited."""

    def __init__(self, error: AutographError) -> None:
        self.error = error


class Worker:
    """One worker with its attendant. ``program`` is the frame that it is given first.

    ``started`` has the answer to that frame. ``load`` counts the jobs that are not done, ``turns`` the turns that
    have begun in it and not ended.
    """

    def __init__(self, program: bytes, limits: Limits, tables: bool) -> None:
        self.tables = tables
        self.started = promise()
        self.load = 1
        self.turns = 0
        self.ended: AutographError | None = None
        self._limits = limits
        self._lock = threading.RLock()  # a bot's end retires its workers, wherever the collector may run
        self._retiring = False
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._nursery: Nursery | None = None
        self._birth: Birth | None = None
        late = _late("its compilation took", limits.seconds)
        start = Job(program, limits.seconds, late, self.started, SimpleQueue(), Tally())
        threading.Thread(target=self._attend, args=(start,), name="autograph-locked", daemon=True).start()

    def submit(self, job: Job) -> None:
        """Hand in a frame; its future gets the outcome."""
        with self._lock:
            if self.ended is None:
                self.load += 1
                self._jobs.put(job)
                return
        job.future.set_result(self.ended)

    def enter(self) -> bool:
        """Begin a turn here; False if the worker has ended meanwhile."""
        with self._lock:
            if self.ended is not None or self._retiring:
                return False
            self.turns += 1
            return True

    def leave(self) -> None:
        """A turn has ended."""
        with self._lock:
            self.turns -= 1
            if self._retiring:
                self._jobs.put(None)

    def condemn(self) -> None:
        """Let it do nothing more, since it does not keep to the rules."""
        with self._lock:
            self.ended = self.ended or _ended("it did not keep to the rules")
        self._jobs.put(None)

    def retire(self) -> None:
        """End the worker when all turns have ended that have begun in it; it takes no new ones."""
        with self._lock:
            self._retiring = True
        self._jobs.put(None)

    @property
    def pid(self) -> int | None:
        """The process, for tests and curious people."""
        return self._birth.pid if self._birth else None

    # ------------------------------------------------------------------ the attendant

    def _attend(self, start: Job) -> None:
        job: Job | None = start
        try:
            self._begin()
            while job is not None:
                self._perform(job)
                job = self._next()
            error = self.ended or _ended("it was no longer needed")
        except _Over as over:
            error = over.error
        except Exception as unforeseen:  # a thread's exception would be lost, and its turns would wait for ever
            error = _ended(f"{type(unforeseen).__name__}: {unforeseen}")
        self._end(error, job)

    def _next(self) -> Job | None:
        """The next job; None when the worker is to end, also because nobody has needed it for a while."""
        while True:
            try:
                job = self._jobs.get(timeout=self._limits.idle_seconds)
            except Empty:
                job = None
            if job is not None:
                return job
            with self._lock:
                if self.ended is None and not self.turns and self._jobs.empty():
                    self.ended = _ended("it was no longer needed")
                if self.ended is not None:
                    return None

    def _begin(self) -> None:
        """Have a worker born, and wait until it is locked."""
        try:
            self._nursery = nursery(self.tables)
            self._birth = self._nursery.bear(self._limits)
        except LockError as error:
            raise _Over(_refused(str(error))) from None
        answer = self._read(monotonic() + _READY_SECONDS, "it did not start in time")
        if answer.get("is") != "ready":
            raise _Over(_refused(str(answer.get("text"))))

    def _perform(self, job: Job) -> None:
        """Have a frame answered. What a statement asks is answered in between, which takes none of its time."""
        left = job.seconds
        frame: bytes = job.frame
        received = 0
        while True:
            begun = monotonic()
            self._write(frame, begun + left, job.late)
            answer = self._read(begun + left, job.late)
            left -= monotonic() - begun
            received += self._size
            job.tally.received += self._size
            most = self._limits.frame_bytes
            if received > _FRAMES_AT_ONCE * most or job.tally.received > _FRAMES_IN_A_TURN * most:
                raise _Over(LimitError("the program sends too much in one turn; its locked worker was ended."))
            if answer.get("is") != "ask":
                break
            if frame is _ABORT:
                raise _Over(_ended("it does not do as it is told"))
            job.future.set_result(answer)
            following = job.answers.get()
            frame, job.future = following or (_ABORT, promise())
        with self._lock:
            self.load -= 1
        job.future.set_result(answer)

    def _end(self, error: AutographError, job: Job | None) -> None:
        """Kill the process, and tell everybody who waits, and all who come."""
        if self._birth is not None and self._nursery is not None:
            self._nursery.kill(self._birth)
        with self._lock:
            self.ended = error
        if job is not None and not job.future.done():
            job.future.set_result(error)
        while not self._jobs.empty():
            waiting = self._jobs.get()
            if waiting is not None:
                waiting.future.set_result(error)

    # ------------------------------------------------------------------ the pipe

    _size = 0

    def _write(self, frame: bytes, deadline: float, late: str) -> None:
        assert self._birth is not None
        try:
            self._birth.pipe.settimeout(_left(deadline))
            self._birth.pipe.sendall(frame)
        except TimeoutError:
            raise _Over(LimitError(late)) from None
        except OSError:
            raise _Over(_ended("it has died")) from None

    def _read(self, deadline: float, late: str) -> dict[str, Any]:
        header = self._bytes(HEADER, deadline, late)
        length = int.from_bytes(header, "big")
        if length > self._limits.frame_bytes:
            raise _Over(_ended(f"it announced a message of {length:,} bytes"))
        text = self._bytes(length, deadline, late)
        self._size = length
        try:
            data = unpack(text, self._limits.frame_bytes)
            if may_be_harmful(text):
                check_values(data)
            return data
        except (FrameError, Malformed) as error:
            raise _Over(_ended(f"its message is wrong: {error}")) from None

    def _bytes(self, length: int, deadline: float, late: str) -> bytes:
        assert self._birth is not None
        parts = bytearray()
        while len(parts) < length:
            try:
                self._birth.pipe.settimeout(_left(deadline))
                part = self._birth.pipe.recv(min(length - len(parts), 1 << 20))
            except TimeoutError:
                raise _Over(LimitError(late)) from None
            except OSError:
                part = b""
            if not part:
                raise _Over(_ended("it has died"))
            parts += part
        return bytes(parts)


def _left(deadline: float) -> float:
    return max(deadline - monotonic(), 0.001)


def _late(what: str, seconds: float) -> str:
    return (
        f"the program is not trusted, and {what} longer than {seconds:g} s; its locked worker was ended. "
        "Let it work on less data, or allow more seconds."
    )


def _refused(reason: str) -> AutographError:
    return AutographError(
        'the program is not trusted (trust="untrusted"), so it runs only in a process that the operating system locks, '
        f"which cannot be done here: {reason}. Run it on Linux (x86_64 or aarch64), outside of containers that forbid "
        'it; or, if you know its author, load it with trust="own".'
    )


def _ended(why: str) -> RunError:
    return RunError(
        f"the locked worker that runs the program has ended: {why}. Nothing has changed; say the same again."
    )
