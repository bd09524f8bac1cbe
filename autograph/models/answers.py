"""Which choice does an answer text mean? Strict: a letter, a label, or both; nothing is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from autograph.models.base import letter

__all__ = ["match_label", "match_letter", "normalised", "parse_answer"]

_QUOTES = "\"'`“”‘’«»*"
_LETTERED = re.compile(r"\(?([A-Za-z]{1,2})\s*[).:]\s*(.+)", re.DOTALL)
_NAMED = re.compile(r"(?:the\s+)?(?:final\s+)?(?:answer|choice)(?:\s+is)?\s*[:=]?\s*(.+)", re.DOTALL | re.IGNORECASE)


def normalised(text: str) -> str:
    """A label as it is compared: without case, surrounding blanks and a final dot."""
    return " ".join(text.split()).removesuffix(".").rstrip().casefold()


def match_label(text: str, choices: Sequence[str]) -> int | None:
    """The index of the choice whose label is ``text``, or ``None``."""
    wanted = normalised(text)
    for index, choice in enumerate(choices):
        if wanted and normalised(choice) == wanted:
            return index
    return None


def match_letter(text: str, choices: Sequence[str]) -> int | None:
    """The index of the choice whose letter is ``text`` (``B``, ``b``, ``B.``), or ``None``."""
    wanted = text.strip().removesuffix(".").strip().upper()
    for index in range(len(choices)):
        if letter(index) == wanted:
            return index
    return None


def parse_answer(text: str, choices: Sequence[str]) -> int | None:
    """The index that a model's answer names, or ``None`` if it is no choice.

    Accepted: a label, a letter (``B``, ``(B)``, ``B.``), both together if they agree
    (``B. No``), these after ``Answer:`` or in quotes, and a JSON string or object of one value.
    A label wins over a letter; prose that merely mentions a choice is no answer.
    """
    text = _unwrapped(text.strip())
    for candidate in (text, _named(text)):
        if candidate is None:
            continue
        found = _one(candidate, choices)
        if found is not None:
            return found
    return None


def _one(text: str, choices: Sequence[str]) -> int | None:
    bare = text.strip().strip(_QUOTES).strip()
    found = match_label(bare, choices)
    if found is None:
        found = match_letter(bare.strip("()"), choices)
    if found is None and (both := _LETTERED.fullmatch(bare)):
        by_letter = match_letter(both[1], choices)
        if by_letter is not None and match_label(both[2].strip(_QUOTES), choices) == by_letter:
            found = by_letter
    return found


def _named(text: str) -> str | None:
    match = _NAMED.fullmatch(text)
    return match[1] if match else None


def _unwrapped(text: str) -> str:
    """The value of a JSON string or of an object or list of one value; other text as it is."""
    fenced = re.fullmatch(r"```(?:json)?\s*(.*?)\s*```", text, re.DOTALL)
    text = fenced[1] if fenced else text
    if text[:1] not in ("{", '"', "["):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    while isinstance(value, (dict, list)) and len(value) == 1:
        value = next(iter(value.values())) if isinstance(value, dict) else value[0]
    return value if isinstance(value, str) else text
