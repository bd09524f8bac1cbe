"""How is a program written as YAML that people like to read, and that every YAML reader takes for the same texts?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.program.write.tree_form import config_tree, program_tree
from autograph.tables import Rows

__all__ = ["config_yaml", "yaml_text"]

_WIDTH = 100
_INDICATORS = "-?:,[]{}#&*!|>'\"%@`=~ \t"  # no text that begins with one of them is written without quotes

# What YAML does not print, and line breaks other than the line feed: they are written as escapes.
_ODD = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def yaml_text(rows: Rows) -> str:
    """The program as a YAML document: ``config``, ``nodes``, and ``columns`` where they are needed."""
    parts = (["nodes:", *_nodes(value)] if key == "nodes" else _entry(key, value, 0)
             for key, value in program_tree(rows).items())  # fmt: skip
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def config_yaml(rows: Rows) -> str:
    """The settings as a YAML document of their own, for the file beside a text table."""
    return "".join(f"{line}\n" for line in _mapping(config_tree(rows), 0))


def _nodes(nodes: Any) -> list[str]:
    """The nodes with a blank line between them."""
    if isinstance(nodes, Mapping):
        parts = [_entry(name, fields, 2) for name, fields in nodes.items()]
    else:
        parts = [_item(node, 2) for node in nodes]
    return [line for number, part in enumerate(parts) for line in ([""] * (number > 0) + part)]


# ---------------------------------------------------------------------- structure


def _mapping(value: Mapping[str, Any], indent: int) -> list[str]:
    return [line for key, inner in value.items() for line in _entry(key, inner, indent)]


def _entry(key: str, value: Any, indent: int) -> list[str]:
    """The lines of one entry of a mapping."""
    lead = f"{' ' * indent}{_scalar(key)}:"
    if isinstance(value, Mapping) and value:
        return [lead, *_mapping(value, indent + 2)]
    if isinstance(value, (list, tuple)) and value:
        flow = _flow(lead, value, indent)
        return flow or [lead, *(line for item in value for line in _item(item, indent + 2))]
    return _leaf(lead, value, indent + 2)


def _item(value: Any, indent: int) -> list[str]:
    """The lines of one item of a list."""
    lead = f"{' ' * indent}-"
    if isinstance(value, Mapping) and value:
        lines = _mapping(value, indent + 2)
    elif isinstance(value, (list, tuple)) and value:
        lines = [line for item in value for line in _item(item, indent + 2)]
    else:
        return _leaf(lead, value, indent + 2)
    return [f"{lead} {lines[0][indent + 2 :]}", *lines[1:]]


def _leaf(lead: str, value: Any, indent: int) -> list[str]:
    """A text after its key or dash: on the same line, or as a block of lines below it."""
    if isinstance(value, str) and "\n" in value and not _ODD.search(value) and value.strip("\n\t ") == value:
        return [f"{lead} |", *(f"{' ' * indent}{line}" if line else "" for line in value.split("\n"))]
    return [f"{lead} {_scalar(value)}"]


def _flow(lead: str, items: Sequence[Any], indent: int) -> list[str] | None:
    """The list in brackets, where its items are short words; None where it reads better as lines."""
    if not all(isinstance(item, str) and len(item) <= 40 and "\n" not in item for item in items):
        return None
    words = [_scalar(item, flow=True) for item in items]
    lines = [f"{lead} ["]
    for number, word in enumerate(words):
        part = word + (", " if number < len(words) - 1 else "]")
        if len(lines[-1]) + len(part.rstrip()) > _WIDTH and lines[-1].strip():
            lines.append(" " * (indent + 2))
        lines[-1] += part
    return [line.rstrip() for line in lines]


# ---------------------------------------------------------------------- texts


def _scalar(value: Any, *, flow: bool = False) -> str:
    """One value on one line."""
    if not isinstance(value, str):
        return "{}" if isinstance(value, Mapping) else "[]" if isinstance(value, (list, tuple)) else str(value)
    if _is_plain(value, flow):
        return value
    if ('"' in value or "\\" in value) and not _ODD.search(value) and not re.search(r"[\n\t]", value):
        return "'" + value.replace("'", "''") + "'"
    return _quoted(value)


def _is_plain(text: str, flow: bool) -> bool:
    """Whether a text needs no quotes: neither for its signs, nor because a reader would take it for no text."""
    if not text or text[0] in _INDICATORS or text[-1] in " :" or text.startswith(("---", "...", "<<")):
        return False
    if ": " in text or " #" in text or "\n" in text or "\t" in text or _ODD.search(text):
        return False
    if flow and any(sign in text for sign in ",[]{}:#"):
        return False
    return not _is_number(text) and not _is_word_of_yaml(text)


def _is_number(text: str) -> bool:
    try:
        float(text.replace("_", ""))
    except ValueError:
        return False
    return True


def _is_word_of_yaml(text: str) -> bool:
    """Whether YAML's usual readers make something else of the text: ``yes``, ``null``, ``2024-01-01``, ``0x1F``."""
    import yaml

    resolvers = yaml.SafeLoader.yaml_implicit_resolvers
    known = any(pattern.match(text) for _, pattern in resolvers.get(text[0], []))
    return known or re.fullmatch(r"[-+]?0o?[0-7]+", text) is not None


def _quoted(text: str) -> str:
    """The text in double quotes; YAML shares JSON's escapes."""
    import json

    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
