"""Which items are in a list cell? ``a, return max(a, b)`` has two.

Items stand between commas that are outside of brackets and quotes. ``"`` always opens a quote. ``'`` opens one
unless it directly follows a letter, digit or underscore, where it is an apostrophe (``don't_go``); after a string's
prefix (``f'…'``, ``rb'…'``) and after the word ``return`` it opens one all the same. Inside a quote a backslash
takes the next character with it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from autograph.language.grammar import TextError, parse

__all__ = ["split_list", "trim"]

# Invisible characters that copied text brings along and that str.strip() leaves alone.
_INVISIBLE = "\u200b\u2060\ufeff"
_BLANKS = _INVISIBLE + "".join(chr(code) for code in range(0x3001) if chr(code).isspace())

_STRUCTURE = re.compile(r"[()\[\]{}'\"]")


def trim(text: str) -> str:
    """``text`` without blanks of any kind around it, invisible ones included."""
    return text.strip() if text.isascii() else text.strip(_BLANKS)


@lru_cache(maxsize=4096)
def split_list(text: str) -> tuple[str, ...]:
    """The trimmed items of a list cell; an empty cell has none.

    Raises ``TextError`` for an empty item, and for a bracket or quote that is not closed.
    """
    if not trim(text):
        return ()
    places = split_places(text) if _STRUCTURE.search(text) else None
    pieces = text.split(",") if places is None else _cut(text, places)
    items = tuple(map(trim, pieces))
    if "" in items:
        number = items.index("")
        position = sum(len(piece) + 1 for piece in pieces[:number])
        raise TextError(f"Item {number + 1} of the list is empty. Fill it in or delete its comma.", position)
    return items


def split_places(text: str) -> list[int]:
    """Where the commas are that separate items, found by the grammar."""
    from lark import Token

    tree = parse(text, "list")
    return [part.start_pos or 0 for part in tree.children if isinstance(part, Token) and part.type == "COMMA"]


def _cut(text: str, places: list[int]) -> list[str]:
    starts = [0, *(place + 1 for place in places)]
    return [text[start:end] for start, end in zip(starts, [*places, len(text)], strict=True)]
