"""What may stand after ``--fail-if``? Comparisons of named figures, joined by ``and`` and ``or``; a parser for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from autograph.errors import AutographError, did_you_mean

__all__ = ["FIGURES", "TOTALS", "Comparison", "Condition", "ConditionError", "Joined", "parse_condition"]

_OUTCOME = "the share of conversations that "

FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "success": _OUTCOME + "succeeded",
        "finished": _OUTCOME + "came to an end",
        "stuck": _OUTCOME + "did not get on",
        "failed": _OUTCOME + "ended with an error",
        "limit": _OUTCOME + "had as many turns as are allowed",
        "flake": "the share of users, met repeatedly, with whom it did not end the same each time",
        "n": "the number of conversations",
        **{
            f"{name}{of}": f"{words}: {meaning}"
            for name, words in (
                ("turns", "turns of a conversation"),
                ("calls", "model requests of the program"),
                ("tokens", "tokens of the program's requests"),
                ("user_calls", "model requests of the simulated user"),
                ("user_tokens", "tokens of the simulated user's requests"),
                ("cost", "cost"),
            )
            for of, meaning in (
                ("", "in all conversations together"),
                (".mean", "the mean"),
                (".median", "the median"),
                (".p90", "what 90 % of the conversations do not exceed"),
                (".max", "the most"),
            )
        },
    }
)
"""Name of a figure to its meaning."""

TOTALS = frozenset(name.partition(".")[0] for name in FIGURES if "." in name)
"""Figures that are sums over all conversations, unless ``.mean`` and the like follow."""

Sign = Literal["<", "<=", ">", ">="]
_SIGNS: Mapping[str, Sign] = MappingProxyType({"<": "<", "<=": "<=", ">": ">", ">=": ">=", "≤": "<=", "≥": ">="})
_DEEPEST = 50
_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<percent>%?)"
    r"|(?P<name>[^\W\d][\w.]*)|(?P<sign><=|>=|≤|≥|<|>|[()])|(?P<other>\S))"
)


class ConditionError(AutographError):
    """A text that is no condition."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``success < 0.9``: a figure, a sign and a limit."""

    figure: str
    sign: Sign
    limit: float

    def __str__(self) -> str:
        return f"{self.figure} {self.sign} {self.limit:g}"


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions of which all (``and``) or at least one (``or``) must hold."""

    word: Literal["and", "or"]
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {self.word} ".join(f"({part})" if isinstance(part, Joined) else str(part) for part in self.parts)


Condition = Comparison | Joined


def parse_condition(text: str) -> Condition:
    """The condition that a text is: ``success < 0.9 or failed > 2 % and turns.mean >= 8``; ``and`` binds closer.

    Raises ``ConditionError``, which shows the place.
    """
    return _Parser(text).whole()


class _Parser:
    """Reads from left to right; ``at`` is the next token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_TOKEN.finditer(text))
        self.at = 0
        self.depth = 0

    def whole(self) -> Condition:
        found = self.either()
        if self.at < len(self.tokens):
            raise self.error("here should be `and`, `or` or the end")
        return found

    def either(self) -> Condition:
        return self.joined("or", [self.all()])

    def all(self) -> Condition:
        return self.joined("and", [self.one()])

    def joined(self, word: Literal["and", "or"], parts: list[Condition]) -> Condition:
        while self.taken("name", word):
            parts.append(self.all() if word == "or" else self.one())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def one(self) -> Condition:
        if not self.taken("sign", "("):
            return self.comparison()
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"brackets lie more than {_DEEPEST} deep")
        found = self.either()
        if not self.taken("sign", ")"):
            raise self.error("a closing bracket is missing")
        self.depth -= 1
        return found

    def comparison(self) -> Comparison:
        name = self.next("name")
        if name is None:
            raise self.error("the name of a figure is missing")
        if name not in FIGURES:
            self.at -= 1
            known = did_you_mean(name, FIGURES)
            raise self.error(f'there is no figure "{name}"', known or f"The figures are {_figure_names()}.")
        sign = _SIGNS.get(self.next("sign") or "")
        if sign is None:
            raise self.error("after the figure comes one of <, <=, > and >=")
        percent = self.peek("percent")
        number = self.next("number")
        if number is None:
            raise self.error("after the sign comes a number, as 0.9 or 90 %")
        return Comparison(name, sign, float(number) / 100 if percent else float(number))

    def peek(self, kind: str) -> str | None:
        return self.tokens[self.at][kind] if self.at < len(self.tokens) else None

    def next(self, kind: str) -> str | None:
        found = self.peek(kind)
        self.at += found is not None
        return found

    def taken(self, kind: str, text: str) -> bool:
        found = self.peek(kind)
        good = found is not None and found.lower() == text
        self.at += good
        return good

    def error(self, what: str, remedy: str = "") -> ConditionError:
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        place = len(self.text) if token is None else token.end() - len(token[0].lstrip())
        sentence = f'"{self.text}", character {place + 1}: {what}.'
        return ConditionError(f"{sentence} {remedy}".rstrip())


def _figure_names() -> str:
    whole = [name for name in FIGURES if "." not in name]
    return ", ".join(whole) + ", and of the amounts .mean, .median, .p90 and .max"
