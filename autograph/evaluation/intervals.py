"""How sure is a figure? Intervals of rates, means, quantiles and paired differences, and exact tests of pairs.

Every function takes ``confidence``, the share of intervals that hold the true value if everything were repeated (0.95).
Nothing is drawn unless a seed is given, so the same data give the same interval.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

__all__ = [
    "Interval",
    "Pairs",
    "clustered",
    "difference",
    "mcnemar",
    "mean_interval",
    "needed",
    "paired_difference",
    "quantile",
    "quantile_interval",
    "sign_test",
    "wilson",
]

RESAMPLES = 2000
"""How many samples a bootstrap draws: the ends of a 95 % interval then move by about 1 % of its width with the seed."""
FEWEST = 600
"""Of many values fewer samples are drawn, since their means differ little; but never fewer than these."""
DRAWN = 600_000
"""How many values all samples of a bootstrap have together, about; it bounds the time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the interval it lies in. Ends that the data leave open are infinite; of no data it is ``nan``."""

    value: float
    low: float
    high: float

    def below(self, limit: float) -> bool:
        """Whether the whole interval lies below the limit."""
        return self.high < limit

    def above(self, limit: float) -> bool:
        """Whether the whole interval lies above the limit."""
        return self.low > limit

    def text(self, digits: int = 2, sign: bool = False) -> str:
        """``0.93 [0.86, 0.97]``; ``sign`` writes + before what is positive. ``–`` where there were no data."""
        if math.isnan(self.value):
            return "–"
        value, low, high = (_number(part, digits, sign) for _, part in self._parts())
        return f"{value} [{low}, {high}]"

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, float | None]:
        """Plain data; what is open or unknown is None, since JSON has no infinity."""
        return {name: value if math.isfinite(value) else None for name, value in self._parts()}

    def _parts(self) -> tuple[tuple[str, float], ...]:
        return ("value", self.value), ("low", self.low), ("high", self.high)


def _number(value: float, digits: int, sign: bool) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    text = f"{value:{'+' if sign else ''}.{digits}f}"
    return text if float(text) else f"{0:.{digits}f}"  # never "-0.00"


@dataclass(frozen=True, slots=True)
class Pairs:
    """The same trials under A and under B: in how many did both, only A, only B or neither succeed?"""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def n(self) -> int:
        """How many pairs."""
        return self.both + self.only_a + self.only_b + self.neither


def _z(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, as 0.95 does; {confidence!r} does not")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(count: int, n: int, confidence: float = 0.95) -> Interval:
    """The rate ``count / n`` with its score interval; without trials nothing is known: ``nan`` in [0, 1].

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. Am. Stat. Assoc. 22 (1927)
    209–212; recommended in R. G. Newcombe, Two-sided confidence intervals for the single proportion, Stat. Med. 17
    (1998) 857–872 (its method 3).
    """
    z = _z(confidence)
    if not 0 <= count <= n:
        raise ValueError(f"a rate needs a count between 0 and the number of trials; {count} of {n} is none")
    if n == 0:
        return Interval(math.nan, 0.0, 1.0)
    return _score(count / n, n, z)


def _score(rate: float, n: float, z: float) -> Interval:
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = 0.0 if rate == 0 else min(max(0.0, middle - half), rate)  # the ends are exact there, rounding would not be
    high = 1.0 if rate == 1 else max(min(1.0, middle + half), rate)
    return Interval(rate, low, high)


def clustered(groups: Sequence[tuple[int, int]], confidence: float = 0.95) -> Interval:
    """The rate over groups ``(count, n)`` of trials that resemble each other, as repetitions with one user do.

    J. N. K. Rao and A. J. Scott, A simple method for the analysis of clustered binary data, Biometrics 48 (1992)
    577–585: the trials count as so many independent ones as have the variance that is seen between the groups. That
    is never more than there were, nor fewer than the groups. With one trial a group it is ``wilson``.
    """
    groups = [(count, n) for count, n in groups if n]
    total, trials = sum(count for count, _ in groups), sum(n for _, n in groups)
    if trials == len(groups):
        return wilson(total, trials, confidence)
    rate, worth = total / trials, float(len(groups))
    spread = sum((count - rate * n) ** 2 for count, n in groups)
    if len(groups) > 1 and spread:
        worth = rate * (1 - rate) * trials**2 * (len(groups) - 1) / (len(groups) * spread)
    elif 0 < rate < 1 and len(groups) > 1:
        worth = float(trials)
    return _score(rate, min(max(worth, float(len(groups))), float(trials)), _z(confidence))


def needed(rate: float, limit: float, confidence: float = 0.95) -> int | None:
    """How many trials would show on which side of the limit the rate lies, if it stays as it is? None: no number would.

    Wilson's interval leaves out the limit as soon as ``|rate - limit| > z * sqrt(limit * (1 - limit) / n)``, since it
    is the inversion of that test; solved for n.
    """
    if math.isnan(rate) or rate == limit:
        return None
    return math.floor(_z(confidence) ** 2 * limit * (1 - limit) / (rate - limit) ** 2) + 1


def difference(count_a: int, n_a: int, count_b: int, n_b: int, confidence: float = 0.95) -> Interval:
    """The rate of B minus that of A, of two independent samples.

    R. G. Newcombe, Interval estimation for the difference between independent proportions, Stat. Med. 17 (1998)
    873–890, method 10: the differences to the ends of the two Wilson intervals, added as squares.
    """
    a, b = wilson(count_a, n_a, confidence), wilson(count_b, n_b, confidence)
    return _combined(a, b, 0.0)


def paired_difference(pairs: Pairs, confidence: float = 0.95) -> Interval:
    """The rate of B minus that of A, over the same trials.

    R. G. Newcombe, Improved confidence intervals for the difference between binomial proportions based on paired data,
    Stat. Med. 17 (1998) 2635–2650, method 10: as for independent samples, less what the pairs have in common (the
    correlation phi, drawn towards zero by a continuity correction).
    """
    a = wilson(pairs.both + pairs.only_a, pairs.n, confidence)
    b = wilson(pairs.both + pairs.only_b, pairs.n, confidence)
    return _combined(a, b, _phi(pairs))


def _phi(pairs: Pairs) -> float:
    both, only_a, only_b, neither = pairs.both, pairs.only_a, pairs.only_b, pairs.neither
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if not margins:
        return 0.0
    product = float(both * neither - only_a * only_b)
    return (max(product - pairs.n / 2, 0.0) if product > 0 else product) / math.sqrt(margins)


def _combined(a: Interval, b: Interval, phi: float) -> Interval:
    if math.isnan(a.value) or math.isnan(b.value):
        return Interval(math.nan, -1.0, 1.0)
    value = b.value - a.value
    down, up = _joined(b.value - b.low, a.high - a.value, phi), _joined(b.high - b.value, a.value - a.low, phi)
    return Interval(value, max(-1.0, value - down), min(1.0, value + up))


def _joined(one: float, other: float, phi: float) -> float:
    return math.sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def mcnemar(pairs: Pairs) -> float:
    """The exact two-sided p that A and B succeed equally often: how odd is it that the pairs that differ fall so?

    Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages,
    Psychometrika 12 (1947) 153–157; the exact form is the binomial test of the pairs that differ.
    """
    return _even(pairs.only_a, pairs.only_b)


def sign_test(differences: Sequence[float]) -> float:
    """The exact two-sided p that a difference is as often above zero as below; zeros tell nothing and are left out.

    J. Arbuthnott (1710); W. J. Conover, Practical Nonparametric Statistics, 3rd ed. (1999), section 3.4.
    """
    return _even(sum(1 for each in differences if each > 0), sum(1 for each in differences if each < 0))


def _even(one: int, other: int) -> float:
    n, least = one + other, min(one, other)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(least + 1)) / (1 << n))


def mean_interval(values: Sequence[float], confidence: float = 0.95, *, seed: int = 0) -> Interval:
    """The mean with its bootstrap interval; of one value alone, both ends are open.

    B. Efron, Bootstrap methods: another look at the jackknife, Ann. Stat. 7 (1979) 1–26 (percentiles of the means of
    samples drawn with replacement). They are taken farther out, as T. C. Hesterberg, What teachers should know about
    the bootstrap, Am. Stat. 69 (2015) 371–386, section 5.3, corrects for few values: at the normal probability of
    ``sqrt(n / (n - 1)) * t``, t being Student's quantile of n - 1 degrees of freedom.
    """
    tail = (1 - confidence) / 2
    _z(confidence)
    n = len(values)
    if n == 0:
        return Interval(math.nan, -math.inf, math.inf)
    mean = math.fsum(values) / n
    if n == 1:
        return Interval(mean, -math.inf, math.inf)
    if min(values) == max(values):
        return Interval(values[0], values[0], values[0])
    tail = NormalDist().cdf(math.sqrt(n / (n - 1)) * _student(tail, n - 1))
    draw = random.Random(seed)
    samples = min(RESAMPLES, max(FEWEST, DRAWN // n))
    means = sorted(math.fsum(draw.choices(values, k=n)) / n for _ in range(samples))
    return Interval(mean, min(quantile(means, tail), mean), max(quantile(means, 1 - tail), mean))


def _student(p: float, degrees: int) -> float:
    """Student's quantile: closed for 1 and 2 degrees, else the expansion 26.7.5 of Abramowitz and Stegun (1964)."""
    if degrees == 1:
        return math.tan(math.pi * (p - 0.5))
    if degrees == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z = NormalDist().inv_cdf(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / degrees ** (power + 1) for power, term in enumerate(terms)))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of the ordered values lies, in proportion between two neighbours; ``nan`` of none.

    R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, Am. Stat. 50 (1996) 361–365, definition 7.
    """
    if not ordered:
        return math.nan
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    if ordered[below] == ordered[above]:
        return ordered[below]
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def quantile_interval(
    values: Sequence[float], share: float, confidence: float = 0.95, *, worth: int | None = None
) -> Interval:
    """A quantile (0.5 is the median) between two of the values, whatever the distribution; an end may be open.

    ``worth``: how many independent values these are worth, if fewer than there are.

    H. A. David and H. N. Nagaraja, Order Statistics, 3rd ed. (2003), section 7.1: how many values lie below the true
    quantile is binomial, so each tail of that binomial that is rare enough tells a rank.
    """
    _z(confidence)
    ordered = sorted(values)
    n, m = len(ordered), len(values) if worth is None else min(worth, len(values))
    low, high = _ranks(m, share, confidence)
    return Interval(
        quantile(ordered, share),
        ordered[(low - 1) * n // m] if low else -math.inf,
        ordered[-(-high * n // m) - 1] if high else math.inf,
    )


@lru_cache(maxsize=64)
def _ranks(n: int, share: float, confidence: float) -> tuple[int, int]:
    """The ranks (from 1) of the values at the ends; 0 where no value is far enough out."""
    tail = (1 - confidence) / 2
    chances = [_binomial(k, n, share) for k in range(n + 1)]
    low = high = 0
    total = 0.0
    for k in range(n):  # rank k + 1 will do if at most k values below the quantile are rare enough
        total += chances[k]
        if total > tail:
            break
        low = k + 1
    total = 0.0
    for k in range(n, 0, -1):  # rank k will do if at least k values below the quantile are rare enough
        total += chances[k]
        if total > tail:
            break
        high = k
    return low, high


def _binomial(k: int, n: int, p: float) -> float:
    if p in (0.0, 1.0):
        return 1.0 if k == n * p else 0.0
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p)
    return math.exp(log)
