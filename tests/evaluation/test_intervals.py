"""Intervals and exact tests: published examples, values worked out another way, and what must always hold."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from statistics import NormalDist, fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.intervals import (
    Interval,
    Pairs,
    clustered,
    difference,
    mcnemar,
    mean_interval,
    needed,
    paired_difference,
    quantile,
    quantile_interval,
    sign_test,
    wilson,
)

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CELLS = st.tuples(*[st.integers(0, 60)] * 4).filter(any).map(lambda cells: Pairs(*cells))
VALUES = st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=30)


def ends(interval: Interval) -> tuple[float, float]:
    return round(interval.low, 4), round(interval.high, 4)


# ---- rates


@pytest.mark.parametrize(  # Newcombe 1998 (single proportion), table I, method 3
    ("count", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_published(count: int, n: int, low: float, high: float) -> None:
    assert ends(wilson(count, n)) == (low, high)


@given(COUNTS, st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_inverts_the_score_test(counted: tuple[int, int], confidence: float) -> None:
    count, n = counted
    interval, z = wilson(count, n, confidence), NormalDist().inv_cdf(0.5 + confidence / 2)
    for end in {interval.low, interval.high} - {0.0, 1.0}:
        assert abs(count / n - end) / math.sqrt(end * (1 - end) / n) == pytest.approx(z, rel=1e-6)


@given(COUNTS)
def test_wilson_is_mirrored_and_in_bounds(counted: tuple[int, int]) -> None:
    count, n = counted
    one, other = wilson(count, n), wilson(n - count, n)
    assert 0 <= one.low <= one.value <= one.high <= 1
    assert one.low == pytest.approx(1 - other.high, abs=1e-12)
    assert one.high - one.low < wilson(count, n, 0.99).high - wilson(count, n, 0.99).low


def test_wilson_of_nothing_and_of_nonsense() -> None:
    assert math.isnan(wilson(0, 0).value)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)
    assert wilson(0, 0) == wilson(0, 0)
    with pytest.raises(ValueError, match="between 0 and the number of trials; 3 of 2 is none"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="confidence lies between 0 and 1"):
        wilson(1, 2, 95)


@given(st.integers(1, 99), st.integers(1, 99))
def test_needed_is_the_least_number_that_shows_it(rate: int, limit: int) -> None:
    n = needed(rate / 100, limit / 100)
    if rate == limit:
        assert n is None
        return
    assert n is not None
    z = NormalDist().inv_cdf(0.975)

    def shown(trials: int) -> bool:
        return abs(rate - limit) / 100 > z * math.sqrt(limit / 100 * (1 - limit / 100) / trials)

    assert shown(n)
    assert n == 1 or not shown(n - 1)
    if n * rate % 100 == 0:
        interval = wilson(n * rate // 100, n)
        assert interval.below(limit / 100) or interval.above(limit / 100)


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(1, 6))
def test_repetitions_that_never_differ_tell_no_more_than_one(outcomes: list[bool], rounds: int) -> None:
    found = clustered([(rounds * won, rounds) for won in outcomes])
    once = wilson(sum(outcomes), len(outcomes))
    assert (found.value, found.low, found.high) == pytest.approx((once.value, once.low, once.high))


def test_repetitions_that_differ_freely_tell_as_much_as_others() -> None:
    draw = random.Random(5)
    groups = [(sum(draw.random() < 0.6 for _ in range(4)), 4) for _ in range(300)]
    found, free = clustered(groups), wilson(sum(count for count, _ in groups), 1200)
    assert found.high - found.low == pytest.approx(free.high - free.low, rel=0.15)
    assert clustered([(1, 2), (1, 2), (1, 2)]) == wilson(3, 6)
    assert clustered([(1, 1), (0, 0), (0, 1)]) == wilson(1, 2)
    assert math.isnan(clustered([]).value)


# ---- differences


@pytest.mark.parametrize(  # Newcombe 1998 (independent proportions), table II, method 10
    ("a", "n_a", "b", "n_b", "low", "high"),
    [(48, 80, 56, 70, 0.0524, 0.3339), (3, 10, 9, 10, 0.1705, 0.8090), (0, 10, 10, 10, 0.6075, 1.0)],
)
def test_difference_published(a: int, n_a: int, b: int, n_b: int, low: float, high: float) -> None:
    assert ends(difference(a, n_a, b, n_b)) == (low, high)


def test_paired_difference_published() -> None:
    found = paired_difference(Pairs(both=36, only_a=2, only_b=12, neither=0))  # Newcombe 1998 (paired), method 10
    assert found.value == pytest.approx(0.2)
    assert ends(found) == (0.0569, 0.3404)
    found = paired_difference(Pairs(both=14, only_a=0, only_b=5, neither=22))  # Altman et al. 2000, table 6.2
    assert (round(found.low, 3), round(found.high, 3)) == (0.011, 0.226)


@given(CELLS)
def test_paired_difference_turns_round_with_its_sides(pairs: Pairs) -> None:
    one = paired_difference(pairs)
    other = paired_difference(Pairs(pairs.both, pairs.only_b, pairs.only_a, pairs.neither))
    assert one.low == pytest.approx(-other.high, abs=1e-12)
    assert -1 <= one.low <= one.value <= one.high <= 1
    assert one.value == pytest.approx((pairs.only_b - pairs.only_a) / pairs.n, abs=1e-12)


def test_pairs_that_agree_make_the_interval_narrower() -> None:
    paired, apart = paired_difference(Pairs(50, 3, 7, 40)), difference(53, 100, 57, 100)
    assert paired.high - paired.low < 0.6 * (apart.high - apart.low)


# ---- exact tests


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (0, 5, 0.0625), (2, 12, 0.012939453125), (1, 9, 0.021484375), (5, 5, 1.0)],
)
def test_mcnemar(a: int, b: int, p: float) -> None:
    assert mcnemar(Pairs(17, a, b, 4)) == p


@given(st.integers(0, 14), st.integers(0, 14))
def test_mcnemar_counts_every_way_the_pairs_could_fall(a: int, b: int) -> None:
    n = a + b
    as_odd = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(a - b))
    assert mcnemar(Pairs(0, a, b, 0)) == pytest.approx(float(Fraction(as_odd, 2**n)))


def test_sign_test_leaves_zeros_out() -> None:
    assert sign_test([1, 2, 0, 3, 0, 4, 5]) == 0.0625
    assert sign_test([0, 0]) == 1.0
    assert sign_test([-1, 1, 2, 2, -7]) == 1.0


# ---- means


@given(VALUES, st.integers(0, 3))
def test_mean_interval_holds_the_mean_and_moves_with_the_values(values: list[float], seed: int) -> None:
    found = mean_interval(values, seed=seed)
    assert found.value == pytest.approx(fmean(values))
    assert found.low <= found.value <= found.high
    assert found == mean_interval(values, seed=seed)
    if len(values) > 1:
        moved = mean_interval([value + 100 for value in values], seed=seed)
        assert moved.low == pytest.approx(found.low + 100)


def test_mean_of_few_values() -> None:
    assert mean_interval([4.0]) == Interval(4.0, -math.inf, math.inf)
    assert mean_interval([4.0, 4.0, 4.0]) == Interval(4.0, 4.0, 4.0)
    assert math.isnan(mean_interval([]).value)


def test_mean_interval_covers_what_it_promises() -> None:
    draw = random.Random(7)
    samples = [[draw.expovariate(1.0) for _ in range(20)] for _ in range(150)]
    held = sum(1 for sample in samples if (found := mean_interval(sample)).low <= 1.0 <= found.high)
    assert 0.88 <= held / len(samples) <= 1.0


def test_mean_interval_is_near_students_for_a_normal_sample() -> None:
    draw = random.Random(3)
    values = [draw.gauss(10, 2) for _ in range(25)]
    found, mean = mean_interval(values), fmean(values)
    half = 2.0639 * math.sqrt(sum((value - mean) ** 2 for value in values) / 24 / 25)
    assert found.low == pytest.approx(mean - half, abs=0.15)
    assert found.high == pytest.approx(mean + half, abs=0.15)


# ---- quantiles


def test_quantile_lies_between_neighbours() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 2.5
    assert quantile([1, 2, 3, 4], 0.9) == pytest.approx(3.7)
    assert quantile([7], 0.9) == 7
    assert math.isnan(quantile([], 0.5))


def test_quantile_interval_of_a_median() -> None:
    # Conover's table of the binomial: for n = 10 ranks 2 and 9 hold the median with 97.9 %, for n = 100 ranks 40 and 61
    assert quantile_interval(range(1, 11), 0.5) == Interval(5.5, 2, 9)
    assert quantile_interval(range(1, 101), 0.5) == Interval(50.5, 40, 61)


def test_quantile_of_repeated_values() -> None:
    assert quantile_interval(sorted([*range(1, 11)] * 5), 0.5, worth=10) == Interval(5.5, 2, 9)


def test_quantile_interval_may_be_open() -> None:
    found = quantile_interval([3, 1, 2], 0.9)
    assert found.high == math.inf
    assert found.low == -math.inf or found.low <= found.value
    assert quantile_interval([], 0.5).to_dict() == {"value": None, "low": None, "high": None}


@given(st.integers(1, 60), st.sampled_from([0.1, 0.5, 0.75, 0.9]))
def test_quantile_ranks_hold_the_quantile_often_enough(n: int, share: float) -> None:
    found = quantile_interval(range(1, n + 1), share)
    exact = Fraction(share)
    chance = [math.comb(n, k) * exact**k * (1 - exact) ** (n - k) for k in range(n + 1)]
    low = 0 if math.isinf(found.low) else int(found.low)
    high = n + 1 if math.isinf(found.high) else int(found.high)
    assert float(sum(chance[low:high])) >= 0.95 - 1e-9


# ---- how it reads


def test_text() -> None:
    assert wilson(93, 100).text() == "0.93 [0.86, 0.97]"
    assert str(Interval(0.2, 0.0569, 0.3404)) == "0.20 [0.06, 0.34]"
    assert Interval(0.1, -0.001, 0.2).text(sign=True) == "+0.10 [0.00, +0.20]"
    assert Interval(4.0, -math.inf, math.inf).text(1) == "4.0 [-∞, ∞]"
    assert wilson(0, 0).text() == "–"


def test_plain_data_survives_json() -> None:
    assert (
        json.dumps(Interval(4.0, -math.inf, 9.0).to_dict(), allow_nan=False)
        == '{"value": 4.0, "low": null, "high": 9.0}'
    )


def test_below_and_above_want_the_whole_interval() -> None:
    interval = wilson(93, 100)
    assert interval.below(0.98)
    assert not interval.below(0.95)
    assert interval.above(0.85)
    assert not interval.above(0.9)
