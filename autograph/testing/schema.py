"""Which YAML is a file of tests? The JSON Schema (draft-07) that editors complete and check by, from our tables."""

from __future__ import annotations

import json
from typing import Any

from autograph.program.schema import program_schema
from autograph.testing.fields import ERROR_KEYS
from autograph.testing.keys import (
    CALL_KEYS,
    CALLED_KEYS,
    CASE_KEYS,
    PRICE_KEYS,
    SAID_KEYS,
    SAY_KEYS,
    SCOPES,
    SUITE_KEYS,
    TURN_KEYS,
)
from autograph.testing.kinds import KINDS, NEGATED, Kind

__all__ = ["tests_schema", "tests_schema_text"]

Schema = dict[str, Any]

_SCALAR = ["string", "number", "boolean", "null"]  # a text, however an editor reads it
_SOME = r"\S"
_NUMBER = r"^\s*(<=|>=|==|!=|<|>|=)?\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$"
_BOUND = r"^\s*(<=|>=|<|>)\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$"
_FLAG = [True, False, "true", "false", "yes", "no"]
_REMARK: Schema = {"^#": {"description": "a remark"}}
_NAME = r"^[^\W\d_]\w*$"


def tests_schema_text() -> str:
    """The schema as JSON, as ``autograph schema --tests`` prints it."""
    return json.dumps(tests_schema(), indent=2, ensure_ascii=False) + "\n"


def tests_schema() -> Schema:
    """The schema of a whole file: a list of tests, or a mapping with ``tests`` and what they share."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "autograph conversation tests",
        "description": "Conversations with a program: what the user says, and what must hold then.",
        "type": ["array", "object"],
        "items": {"$ref": "#/definitions/test"},
        "minItems": 1,
        "properties": _properties(SUITE_KEYS, _SUITE),
        "patternProperties": _REMARK,
        "required": ["tests"],
        "additionalProperties": False,
        "dependencies": {"model": {"not": {"required": ["recording"]}}},
        "definitions": {
            "test": _test(),
            "turn": _mapping(TURN_KEYS, _TURN),
            "said": {"anyOf": [{"$ref": "#/definitions/text"}, _mapping(SAID_KEYS, _SAID)]},
            "called": {"anyOf": [{"type": [*_SCALAR, "array"]}, _mapping(CALLED_KEYS, _CALLED)]},
            "call": _call(),
            "of_turn": _expectations("turn", "#/definitions/texts"),
            "of_call": _expectations("call"),
            "of_load": _expectations("load", "#/definitions/texts"),
            "of_whole": _expectations("whole"),
            "config": program_schema()["definitions"]["config"],
            "remark": {"type": _SCALAR},
            "text": {"type": _SCALAR},
            "some": {"type": ["string", "number", "boolean"], "pattern": _SOME},
            "texts": _one_or_more({"$ref": "#/definitions/some"}),
            "variables": {
                "type": ["object", "null"],
                "propertyNames": {"pattern": _NAME},
                "description": "names and their values",
            },
            "answer": _answer(),
            "replies": _script({"$ref": "#/definitions/text"}),
            "answers": _script({"$ref": "#/definitions/answer"}),
        },
    }


# ---------------------------------------------------------------------- tests, turns, calls


def _test() -> Schema:
    scripted = {"anyOf": [{"required": ["replies"]}, {"required": ["answers"]}]}
    return {
        **_mapping(CASE_KEYS, _CASE),
        "required": ["test"],
        "allOf": [
            {
                "oneOf": [
                    {
                        "anyOf": [{"required": ["turns"]}, {"required": ["cases"]}],
                        "not": {"required": ["call"]},
                        "properties": {"expect": _maybe("of_whole"), "cases": _rows("said")},
                    },
                    {
                        "required": ["call"],
                        "not": {"required": ["turns"]},
                        "properties": {"expect": _maybe("of_call"), "cases": _rows("called")},
                    },
                    {
                        "required": ["expect"],
                        "not": {"anyOf": [{"required": [key]} for key in ("turns", "call", "cases")]},
                        "properties": {"expect": {"$ref": "#/definitions/of_load"}},
                    },
                ]
            },
            {"dependencies": {"args": ["call"], "start": {"not": {"required": ["call"]}}}},
            {"not": {"allOf": [scripted, {"anyOf": [{"required": ["model"]}, {"required": ["recording"]}]}]}},
        ],
    }


def _rows(form: str) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/definitions/{form}"}, "minItems": 1}


def _call() -> Schema:
    return {
        "description": "the function: its name, or a mapping of function, args and type",
        "anyOf": [
            {"type": "string", "pattern": r"^[^()]*\S[^()]*(\(\))?\s*$"},
            {**_mapping(CALL_KEYS, _CALL), "required": ["function"]},
        ],
    }


def _mapping(keys: Any, shapes: Schema) -> Schema:
    return {
        "type": "object",
        "properties": _properties(keys, shapes),
        "patternProperties": _REMARK,
        "additionalProperties": False,
    }


def _properties(keys: Any, shapes: Schema) -> Schema:
    return {key: {**shapes[key], "description": meaning} for key, meaning in keys.items()}


# ---------------------------------------------------------------------- expectations


def _expectations(place: str, bare: str | None = None) -> Schema:
    """What may stand below ``expect`` at a place; ``bare`` is what may stand there in place of a mapping."""
    kinds = [kind for kind in KINDS.values() if getattr(kind, place)]
    properties = {kind.name: _expectation(kind) for kind in kinds}
    denied = {kind.name: _expectation(kind) for kind in kinds if kind.negatable}
    properties |= {
        name: {**_SHAPES[KINDS[kind].shape], "description": f"`{kind}`, denied"}
        for name, kind in NEGATED.items()
        if kind in properties
    }
    if denied:
        properties["not"] = {"description": "what must not hold", "type": "object", "properties": denied}
        properties["not"]["additionalProperties"] = False
    mapping = {"type": "object", "properties": properties, "patternProperties": _REMARK, "additionalProperties": False}
    if place == "load":
        mapping["required"] = ["load_error"]
    if bare:
        return {"anyOf": [mapping, {"$ref": bare}]}
    return {"anyOf": [mapping, {"type": [*_SCALAR, "array"]}]} if place == "call" else mapping


def _expectation(kind: Kind) -> Schema:
    shape = _SHAPES["bound" if kind.name == "time" else "reply" if kind.name == "reply" else kind.shape]
    return {**shape, "description": kind.meaning}


def _one_or_more(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


def _maybe(name: str) -> Schema:
    return {"anyOf": [{"type": "null"}, {"$ref": f"#/definitions/{name}"}]}


def _answer() -> Schema:
    meaning = "a letter, a label, a number counted from 0, or [answer, confidence]"
    confidence = {"type": "number", "minimum": 0, "maximum": 1}
    pair = {"type": "array", "items": [{"type": ["string", "integer"]}, confidence], "minItems": 2, "maxItems": 2}
    return {"description": meaning, "anyOf": [{"$ref": "#/definitions/text"}, pair]}


def _script(entry: Schema) -> Schema:
    several = {"anyOf": [entry, {"type": "array", "items": entry}]}
    return {"anyOf": [*several["anyOf"], {"type": "object", "additionalProperties": several}]}


_TEXT: Schema = {"$ref": "#/definitions/text"}
_WORD: Schema = {"$ref": "#/definitions/some"}
_ERROR: Schema = {
    "anyOf": [
        {"type": ["string", "number"], "pattern": r"^(?!\s*([Ff]alse|FALSE|[Nn]o|NO)\s*$)[\s\S]*\S"},
        {"const": True},
        {"type": "object", "properties": dict.fromkeys(ERROR_KEYS, _TEXT), "additionalProperties": False},
    ]
}
_VARS: Schema = {
    "anyOf": [
        _WORD,
        {"type": "object", "minProperties": 1},
        {"type": "array", "items": {"anyOf": [_WORD, {"type": "object", "minProperties": 1}]}, "minItems": 1},
    ]
}
_SHAPES: Schema = {
    "texts": _one_or_more(_WORD),
    "reply": _one_or_more(_TEXT),
    "patterns": _one_or_more(_TEXT),
    "names": _one_or_more(_WORD),
    "path": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
    "vars": _VARS,
    "flag": {"enum": _FLAG},
    "number": _one_or_more({"type": ["number", "string"], "pattern": _NUMBER}),
    "bound": _one_or_more({"type": "string", "pattern": _BOUND}),
    "error": _ERROR,
    "value": {},
}
_SUITE: Schema = {
    "program": _WORD,
    "config": {"$ref": "#/definitions/config"},
    "variables": {"$ref": "#/definitions/variables"},
    "model": _WORD,
    "recording": _WORD,
    "prices": {
        "type": ["object", "null"],
        "properties": {key: {"type": "number", "minimum": 0, "description": text} for key, text in PRICE_KEYS.items()},
        "patternProperties": _REMARK,
        "additionalProperties": False,
    },
    "tests": {"type": "array", "items": {"$ref": "#/definitions/test"}, "minItems": 1},
}
_CASE: Schema = {
    "test": _WORD,
    "start": _WORD,
    "variables": {"$ref": "#/definitions/variables"},
    "config": {"$ref": "#/definitions/config"},
    "replies": {"$ref": "#/definitions/replies"},
    "answers": {"$ref": "#/definitions/answers"},
    "unused": {"enum": ["ok", *_FLAG]},
    "model": _WORD,
    "recording": _WORD,
    "live": {"enum": _FLAG},
    "turns": {"type": "array", "items": {"$ref": "#/definitions/turn"}, "minItems": 1},
    "call": {"$ref": "#/definitions/call"},
    "args": {"type": ["array", "object"]},
    "cases": {},
    "expect": {},
}
_TURN: Schema = {
    "say": {
        "anyOf": [
            _TEXT,
            {
                "type": "object",
                "properties": {
                    "repeat": {**_WORD, "description": SAY_KEYS["repeat"]},
                    "times": {"type": "integer", "minimum": 1, "description": SAY_KEYS["times"]},
                },
                "required": list(SAY_KEYS),
                "additionalProperties": False,
            },
        ]
    },
    "expect": {"anyOf": [{"type": "null"}, {"$ref": "#/definitions/of_turn"}]},
    "replies": {"$ref": "#/definitions/replies"},
    "answers": {"$ref": "#/definitions/answers"},
}
_CALL: Schema = {"function": _WORD, "args": {"type": ["array", "object"]}, "type": {"enum": list(SCOPES)}}
_SAID: Schema = {**_TURN, "variables": _CASE["variables"]}
_CALLED: Schema = {
    "args": _CASE["args"],
    "value": {},
    "expect": _maybe("of_call"),
    "variables": _CASE["variables"],
    "replies": _CASE["replies"],
    "answers": _CASE["answers"],
}
