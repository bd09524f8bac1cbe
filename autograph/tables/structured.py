"""Which rows does a tree of YAML, JSON or Python values hold? ``config:`` and ``nodes:``, a list or a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from autograph.errors import Location, Problem, did_you_mean
from autograph.problems import problem
from autograph.tables.cells import clean
from autograph.tables.config_source import SheetConfig, config_from_tree
from autograph.tables.grid import canonical
from autograph.tables.header import field_key, read_header, shown, unknown_hint
from autograph.tables.rows import Origin, Row
from autograph.tables.tree import Entries, Items, Scalar, Tree, duplicate_key
from autograph.vocabulary import FIELDS, is_field

__all__ = ["TreeRows", "read_tree"]

_TOP_KEYS = ("config", "columns", "nodes")
_IGNORED_KEYS = frozenset({"$schema"})  # what editors use
_LIST_KINDS = frozenset({"list", "nodes", "numbers"})
_LIST_FIELDS = frozenset(f.name for f in FIELDS.values() if f.kind in _LIST_KINDS)
_PLURALS: Mapping[str, str] = {f.plural: f.name for f in FIELDS.values() if f.plural}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class TreeRows:
    """What ``read_tree`` found."""

    rows: tuple[Row, ...]
    origin: Origin
    config: SheetConfig
    asides: tuple[tuple[int, Row], ...] = ()


def read_tree(tree: Tree, file: str | None, problems: list[Problem], first_row: int | None = None) -> TreeRows:
    """The rows and the configuration of a tree. What is wrong is added to ``problems``.

    ``columns`` lists the headers of a table with these rows, where they are not those that the rows suggest.
    ``first_row`` numbers the rows, for data that has no lines.
    """
    reader = _Reader(file, problems, first_row)
    if isinstance(tree, Scalar) and not clean(tree.text):
        reader.add("empty-table", "the file is empty.", 1, hint="Write nodes: and the nodes below it.")
        return TreeRows((), reader.origin, SheetConfig())
    if isinstance(tree, Items):
        return TreeRows(*reader.read(tree), SheetConfig(), tuple(reader.asides))
    if not isinstance(tree, Entries):
        reader.add("bad-yaml", "the file must be a mapping with the key nodes.", tree.line)
        return TreeRows((), reader.origin, SheetConfig())
    parts = {key.text: value for key, value in tree.entries}
    for key, _ in tree.entries:
        if key.text not in _TOP_KEYS and key.text not in _IGNORED_KEYS and not key.text.startswith("#"):
            hint = did_you_mean(key.text, _TOP_KEYS) or "The keys are config, columns and nodes."
            reader.add("bad-yaml", f'"{key.text}" is no key of a program.', key.line, key.text, hint)
    if "nodes" not in parts:
        hint = "Write nodes: and below it a list of nodes, or a mapping of names to their fields."
        reader.add("bad-yaml", "the key nodes is missing.", tree.line, hint=hint)
    if "columns" in parts:
        reader.columns(parts["columns"])
    rows, origin = reader.read(parts.get("nodes"))
    config = config_from_tree(parts["config"], file, problems) if "config" in parts else SheetConfig()
    return TreeRows(rows, origin, config, tuple(reader.asides))


class _Reader:
    def __init__(self, file: str | None, problems: list[Problem], first_row: int | None) -> None:
        self._file, self._problems = file, problems
        self._row_number: int | None = None
        self._next_row = first_row
        self._headers: dict[str, str] = {}  # grows while rows are read; rows share it through their origin
        self._letters: dict[str, str] = {}
        self._rows: list[Row] = []
        self.origin = Origin(file, headers=self._headers, letters=self._letters)
        self.asides: list[tuple[int, Row]] = []

    def add(self, kind: str, message: str, line: int | None, column: str | None = None, hint: str = "") -> None:
        where = Location(self._file, row=self._row_number, column=column, line=line)
        self._problems.append(problem(kind, message, where, hint))

    def columns(self, given: Tree) -> None:
        """The headers listed below ``columns:``, in their order; an empty one is a column without a header."""
        texts = [item.text for item in given.items if isinstance(item, Scalar)] if isinstance(given, Items) else []
        if not isinstance(given, Items) or len(texts) != len(given.items):
            hint = "Write them like [name, action, instruction]."
            self.add("bad-yaml", "columns must be a list of headers.", given.line, "columns", hint)
            return
        found: list[Problem] = []
        header = read_header(self.origin, 1, texts, found)
        self._headers.update(header.origin.headers)
        self._letters.update(header.origin.letters)
        where = Location(self._file, column="columns", line=given.line)
        self._problems.extend(replace(each, location=where) for each in found)

    def read(self, nodes: Tree | None) -> tuple[tuple[Row, ...], Origin]:
        """The rows below ``nodes:``, and where they come from; rows of remarks go to ``asides``."""
        for row in self._found(nodes) if nodes is not None else ():
            if any(row.fields.values()) or not any(row.comments.values()):
                self._rows.append(row)
            else:
                self.asides.append((len(self._rows), row))
        if nodes is not None and self.asides and not self._rows:
            self.add("no-nodes", "there are only remarks below nodes, and no node.", nodes.line)
        return tuple(self._rows), self.origin

    def _found(self, nodes: Tree) -> Iterator[Row]:
        if isinstance(nodes, Scalar) and clean(nodes.text):
            self.add("bad-yaml", "nodes must be a list of nodes, or a mapping of names to their fields.", nodes.line)
        elif isinstance(nodes, Scalar) or not (nodes.items if isinstance(nodes, Items) else nodes.entries):
            self.add("no-nodes", "there is no node below nodes.", nodes.line)
        elif isinstance(nodes, Items):
            yield from self._listed_rows(nodes)
        else:
            yield from self._named_rows(nodes)

    def _count_row(self) -> None:
        if self._next_row is not None:
            self._row_number, self._next_row = self._next_row, self._next_row + 1

    def _listed_rows(self, nodes: Items) -> Iterator[Row]:
        for item in nodes.items:
            self._count_row()
            if isinstance(item, Entries):
                yield self._row(item, item.line)
            else:
                hint = "Write its fields below each other, such as - name: start and action: chat."
                if self._file is None:
                    hint = 'Give a dict for each node, such as {"name": "start", "action": "chat"}.'
                self.add("bad-yaml", "a node must be a mapping of fields to texts.", item.line, hint=hint)

    def _named_rows(self, nodes: Entries) -> Iterator[Row]:
        for name, value in nodes.entries:
            self._count_row()
            if not isinstance(value, Entries):
                hint = "Write action:, instruction: and so on below its name, indented."
                self.add("bad-yaml", f'the node "{name.text}" has no fields.', name.line, name.text, hint)
                continue
            if _is_aside(name, value):
                yield self._row(value, name.line)
                continue
            own = next((v for k, v in value.entries if field_key(k.text) == "name"), None)
            if isinstance(own, Scalar) and clean(own.text) != clean(name.text):
                message = f'the node "{name.text}" has another name in its fields: "{own.text}".'
                self.add("bad-yaml", message, own.line, "name", "Leave the field name out.")
            entries = tuple(entry for entry in value.entries if field_key(entry[0].text) != "name")
            yield self._row(Entries(((Scalar("name", name.line), name), *entries)), name.line)

    def _row(self, node: Entries, line: int | None) -> Row:
        fields: dict[str, str] = {}
        comments: dict[str, str] = {}
        lists: dict[str, tuple[str, ...]] = {}
        lines: dict[str, int] = {}
        for key, value in node.entries:
            header = shown(key.text)
            if header.startswith("#"):
                if header in comments:
                    self._repeated(key, None, header)
                comments[header] = self._text(value, header)
                self._headers.setdefault(header, header)
                continue
            for name, text, items in self._cells(key, value):
                if name in fields:
                    self._repeated(key, lines.get(name), name)
                fields[name] = canonical(name, text)
                at = value.line or key.line
                if at is not None:
                    lines[name] = at
                if items is not None:
                    lists[name] = tuple(canonical(name, item) for item in items)
                self._headers.setdefault(name, header if field_key(header) == name else name)
        return Row(fields, self._row_number, self.origin, line, comments, lists, lines)

    def _repeated(self, key: Scalar, first: int | None, name: str) -> None:
        known = any(p.kind == "duplicate-key" and p.location.line == key.line for p in self._problems)
        if first is None or not known:  # else the same spelling twice was found already
            self._problems.append(duplicate_key(Scalar(name, key.line), first, self._file))

    def _cells(self, key: Scalar, value: Tree) -> Iterator[tuple[str, str, tuple[str, ...] | None]]:
        """Field name, text and items of one entry; ``transition_choices`` and its like give several."""
        name = field_key(key.text)
        if name in _PLURALS:
            yield from self._lettered(_PLURALS[name], key, value)
        elif not is_field(name):
            message = f'"{key.text}" names no field.'
            self.add("unknown-column", message, key.line, key.text, unknown_hint(name))
        elif isinstance(value, Items) and name in _LIST_FIELDS:
            items = tuple(self._text(item, key.text) for item in value.items)
            yield name, ", ".join(items), items
        else:
            yield name, self._text(value, key.text), None

    def _lettered(self, single: str, key: Scalar, value: Tree) -> Iterator[tuple[str, str, None]]:
        if not isinstance(value, Items):
            hint = f"Write - and a text for each transition, or use {single}_a, {single}_b and so on."
            self.add("bad-yaml", f"{key.text} must be a list.", value.line or key.line, key.text, hint)
        elif len(value.items) > len(_LETTERS):
            message = f"{key.text} has {len(value.items)} items; there are letters for {len(_LETTERS)}."
            self.add("bad-yaml", message, key.line, key.text)
        else:
            for letter, item in zip(_LETTERS, value.items, strict=False):
                yield f"{single}_{letter}", self._text(item, key.text), None

    def _text(self, value: Tree, column: str) -> str:
        if isinstance(value, Scalar):
            return clean(value.text)
        what = "a list" if isinstance(value, Items) else "a mapping"
        hint = 'Write one text; put it in quotes if it begins with [ or {, or holds ": ".'
        self.add("bad-yaml", f"{column} must be a text, not {what}.", value.line, column, hint)
        return ""


def _is_aside(name: Scalar, value: Entries) -> bool:
    """Whether an entry below ``nodes:`` is no node: its key and all keys below begin with ``#``."""
    keys = [name, *(key for key, _ in value.entries)]
    return bool(value.entries) and all(clean(key.text).startswith("#") for key in keys)
