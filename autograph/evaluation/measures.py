"""How near is an answer to the right ones? ParlAI's measures, by its exact definitions.

Source: ``parlai/core/metrics.py`` of ParlAI 1.7.2, as observed; BLEU: Papineni et al. 2002 with smoothing method 1
of Chen and Cherry 2014 (epsilon 1e-12). Note that these differ from SQuAD's (punctuation becomes a blank, it does not
vanish) and from sacreBLEU's: answers of fewer than four words have a BLEU-4 of nearly 0, even right ones.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

__all__ = [
    "HITS",
    "Tokens",
    "bleu",
    "characters",
    "exact_match",
    "hits",
    "ngrams",
    "normalize_answer",
    "prec_recall_f1",
    "words",
]

Tokens = Callable[[str], list[str]]

HITS = (1, 5, 10, 100)
"""The numbers k for which hits@k is measured."""

_PUNCTUATION = re.compile(r"[!\"#$%&()*+,\-./:;<=>?@\[\]\\^`{|}~_']")
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_IDEOGRAPH = re.compile(r"([\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff])")
_EPSILON = 1e-12


def normalize_answer(text: str) -> str:
    """Lower case, ASCII punctuation and English articles as blanks, single blanks."""
    return " ".join(_ARTICLES.sub(" ", _PUNCTUATION.sub(" ", text.lower())).split())


def words(text: str) -> list[str]:
    """The words of a normalised text: what stands between blanks."""
    return text.split()


def characters(text: str) -> list[str]:
    """As ``words``, but every Chinese, Japanese or full-width character is a token of its own."""
    return _IDEOGRAPH.sub(r" \1 ", text).split()


def exact_match(guess: str, labels: Sequence[str]) -> float:
    """1 if the normalised guess is one of the normalised labels, else 0."""
    wanted = normalize_answer(guess)
    return float(any(wanted == normalize_answer(label) for label in labels))


def prec_recall_f1(guess: str, labels: Sequence[str], tokens: Tokens = words) -> tuple[float, float, float]:
    """Precision, recall and F1 of the tokens; each is the best over the labels, independently of the others."""
    said = tokens(normalize_answer(guess))
    scores = [_overlap(said, tokens(normalize_answer(label))) for label in labels]
    if not scores:
        return 0.0, 0.0, 0.0
    return max(s[0] for s in scores), max(s[1] for s in scores), max(s[2] for s in scores)


def _overlap(said: Sequence[str], wanted: Sequence[str]) -> tuple[float, float, float]:
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / len(said), common / len(wanted)
    return precision, recall, 2 * precision * recall / (precision + recall)


def bleu(guess: str, labels: Sequence[str], k: int = 4, tokens: Tokens | None = None) -> float:
    """BLEU with equal weights for 1- to k-grams of the normalised texts, of one sentence, smoothed by 1e-12."""
    split = tokens or (lambda text: text.split(" "))
    said = split(normalize_answer(guess))
    wanted = [split(normalize_answer(label)) for label in labels]
    logs = []
    for n in range(1, k + 1):
        matched, possible = _clipped(said, wanted, n)
        if n == 1 and not matched:
            return 0.0
        logs.append(math.log((matched or _EPSILON) / possible) / k)
    return _brevity(len(said), [len(reference) for reference in wanted]) * math.exp(math.fsum(logs))


def _clipped(said: Sequence[str], wanted: Sequence[Sequence[str]], n: int) -> tuple[int, int]:
    """How many n-grams of the guess stand in a reference (each as often as there at most), and how many there are."""
    counts = ngrams(said, n)
    most: Counter[tuple[str, ...]] = Counter()
    for reference in wanted:
        most |= ngrams(reference, n)
    return sum(min(count, most[gram]) for gram, count in counts.items()), max(1, sum(counts.values()))


def _brevity(length: int, references: Sequence[int]) -> float:
    """The penalty for a guess that is shorter than the reference of the nearest length."""
    nearest = min(references, key=lambda reference: (abs(reference - length), reference))
    if length > nearest:
        return 1.0
    return math.exp(1 - nearest / length) if length else 0.0


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each sequence of n tokens occurs."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def hits(candidates: Sequence[str], labels: Sequence[str], k: int) -> float:
    """1 if one of the first k candidates is a label (both normalised), else 0."""
    wanted = {normalize_answer(label) for label in labels}
    return float(any(normalize_answer(candidate) in wanted for candidate in candidates[:k]))
