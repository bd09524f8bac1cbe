"""What is in a dialogue state of DeepPavlov Agent? Dialog, human, bot and utterances, as frozen data.

The forms are those that ``Dialog.to_dict()`` of deeppavlov_agent 2.2.0 gives, the order of the keys included. What is
free there (attributes, annotations, personas, hypotheses) is plain JSON data here; nobody changes it in place.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

__all__ = ["PROFILE", "Bot", "BotUtterance", "Dialog", "Human", "HumanUtterance", "Hypothesis", "Utterance"]

Hypothesis = Mapping[str, Any]
"""``skill_name``, ``annotations``, ``text``, ``confidence``, and whatever else the skill has given."""

PROFILE = (
    "name", "gender", "birthdate", "location", "home_coordinates", "work_coordinates", "occupation", "income_per_year",
)  # fmt: skip
"""The keys of a human's profile."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_NOBODY: Mapping[str, Any] = MappingProxyType(dict.fromkeys(PROFILE))


def _plain(value: Any) -> Any:
    """A copy that shares nothing, for whoever may change it."""
    return deepcopy(dict(value)) if isinstance(value, Mapping) else deepcopy(value)


@dataclass(frozen=True, slots=True)
class Human:
    """Who talks to the bot; the same one in all of their dialogs."""

    id: str
    user_external_id: str
    persona: Any = field(default_factory=lambda: _NOTHING)
    profile: Mapping[str, Any] = field(default_factory=lambda: _NOBODY)
    attributes: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def to_dict(self) -> dict[str, Any]:
        """The human as JSON data."""
        return {
            "id": self.id,
            "user_external_id": self.user_external_id,
            "persona": _plain(self.persona),
            "profile": _plain(self.profile),
            "attributes": _plain(self.attributes),
            "user_type": "human",
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Human:
        """The human that ``to_dict`` described."""
        return cls(
            data["id"], data["user_external_id"], _plain(data["persona"]), _plain(data["profile"]),
            _plain(data["attributes"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bot:
    """The bot of one dialog."""

    id: str
    persona: Any = field(default_factory=lambda: _NOTHING)
    attributes: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def to_dict(self) -> dict[str, Any]:
        """The bot as JSON data."""
        return {
            "id": self.id,
            "persona": _plain(self.persona),
            "attributes": _plain(self.attributes),
            "user_type": "bot",
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Bot:
        """The bot that ``to_dict`` described."""
        return cls(data["id"], _plain(data["persona"]), _plain(data["attributes"]))


@dataclass(frozen=True, slots=True)
class HumanUtterance:
    """What the human said, with what the services made of it; ``user`` is the human as it was then."""

    utt_id: str
    text: str
    user: Human
    date_time: str
    annotations: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    hypotheses: tuple[Hypothesis, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def to_dict(self) -> dict[str, Any]:
        """The utterance as JSON data."""
        return {
            "utt_id": self.utt_id,
            "text": self.text,
            "user": self.user.to_dict(),
            "annotations": _plain(self.annotations),
            "hypotheses": [_plain(hypothesis) for hypothesis in self.hypotheses],
            "date_time": self.date_time,
            "attributes": _plain(self.attributes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> HumanUtterance:
        """The utterance that ``to_dict`` described."""
        return cls(
            data["utt_id"], data["text"], Human.from_dict(data["user"]), data["date_time"],
            _plain(data["annotations"]), tuple(_plain(hypothesis) for hypothesis in data["hypotheses"]),
            _plain(data["attributes"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BotUtterance:
    """What the bot said. ``orig_text`` is what it was before it was rewritten; ``active_skill`` is whose text it is."""

    utt_id: str
    text: str
    user: Bot
    date_time: str
    active_skill: str
    confidence: float = 1
    orig_text: str | None = None
    annotations: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    attributes: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    def to_dict(self) -> dict[str, Any]:
        """The utterance as JSON data."""
        return {
            "utt_id": self.utt_id,
            "text": self.text,
            "orig_text": self.orig_text,
            "active_skill": self.active_skill,
            "confidence": self.confidence,
            "annotations": _plain(self.annotations),
            "date_time": self.date_time,
            "user": self.user.to_dict(),
            "attributes": _plain(self.attributes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BotUtterance:
        """The utterance that ``to_dict`` described."""
        return cls(
            data["utt_id"], data["text"], Bot.from_dict(data["user"]), data["date_time"], data["active_skill"],
            data["confidence"], data["orig_text"], _plain(data["annotations"]), _plain(data["attributes"]),
        )  # fmt: skip


Utterance = HumanUtterance | BotUtterance


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog. ``date_start`` and ``date_finish`` are ``"None"`` until it is saved for the first time.

    ``attributes`` holds ratings; the original keeps them in its database only, so None (there are none) is left out.
    """

    dialog_id: str
    human: Human
    bot: Bot
    utterances: tuple[Utterance, ...] = ()
    channel_type: str = "autograph"
    date_start: str = "None"
    date_finish: str = "None"
    attributes: Mapping[str, Any] | None = None

    @property
    def human_utterances(self) -> tuple[HumanUtterance, ...]:
        """What the human said."""
        return tuple(utterance for utterance in self.utterances if isinstance(utterance, HumanUtterance))

    @property
    def bot_utterances(self) -> tuple[BotUtterance, ...]:
        """What the bot said."""
        return tuple(utterance for utterance in self.utterances if isinstance(utterance, BotUtterance))

    def to_dict(self) -> dict[str, Any]:
        """The state as JSON data, which shares nothing with this one."""
        data: dict[str, Any] = {
            "dialog_id": self.dialog_id,
            "utterances": [utterance.to_dict() for utterance in self.utterances],
            "human_utterances": [utterance.to_dict() for utterance in self.human_utterances],
            "bot_utterances": [utterance.to_dict() for utterance in self.bot_utterances],
            "human": self.human.to_dict(),
            "bot": self.bot.to_dict(),
            "channel_type": self.channel_type,
            "date_start": self.date_start,
            "date_finish": self.date_finish,
        }
        if self.attributes is not None:
            data["attributes"] = _plain(self.attributes)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Dialog:
        """The dialog of a valid state (``validate_state``)."""
        said: list[Utterance] = []
        for item in data["utterances"]:
            human = item["user"]["user_type"] == "human"
            said.append(HumanUtterance.from_dict(item) if human else BotUtterance.from_dict(item))
        return cls(
            data["dialog_id"], Human.from_dict(data["human"]), Bot.from_dict(data["bot"]), tuple(said),
            data["channel_type"], data["date_start"], data["date_finish"],
            _plain(data["attributes"]) if "attributes" in data else None,
        )  # fmt: skip
