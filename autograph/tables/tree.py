"""What structure does a YAML or JSON text have? Texts, lists and mappings with their lines; nothing is typed."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.tables.cells import CONTROL, clean

__all__ = ["MAX_DEPTH", "Entries", "Items", "Scalar", "Tree", "check_tree", "duplicate_key", "parse_tree", "plain"]

MAX_DEPTH = 50  # nesting that no program needs; it bounds every recursion over a tree


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, a number or a word, as text. ``null`` marks JSON's ``null`` and Python's ``None``.

    ``quoted``: it stands in quotation marks or as a block in YAML, so it is meant as text.
    """

    text: str
    line: int | None = None
    null: bool = False
    quoted: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Tree, ...]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping, in the order of the file; a key may still occur twice (see ``check_tree``)."""

    entries: tuple[tuple[Scalar, Tree], ...]
    line: int | None = None


Tree = Scalar | Items | Entries


def parse_tree(text: str, file: str, problems: list[Problem], *, json: bool) -> Tree:
    """The tree of a YAML or JSON text; keys that occur twice and control characters go to ``problems``.

    Raises ``ProgramError`` if the text is malformed.
    """
    if json:
        from autograph.tables.json_tree import parse_json

        tree = parse_json(text, file)
    else:
        from autograph.tables.yaml_tree import parse_yaml

        tree = parse_yaml(text, file)
    check_tree(tree, file, problems)
    return tree


def check_tree(tree: Tree, file: str | None, problems: list[Problem]) -> None:
    """Adds keys that occur twice in a mapping, and control characters, to ``problems``."""
    if isinstance(tree, Scalar):
        if control := CONTROL.search(tree.text.replace("\r", "\n")):
            message = f"the text holds the control character U+{ord(control[0]):04X}."
            problems.append(problem("control-character", message, Location(file, line=tree.line), "Delete it."))
    elif isinstance(tree, Items):
        for item in tree.items:
            check_tree(item, file, problems)
    else:
        lines: dict[str, int | None] = {}
        for key, value in tree.entries:
            check_tree(key, file, problems)
            if key.text in lines:
                problems.append(duplicate_key(key, lines[key.text], file))
            lines.setdefault(key.text, key.line)
            check_tree(value, file, problems)


def duplicate_key(key: Scalar, first: int | None, file: str | None) -> Problem:
    """The problem of a key that was already there in line ``first``."""
    lines = "" if first is None else f", in lines {first} and {key.line}"
    message = f'the key "{key.text}" occurs twice{lines}.'
    return problem("duplicate-key", message, Location(file, column=key.text, line=key.line), "Delete one of them.")


def plain(tree: Tree) -> object:
    """The tree as text, ``None``, lists and dicts."""
    if isinstance(tree, Scalar):
        return None if tree.null else clean(tree.text)
    if isinstance(tree, Items):
        return [plain(item) for item in tree.items]
    return {key.text: plain(value) for key, value in tree.entries}
