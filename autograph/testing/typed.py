"""What does a word of YAML stand for? Numbers, true, false and null are values; ``yes``, ``no`` and dates are text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from autograph.tables.tree import Entries, Items, Scalar, Tree

__all__ = ["FLAGS", "NUMBER", "is_null", "typed", "typed_word"]

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")  # 007 is a text: the noughts mean something
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_PLAIN = {"null": None, "true": True, "false": False}
_WORDS: Mapping[str, Any] = MappingProxyType(
    {
        **{form(word): value for word, value in _PLAIN.items() for form in (str.lower, str.capitalize, str.upper)},
        **{"": None, "~": None, ".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")},
    }
)

FLAGS: Mapping[str, bool] = MappingProxyType({"true": True, "yes": True, "false": False, "no": False})
"""The words for a flag, in small letters."""


def typed(tree: Tree) -> Any:
    """The Python value of a tree: text, numbers, bools, None, lists and dicts."""
    if isinstance(tree, Items):
        return [typed(item) for item in tree.items]
    if isinstance(tree, Entries):
        return {typed(key): typed(value) for key, value in tree.entries}
    return tree.text if tree.quoted else typed_word(tree.text)


def typed_word(text: str) -> Any:
    """The value of a word that stands without quotation marks."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if NUMBER.fullmatch(text) and not text.isdigit():
        return float(text)
    return text


def is_null(tree: Tree) -> bool:
    """Whether nothing is written, or null."""
    return isinstance(tree, Scalar) and not tree.quoted and typed_word(tree.text) is None
