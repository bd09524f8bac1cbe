"""What did a run of tests cover, all programs together? Counts are gathered case by case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from autograph.interpreter.traffic import Traffic, merged
from autograph.testing.coverage import Coverage, coverage_of
from autograph.testing.coverage_file import Entry, entry_of, joined

if TYPE_CHECKING:
    from autograph.program import Program
    from autograph.testing.result import TurnResult

__all__ = ["Collector", "traffic_of"]


def traffic_of(program: Program, turns: Iterable[TurnResult]) -> Traffic:
    """The traffic of the turns (or the call) of one case, also of turns that failed."""
    return merged(
        Traffic.of_events(program, turn.before, turn.events, finished=turn.error is None and turn.after.finished)
        for turn in turns
    )


class Collector:
    """The traffic of each program that tests have run, by file, sheet and state."""

    __slots__ = ("_programs",)

    def __init__(self) -> None:
        self._programs: dict[tuple[str, str | None, str], tuple[Program, list[Traffic]]] = {}

    def add(self, program: Program, turns: Iterable[TurnResult] = ()) -> None:
        """Count what a case went through; without turns, only that the program is under test."""
        self.count(program, traffic_of(program, turns))

    def count(self, program: Program, traffic: Traffic) -> None:
        """Add counts that were made elsewhere."""
        key = entry_of(program, traffic)
        _, found = self._programs.setdefault((key.file, key.sheet, key.fingerprint), (program, []))
        found.append(traffic)

    def entries(self) -> tuple[Entry, ...]:
        """What is to be kept for later runs."""
        return tuple(entry_of(program, merged(found)) for program, found in self._programs.values())

    def coverages(self, earlier: Iterable[Entry] = ()) -> tuple[Coverage, ...]:
        """The coverage of the programs of this run, the counts of earlier ones included where they still fit."""
        entries, _ = joined(earlier, self.entries())
        by_key = {(entry.file, entry.sheet, entry.fingerprint): entry.traffic for entry in entries}
        return tuple(
            coverage_of(program, by_key.get(key) or merged(found)) for key, (program, found) in self._programs.items()
        )
