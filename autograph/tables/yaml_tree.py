"""What structure does a YAML text have? Every plain word stays text: ``yes``, ``1.10`` and ``null`` too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograph.errors import Location
from autograph.tables.rows import refused
from autograph.tables.tree import MAX_DEPTH, Entries, Items, Scalar, Tree

if TYPE_CHECKING:
    from yaml.error import YAMLError

__all__ = ["parse_yaml"]

MAX_ALIASED = 10_000  # values that aliases may repeat; it stops texts that unfold to billions
_TEXT_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})

_HINTS = {
    "exceeded maximum nesting depth": "The brackets are nested too deep; look for one that is not closed.",
    "mapping values are not allowed": 'Put a text that holds ": " in quotes.',
    "found character that cannot start any token": (
        "Indent with blanks, not tabs; put a text that begins with @, ` or % in quotes."
    ),
    "could not find expected ':'": 'Write "key: value"; a blank must follow the colon.',
    "while scanning a quoted scalar": "Close the quotation mark.",
    "while scanning an alias": "Put a text that begins with * in quotes.",
    "while scanning an anchor": "Put a text that begins with & in quotes.",
    "did not find expected": "Look at the indentation, and put texts with special characters in quotes.",
}


def parse_yaml(text: str, file: str) -> Tree:
    """The tree of a YAML document. Raises ``ProgramError`` (``bad-yaml``) with the line."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(yaml.parse(text, Loader=loader), file).document()
    except (yaml.YAMLError, UnicodeError) as error:
        raise _syntax_error(error, file) from error


def _syntax_error(error: YAMLError | UnicodeError, file: str) -> Exception:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    said = [str(part) for part in (getattr(error, "context", None), getattr(error, "problem", None)) if part]
    what = ", ".join(said) or str(error)
    hint = next((hint for words, hint in _HINTS.items() if words in what), "Look at the indentation and the quotes.")
    line = mark.line + 1 if mark else None
    return refused("bad-yaml", f"the YAML is malformed: {what}.", Location(file, line=line), hint)


class _Builder:
    """Builds the tree from the parser's events, so that depth, aliases and tags are in our hands."""

    def __init__(self, events: Iterator[Any], file: str) -> None:
        self._events, self._file = events, file
        self._anchors: dict[str, tuple[Tree, int]] = {}  # the value, and how many values it holds
        self._count = self._aliased = 0

    def document(self) -> Tree:
        import yaml

        tree: Tree | None = None
        for event in self._events:
            if isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentEndEvent)):
                continue
            if isinstance(event, yaml.DocumentStartEvent):
                if tree is not None:
                    raise self._refuse("a second document begins (---); a file holds one program.", event)
                tree = self._value(next(self._events), 0)
        return Scalar("") if tree is None else tree

    def _value(self, event: Any, depth: int) -> Tree:
        if type(event).__name__ == "AliasEvent":
            return self._alias(event)
        before = self._count
        self._count += 1
        if event.tag is not None and event.tag not in _TEXT_TAGS:
            raise self._refuse(f"the tag {event.tag} is not allowed; every value is text.", event)
        if depth > MAX_DEPTH:
            raise self._refuse(f"values are nested more than {MAX_DEPTH} deep.", event)
        tree = self._scalar_or_collection(event, depth)
        if event.anchor:
            self._anchors[event.anchor] = (tree, self._count - before)
        return tree

    def _scalar_or_collection(self, event: Any, depth: int) -> Tree:
        line, kind = event.start_mark.line + 1, type(event).__name__
        if kind == "ScalarEvent":
            return Scalar(event.value, line, quoted=bool(event.style or event.tag))
        if kind == "SequenceStartEvent":
            return Items(tuple(self._value(inner, depth + 1) for inner in self._until("SequenceEndEvent")), line)
        entries = []
        for inner in self._until("MappingEndEvent"):
            key = self._value(inner, depth + 1)
            if not isinstance(key, Scalar):
                raise self._refuse("a key must be a text, not a list or a mapping.", inner)
            if key.text == "<<":
                raise self._refuse("merge keys (<<) are not read; write the fields out.", inner)
            entries.append((key, self._value(next(self._events), depth + 1)))
        return Entries(tuple(entries), line)

    def _until(self, end: str) -> Iterator[Any]:
        for event in self._events:
            if type(event).__name__ == end:
                return
            yield event

    def _alias(self, event: Any) -> Tree:
        found = self._anchors.get(event.anchor)
        if found is None:
            raise self._refuse(f"*{event.anchor} refers to an anchor that is not complete before it.", event)
        tree, count = found
        self._aliased += count
        self._count += count
        if self._aliased > MAX_ALIASED:
            raise self._refuse(f"aliases repeat more than {MAX_ALIASED:,} values.", event)
        return tree

    def _refuse(self, message: str, event: Any) -> Exception:
        return refused("bad-yaml", message, Location(self._file, line=event.start_mark.line + 1))
