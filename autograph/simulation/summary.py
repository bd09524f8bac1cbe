"""How did a run go? ``summarise`` makes the figures of its conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from autograph.evaluation.intervals import wilson
from autograph.simulation.breakdown import all_nodes, all_paths, all_personas, all_troubles
from autograph.simulation.counting import amount_of, by_case, rate_of
from autograph.simulation.figures import Progress, Rate, Summary
from autograph.simulation.record import OUTCOMES, Conversation, Manifest
from autograph.simulation.success import UNTOLD

__all__ = ["badness", "rate_of_success", "summarise"]

WORST = 10
"""How many conversations to look at first are named."""

_ORDER = ("failed", "stuck", "limit", "finished")


def summarise(conversations: Sequence[Conversation], manifest: Manifest, *, nodes: Iterable[str] = ()) -> Summary:
    """The figures of a run, whatever the order of its conversations. ``nodes``: the names of all the program has."""
    talks = sorted(conversations, key=lambda each: each.index)
    ends = {outcome: rate_of(talks, lambda each, o=outcome: each.outcome == o) for outcome in OUTCOMES}  # type: ignore[misc]
    flake, flaky = _flaky(talks)
    paths, different = all_paths(talks)
    found = all_nodes(talks)
    entered = {each.name for each in found} | {each.error.node for each in talks if each.error}
    return Summary(
        title=manifest.program,
        planned=manifest.n * manifest.repeat,
        n=len(talks),
        cases=len({each.case for each in talks}),
        success=rate_of_success(talks),
        untold=sum(1 for each in talks if each.success is None),
        untold_why=_untold_why(talks),
        finished=ends["finished"],
        stuck=ends["stuck"],
        failed=ends["failed"],
        limit=ends["limit"],
        ended_by_user=sum(1 for each in talks if each.ended_by == "user"),
        flake=flake,
        flaky=flaky,
        turns=amount_of(talks, lambda each: len(each.turns)),
        calls=amount_of(talks, lambda each: each.usage.requests),
        tokens=amount_of(talks, lambda each: each.usage.prompt + each.usage.completion),
        user_calls=amount_of(talks, lambda each: each.user_usage.requests),
        user_tokens=amount_of(talks, lambda each: each.user_usage.prompt + each.user_usage.completion),
        cost=None if any(each.cost is None for each in talks) else amount_of(talks, lambda each: each.cost or 0.0),
        progress=_progress(talks),
        nodes=found,
        unvisited=tuple(dict.fromkeys(name for name in nodes if name not in entered)),
        paths=paths,
        different_paths=different,
        personas=all_personas(talks, rate_of_success),
        troubles=all_troubles(talks),
        worst=tuple(each.index for each in sorted(talks, key=badness)[:WORST]),
    )


def rate_of_success(talks: Sequence[Conversation]) -> Rate:
    """The share that succeeded. What could not be told is no success; where nothing could, there is no figure."""
    if all(each.success is None for each in talks):
        return Rate(0, 0, wilson(0, 0))
    return rate_of(talks, lambda each: each.success is True)


def _untold_why(talks: Sequence[Conversation]) -> str:
    """The most common reason why success could not be told; of equally common ones the first."""
    whys = Counter(each.reason.partition(UNTOLD)[2] for each in talks if each.success is None)
    return whys.most_common(1)[0][0] if whys else ""


def _flaky(talks: Sequence[Conversation]) -> tuple[Rate, tuple[int, ...]]:
    again = {case: same for case, same in by_case(talks).items() if len(same) > 1}
    flaky = [case for case, same in again.items() if len({(each.outcome, each.success) for each in same}) > 1]
    return Rate(len(flaky), len(again), wilson(len(flaky), len(again))), tuple(sorted(flaky))


def _progress(talks: Sequence[Conversation]) -> tuple[Progress, ...]:
    longest = max((len(each.turns) for each in talks), default=0)
    return tuple(
        Progress(
            turn=turn,
            going=sum(1 for each in talks if len(each.turns) > turn),
            finished=sum(1 for each in talks if len(each.turns) <= turn and each.outcome == "finished"),
            succeeded=sum(1 for each in talks if len(each.turns) <= turn and each.success is True),
        )
        for turn in range(longest + 1)
    )


def badness(talk: Conversation) -> tuple[int, int, int, int]:
    """A key that sorts the conversations to look at first to the front: how it ended, success, the longer first."""
    return _ORDER.index(talk.outcome), talk.success is True, -len(talk.turns), talk.index
