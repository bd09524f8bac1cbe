"""How are tokens written as one text? Joined by commas, as models are taught to write them for pydialogue.

What a bare comma-joined text cannot carry is escaped, so that every list of tokens comes back as it was:

    \\, comma   \\s blank   \\n new line   \\t tab   \\r return   \\xHHHH any other white space   \\\\ backslash
    \\e an empty word that stands alone   \\=JSON what is no text: a number, true, false, null

A text without backslashes means what it means to pydialogue: white space is nothing, each comma ends a token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

__all__ = ["from_text", "to_text"]

_ESCAPES = {"\\": "\\\\", ",": "\\,", " ": "\\s", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_MEANINGS = {written[1]: meant for meant, written in _ESCAPES.items()}
_SPECIAL = re.compile(r"[\\,\s]")
_PIECE = re.compile(r"\\x([0-9a-fA-F]{4})|\\(.)|(,)|(\s+)|([^\\,\s]+|\\)", re.DOTALL)


def to_text(tokens: Iterable[Any]) -> str:
    """The tokens as one text. Raises ``TypeError`` for a token that is neither text nor JSON data."""
    written = [_written(token) for token in tokens]
    return "\\e" if written == [""] else ",".join(written)


def from_text(text: str) -> list[Any]:
    """The tokens of a text; none if it is blank. A backslash before anything else stands for itself.

    Raises ``ValueError`` if what follows ``\\=`` is no JSON.
    """
    words: list[str] = [""]
    raw = [False]  # whether a word is JSON
    for code, escaped, comma, blank, plain in _PIECE.findall(text):
        if comma:
            words.append("")
            raw.append(False)
        elif escaped == "=" and not words[-1]:
            raw[-1] = True
        elif code:
            words[-1] += chr(int(code, 16))
        elif escaped and escaped != "e":
            words[-1] += _MEANINGS.get(escaped, f"\\{escaped}")
        elif not blank:
            words[-1] += plain
    if words == [""] and not text.strip():
        return []
    try:
        return [json.loads(word) if is_json else word for word, is_json in zip(words, raw, strict=True)]
    except RecursionError:
        raise ValueError("the JSON of a token is nested too deeply") from None


def _written(token: Any) -> str:
    if isinstance(token, str):
        return _SPECIAL.sub(_escape, token)
    return "\\=" + _SPECIAL.sub(_escape, json.dumps(token, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\x{ord(match[0]):04x}"
