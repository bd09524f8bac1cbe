"""Which recording is nearest to a request that is not recorded, and how do the two differ?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from autograph.models.recordings_request import Record, lines_of

__all__ = ["difference", "nearest"]

LOOKED_AT = 24
"""How many recordings are compared line by line; the others are told apart by their last words."""

_END = 1200  # letters of the end of a request that are looked at first
_LINES = 14
_WIDTH = 150


def nearest(request: dict[str, Any], node: str, records: Iterable[Record]) -> Record | None:
    """The recording of the same kind that is most like ``request``, rather one of the same node."""
    wanted = _words(request)
    others = [record for record in records if record.kind == request["kind"]]
    others.sort(key=lambda record: -_likeness(_words(record.request), wanted, record.node == node))
    matcher = SequenceMatcher(b=lines_of(request), autojunk=False)
    best, most = None, -1.0
    for record in others[:LOOKED_AT]:
        matcher.set_seq1(lines_of(record.request))
        bonus = 0.1 * (record.node == node) + _likeness(_words(record.request), wanted, False)
        if matcher.real_quick_ratio() + bonus <= most or matcher.quick_ratio() + bonus <= most:
            continue
        if (ratio := matcher.ratio() + bonus) > most:
            best, most = record, ratio
    return best


def _words(request: dict[str, Any]) -> Counter[str]:
    """The words at the end of a request: what is newest in it, and where requests of one node differ."""
    if request["kind"] == "choose":
        parts = [*(message["content"] for message in request["context"]), request["question"], *request["choices"]]
    else:
        parts = [message["content"] for message in request["messages"][-2:]]
    return Counter("\n".join(parts)[-_END:].split())


def _likeness(words: Counter[str], wanted: Counter[str], same_node: bool) -> float:
    """How many of the words are in both, from 0 to 1; a little more for the same node."""
    total = words.total() + wanted.total()
    return (2 * (words & wanted).total() / total if total else 1.0) + 0.25 * same_node


def difference(recorded: dict[str, Any], asked: dict[str, Any]) -> list[str]:
    """The lines in which two requests differ: ``-`` recorded, ``+`` asked now."""
    old, new = lines_of(recorded), lines_of(asked)
    found: list[str] = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += _changed(old[i:i_end], new[j:j_end])
    more = len(found) - _LINES
    return found if more <= 0 else [*found[:_LINES], f"  … and {more} more lines"]


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Changed lines, each behind the one that it replaces; long ones from where they differ."""
    for index in range(max(len(old), len(new))):
        before = old[index] if index < len(old) else None
        after = new[index] if index < len(new) else None
        start = _parting(before, after) if before is not None and after is not None else 0
        if before is not None:
            yield f"- {_clipped(before, start)}"
        if after is not None:
            yield f"+ {_clipped(after, start)}"


def _parting(one: str, other: str) -> int:
    """Where two texts begin to differ."""
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _clipped(line: str, parting: int) -> str:
    if len(line) <= _WIDTH:
        return line
    start = max(0, min(parting - 40, len(line) - _WIDTH)) if parting > _WIDTH - 40 else 0
    end = start + _WIDTH
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
