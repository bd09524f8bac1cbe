"""Do the choices of a question leave it clear which one is meant?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograph.check.subject import Subject
from autograph.errors import Problem
from autograph.program import NodeSpec
from autograph.vocabulary import choice_index, letter

__all__ = ["choice_columns", "duplicate_choices", "goes_on", "overlapping_choices", "plain", "swapped_choices"]

_RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|–|—|to|bis|\.\.+|…)\s*(-?\d+(?:\.\d+)?)\s*([^\d]*)")
_JOINS = frozenset(
    ["and", "but", "or", "with", "who", "which", "because", "if", "when", "while", "unless", "except", ",", ";", "–"]
)


def plain(text: str) -> str:
    """A text by which choices are compared: case, blanks and marks at the end do not count."""
    return " ".join(text.casefold().split()).rstrip(" .!?;:,…").lstrip(" -–•")


def choice_columns(spec: NodeSpec) -> list[str]:
    """The fields that hold the choices of a node, in order."""
    fields = spec.row.fields
    found = sorted((index[1], name) for name in fields if (index := choice_index(name)) and fields[name])
    return [name for _, name in found if name.startswith("transition_choice")]


def _asking(subject: Subject) -> Iterator[tuple[NodeSpec, list[str], list[str]]]:
    for spec in subject.graph.specs:
        if len(spec.choices) > 1:
            columns = choice_columns(spec)
            yield spec, columns, [spec.row.fields[name] for name in columns]


def duplicate_choices(subject: Subject) -> Iterator[Problem]:
    """Two choices of one question that say the same."""
    for spec, columns, texts in _asking(subject):
        first: dict[str, int] = {}
        for i, text in enumerate(texts):
            known = first.setdefault(plain(text), i)
            if known != i:
                message = f'choice {letter(i)} says the same as choice {letter(known)}: "{text}"'
                hint = "Say in each choice what the others do not say, or leave one of them out."
                yield subject.note("duplicate-choice", spec, columns[i], message, hint)


def overlapping_choices(subject: Subject) -> Iterator[Problem]:
    """Two choices that can both be true: ``0-10`` and ``10-20``, or one that is the beginning of the other."""
    for spec, columns, texts in _asking(subject):
        for i, j in overlaps([plain(text) for text in texts]):
            both = f'choices {letter(i)} and {letter(j)} overlap: "{texts[i]}" and "{texts[j]}"'
            hint = "Word them so that only one of them can be true."
            yield subject.note("overlapping-choices", spec, columns[j], both, hint)


def overlaps(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The pairs of texts, already made plain, that can both be true."""
    ranges = [_RANGE.fullmatch(text) for text in texts]
    for j, text in enumerate(texts):
        for i, other in enumerate(texts[:j]):
            one, two = ranges[i], ranges[j]
            if one and two:
                apart = float(one[2]) < float(two[1]) or float(two[2]) < float(one[1])
                if not apart and one[3].strip() == two[3].strip():
                    yield i, j
            elif goes_on(other, text) or goes_on(text, other):
                yield i, j


def goes_on(short: str, long: str) -> bool:
    """Whether ``long`` says what ``short`` says and something more: ``the user agrees`` and ``… but is angry``."""
    if len(short) >= len(long) or not long.startswith(short) or len(short.split()) < 3:
        return False
    rest = long[len(short) :]
    first = rest.split()[0] if rest.split() else ""
    return (rest[0] == " " and first in _JOINS) or rest[0] in ",;"


def swapped_choices(subject: Subject) -> Iterator[Problem]:
    """A choice that is worded like another transition than its own."""
    for spec, columns, texts in _asking(subject):
        targets = [plain(transition.text.replace("_", " ")) for transition in spec.transitions]
        for i, text in enumerate(texts[: len(targets)]):
            named = plain(text.replace("_", " "))
            if named in targets and targets[i] != named and targets.count(named) == 1:
                other = targets.index(named)
                message = f'choice {letter(i)}, "{text}", leads to "{spec.transitions[i].text}", although there is a '
                message += f'transition "{spec.transitions[other].text}"'
                hint = "The first choice belongs to the first transition, and so on: put them in the same order."
                yield subject.note("swapped-choices", spec, columns[i], message, hint)
