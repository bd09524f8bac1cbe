"""Which candidate shares most words with what was said? ParlAI's baseline of information retrieval, with its weights.

A word of the query weighs ``1 / (1 + ln(1 + count))``, its count being that of the dictionary, so that words that were
never seen weigh most. This is no TF-IDF: ``docs/evaluation.md`` says what follows from it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from autograph.errors import Location
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.agent import Agent, Options, number_of
from autograph.evaluation.parlai.dictionary import Dictionary
from autograph.evaluation.parlai.message import Message

__all__ = ["IrBaselineAgent", "Query", "candidates_of", "query_of", "rank", "score"]

MOST = 100
"""How many candidates are kept."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: the weight of each word, and the square root of how many words there are."""

    words: Mapping[str, float]
    norm: float


def query_of(text: str, dictionary: Dictionary) -> Query:
    """A text as a query."""
    words = dictionary.tokenize(text.lower())
    weights = {word: 1.0 / (1.0 + math.log(1.0 + dictionary.count(word))) for word in words}
    return Query(weights, math.sqrt(len(words)))


def score(query: Query, candidate: str, length_penalty: float, dictionary: Dictionary) -> float:
    """How well a candidate fits: the weights of the words in common, made less by its length and the query's."""
    if not candidate:
        return 0.0
    words = dict.fromkeys(dictionary.tokenize(candidate.lower()))  # each once, in order, as the sum needs it
    total = 0.0
    for word in words:
        total += query.words.get(word, 0.0)
    norm = math.pow(math.sqrt(len(words)) * query.norm, length_penalty)
    return total / norm if norm > 1 else total


def rank(query: Query, candidates: Iterable[str], length_penalty: float, dictionary: Dictionary) -> list[str]:
    """The best 100 candidates, best first; of equal ones the last by the alphabet stands first.

    Once there are 100, only a better score displaces the worst of them: of equal ones those that came first stay.
    """
    kept: list[tuple[float, str]] = []
    for candidate in candidates:
        entry = (score(query, candidate, length_penalty, dictionary), candidate)
        if len(kept) < MOST:
            heapq.heappush(kept, entry)
        elif entry[0] > kept[0][0]:
            heapq.heapreplace(kept, entry)
    return [candidate for _, candidate in sorted(kept, reverse=True)]


def candidates_of(file: str) -> list[str]:
    """The lines of a file of candidates; what follows the last line end counts, too. Raises ``DataError``."""
    try:
        return Path(file).read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        fault = Fault(Location(file), f"the candidates cannot be read ({error}).", "Write one a line, in UTF-8.")
        raise DataError([fault]) from error


class IrBaselineAgent(Agent):
    """Answers with the candidate that fits best, and ranks them (``text_candidates``); without candidates it is silent.

    ``length_penalty``: the power to which lengths are taken; ``history_size``: how many of the last texts of the
    dialogue are the query; ``dictionary``: None is an empty one; ``label_candidates_file``: candidates for all
    questions, one a line; ``dict_lower``: the dictionary counts in lower case; ``dict_file``: the dictionary's file.
    While ``datatype`` begins with ``train`` it counts the words of what it answers. Options may also come as ``opt``.
    """

    name = "IRBaselineAgent"

    def __init__(self, opt: Options | None = None, *, dictionary: Dictionary | None = None, **options: Any) -> None:
        super().__init__({**(opt or {}), **options})
        self.length_penalty = number_of(self.opt, "length_penalty", 0.5)
        if not self.length_penalty >= 0:
            raise ValueError(f"length_penalty is {self.length_penalty}; it must be 0 or more")
        self.history_size = int(number_of(self.opt, "history_size", 1))
        self.dictionary = dictionary if dictionary is not None else _dictionary(self.opt)
        self.history: list[str] = []
        self._ended = True
        file = self.opt.get("label_candidates_file")
        self._candidates = candidates_of(str(file)) if file else None

    def train(self, examples: Iterable[Mapping[str, Any]]) -> None:
        """Count the words of examples."""
        for example in examples:
            self.dictionary.add_message(example)

    def observe(self, observation: Mapping[str, Any]) -> Message:
        """Add the text to the dialogue; a message with ``episode_done`` is the last of it."""
        message = super().observe(observation)
        if self._ended:
            self.history = []
        if "text" in message:
            self.history.append(message["text"] or "")
        self._ended = bool(message.get("episode_done", False))
        return message

    def act(self) -> Message:
        """The best candidate, and the ranking."""
        message = self.observation or Message()
        if str(self.opt.get("datatype", "")).startswith("train"):
            self.dictionary.add_message(message)
        candidates = self._candidates or message.get("label_candidates")
        if not candidates:
            return self._reply()
        newest = max(0, len(self.history) - self.history_size)
        query = query_of(" ".join(self.history[newest:]), self.dictionary)
        ranking = rank(query, candidates, self.length_penalty, self.dictionary)
        return self._reply(text_candidates=ranking, text=ranking[0])

    def reset(self) -> None:
        """Forget the dialogue, not the dictionary."""
        super().reset()
        self.history = []
        self._ended = True

    def share(self) -> Self:
        """A copy for another dialogue, with the same dictionary."""
        copy = type(self)(self.opt, dictionary=self.dictionary)
        copy.id = self.id
        return copy

    def save(self, path: str | Path) -> Path:
        """Write the dictionary to ``PATH.dict``."""
        return self.dictionary.save(f"{path}.dict")


def _dictionary(opt: Options) -> Dictionary:
    lower = bool(opt.get("dict_lower", False))
    file = opt.get("dict_file")
    return Dictionary.load(file, lower=lower) if file else Dictionary(lower=lower)
