"""How is one value of a test read? Texts, flags, comparisons, answers, expectations; what is wrong is collected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import did_you_mean
from autograph.tables.tree import Entries, Items, Scalar, Tree
from autograph.testing.case import Expectation
from autograph.testing.fault import Fault
from autograph.testing.kinds import KINDS, NEGATED, Kind
from autograph.testing.typed import FLAGS, is_null, typed

__all__ = ["COMPARISON", "ERROR_KEYS", "Reader", "compare"]

COMPARISON = re.compile(r"\s*(<=|>=|==|!=|<|>|=)?\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\s*")
"""A number, or a sign and a number: ``2``, ``<= 2``."""

ERROR_KEYS = ("class", "contains", "node")
_ARROWS = re.compile(r"\s*(?:→|->|,)\s*")


@dataclass(slots=True)
class Reader:
    """Reads values of one file; ``faults`` collects what is wrong."""

    file: str
    unit: str = "line"
    faults: list[Fault] = field(default_factory=list)

    def fault(self, message: str, line: int | None, hint: str = "") -> None:
        """Note down that something is wrong."""
        self.faults.append(Fault(message, self.file, line or 0, hint, self.unit))

    # ------------------------------------------------------------------ mappings

    def entries(self, tree: Tree, what: str, known: Iterable[str]) -> dict[str, tuple[Tree, int]]:
        """The entries of a mapping with their lines; unknown keys are faults, keys with ``#`` are remarks."""
        known = list(known)
        found: dict[str, tuple[Tree, int]] = {}
        if not isinstance(tree, Entries):
            self.fault(f"{what} must be a mapping of keys to values.", tree.line, f"Its keys are {_list(known)}.")
            return found
        for key, value in tree.entries:
            name = key.text.strip()
            if name.startswith("#"):
                continue
            if name not in known:
                hint = did_you_mean(name, known) or f"The keys are {_list(known)}."
                self.fault(f'"{name}" is no key of {what}.', key.line, hint)
                continue
            found[name] = (value, key.line or 0)
        return found

    def mapping(self, tree: Tree, what: str) -> dict[str, Any]:
        """A mapping of names to values of any kind."""
        if not isinstance(tree, Entries):
            if not is_null(tree):
                self.fault(f"`{what}` must be a mapping of names to values.", tree.line)
            return {}
        return {key.text: typed(value) for key, value in tree.entries}

    # ------------------------------------------------------------------ single values

    def text(self, tree: Tree, what: str) -> str:
        """A text; numbers and words are taken as they are written."""
        if isinstance(tree, Scalar):
            return tree.text
        kind = "a list" if isinstance(tree, Items) else "a mapping"
        self.fault(f"`{what}` must be a text, not {kind}.", tree.line, 'Put a text with ": " or brackets in quotes.')
        return ""

    def word(self, tree: Tree, what: str) -> str | None:
        """A text that must not be empty; None if it is."""
        text = self.text(tree, what).strip()
        if not text and isinstance(tree, Scalar):
            self.fault(f"`{what}` is empty.", tree.line)
        return text or None

    def texts(self, tree: Tree, what: str) -> tuple[str, ...]:
        """One text or several."""
        items = tree.items if isinstance(tree, Items) else (tree,)
        if not items:
            self.fault(f"`{what}` is an empty list.", tree.line)
        return tuple(self.text(item, what) for item in items)

    def flag(self, tree: Tree, what: str) -> bool:
        """True or false."""
        word = tree.text.strip().lower() if isinstance(tree, Scalar) else ""
        if word not in FLAGS:
            self.fault(f"`{what}` must be true or false, not {shown(tree)}.", tree.line)
        return FLAGS.get(word, False)

    def numbers(self, tree: Tree, what: str) -> tuple[str, ...]:
        """A number, a comparison such as ``<= 2``, or several."""
        found = []
        for text in self.texts(tree, what):
            match = COMPARISON.fullmatch(text)
            if match is None:
                hint = 'Write a number, or a comparison in quotes: "<= 2".'
                self.fault(f"`{what}` must be a number or a comparison, not {text!r}.", tree.line, hint)
                continue
            sign = "==" if match[1] in (None, "=") else match[1]
            found.append(f"{sign} {match[2]}")
        if what == "time" and any(text.startswith(("==", "!=")) for text in found):
            self.fault("`time` is never exactly a number.", tree.line, 'Write a comparison: "< 2".')
        return tuple(found)

    def answer(self, tree: Tree, what: str) -> Any:
        """The answer to a question: a letter, a label, a number, or a list of one of these and a confidence."""
        if isinstance(tree, Scalar):
            value = typed(tree)
            return value if isinstance(value, int) and not isinstance(value, bool) else tree.text
        value = typed(tree)
        if isinstance(value, list) and len(value) == 2 and _is_answer(value[0]) and _is_confidence(value[1]):
            first = tree.items[0] if isinstance(tree, Items) else tree
            return (self.answer(first, what), float(value[1]))
        hint = "Write a letter, a label, a number counted from 0, or [B, 0.4] with a confidence between 0 and 1."
        self.fault(f"`{what}` has an entry that is no answer: {shown(tree)}.", tree.line, hint)
        return ""

    # ------------------------------------------------------------------ expectations

    def expectations(self, tree: Tree, place: str, bare: str) -> tuple[Expectation, ...]:
        """What stands below ``expect:``. ``place`` is ``turn``, ``call``, ``load`` or ``whole``; ``bare`` is the kind
        of what is no mapping."""
        if not isinstance(tree, Entries):
            return self._one(bare, tree, tree.line or 0, place, False)
        found: list[Expectation] = []
        for key, value in tree.entries:
            name, line = key.text.strip(), key.line or 0
            if name.startswith("#"):
                continue
            if name == "not":
                found += self._negated(value, place)
            else:
                found += self._one(NEGATED.get(name, name), value, line, place, name in NEGATED)
        return tuple(found)

    def _negated(self, tree: Tree, place: str) -> list[Expectation]:
        if not isinstance(tree, Entries):
            return list(self._one("contains", tree, tree.line or 0, place, True))
        found: list[Expectation] = []
        for key, value in tree.entries:
            found += self._one(key.text.strip(), value, key.line or 0, place, True)
        return found

    def _one(self, name: str, tree: Tree, line: int, place: str, negated: bool) -> tuple[Expectation, ...]:
        kind = KINDS.get(name)
        if kind is None or (negated and not kind.negatable):
            known = [k.name for k in KINDS.values() if getattr(k, place) and (k.negatable or not negated)]
            hint = did_you_mean(name, known) or f"There are {_list(known)}."
            what = "nothing that `not` can hold" if negated else "nothing that can be expected"
            self.fault(f'"{name}" is {what}.', line, hint)
            return ()
        if not getattr(kind, place):
            self.fault(f"`{name}` cannot be expected {_PLACES[place]}.", line)
            return ()
        return (Expectation(name, self.value(kind, tree), line, negated),)

    def value(self, kind: Kind, tree: Tree) -> Any:
        """The value of an expectation, by the shape of its kind."""
        if kind.shape == "value":
            return typed(tree)
        if kind.shape == "flag":
            return self.flag(tree, kind.name)
        if kind.shape == "number":
            return self.numbers(tree, kind.name)
        if kind.shape == "path":
            return self._path(tree)
        if kind.shape == "vars":
            found = self._vars(tree, kind.name)
            if not found and not isinstance(tree, Scalar):
                self.fault("`vars` is empty.", tree.line, "Write names with their values, or expressions.")
            return found
        if kind.shape == "error":
            return self._error(tree)
        texts = self.texts(tree, kind.name)
        if kind.shape == "patterns":
            for text in texts:
                self._pattern(text, tree.line)
        elif not all(text.strip() for text in texts) and (kind.shape == "names" or kind.name != "reply"):
            self.fault(f"`{kind.name}` has an empty text.", tree.line)
        return tuple(text.strip() for text in texts) if kind.shape == "names" else texts

    def _path(self, tree: Tree) -> tuple[str, ...]:
        if isinstance(tree, Scalar):
            return tuple(name for name in _ARROWS.split(tree.text.strip()) if name)
        if isinstance(tree, Items) and not tree.items:
            return ()
        return tuple(text.strip() for text in self.texts(tree, "path"))

    def _vars(self, tree: Tree, what: str) -> tuple[Any, ...]:
        if isinstance(tree, Entries):
            return tuple((key.text, typed(value)) for key, value in tree.entries)
        found: list[Any] = []
        for item in tree.items if isinstance(tree, Items) else (tree,):
            if isinstance(item, Entries):
                found += self._vars(item, what)
            elif text := self.word(item, what):
                found.append(text)
        return tuple(found)

    def _error(self, tree: Tree) -> Mapping[str, str]:
        if isinstance(tree, Entries):
            return {key: self.text(value, key) for key, (value, _) in self.entries(tree, "error", ERROR_KEYS).items()}
        text = self.text(tree, "error")
        if isinstance(tree, Scalar) and not tree.quoted and text.strip().lower() in FLAGS:
            if not FLAGS[text.strip().lower()]:
                self.fault("`error` cannot be false: without `error` every error is a failure.", tree.line)
            return {}
        if not text.strip():
            self.fault("`error` is empty.", tree.line, "Write a part of the message, or true for any error.")
        return {"class" if text.isidentifier() and text.endswith(_CLASS_ENDS) else "contains": text}

    def _pattern(self, pattern: str, line: int | None) -> None:
        import regex

        try:
            regex.compile(pattern)
        except regex.error as error:
            self.fault(f"the pattern {pattern!r} is malformed: {error}.", line)


_CLASS_ENDS = ("Error", "ConversationFinished", "ProgramChanged")
_PLACES = {
    "turn": "of a turn",
    "call": "of a call",
    "load": "of a test without turns and call",
    "whole": "of a conversation as a whole; write it below the last turn",
}


def shown(tree: Tree) -> str:
    """A tree in a few characters, for messages."""
    text = repr(typed(tree))
    return text if len(text) <= 60 else f"{text[:59]}…"


def compare(comparison: str, number: float) -> bool:
    """Whether ``number`` fulfils a comparison such as ``"<= 2"``."""
    sign, _, bound = comparison.partition(" ")
    wanted = float(bound)
    same = abs(number - wanted) <= 1e-9 * max(abs(number), abs(wanted))
    return {
        "==": same,
        "!=": not same,
        "<": number < wanted and not same,
        "<=": number < wanted or same,
        ">": number > wanted and not same,
        ">=": number > wanted or same,
    }[sign]


def _is_answer(value: Any) -> bool:
    return isinstance(value, (str, int))


def _is_confidence(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
