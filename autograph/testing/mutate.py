"""How many small faults do the tests notice? Mutants are drawn, tested in several processes, and counted."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograph.testing.equivalent import Equivalent, Remark, claim_fails, read_equivalents
from autograph.testing.mutants import KINDS, Mutant
from autograph.testing.trial import Trial, Workbench

if TYPE_CHECKING:
    from autograph.evaluation.intervals import Interval

__all__ = ["MOST_EQUIVALENT", "Outcome", "Report", "Tally", "check_mutants", "drawn"]

MOST_EQUIVALENT = 0.1
"""The share of mutants that may be called equivalent."""

Progress = Callable[[int, int], None]
"""Is told how many mutants are done, of how many."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one mutant: ``verdict`` is ``killed``, ``survived`` or ``equivalent``; the test that noticed it."""

    program: str
    mutant: Mutant
    verdict: str
    test: str = ""
    why: str = ""

    def to_dict(self) -> dict[str, str]:
        """The outcome as JSON data."""
        return {
            "program": self.program, **self.mutant.to_dict(),
            "verdict": self.verdict, "test": self.test, "why": self.why,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tally:
    """How many mutants there were, and what came of them."""

    mutants: int
    killed: int
    survived: int
    equivalent: int

    @property
    def rate(self) -> Interval:
        """The share that was killed, of those that are not equivalent."""
        from autograph.evaluation.intervals import wilson

        return wilson(self.killed, self.mutants - self.equivalent)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {
            "mutants": self.mutants, "killed": self.killed, "survived": self.survived,
            "equivalent": self.equivalent, "rate": self.rate.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of each mutant, and remarks on the files that call some of them equivalent.

    ``possible`` counts all mutants of the programs, of which those of ``outcomes`` were drawn with ``seed``.
    """

    outcomes: tuple[Outcome, ...]
    remarks: tuple[Remark, ...] = ()
    seed: int = 0
    possible: int = 0
    programs: tuple[str, ...] = field(default=())

    def tally(self, program: str | None = None, kind: str | None = None) -> Tally:
        """The figures of a program, of a kind, or of all."""
        verdicts = [
            one.verdict for one in self.outcomes if program in (None, one.program) and kind in (None, one.mutant.kind)
        ]
        return Tally(len(verdicts), *(verdicts.count(word) for word in ("killed", "survived", "equivalent")))

    @property
    def survivors(self) -> tuple[Outcome, ...]:
        """The mutants that no test noticed."""
        return tuple(one for one in self.outcomes if one.verdict == "survived")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that occur, in their order."""
        met = {one.mutant.kind for one in self.outcomes}
        return tuple(kind for kind in KINDS if kind in met)

    @property
    def too_many_equivalent(self) -> bool:
        """Whether more are called equivalent than may be."""
        tally = self.tally()
        return tally.equivalent > MOST_EQUIVALENT * tally.mutants


def drawn(mutants: Mapping[str, Sequence[Mutant]], seed: int) -> list[tuple[str, Mutant]]:
    """The mutants of several programs in the order in which they are taken: in turn from each kind and program.

    The order depends on the seed and on the mutants, not on the order of programs or rows, nor on where files lie.
    """
    strata: dict[tuple[str, str], list[Mutant]] = {}
    for program in sorted(mutants):
        for mutant in sorted(mutants[program], key=lambda one: one.id):
            strata.setdefault((mutant.kind, program), []).append(mutant)
    order = list(KINDS)
    queues = sorted(strata.items(), key=lambda item: (order.index(item[0][0]), Path(item[0][1]).name, item[0][1]))
    for (kind, program), queue in queues:
        random.Random(f"{seed} {kind} {Path(program).name}").shuffle(queue)
    found: list[tuple[str, Mutant]] = []
    while any(queue for _, queue in queues):
        found += [(program, queue.pop()) for (_, program), queue in queues if queue]
    return found


def check_mutants(
    programs: Mapping[str, Sequence[str]],
    *,
    number: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Try the mutants of programs with their tests.

    ``programs``: for each program its files of tests. ``number``: how many mutants are drawn, None for all;
    ``jobs``: how many processes. Raises ``SuiteError``, ``ProgramError``, and ``MutationError`` if a test fails
    without any mutant.
    """
    benches = {program: Workbench(files) for program, files in programs.items()}
    for bench in benches.values():
        bench.check()
    equivalents = {program: read_equivalents(program) for program in programs}
    mutants = {program: list(bench.mutants.values()) for program, bench in benches.items()}
    tasks = drawn(mutants, seed)
    wanted = len(tasks) if number is None else min(number, len(tasks))
    crew = _Crew(programs, benches, jobs)
    outcomes: list[Outcome] = []
    remarks: list[Remark] = [
        remark for program, entries in equivalents.items() for remark in entries.stale(benches[program].mutants)
    ]
    with crew:
        for (program, mutant), trial in _loadable(tasks, wanted, crew, progress):
            entry = equivalents[program].entries.get(mutant.id)
            verdict, test, why = trial.verdict, trial.test, trial.why
            if entry is not None:
                remark = _judged(entry, trial, benches[program], mutant)
                remarks += [remark] if remark else []
                if remark is None:
                    verdict, why = "equivalent", entry.why
            outcomes.append(Outcome(program, mutant, verdict, test, why))
    return Report(tuple(outcomes), tuple(remarks), seed, sum(map(len, mutants.values())), tuple(programs))


def _judged(entry: Equivalent, trial: Trial, bench: Workbench, mutant: Mutant) -> Remark | None:
    """What is wrong with calling a mutant equivalent; None if nothing is."""
    if trial.verdict == "killed":
        return entry.remark(f'it is not equivalent: the test "{trial.test}" fails with it.', "Delete the entry.")
    difference = claim_fails(entry, bench, mutant)
    return entry.remark(f"its input tells them apart: {difference}", "Make a test of it.") if difference else None


def _loadable(
    tasks: Sequence[tuple[str, Mutant]], wanted: int, crew: _Crew, progress: Progress | None
) -> Iterator[tuple[tuple[str, Mutant], Trial]]:
    """The first ``wanted`` mutants that load, with what came of them; whoever does not load is passed over."""
    found, position = 0, 0
    while found < wanted and position < len(tasks):
        batch = tasks[position : position + wanted - found]
        position += len(batch)
        for task, trial in zip(batch, crew.run(batch), strict=True):
            if trial.verdict != "unloadable":
                found += 1
                if progress is not None:
                    progress(found, wanted)
                yield task, trial


# ---------------------------------------------------------------------- processes


class _Crew:
    """Who tries the mutants: this process, or several others."""

    def __init__(self, programs: Mapping[str, Sequence[str]], benches: Mapping[str, Workbench], jobs: int) -> None:
        self._files = {program: tuple(files) for program, files in programs.items()}
        self._benches = benches
        self._pool: Any = None
        if jobs > 1:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), _attend)

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def run(self, tasks: Sequence[tuple[str, Mutant]]) -> Iterator[Trial]:
        """Try mutants; the trials come in the order of the tasks."""
        if self._pool is None:
            return (self._benches[program].trial(mutant) for program, mutant in tasks)
        given = [(self._files[program], mutant.id) for program, mutant in tasks]
        with _deaf():  # the first call starts the processes
            trials: Iterator[Trial] = self._pool.map(_try, given)
        return trials


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, not even while they import; this one does again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _attend() -> None:
    """A process of the crew begins: only its parent hears Ctrl-C, and it ends with its parent, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _try(task: tuple[tuple[str, ...], str]) -> Trial:
    """Try one mutant in a process of the crew."""
    files, number = task
    bench = _bench(files)
    return bench.trial(bench.mutants[number])


@lru_cache(maxsize=64)
def _bench(files: tuple[str, ...]) -> Workbench:
    """The workbench of a program, which a process of the crew sets up once."""
    return Workbench(files)
