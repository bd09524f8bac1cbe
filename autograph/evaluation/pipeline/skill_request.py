"""What is a skill asked? Dialogs in either of two forms, read without trust: the newest text, the state, the history.

    [dialog, …]  or  {"dialogs": [dialog, …]}                                  whole dialogue states
    {"dialog_batch": [{"human_utterances", "bot_utterances"}, …], "NAME_state_batch": [state or {}, …]}    as DFF does

Of a dialog only what is needed is looked at, so that one in the midst of a turn, shortened or extended will do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograph.dialogue.state_program import state_key
from autograph.errors import StorageError

__all__ = ["Asked", "asked_dialogs"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about one dialog.

    ``text`` is what the human said last (``""``: nothing yet), ``user`` their external id, ``state`` the attribute of
    the skill (None: there is none); ``turns`` are the earlier texts of the human, each with the skill that answered.
    """

    text: str
    user: str
    state: Any
    turns: tuple[tuple[str, str], ...]

    def answered_by(self, skill: str) -> list[str]:
        """The earlier texts that a skill has answered; ``""`` where it spoke before the human did."""
        return [text for text, by in self.turns if by == skill]


def asked_dialogs(request: Any, skill: str) -> list[Asked | StorageError]:
    """What is asked about each dialog, or what is wrong with it. Raises ``StorageError`` for what is no request."""
    states: list[Any] | None = None
    dialogs = request
    if isinstance(request, Mapping):
        if "dialog_batch" in request:
            dialogs, states = request["dialog_batch"], _states(request, skill)
        elif "dialogs" in request:
            dialogs = request["dialogs"]
        else:
            raise StorageError('a request is a list of dialogs, {"dialogs": […]} or {"dialog_batch": […], …}')
    if not isinstance(dialogs, (list, tuple)):
        raise StorageError(f"the dialogs must be a list, not {type(dialogs).__name__}")
    if states is not None and len(states) != len(dialogs):
        raise StorageError(f"there are {len(dialogs)} dialogs, but {len(states)} states in {state_key(skill)}_batch")
    found: list[Asked | StorageError] = []
    for index, dialog in enumerate(dialogs):
        try:
            found.append(_asked(dialog, f"dialogs/{index}", skill, None if states is None else [states[index]]))
        except StorageError as error:
            found.append(error)
    return found


def _states(request: Mapping[str, Any], skill: str) -> list[Any]:
    name = f"{state_key(skill)}_batch"
    states = request.get(name)
    if states is None:
        return [None] * len(request["dialog_batch"]) if isinstance(request["dialog_batch"], (list, tuple)) else []
    if not isinstance(states, (list, tuple)):
        raise StorageError(f"{name} must be a list, not {type(states).__name__}")
    return list(states)


def _asked(dialog: Any, path: str, skill: str, batch: list[Any] | None) -> Asked:
    if not isinstance(dialog, Mapping):
        raise StorageError(f"{path} must be an object, not {type(dialog).__name__}")
    said = _said(dialog, path)
    human = next((item for _, item in reversed(said) if "active_skill" not in item), None)
    user = dialog.get("human") or (human or {}).get("user") or {}
    if batch is not None:
        state = batch[0]
    else:
        attributes = user.get("attributes") if isinstance(user, Mapping) else None
        state = attributes.get(state_key(skill)) if isinstance(attributes, Mapping) else None
    name = user.get("user_external_id") if isinstance(user, Mapping) else None
    text, turns = _turns(said)
    return Asked(text, name if isinstance(name, str) else "", state if state != {} else None, turns)


def _said(dialog: Mapping[str, Any], path: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The utterances with their paths, in order; in the batch form, human and bot take turns."""
    if "utterances" in dialog:
        return _list(dialog["utterances"], f"{path}/utterances")
    humans = _list(dialog.get("human_utterances", []), f"{path}/human_utterances")
    bots = _list(dialog.get("bot_utterances", []), f"{path}/bot_utterances")
    found: list[tuple[str, Mapping[str, Any]]] = []
    missing = len(humans) - len(bots)  # the newest text has no answer yet; a bot that began has one more
    for index in range(max(len(humans), len(bots))):
        human = index if missing >= 0 else index - 1
        if 0 <= human < len(humans):
            found.append(humans[human])
        bot = index
        if bot < len(bots):
            found.append((bots[bot][0], {"active_skill": "", **bots[bot][1]}))
    return found


def _list(items: Any, path: str) -> list[tuple[str, Mapping[str, Any]]]:
    if not isinstance(items, (list, tuple)):
        raise StorageError(f"{path} must be a list, not {type(items).__name__}")
    found = []
    for index, item in enumerate(items):
        if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
            raise StorageError(f"{path}/{index} must be an utterance with a text")
        found.append((f"{path}/{index}", item))
    return found


def _turns(said: list[tuple[str, Mapping[str, Any]]]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The newest text of the human, and the earlier ones with whoever answered them."""
    turns: list[tuple[str, str]] = []
    text: str | None = None
    for _, item in said:
        if "active_skill" in item:
            skill = item["active_skill"]
            turns.append((text or "", skill if isinstance(skill, str) else ""))
            text = None
        else:
            text = item["text"]
    return text or "", tuple(turns)
