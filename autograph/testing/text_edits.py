"""Which small changes can be made to the text of a cell: its words, its optional parts, the code in ``${…}``?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograph.language.assignments import split_assignment
from autograph.language.grammar import TextError, parse
from autograph.testing.code_edits import code_edits
from autograph.testing.edits import Edit, altered_words

__all__ = ["instruction_edits", "text_edits"]


def text_edits(text: str) -> list[Edit]:
    """The changes of a template, in the order of their places: one word of each piece, and what is filled in."""
    try:
        children = parse(text, "template").children
    except TextError:
        return []  # the loader has said what is wrong with it
    return sorted(_edits(text, children))


def instruction_edits(text: str) -> list[Edit]:
    """The changes of an instruction that is text: those of a template, and its ``name =`` left out."""
    try:
        name, rest = split_assignment(text)
    except TextError:
        return []
    if name is None:
        return text_edits(text)
    start = len(text) - len(rest)
    return [Edit(0, start, "", "drop-assignment"), *(edit.moved(start) for edit in text_edits(rest))]


def _edits(text: str, children: list[Any]) -> Iterator[Edit]:
    start = end = -1
    for child in children:
        kind = getattr(child, "type", None) or child.data
        if kind == "expression":
            opened, closed = child.children[0].end_pos, child.children[-1].start_pos
            source = text[opened:closed]
            leading = len(source) - len(source.lstrip())
            yield from (edit.moved(opened + leading) for edit in code_edits(source.strip()))
        elif kind == "optional":
            opened, closed = child.children[0].start_pos, child.children[-1].end_pos
            yield Edit(opened, closed, "", "drop-optional")
            yield from _edits(text, child.children[1:-1])
        elif kind not in ("NAME", "ESCAPE"):
            if child.start_pos != end:  # else it goes on with the piece before
                yield from altered_words(text[start:end], start)
                start = child.start_pos
            end = child.end_pos
            continue
        yield from altered_words(text[start:end], start)
        start = end = -1
    yield from altered_words(text[start:end], start)
