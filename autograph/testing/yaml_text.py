"""How is a value written in YAML so that it reads back as it was, and as a person would write it?"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograph.errors import AutographError
from autograph.testing.typed import typed_word

__all__ = ["Block", "Doc", "flow", "lines_of", "text_doc", "word"]

_ENDS = re.compile(r":(\s|$)|\s#")
_IN_FLOW = re.compile(r"[,\[\]{}?]|:")  # some parsers take a ? before a brace for a key


@dataclass(frozen=True, slots=True)
class Block:
    """A text of several lines, written as a block."""

    text: str


Doc = str | Block | list["Doc"] | dict[str, "Doc"]
"""What is written: a finished line, a block, a list or a mapping of such."""


def lines_of(doc: Doc, indent: int = 0) -> list[str]:
    """The lines of a list or a mapping."""
    pad = " " * indent
    if isinstance(doc, list):
        return [line for item in doc for line in _item(item, indent)]
    assert isinstance(doc, dict)  # texts stand behind a key or a dash
    lines = []
    for key, value in doc.items():
        if isinstance(value, (list, dict)):
            lines += [f"{pad}{word(key)}:", *lines_of(value, indent + 2)]
        else:
            lines += _behind(f"{pad}{word(key)}:", value, indent)
    return lines


def _item(item: Doc, indent: int) -> list[str]:
    pad = " " * indent
    if isinstance(item, (list, dict)):
        first, *others = lines_of(item, indent + 2)
        return [f"{pad}- {first[indent + 2 :]}", *others]
    return _behind(f"{pad}-", item, indent)


def _behind(start: str, value: str | Block, indent: int) -> list[str]:
    if isinstance(value, str):
        return [f"{start} {value}"]
    text = value.text
    sign = "|" if text.endswith("\n") else "|-"
    inner = " " * (indent + 2)
    return [f"{start} {sign}", *(f"{inner}{line}".rstrip() for line in text.removesuffix("\n").split("\n"))]


def text_doc(text: str) -> str | Block:
    """A text: a word, in quotation marks, or as a block if it has several lines."""
    lines = text.removesuffix("\n").split("\n")
    plain = all(line == line.strip() and line.isprintable() for line in lines)
    return Block(text) if len(lines) > 1 and plain and lines[0] and lines[-1] else word(text)


def word(text: str, *, in_flow: bool = False) -> str:
    """A text in one line, with quotation marks only where it needs them."""
    plain = (text[:1].isalnum() or text[:1] in ("_", "(")) and text.isprintable() and text == text.strip()
    special = _ENDS.search(text) or (in_flow and _IN_FLOW.search(text))
    return text if plain and not special and isinstance(typed_word(text), str) else _quoted(text)


def _quoted(text: str) -> str:
    escaped = []
    for character in text:
        if character.isprintable() or character == "\u00a0":
            escaped.append(f"\\{character}" if character in '"\\' else character)
        elif character <= "\uffff":
            escaped.append(json.dumps(character)[1:-1])
        else:
            escaped.append(f"\\U{ord(character):08x}")
    return f'"{"".join(escaped)}"'


def flow(value: Any) -> str:
    """A value of any kind in one line. Raises ``AutographError`` for what YAML cannot hold."""
    if isinstance(value, str):
        return word(value, in_flow=True)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return f".{text}" if text in ("inf", "nan") else "-.inf" if text == "-inf" else text
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{flow(key)}: {flow(item)}' for key, item in value.items())}}}"
    raise AutographError(f"a value of type {type(value).__name__} cannot be written into a test: {value!r:.60}")
