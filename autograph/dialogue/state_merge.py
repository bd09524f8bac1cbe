"""What becomes of human and bot when a hypothesis is selected? Its attributes go to the top level.

The rules are those of deeppavlov_agent 2.2.0, as observed: a key that the human or the bot has itself replaces the
whole of it, a key of the profile goes there, every other one to ``attributes``; nothing is merged further down. What
there makes a turn hang (a new ``id``) is an error here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from autograph.dialogue.state_json import json_copy, json_object
from autograph.dialogue.state_model import Bot, Dialog, Human
from autograph.errors import RunError

__all__ = ["merge_bot", "merge_human", "merge_selected"]

_IGNORED = ("user_type", "user_external_id")
"""Keys that may be given, but change nothing."""

_Owner = TypeVar("_Owner", Human, Bot)


def merge_selected(dialog: Dialog, hypothesis: Mapping[str, Any], *, deep: bool = False) -> Dialog:
    """The dialog after this hypothesis was selected. Those not selected never change anything.

    ``deep``: objects are merged key by key instead of being replaced, at any depth.
    Raises ``RunError``; the dialog stays as it was.
    """
    human = merge_human(dialog.human, hypothesis.get("human_attributes", {}), deep=deep)
    bot = merge_bot(dialog.bot, hypothesis.get("bot_attributes", {}), deep=deep)
    return replace(dialog, human=human, bot=bot)


def merge_human(human: Human, attributes: Any, *, deep: bool = False) -> Human:
    """The human with the ``human_attributes`` of the selected hypothesis. Raises ``RunError``."""
    for key, value in json_object(attributes, "human_attributes").items():
        if key in ("persona", "profile", "attributes"):
            human = _replaced(human, key, value, deep, "human_attributes")
        elif key == "id":
            raise RunError("human_attributes/id: the id of a human cannot be changed")
        elif key in _IGNORED:
            continue
        elif key in human.profile:
            human = replace(human, profile=_with(human.profile, key, value, deep))
        else:
            human = replace(human, attributes=_with(human.attributes, key, value, deep))
    return human


def merge_bot(bot: Bot, attributes: Any, *, deep: bool = False) -> Bot:
    """The bot with the ``bot_attributes`` of the selected hypothesis. Raises ``RunError``."""
    for key, value in json_object(attributes, "bot_attributes").items():
        if key in ("persona", "attributes"):
            bot = _replaced(bot, key, value, deep, "bot_attributes")
        elif key == "id":
            raise RunError("bot_attributes/id: the id of a bot cannot be changed")
        elif key != "user_type":
            bot = replace(bot, attributes=_with(bot.attributes, key, value, deep))
    return bot


def _replaced(owner: _Owner, key: str, value: Any, deep: bool, given: str) -> _Owner:
    """The human or bot with another persona, profile or mapping of attributes."""
    if key != "persona" and not isinstance(value, dict):
        raise RunError(f"{given}/{key} must be an object, not {type(value).__name__}")
    fields: dict[str, Any] = {key: _merged(getattr(owner, key), value, deep)}
    return replace(owner, **fields)


def _with(before: Mapping[str, Any], key: str, value: Any, deep: bool) -> dict[str, Any]:
    return {**before, key: _merged(before.get(key), value, deep)}


def _merged(before: Any, value: Any, deep: bool) -> Any:
    """``value``, laid over ``before`` if both are objects and ``deep`` is wanted."""
    if not (deep and isinstance(before, Mapping) and isinstance(value, Mapping)):
        return value
    below: dict[str, Any] = json_copy(before, "the value before")
    return {**below, **{key: _merged(below.get(key), item, deep) for key, item in value.items()}}
