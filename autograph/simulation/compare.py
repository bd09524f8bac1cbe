"""Is version B of a program better than version A? Two runs with the same users, compared pair by pair.

The same user met both versions, so what differs between users falls out of the comparison: it needs far fewer
conversations than two separate runs do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any

from autograph.errors import AutographError
from autograph.evaluation.intervals import Interval, Pairs, mcnemar, mean_interval, paired_difference, sign_test
from autograph.simulation.counting import by_case
from autograph.simulation.figures import Rate, plain_data
from autograph.simulation.record import Conversation, Manifest
from autograph.simulation.summary import rate_of_success

__all__ = ["CompareError", "Compared", "Comparison", "compare"]


class CompareError(AutographError):
    """Two runs that cannot be compared pair by pair."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair of conversations with the same user that went differently."""

    case: int
    round: int
    seed: int
    persona: str | None
    index_a: int
    index_b: int
    outcomes: tuple[str, str]
    successes: tuple[bool | None, bool | None]
    turns: tuple[int, int]
    last_nodes: tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side. Differences are B minus A.

    ``pairs`` counts users by where they succeeded; with repetitions (``rounds`` > 1) it counts every pair of
    conversations. ``p`` is McNemar's exact p over the pairs; with repetitions that of the sign test over the users'
    rates, since conversations with one user are no independent trials, and ``success`` is the mean difference of the
    users' rates with its bootstrap interval. ``alone``: conversations of one run without a partner in the other.
    """

    names: tuple[str, str]
    n: int
    rounds: int
    rates: tuple[Rate, Rate]
    pairs: Pairs
    success: Interval
    p: float
    method: str
    turns: Interval
    calls: Interval
    cost: Interval | None
    differing: tuple[Compared, ...]
    alone: tuple[int, int]
    same_program: bool

    @property
    def better(self) -> str:
        """Which version is shown to be better; "" if neither is."""
        return self.names[1] if self.success.above(0) else self.names[0] if self.success.below(0) else ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {f.name: plain_data(getattr(self, f.name)) for f in fields(self)} | {"better": self.better}


_Key = tuple[int, int]
_Both = tuple[Conversation, Conversation]


def compare(
    a: Sequence[Conversation],
    b: Sequence[Conversation],
    manifest_a: Manifest,
    manifest_b: Manifest,
    *,
    names: tuple[str, str] = ("A", "B"),
) -> Comparison:
    """Two runs with the same users, pair by pair. Raises ``CompareError`` if they are not the same users."""
    one, other = _by_key(a, names[0]), _by_key(b, names[1])
    both = [(one[key], other[key]) for key in sorted(one.keys() & other.keys())]
    if not both:
        raise CompareError(
            f"{names[0]} and {names[1]} have no conversation in common, so there is nothing to compare. "
            "Run both versions with the same --seed and --n."
        )
    for pair in both:
        _refuse_strangers(pair, names)
    left, right = [pair[0] for pair in both], [pair[1] for pair in both]
    pairs = _counted(both)
    rounds = len(both) / len(by_case(left))
    told = any(each.success is not None for pair in both for each in pair)
    success, p, method = _untold() if not told else _by_pairs(pairs) if rounds == 1 else _by_users(both)
    return Comparison(
        names=names,
        n=len(both),
        rounds=round(rounds),
        rates=(rate_of_success(left), rate_of_success(right)),
        pairs=pairs,
        success=success,
        p=p,
        method=method,
        turns=mean_interval(_differences(both, lambda each: len(each.turns))),
        calls=mean_interval(_differences(both, lambda each: each.usage.requests)),
        cost=_cost(both),
        differing=tuple(_compared(*pair) for pair in both if _came_out(pair[0]) != _came_out(pair[1])),
        alone=(len(one) - len(both), len(other) - len(both)),
        same_program=manifest_a.fingerprint == manifest_b.fingerprint,
    )


def _by_key(talks: Sequence[Conversation], name: str) -> Mapping[_Key, Conversation]:
    found: dict[_Key, Conversation] = {}
    for each in talks:
        if (each.case, each.round) in found:
            raise CompareError(
                f"{name} has case {each.case}, round {each.round} twice; it was put together from two runs."
            )
        found[each.case, each.round] = each
    return found


def _refuse_strangers(pair: _Both, names: tuple[str, str]) -> None:
    one, other = pair
    for what, left, right in (("seed", one.seed, other.seed), ("persona", one.persona, other.persona)):
        if left != right:
            raise CompareError(
                f"case {one.case} has the {what} {left!r} in {names[0]} but {right!r} in {names[1]}: these are not the "
                "same users. Run both versions with the same --seed, --n and --personas."
            )


def _came_out(talk: Conversation) -> tuple[str, bool | None]:
    return talk.outcome, talk.success


def _compared(a: Conversation, b: Conversation) -> Compared:
    return Compared(
        case=a.case,
        round=a.round,
        seed=a.seed,
        persona=a.persona,
        index_a=a.index,
        index_b=b.index,
        outcomes=(a.outcome, b.outcome),
        successes=(a.success, b.success),
        turns=(len(a.turns), len(b.turns)),
        last_nodes=(a.last_node, b.last_node),
    )


def _counted(both: Sequence[_Both]) -> Pairs:
    found = [(a.success is True, b.success is True) for a, b in both]
    return Pairs(
        both=found.count((True, True)),
        only_a=found.count((True, False)),
        only_b=found.count((False, True)),
        neither=found.count((False, False)),
    )


def _untold() -> tuple[Interval, float, str]:
    return Interval(math.nan, -1.0, 1.0), 1.0, "success could not be told of any conversation"


def _by_pairs(pairs: Pairs) -> tuple[Interval, float, str]:
    return paired_difference(pairs), mcnemar(pairs), "McNemar's exact test; interval by Newcombe's method 10"


def _by_users(both: Sequence[_Both]) -> tuple[Interval, float, str]:
    rates = _differences(both, lambda each: each.success is True)
    return mean_interval(rates), sign_test(rates), "sign test over the users; interval by bootstrap over the users"


def _differences(both: Sequence[_Both], value: Callable[[Conversation], float]) -> list[float]:
    """For each user, how much more B has than A."""
    by_user: dict[int, list[float]] = {}
    for a, b in both:
        by_user.setdefault(a.case, []).append(value(b) - value(a))
    return [fmean(each) for each in by_user.values()]


def _cost(both: Sequence[_Both]) -> Interval | None:
    if any(each.cost is None for pair in both for each in pair):
        return None
    return mean_interval(_differences(both, lambda each: each.cost or 0.0))
