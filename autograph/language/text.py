"""What is filled in where, in the text of a cell?

``$name`` is a variable's value, ``${expression}`` that of an expression, ``?{…}`` a part that is left out if one of
its variables is missing. A ``$`` before anything else is text, and so are plain braces: inside an optional part the
first ``}`` without a backslash ends it. ``\\$``, ``\\?{``, ``\\}`` and ``\\=`` are escapes; other backslashes are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from autograph.language.grammar import TextError, parse
from autograph.language.template import Expression, Name, OptionalPart, Part, Template, UndefinedName
from autograph.vocabulary import RESERVED_VARIABLES

__all__ = ["Template", "TextError", "UndefinedName", "parse_template"]

_MAX_NESTING = 50

_NAME = re.compile(r"\$([A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*)")


def parse_template(source: str, compile_expression: Callable[[str], object]) -> Template:
    """The template in the text of a cell.

    ``compile_expression`` is called with each ``${expression}``; if its result has ``.reads``, these variables
    decide, too, whether an optional part is kept. Raises ``TextError`` for ``${`` or ``?{`` without an end, and
    whatever ``compile_expression`` raises.
    """
    template = _parse_simple(source)
    if template is not None:
        return template
    parts = _compiled(_parse(source), compile_expression)
    return Template.of(source, parts)


@lru_cache(maxsize=4096)
def _parse_simple(source: str) -> Template | None:
    """The template if it has but text and names, so that one pattern finds them; None otherwise."""
    if "$" not in source:
        if "\\" in source or "?{" in source:
            return None
        return Template.of(source, (source,) if source else ())
    if "\\" in source or "?{" in source or "${" in source:
        return None
    return Template.of(source, tuple(_joined(_split_names(source))))


def _split_names(source: str) -> Iterator[Part]:
    for i, piece in enumerate(_NAME.split(source)):
        if i % 2:
            yield from name_parts(piece)
        else:
            yield piece


def name_parts(word: str) -> tuple[Part, ...]:
    """What ``$word`` stands for: a variable and perhaps text after it, or only text."""
    end = len(word)
    if not word.isascii():
        end = 0
        while end < len(word) and ("a" * bool(end) + word[end]).isidentifier():
            end += 1
    name = normalize("NFKC", word[:end])
    if not end or (name[0] == "_" and name not in RESERVED_VARIABLES):
        return ("$" + word,)
    return (Name(name), word[end:])


def _joined(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts with neighbouring texts made one."""
    texts: list[str] = []
    for part in parts:
        if type(part) is str:
            if part:
                texts.append(part)
            continue
        if texts:
            yield "".join(texts)
            texts.clear()
        yield part
    if texts:
        yield "".join(texts)


@lru_cache(maxsize=1024)
def _parse(source: str) -> tuple[Part, ...]:
    """The parts as the grammar finds them, expressions not yet compiled."""
    return _parts(source, parse(source, "template").children, 0)


def _parts(source: str, children: Iterable[Any], depth: int) -> tuple[Part, ...]:
    return tuple(_joined(part for child in children for part in _part(source, child, depth)))


def _part(source: str, child: Any, depth: int) -> tuple[Part, ...]:
    kind = getattr(child, "type", None) or child.data
    if kind == "NAME":
        return name_parts(child[1:])
    if kind == "ESCAPE":
        return (child[1:],)
    if kind == "expression":
        start, end = child.children[0].end_pos, child.children[-1].start_pos
        if not source[start:end].strip():
            raise TextError(f"The expression in ${{}} at character {start - 1} is empty.", start)
        return (Expression(source[start:end]),)
    if kind == "optional":
        if depth == _MAX_NESTING:
            position = child.children[0].start_pos
            message = f"?{{…}} at character {position + 1} is nested deeper than {_MAX_NESTING} levels."
            raise TextError(message, position)
        return (OptionalPart(_parts(source, child.children[1:-1], depth + 1), frozenset()),)
    return (str(child),)


def _compiled(parts: tuple[Part, ...], compile_expression: Callable[[str], object]) -> tuple[Part, ...]:
    result: list[Part] = []
    for part in parts:
        if type(part) is Expression:
            part = Expression(part.source, compile_expression(part.source))
        elif type(part) is OptionalPart:
            inner = _compiled(part.parts, compile_expression)
            part = OptionalPart(inner, frozenset().union(*map(_needs, inner)))
        result.append(part)
    return tuple(result)


def _needs(part: Part) -> Iterable[str]:
    """The variables without which an optional part is left out on account of this part of it."""
    if type(part) is Name:
        return (part.name,)
    if type(part) is Expression:
        return getattr(part.compiled, "reads", ())
    return ()
