"""Which keys does a dialogue state have, and of which kinds are their values? The one table, and its JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from autograph.dialogue.state_dates import DATE, HASH, ID, NO_DATE

__all__ = ["SHAPES", "Key", "Shape", "state_schema", "state_schema_text"]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object.

    ``kind``: ``text``, ``word`` (not empty), ``text or null``, ``id``, ``hash``, ``date``, ``date or None``,
    ``number``, ``any`` (JSON data), ``object`` (a mapping of JSON data), ``=word`` (exactly this text), the name of a
    shape, or ``list of`` one.
    """

    name: str
    kind: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Shape:
    """An object: what it is called, its keys, and whether it may have others beside them."""

    title: str
    keys: tuple[Key, ...]
    open: bool = False


def _shape(title: str, open: bool = False, optional: Mapping[str, str] | None = None, /, **keys: str) -> Shape:
    required = [Key(name, kind) for name, kind in keys.items()]
    return Shape(title, (*required, *(Key(name, kind, False) for name, kind in (optional or {}).items())), open)


SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "dialog": _shape(
            "a dialog", False, {"attributes": "rated"}, dialog_id="word", utterances="list of utterance",
            human_utterances="list of human utterance", bot_utterances="list of bot utterance", human="human",
            bot="bot", channel_type="text", date_start="date or None", date_finish="date or None",
        ),
        "human": _shape(
            "a human", id="id", user_external_id="text", persona="any", profile="object", attributes="object",
            user_type="=human",
        ),
        "bot": _shape("a bot", id="id", persona="any", attributes="object", user_type="=bot"),
        "human utterance": _shape(
            "an utterance of the human", utt_id="hash", text="text", user="human", annotations="object",
            hypotheses="list of hypothesis", date_time="date", attributes="rated",
        ),
        "bot utterance": _shape(
            "an utterance of the bot", utt_id="hash", text="text", orig_text="text or null", active_skill="text",
            confidence="number", annotations="object", date_time="date", user="bot", attributes="rated",
        ),
        "hypothesis": _shape(
            "a reply that a skill proposes", True,
            {"human_attributes": "object", "bot_attributes": "object", "attributes": "object"},
            skill_name="text", annotations="object", text="text", confidence="number",
        ),
        "rated": _shape("attributes, ratings among them", True, {"ratings": "list of rating"}),
        "rating": _shape(
            "a rating", True, {"user_external_id": "text or null", "human_id": "any"}, rating="any", datetime="date"
        ),
    }
)  # fmt: skip
"""The objects of a state by name. ``utterance`` is a human's or a bot's."""

_PLAIN: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "text": {"type": "string"},
        "word": {"type": "string", "minLength": 1},
        "text or null": {"type": ["string", "null"]},
        "id": {"type": "string", "pattern": f"^{ID}$"},
        "hash": {"type": "string", "pattern": f"^{HASH}$"},
        "date": {"type": "string", "pattern": f"^{DATE}$"},
        "date or None": {"anyOf": [{"type": "string", "pattern": f"^{DATE}$"}, {"const": NO_DATE}]},
        "number": {"type": "number"},
        "any": {},
        "object": {"type": "object"},
    }
)


def state_schema() -> dict[str, Any]:
    """The JSON Schema (draft-07) of a dialogue state: its shape, not what must agree in it (``validate_state``)."""
    definitions = {_name(name): _object(shape) for name, shape in SHAPES.items() if name != "dialog"}
    either = [{"$ref": f"#/definitions/{_name(name)}"} for name in ("human utterance", "bot utterance")]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "DeepPavlov Agent dialogue state",
        **_object(SHAPES["dialog"]),
        "definitions": {**definitions, "utterance": {"oneOf": either}},
    }


def state_schema_text() -> str:
    """The schema as it stands in ``docs/schema``."""
    return json.dumps(state_schema(), indent=2, ensure_ascii=False) + "\n"


def _object(shape: Shape) -> dict[str, Any]:
    data: dict[str, Any] = {
        "description": shape.title,
        "type": "object",
        "properties": {key.name: _kind(key.kind) for key in shape.keys},
        "required": [key.name for key in shape.keys if key.required],
    }
    if not shape.open:
        data["additionalProperties"] = False
    return data


def _kind(kind: str) -> dict[str, Any]:
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if kind.startswith("="):
        return {"const": kind[1:]}
    if kind.startswith("list of "):
        return {"type": "array", "items": _kind(kind.removeprefix("list of "))}
    return {"$ref": f"#/definitions/{_name(kind)}"}


def _name(shape: str) -> str:
    """The name of a shape in the schema: ``human utterance`` is ``humanUtterance``."""
    first, *rest = shape.split()
    return first + "".join(word.capitalize() for word in rest)
