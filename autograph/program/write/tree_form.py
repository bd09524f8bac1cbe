"""How do rows look as a tree, for YAML and JSON? ``config``, ``nodes``, and ``columns`` where they are needed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autograph.program.setting_kinds import kind_of
from autograph.program.write.layout import Column, columns_of, entries_of, filled, items_of, split_or_none
from autograph.program.write.settings_text import Setting, config_entries
from autograph.tables import Row, Rows
from autograph.tables.grid import canonical
from autograph.vocabulary import FIELDS, choice_index

__all__ = ["config_tree", "number_or_text", "program_tree"]

Value = str | int | float | list[str]
_LONGEST_KEY = 200  # a YAML key has to end within 1,024 characters
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def program_tree(rows: Rows) -> dict[str, Any]:
    """The whole program. Nodes are a mapping where names are unique, otherwise a list."""
    columns = columns_of(rows)
    entries = list(entries_of(rows))
    named = _can_be_named(entries)
    nodes = [dict(_entry(row, columns)) for row in entries]
    tree: dict[str, Any] = {}
    if config := config_tree(rows):
        tree["config"] = config
    tree["nodes"] = dict(_by_name(nodes)) if named else nodes
    if _suggested(nodes, named) != columns:
        tree["columns"] = [column.header for column in columns]
    return tree


def config_tree(rows: Rows) -> dict[str, object]:
    """The settings with their remarks; numbers as numbers where they look the same."""
    return {key: _setting(key, value) for key, value in config_entries(rows)}


def _setting(key: str, value: Setting) -> object:
    return number_or_text(value) if isinstance(value, str) and kind_of(key) in ("whole", "number") else value


def number_or_text(text: str) -> str | int | float:
    """The number that is written exactly so, else the text."""
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if str(number) == text and math.isfinite(number):
            return number
    return text


# ---------------------------------------------------------------------- nodes


def _can_be_named(entries: Iterable[Row]) -> bool:
    """Whether the names can be the keys of a mapping."""
    names = [row.get("name") for row in entries if filled(row.fields) or not filled(row.comments)]
    usable = all(name and len(name) < _LONGEST_KEY and name != "<<" and name[0] != "#" for name in names)
    return usable and len(set(names)) == len(names)


def _by_name(nodes: Iterable[Mapping[str, Value]]) -> Iterator[tuple[str, Mapping[str, Value]]]:
    asides = 0
    for node in nodes:
        if "name" in node:
            yield str(node["name"]), {key: value for key, value in node.items() if key != "name"}
        else:
            asides += 1
            yield f"# {asides}", node


def _entry(row: Row, columns: Iterable[Column]) -> Iterator[tuple[str, Value]]:
    """The fields of a node in the order of the columns, its name first."""
    fields, comments = filled(row.fields), filled(row.comments)
    keys = [column.key for column in columns]
    order = {key: None for key in ["name", *keys, *fields, *comments] if key in fields or key in comments}
    plurals = {single: names for single in ("transition_choice", "user_instruction_transition")
               if (names := _without_gaps(fields, single))}  # fmt: skip
    for key in order:
        lettered = choice_index(key)
        if key in comments:
            yield key, comments[key]
        elif lettered and lettered[0] in plurals:
            if names := plurals[lettered[0]]:
                yield FIELDS[lettered[0]].plural, [fields[name] for name in names]
                plurals[lettered[0]] = []  # once, where the first of them stands
        else:
            yield key, _value(row, key)


def _without_gaps(fields: Mapping[str, str], single: str) -> list[str]:
    """The columns of a lettered field from a on, if they are all that there are."""
    names = [f"{single}_{letter}" for letter in _LETTERS if fields.get(f"{single}_{letter}")]
    return names if names == [f"{single}_{letter}" for letter in _LETTERS[: len(names)]] else []


def _value(row: Row, key: str) -> Value:
    text = row.get(key)
    if FIELDS[choice[0] if (choice := choice_index(key)) else key].kind == "number":
        return number_or_text(text)
    items = items_of(row, key)
    if items is None:
        return text
    as_text = split_or_none(text) == items
    joined = ", ".join(items) == text and all(canonical(key, item) == item for item in items)
    return list(items) if joined and (len(items) > 1 or not as_text) else text


def _suggested(nodes: Iterable[Mapping[str, Value]], named: bool) -> tuple[Column, ...]:
    """The columns that a reader finds without a list of them: the keys in the order in which they come first."""
    found: dict[str, None] = {}
    for node in nodes:
        if named and "name" in node:
            found["name"] = None
        for key, value in node.items():
            single = next((f.name for f in FIELDS.values() if f.plural == key), None)
            keys = [f"{single}_{letter}" for letter in _LETTERS[: len(value)]] if isinstance(value, list) else []
            found.update(dict.fromkeys(keys if single else [key]))
    return tuple(Column(key, key) for key in found)
