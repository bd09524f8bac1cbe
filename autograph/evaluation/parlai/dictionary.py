"""Which words are there, and how often? A dictionary built from examples, kept in ParlAI's ``.dict`` files.

A file has a line ``token<TAB>count`` for each token, the most frequent first; equally frequent ones by the alphabet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Self

from autograph.errors import Location
from autograph.evaluation.fault import DataError, Fault

__all__ = ["Dictionary", "tokens_of"]

_TOKEN = re.compile(r"\w+|[^\w\s]|\n")
SPECIAL: Mapping[str, int] = {
    "__null__": 1000000003,
    "__start__": 1000000002,
    "__end__": 1000000001,
    "__unk__": 1000000000,
}
"""Tokens that every dictionary has, with the counts by which they stand first."""
_ESCAPES = (("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"))


def tokens_of(text: str) -> list[str]:
    """Words, single punctuation marks and line ends, in order."""
    return _TOKEN.findall(text)


class Dictionary:
    """Tokens and their counts (``freq``). ``lower``: text is taken in lower case; ``fields``: what is counted."""

    def __init__(self, *, lower: bool = False, fields: Iterable[str] = ("text", "labels")) -> None:
        self.lower = lower
        self.fields = tuple(fields)
        self.freq: dict[str, int] = dict(SPECIAL)

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        return tokens_of(text.lower() if self.lower else text)

    def count(self, token: str) -> int:
        """How often a token was seen; 0 for one that is unknown."""
        return self.freq.get(token, 0)

    def add(self, text: str) -> None:
        """Count the tokens of a text."""
        for token in self.tokenize(text):
            self.freq[token] = self.freq.get(token, 0) + 1

    def add_message(self, message: Mapping[str, Any]) -> None:
        """Count what stands in the fields of a message; each of several labels counts."""
        for name in self.fields:
            found = message.get(name)
            for text in (found,) if isinstance(found, str) else found or ():
                self.add(text)

    def __len__(self) -> int:
        return len(self.freq)

    def __contains__(self, token: object) -> bool:
        return token in self.freq

    # ------------------------------------------------------------------ files

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the file, and its folder if there is none."""
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = (f"{_escaped(token)}\t{count}\n" for token, count in sorted(self.freq.items(), key=_by_frequency))
        file.write_text("".join(lines), encoding="utf-8", newline="\n")
        return file

    @classmethod
    def load(
        cls, path: str | PathLike[str], *, lower: bool = False, fields: Iterable[str] = ("text", "labels")
    ) -> Self:
        """The dictionary of a file. Raises ``DataError`` for a file that cannot be read or is none."""
        dictionary = cls(lower=lower, fields=fields)
        try:
            text = Path(path).read_text("utf-8", errors="ignore")
        except OSError as error:
            hint = "Write one with autograph eval train -m ir_baseline -mf FILE."
            raise DataError(
                [Fault(Location(str(path)), f"it cannot be read ({error.strerror or error}).", hint)]
            ) from error
        for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
            token, *rest = line.split("\t")
            try:
                dictionary.freq[_special(_unescaped(token))] = int(rest[0]) if rest else 0
            except ValueError:
                hint = "A line is a token, a tab and a whole number."
                fault = Fault(Location(str(path), line=number), f'"{rest[0]}" is no count.', hint)
                raise DataError([fault]) from None
        dictionary.freq.update(SPECIAL)
        return dictionary


def _by_frequency(entry: tuple[str, int]) -> tuple[int, str]:
    return -entry[1], entry[0]


def _special(token: str) -> str:
    """Old files write the special tokens in capitals."""
    small = token.lower()
    return small if small in SPECIAL and token.isupper() else token


def _escaped(token: str) -> str:
    for plain, written in _ESCAPES:
        token = token.replace(plain, written)
    return token


def _unescaped(token: str) -> str:
    for plain, written in _ESCAPES:
        token = token.replace(written, plain)
    return token
