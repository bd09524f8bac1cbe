"""Is this a dialogue state? ``validate_state``: first its shape (``state_shape``), then what must agree in it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.dialogue.state_agree import disagreements
from autograph.dialogue.state_dates import HASH, ID, NO_DATE, moment
from autograph.dialogue.state_doubts import doubts
from autograph.dialogue.state_problem import StateProblem
from autograph.dialogue.state_shape import SHAPES
from autograph.dialogue.state_values import MAX_DEPTH, is_number, kind_of, shown, too_long
from autograph.errors import did_you_mean

__all__ = ["listed", "validate_state"]

_HASH, _ID = re.compile(HASH), re.compile(ID)
_LONGEST = 300
"""How many characters of a problem stand in an error."""


def validate_state(data: Any, *, warnings: bool = False) -> list[StateProblem]:
    """What is wrong with a dialogue state, by path and in its order; nothing if it is valid.

    ``warnings``: also what is allowed but doubtful (rules W1 to W5).
    """
    problems: list[StateProblem] = []
    _Walk(problems).shape(data, "dialog", "")
    if isinstance(data, Mapping):
        problems += disagreements(data)
        if warnings:
            problems += doubts(data)
    return problems


class _Walk:
    """Goes through a state and notes what has not the right shape."""

    def __init__(self, problems: list[StateProblem]) -> None:
        self._problems = problems

    def _note(self, path: str, message: str, rule: str) -> None:
        self._problems.append(StateProblem(path, message, rule))

    def shape(self, value: Any, name: str, path: str) -> None:
        """Hold ``value`` against the shape of this name."""
        if name == "utterance":
            name = _speaker(value)
        shape, rule = SHAPES[name], "R8" if name == "hypothesis" else "R1"
        if not isinstance(value, Mapping):
            self._note(path, f"it must be {shape.title}, an object, not {kind_of(value)}", rule)
            return
        inside = f"{path}/" if path else ""
        known = {key.name: key for key in shape.keys}
        for key in shape.keys:
            if key.name in value:
                self._value(value[key.name], key.kind, f"{inside}{key.name}", rule)
            elif key.required:
                self._note(f"{inside}{key.name}", "it is missing", rule)
        for other in value:
            if not isinstance(other, str):
                self._note(path, f"the key {other!r} is no text", "R11")
            elif other not in known and shape.open:
                self._json(value[other], f"{inside}{other}", 0)
            elif other not in known:
                message = f"{shape.title} has no such key. {did_you_mean(other, known)}".rstrip()
                self._note(f"{inside}{other}", message, "R1")

    def _value(self, value: Any, kind: str, path: str, rule: str) -> None:
        if kind.startswith("list of "):
            self._list(value, kind.removeprefix("list of "), path, rule)
        elif kind in SHAPES:
            self.shape(value, kind, path)
        elif kind == "any":
            self._json(value, path, 0)
        elif kind == "object":
            if isinstance(value, Mapping):
                self._json(value, path, 0)
            else:
                self._note(path, f"it must be an object, not {kind_of(value)}", rule)
        elif kind == "number":
            self._number(value, path, "R8" if rule == "R8" else "R9")
        else:
            self._text(value, kind, path, rule)

    def _list(self, value: Any, kind: str, path: str, rule: str) -> None:
        if not isinstance(value, list):
            self._note(path, f"it must be a list, not {kind_of(value)}", rule)
        elif kind not in ("human utterance", "bot utterance"):  # those repeat what was looked at: see disagreements
            for index, item in enumerate(value):
                self.shape(item, kind, f"{path}/{index}")

    def _number(self, value: Any, path: str, rule: str) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._note(path, f"it must be a number, not {kind_of(value)}", rule)
        elif not is_number(value):
            self._note(path, f"it must be a finite number, not {shown(value)}", rule)

    def _text(self, value: Any, kind: str, path: str, rule: str) -> None:
        if kind.startswith("="):
            if value != kind[1:]:
                self._note(path, f'it must be "{kind[1:]}", not {shown(value)}', "R2")
        elif value is None and kind == "text or null":
            return
        elif not isinstance(value, str):
            self._note(path, f"it must be a text, not {kind_of(value)}", rule)
        elif kind == "word" and not value:
            self._note(path, "it is empty", rule)
        elif kind == "hash" and not _HASH.fullmatch(value):
            self._note(path, f"it must be 32 hexadecimal digits in small letters, not {shown(value)}", "R4")
        elif kind == "id" and not _ID.fullmatch(value):
            self._note(path, f"it must be 24 or 32 hexadecimal digits in small letters, not {shown(value)}", "R10")
        elif kind in ("date", "date or None") and not (kind != "date" and value == NO_DATE) and moment(value) is None:
            form = 'a date such as "2026-11-30 18:16:20.037077"'
            self._note(path, f"it must be {form}, not {shown(value)}", "R5" if kind == "date" else "R6")

    def _json(self, value: Any, path: str, depth: int) -> None:
        if value is None or isinstance(value, (str, int)):
            if isinstance(value, int) and too_long(value):
                self._note(path, "it has too many digits", "R11")
            return
        if depth > MAX_DEPTH:
            self._note(path, "it is nested too deeply", "R11")
        elif isinstance(value, float):
            if not math.isfinite(value):
                self._note(path, f"{value} cannot be written as JSON", "R11")
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self._json(item, f"{path}/{index}", depth + 1)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                if isinstance(key, str):
                    self._json(item, f"{path}/{key}", depth + 1)
                else:
                    self._note(path, f"the key {key!r} is no text", "R11")
        else:
            self._note(path, f"a {kind_of(value)} cannot be written as JSON", "R11")


def _speaker(value: Any) -> str:
    """Whose utterance it is: as its user says, else by the keys that only one of them has."""
    if isinstance(value, Mapping):
        user = value.get("user")
        said = user.get("user_type") if isinstance(user, Mapping) else None
        if said == "bot" or (said != "human" and "active_skill" in value):
            return "bot utterance"
    return "human utterance"


def listed(problems: Sequence[StateProblem], most: int = 5) -> str:
    """The first problems in one line, for an error; keys, and so paths, may be of any length."""
    rest, told = len(problems) - most, [str(problem) for problem in problems[:most]]
    short = [text if len(text) <= _LONGEST else f"{text[:120]} … {text[-60:]}" for text in told]
    return "; ".join(short) + (f"; and {rest} more" if rest > 0 else "")
