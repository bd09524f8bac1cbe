"""Two versions of a program with the same users."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.intervals import Pairs, mcnemar, paired_difference
from autograph.simulation.compare import CompareError, Comparison, compare
from autograph.simulation.compare_text import render_comparison
from autograph.simulation.record import Conversation
from simulation_records import manifest, run, talk

NEW = manifest(fingerprint="beef")


def two(outcomes: Sequence[tuple[bool, bool]]) -> Comparison:
    """The comparison of runs that succeeded so with each user."""
    a = [talk(i, success=one) for i, (one, _) in enumerate(outcomes)]
    b = [talk(i, success=other) for i, (_, other) in enumerate(outcomes)]
    return compare(a, b, manifest(), NEW)


def test_published_example() -> None:
    found = two([(True, True)] * 36 + [(False, True)] * 12 + [(True, False)] * 2)
    assert found.pairs == Pairs(both=36, only_a=2, only_b=12, neither=0)
    assert (round(found.success.low, 4), round(found.success.high, 4)) == (0.0569, 0.3404)
    assert found.p == 0.012939453125
    assert (found.better, len(found.differing)) == ("B", 14)
    assert [(rate.count, rate.n) for rate in found.rates] == [(38, 50), (48, 50)]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_it_turns_round_with_its_sides(outcomes: list[tuple[bool, bool]]) -> None:
    one, other = two(outcomes), two([(b, a) for a, b in outcomes])
    assert one.success.low == pytest.approx(-other.success.high)
    assert one.p == other.p == mcnemar(one.pairs)
    assert one.success == paired_difference(one.pairs)
    assert one.pairs.n == len(outcomes)
    assert json.loads(json.dumps(one.to_dict(), allow_nan=False))["pairs"]["both"] == one.pairs.both


def test_the_same_run_twice_shows_no_difference() -> None:
    records = run(40)
    found = compare(records, list(reversed(records)), manifest(), manifest())
    assert (found.success.value, found.p, found.better, found.differing) == (0.0, 1.0, "", ())
    assert (found.turns.low, found.turns.high) == (0.0, 0.0)
    assert found.same_program
    assert "very same program" in render_comparison(found)


def test_lengths_are_compared_user_by_user() -> None:
    turns = talk(0).turns
    a = [talk(i, turns=turns * (1 + i % 4)) for i in range(20)]
    b = [talk(i, turns=(*turns * (1 + i % 4), turns[0])) for i in range(20)]
    found = compare(a, b, manifest(), NEW)
    assert (found.turns.value, found.turns.low, found.turns.high) == (1, 1, 1)
    assert found.cost is None


def test_repetitions_are_averaged_user_by_user() -> None:
    def runs(gain: float) -> list[Conversation]:
        return [
            talk(8 * r + i, case=i, round=r, success=(i + 3 * r) % 8 < 4 + gain, cost=1.0 + gain)
            for r in range(4)
            for i in range(8)
        ]

    found = compare(runs(0), runs(2), manifest(), NEW)
    assert (found.n, found.rounds) == (32, 4)
    assert found.success.value == pytest.approx(0.25)
    assert found.method.startswith("sign test over the users")
    assert found.cost is not None
    assert found.cost.value == 2.0


def test_only_pairs_count() -> None:
    found = compare([talk(i) for i in range(5)], [talk(i) for i in range(2, 9)], manifest(), NEW)
    assert (found.n, found.alone) == (3, (2, 4))
    assert "left out: 2 of A, 4 of B" in render_comparison(found)


def test_other_users_are_refused() -> None:
    with pytest.raises(
        CompareError, match=r"case 1 has the seed 101 in old but 9 in new: these are not the same users"
    ):
        compare([talk(0), talk(1)], [talk(0), talk(1, seed=9)], manifest(), NEW, names=("old", "new"))
    with pytest.raises(CompareError, match="the persona None in A but 'Ann' in B"):
        compare([talk(0)], [talk(0, persona="Ann")], manifest(), NEW)
    with pytest.raises(
        CompareError, match=r"A and B have no conversation in common, .* Run both versions with the same"
    ):
        compare([talk(0)], [talk(1)], manifest(), NEW)
    with pytest.raises(CompareError, match="A has case 0, round 0 twice"):
        compare([talk(0), talk(0)], [talk(0)], manifest(), NEW)


def test_success_that_was_never_told() -> None:
    found = compare([talk(0, success=None)], [talk(0, success=None)], manifest(), NEW)
    assert math.isnan(found.success.value)
    assert found.better == ""
    assert "Nothing was told of success." in render_comparison(found)


def test_text() -> None:
    a = [talk(i, success=i < 6) for i in range(10)]
    b = [talk(i, success=i != 0, outcome="failed" if i == 0 else "finished", persona=None) for i in range(10)]
    text = render_comparison(compare(a, b, manifest(), NEW, names=("shop-1.csv", "shop-2.csv")))
    assert text.splitlines() == [
        "A: shop-1.csv · B: shop-2.csv · 10 pairs",
        "",
        "  success A    0.60 [0.31, 0.83]     6 of 10",
        "  success B    0.90 [0.60, 0.98]     9 of 10",
        "  B − A        +0.30 [-0.13, +0.62]  p = 0.375",
        "  No difference is shown: zero lies within the interval.",
        "",
        "                  B succeeds  B does not",
        "  A succeeds               5           1",
        "  A does not               4           0",
        "  McNemar's exact test; interval by Newcombe's method 10",
        "",
        "B − A for each user",
        "  turns           0.00 [0.00, 0.00]",
        "  model requests  0.00 [0.00, 0.00]",
        "",
        "Users who fared differently  (5)",
        "  case 0 (seed 100): A ✓ finished at tea; B ✗ failed at tea",
        *(f"  case {i} (seed {100 + i}): A ✗ finished at tea; B ✓ finished at tea" for i in range(6, 10)),
    ]  # fmt: skip
