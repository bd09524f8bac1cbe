"""What does a node's name say, and where does a transition lead?

``f(a, b=2)`` is a callable node: ``f()`` with parameters. ``p.1``, ``p.2`` … and ``p.a``, ``p.b`` … are variants of
the groups ``p.n`` and ``p.*``: what follows the LAST dot must be a number without leading zeros or a single letter
a–z in either case. ``intro.news``, ``v.01`` and ``p.0`` are ordinary names. Since ``p.n`` means the group, there is no
variant with the letter n: ``p.o`` comes after ``p.m`` (see ``VARIANT_LETTERS``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from keyword import iskeyword
from typing import Literal
from unicodedata import category, normalize

from autograph.language.grammar import TextError
from autograph.language.lists import split_list, trim
from autograph.values import check_storable
from autograph.vocabulary import RESERVED_NAMES, RESERVED_VARIABLES

__all__ = [
    "VARIANT_LETTERS",
    "NameProblem",
    "NodeName",
    "Parameter",
    "Target",
    "normalise",
    "parse_name",
    "parse_target",
]

VARIANT_LETTERS = "abcdefghijklmopqrstuvwxyz"
"""The letters of variants in their order; n is the group of the numbered ones."""

_VARIANT = re.compile(r"(.+)\.([1-9][0-9]*|[A-Za-z])", re.DOTALL)
_GROUP = re.compile(r"(.+)\.([nN*])", re.DOTALL)
_RETURN = re.compile(r"return(?!\w)(.*)", re.DOTALL)
_CALLABLE = re.compile(r"([^()]*)\((.*)\)", re.DOTALL)
_UNUSABLE = re.compile(r"[,\[\]{}\"$]")


class NameProblem(ValueError):
    """A name is not usable. ``kind`` is a word of ``autograph.problems``, ``message`` a sentence."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message

    def __reduce__(self) -> tuple[type[NameProblem], tuple[str, str]]:
        return type(self), (self.kind, self.message)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a callable node; ``source`` is its default as written, ``default`` the value.

    A default may be a list or dict that all calls would share: copy it for each call.
    """

    name: str
    source: str | None = None
    default: object = None

    @property
    def has_default(self) -> bool:
        """Whether the argument may be left out."""
        return self.source is not None


@dataclass(frozen=True, slots=True)
class NodeName:
    """A node's name. ``parameters`` is None unless the node is callable; ``name`` then ends in ``()``.

    Of a variant ``prefix`` is the group and ``suffix`` its number or (small) letter; both are None otherwise.
    """

    name: str
    parameters: tuple[Parameter, ...] | None = None
    prefix: str | None = None
    suffix: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Where a transition leads.

    ``name`` is the node (``node``), the group without its suffix (``group_n``, ``group_star``) or the variable
    (``dynamic``); ``expression`` what follows ``return`` (``return_value``), as written.
    """

    kind: Literal["node", "group_n", "group_star", "return", "return_value", "quit", "resume", "dynamic"]
    name: str = ""
    expression: str = ""


def normalise(text: str) -> str:
    """A name as it is stored and compared: trimmed and in Unicode's composed form (NFC)."""
    return text.strip() if text.isascii() else normalize("NFC", trim(text))


@lru_cache(maxsize=4096)
def parse_target(text: str) -> Target:
    """Where one item of a transitions cell leads. What is nothing else is a node's name, perhaps of no node."""
    name = normalise(text)
    if name in ("quit", "resume", "return"):
        return Target(name)  # type: ignore[arg-type]
    returned = _RETURN.match(name)
    if returned:
        # From the text as it was given: composing characters would change the texts inside the expression.
        return Target("return_value", expression=trim(trim(text)[len("return") :]))
    if name.startswith("$") and _is_variable(name[1:]):
        return Target("dynamic", normalize("NFKC", name[1:]))
    group = _GROUP.fullmatch(name)
    if group:
        return Target("group_star" if group[2] == "*" else "group_n", group[1])
    return Target("node", name)


def _is_variable(name: str) -> bool:
    return name.isidentifier() and (normalize("NFKC", name)[0] != "_" or name in RESERVED_VARIABLES)


@lru_cache(maxsize=4096)
def parse_name(text: str) -> NodeName:
    """What a node's name says. Raises ``NameProblem``."""
    name = normalise(text)
    if not name:
        raise NameProblem("missing-name", "The name is empty.")
    _refuse_reserved(name)
    if "(" in name or ")" in name:
        return _parse_callable(name)
    if any(category(character) == "Cc" for character in name):
        raise NameProblem("bad-name", f"The name {name!r} holds a line break or another control character.")
    unusable = _unusable_character(name)
    if unusable:
        reason = f"with {unusable} in it, it cannot be written in a transitions cell"
        raise NameProblem("bad-name", f'The name "{name}" is not usable: {reason}.')
    group = _GROUP.fullmatch(name)
    if group:
        message = f'"{name}" stands for all variants of "{group[1]}" and cannot be a node\'s own name.'
        raise NameProblem("literal-variant", f"{message} Name them {_variants_of(group)} and so on.")
    variant = _VARIANT.fullmatch(name)
    return NodeName(name, None, variant[1], variant[2].lower()) if variant else NodeName(name)


def _unusable_character(name: str) -> str | None:
    """The character on account of which a list cell could not hold ``name`` as one item; None if there is none."""
    found = _UNUSABLE.search(name)
    if found:
        return found[0]
    if "'" in name:  # don't is one item, and so is rock 'n' roll; 'tis opens a quote
        try:
            split_list(name)
        except TextError:
            return "'"
    return None


def _variants_of(group: re.Match[str]) -> str:
    first, second = ("a", "b") if group[2] == "*" else ("1", "2")
    return f"{group[1]}.{first}, {group[1]}.{second}"


def _refuse_reserved(name: str) -> None:
    word = name.partition("(")[0].rstrip()
    if word in RESERVED_NAMES:
        raise NameProblem("reserved-name", f'"{word}" is a reserved word and cannot be a node\'s name.')
    if _RETURN.match(name):
        message = f'The name "{name}" begins with the word return: as a transition it would return a value.'
        raise NameProblem("reserved-name", f"{message} Let it begin otherwise.")


# ---------------------------------------------------------------------- callable nodes


def _parse_callable(name: str) -> NodeName:
    match = _CALLABLE.fullmatch(name)
    function = normalize("NFKC", match[1].strip()) if match else ""
    if match is None or not _is_plain(function):
        form = "a word of letters, digits and _ with parameters in round brackets, such as ask(topic, tries=3)"
        raise NameProblem("bad-name", f'The name "{name}" is malformed: a callable node is {form}.')
    try:
        sources = split_list(match[2])
    except TextError as error:
        raise NameProblem("bad-name", f'What stands in the brackets of "{name}" is malformed: {error}') from error
    return NodeName(f"{function}()", tuple(_parameters(name, sources)))


def _is_plain(word: str) -> bool:
    return word.isidentifier() and not word.startswith("_") and not iskeyword(word)


def _parameters(name: str, sources: tuple[str, ...]) -> Iterator[Parameter]:
    seen: dict[str, Parameter] = {}
    for source in sources:
        word, equals, default = (trim(part) for part in source.partition("="))
        word = normalize("NFKC", word)
        if not _is_plain(word):
            reason = f'"{word}" is no name of a parameter (a word of letters, digits and _, not beginning with _)'
            raise NameProblem("bad-name", f'The name "{name}" is malformed: {reason}.')
        if word in seen:
            raise NameProblem("bad-name", f'The name "{name}" is malformed: the parameter "{word}" occurs twice.')
        if not equals and any(parameter.has_default for parameter in seen.values()):
            reason = f'"{word}" has no default but comes after a parameter that has one'
            raise NameProblem("bad-name", f'The name "{name}" is malformed: {reason}. Change the order.')
        seen[word] = Parameter(word, default, _literal(name, word, default)) if equals else Parameter(word)
        yield seen[word]


def _literal(name: str, word: str, source: str) -> object:
    try:
        value: object = ast.literal_eval(source)
        check_storable(value, word)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        reason = f'the default of "{word}" is not a literal such as 2, "text", None or [1, 2]'
        raise NameProblem("bad-default", f'In the name "{name}" {reason}: {source or "it is empty"}.') from error
    return value
