"""What came of the scenarios? Counts of each type and each number of steps, context over time, pairs of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.evaluation.comparison import Comparison, compared_pairwise
from autograph.evaluation.intervals import Interval, wilson
from autograph.evaluation.pydialogue.results_data import Counts, Point, ResultsError, Run

__all__ = ["Held", "compared", "counts_by", "held_of", "run_of", "summary_of", "total_of"]


@dataclass(frozen=True, slots=True)
class Held:
    """One conversation: its number, scenario, type and seed, and what came of it.

    ``success`` is None for one that does not count (``note`` says why). ``steps``: how often the user spoke, of
    ``limit``. ``words``, ``tokens``: those of the largest prompt. ``exchanges``: what the user said, and what the
    program replied.
    """

    index: int
    scenario: str
    kind: str
    seed: int
    success: bool | None
    steps: int
    limit: int
    ended: str = ""
    words: int = 0
    tokens: int = 0
    exchanges: tuple[tuple[str, str], ...] = ()
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The conversation as JSON data."""
        return {
            "index": self.index,
            "scenario": self.scenario,
            "type": self.kind,
            "seed": self.seed,
            "success": self.success,
            "steps": self.steps,
            "limit": self.limit,
            "ended": self.ended,
            "words": self.words,
            "tokens": self.tokens,
            "exchanges": [list(exchange) for exchange in self.exchanges],
            "note": self.note,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Held:
        """The conversation of JSON data. Raises ``ResultsError``."""
        texts = [data.get(name, "") for name in ("scenario", "type", "ended", "note")]
        numbers = [data.get(name) for name in ("index", "seed", "steps", "limit", "words", "tokens")]
        success, exchanges = data.get("success"), data.get("exchanges", [])
        if (
            not all(isinstance(text, str) for text in texts)
            or not all(type(number) is int for number in numbers)
            or not (success is None or isinstance(success, bool))
            or not _are_exchanges(exchanges)
        ):
            raise ResultsError("a conversation in the file of results is not as autograph writes it")
        scenario, kind, ended, note = texts
        index, seed, steps, limit, words, tokens = map(int, map(str, numbers))
        talk = tuple((str(said), str(reply)) for said, reply in exchanges)
        return cls(index, scenario, kind, seed, success, steps, limit, ended, words, tokens, talk, note)


def _are_exchanges(given: Any) -> bool:
    return isinstance(given, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in given
    )


# ---------------------------------------------------------------------- counts


def counts_by(held: Iterable[Held], key: Callable[[Held], Any]) -> dict[Any, Counts]:
    """(successes, number) of the conversations that count, by a key; in the order in which the keys come first."""
    table: dict[Any, Counts] = {}
    for each in held:
        if each.success is not None:
            success, total = table.get(key(each), (0, 0))
            table[key(each)] = (success + each.success, total + 1)
    return table


def total_of(held: Iterable[Held]) -> Interval:
    """The share of successes among the conversations that count."""
    counting = [each.success for each in held if each.success is not None]
    return wilson(sum(counting), len(counting))


def run_of(held: Sequence[Held], run_id: str, metadata: Mapping[str, Any]) -> Run:
    """The conversations as a run of a file of results."""
    points: list[Point] = [(each.kind, int(each.success), each.words) for each in held if each.success is not None]
    of_types, of_steps = counts_by(held, lambda each: each.kind), counts_by(held, lambda each: each.limit)
    return Run(tuple(points), of_types, of_steps, run_id, metadata, tuple(each.to_dict() for each in held))


def held_of(run: Run) -> tuple[Held, ...]:
    """The conversations in a run of a file of results. Raises ``ResultsError``."""
    return tuple(Held.from_dict(conversation) for conversation in run.conversations)


# ---------------------------------------------------------------------- two programs


def compared(programs: Mapping[str, Sequence[Held]]) -> tuple[Comparison, ...]:
    """The first program compared with each of the others, over the conversations that count for both."""
    return compared_pairwise(
        {name: {e.index: e.success for e in held if e.success is not None} for name, held in programs.items()}
    )


def summary_of(held: Sequence[Held]) -> dict[str, Any]:
    """The shares of successes with their intervals as JSON data: of all, of each type, of each number of steps."""
    return {
        "accuracy": total_of(held).to_dict(),
        "types": {k: wilson(*counts).to_dict() for k, counts in counts_by(held, lambda each: each.kind).items()},
        "steps": {str(k): wilson(*counts).to_dict() for k, counts in counts_by(held, lambda each: each.limit).items()},
        "not_counted": sum(each.success is None for each in held),
    }
