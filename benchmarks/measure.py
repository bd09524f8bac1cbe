"""How long does it take? CPU time of several contestants, taken by turns in one run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time

__all__ = ["Timing", "Work", "compare"]


@dataclass(frozen=True, slots=True)
class Work:
    """A task of one contestant: ``run`` does ``units`` units of it and must return ``expected``."""

    contestant: str
    units: int
    run: Callable[[], object]
    expected: object


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds per unit of a contestant: the best and the median of the rounds."""

    contestant: str
    best: float
    median: float


def compare(works: Sequence[Work], rounds: int, seconds: float) -> dict[str, Timing]:
    """The timings of ``works``, by contestant.

    In every round each contestant has one sample of about ``seconds``; the order shifts by one from
    round to round, so that nobody always runs after the same neighbour. Raises ``RuntimeError`` if a
    contestant gives a wrong result: then the others would do more work than it.
    """
    repeats = [_repeats(work, seconds) for work in works]
    samples: list[list[float]] = [[] for _ in works]
    gc.collect()
    gc.freeze()
    try:
        for number in range(rounds):
            for place in range(len(works)):
                index = (number + place) % len(works)
                samples[index].append(_sample(works[index], repeats[index]))
    finally:
        gc.unfreeze()
    return {
        work.contestant: Timing(work.contestant, min(taken), median(taken))
        for work, taken in zip(works, samples, strict=True)
    }


def _sample(work: Work, repeats: int) -> float:
    """CPU seconds per unit. Garbage of the sample before is collected first, outside the clock."""
    gc.collect()
    run = work.run
    start = process_time()
    for _ in range(repeats):
        run()
    return (process_time() - start) / (repeats * work.units)


def _repeats(work: Work, seconds: float) -> int:
    """How often ``work`` must run to fill a sample; its first run warms caches and is checked."""
    result = work.run()
    if result != work.expected:
        raise RuntimeError(f"{work.contestant} returned {result!r} instead of {work.expected!r}.")
    start = process_time()
    work.run()
    return max(1, round(seconds / max(process_time() - start, 1e-6)))
