"""How sure was the model? Probabilities of the choices, read from token log-probabilities."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from autograph.models.base import Question
from autograph.models.questions import answer_words

__all__ = ["choice_probabilities"]


def choice_probabilities(completion: Any, questions: Sequence[Question]) -> list[tuple[float, ...] | None]:
    """For each question one probability per choice, or ``None`` if the server told nothing of use."""
    choices = getattr(completion, "choices", None) or []
    tokens = list(getattr(getattr(choices[0], "logprobs", None), "content", None) or []) if choices else []
    if not tokens:
        return [None] * len(questions)
    starts = _starts(tokens)
    text = "".join(token.token for token in tokens)
    found = []
    for number, question in enumerate(questions, 1):
        position = _value_at(text, number, len(questions))
        token = _token_at(tokens, starts, position) if position is not None else None
        found.append(_spread(token, answer_words(question)) if token is not None else None)
    return found


def _value_at(text: str, number: int, count: int) -> int | None:
    """Where in the answer the value for question ``number`` begins."""
    match = re.search(rf'"q{number}"\s*:\s*"', text)
    if match:
        return match.end()
    if count == 1:
        return len(text) - len(text.lstrip())
    line = re.search(rf"^\s*{number}\s*[:.)]\s*", text, re.MULTILINE)
    return line.end() if line else None


def _starts(tokens: Sequence[Any]) -> list[int]:
    starts, position = [], 0
    for token in tokens:
        starts.append(position)
        position += len(token.token)
    return starts


def _token_at(tokens: Sequence[Any], starts: Sequence[int], position: int) -> Any:
    for token, start in zip(tokens, starts, strict=True):
        if start + len(token.token) > position and _bare(token.token):
            return token
    return None


def _spread(token: Any, words: Sequence[str]) -> tuple[float, ...] | None:
    """The probability mass of each word among the token's alternatives, scaled to 1."""
    mass = [0.0] * len(words)
    for alternative in getattr(token, "top_logprobs", None) or [token]:
        bare = _bare(alternative.token)
        fitting = [i for i, word in enumerate(words) if bare and _begins(word, bare)]
        if len(fitting) == 1:
            mass[fitting[0]] += math.exp(alternative.logprob)
    total = sum(mass)
    return tuple(part / total for part in mass) if total > 0 else None


def _begins(word: str, bare: str) -> bool:
    return word.upper() == bare if len(word) <= 2 and word.isupper() else word.upper().startswith(bare)


def _bare(token: str) -> str:
    return re.sub(r"[^A-Za-z]", "", token).upper()
