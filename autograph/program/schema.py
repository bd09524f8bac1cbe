"""Which YAML or JSON is a program? The JSON Schema (draft-07) that editors complete and check by, from our tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autograph.config import AutographConfig
from autograph.program.setting_kinds import CHOICES, MEANINGS, kind_of, setting_names
from autograph.vocabulary import ACTIONS, ALIASES, FIELDS, Field

__all__ = ["program_schema", "schema_text"]

Schema = dict[str, Any]

_REMARK = "a remark; not used by the program"
_SCALAR = ["string", "number", "boolean", "null"]  # every value is text, however an editor reads it
_NUMBER = r"^\s*[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?\s*$"
_WHOLE = r"^\s*[0-9]+\s*$"
_LETTERS = 26


def schema_text() -> str:
    """The schema as JSON, as ``autograph schema`` prints it."""
    return json.dumps(program_schema(), indent=2, ensure_ascii=False) + "\n"


def program_schema() -> Schema:
    """The schema of a whole file: a mapping with ``nodes``, or just a list of nodes."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "autograph program",
        "description": "A chatbot as a graph: each node says what to do, what to say, and where to go next.",
        "type": ["object", "array"],
        "properties": {
            "$schema": {"type": "string", "description": "this schema, for editors"},
            "config": {"$ref": "#/definitions/config"},
            "nodes": {"$ref": "#/definitions/nodes"},
            "columns": _columns(),
        },
        "patternProperties": {"^#": {"description": _REMARK}},
        "required": ["nodes"],
        "additionalProperties": False,
        "items": {"$ref": "#/definitions/listed"},
        "definitions": {
            "config": _config(),
            "nodes": _nodes(),
            "node": _node(),
            "listed": _listed(),
            "remarks": _remarks(),
            "remark": _scalar(_REMARK),
            "text": {"type": _SCALAR},
        },
    }


# ---------------------------------------------------------------------- nodes


def _nodes() -> Schema:
    return {
        "description": "the nodes: names with their fields, or a list of nodes that have a name each",
        "type": ["object", "array"],
        "minProperties": 1,
        "minItems": 1,
        "patternProperties": {"^#": {"$ref": "#/definitions/remarks"}},
        "additionalProperties": {"allOf": [{"$ref": "#/definitions/node"}], "required": ["action"]},
        "items": {"$ref": "#/definitions/listed"},
    }


def _listed() -> Schema:
    """An item of a list of nodes: a node with its name, or remarks alone."""
    return {
        "type": "object",
        "allOf": [{"$ref": "#/definitions/node"}],
        "anyOf": [{"required": ["name", "action"]}, {"$ref": "#/definitions/remarks"}],
    }


def _remarks() -> Schema:
    return {"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^#"}, "description": _REMARK}


def _node() -> Schema:
    properties: Schema = {}
    patterns: Schema = {"^#": {"$ref": "#/definitions/remark"}}
    for field in FIELDS.values():
        if field.lettered:
            patterns[f"^{field.name}_[a-z]$"] = _scalar(field.summary)
            properties[field.plural] = _texts(f"{field.summary}; one for each transition")
        else:
            properties[field.name] = _field(field)
    return {
        "type": "object",
        "properties": properties,
        "patternProperties": patterns,
        "additionalProperties": False,
    }


def _field(field: Field) -> Schema:
    if field.name == "action":
        return _actions(field)
    if field.kind in ("list", "nodes", "numbers"):
        items = {"anyOf": [{"$ref": "#/definitions/text"}, {"type": "array", "items": {"$ref": "#/definitions/text"}}]}
        return {**items, "description": f"{field.summary}; a list, or a text with commas"}
    if field.kind == "number":
        return _number(field.summary, _NUMBER)
    return _scalar(field.summary)


def _actions(field: Field) -> Schema:
    known = {action.name: action.summary for action in ACTIONS.values()}
    known |= {short: f"short for {name}: {ACTIONS[name].summary}" for short, name in ALIASES.items()}
    return {
        "type": "string",
        "description": field.summary,
        "enum": list(known),
        "enumDescriptions": list(known.values()),
    }


# ---------------------------------------------------------------------- settings


def _config() -> Schema:
    return {
        "description": "the settings of the program",
        "type": "object",
        "properties": {name: _setting(name) for name in setting_names()},
        "patternProperties": {"^#": {"$ref": "#/definitions/remark"}},
        "additionalProperties": False,
    }


def _setting(name: str) -> Schema:
    meaning, kind = MEANINGS[name].replace("`", ""), kind_of(name)
    default = getattr(AutographConfig(), name)
    shown: Schema = {} if default is None else {"default": list(default) if isinstance(default, tuple) else default}
    return {**_SETTINGS[kind](name, meaning), **shown}


def _columns() -> Schema:
    meaning = "the headers of a table with these nodes, in their order; an empty one is a column without a header"
    return {"type": "array", "items": {"$ref": "#/definitions/text"}, "description": meaning}


# ---------------------------------------------------------------------- values


def _scalar(description: str) -> Schema:
    return {"type": _SCALAR, "description": description}


def _texts(description: str) -> Schema:
    return {"type": "array", "maxItems": _LETTERS, "items": {"$ref": "#/definitions/text"}, "description": description}


def _number(description: str, pattern: str) -> Schema:
    kind = "integer" if pattern == _WHOLE else "number"
    return {"type": [kind, "string"], "pattern": pattern, "description": description}


def _list_setting(_: str, meaning: str) -> Schema:
    items = {"type": "array", "items": {"type": "string"}}
    return {"anyOf": [{"type": "string"}, items], "description": f"{meaning}; a list, or a text with commas"}


def _flag(_: str, meaning: str) -> Schema:
    words = [True, False, *(f"{word}" for word in ("true", "false", "True", "False", "yes", "no"))]
    return {"enum": words, "description": meaning}


_SETTINGS: Mapping[str, Any] = {
    "text": lambda _, meaning: _scalar(meaning),
    "choice": lambda name, meaning: {"enum": list(CHOICES[name]), "description": meaning},
    "whole": lambda _, meaning: _number(meaning, _WHOLE),
    "number": lambda _, meaning: _number(meaning, _NUMBER),
    "flag": _flag,
    "list": _list_setting,
}
