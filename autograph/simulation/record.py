"""What is kept of a simulated conversation, and of a whole run: ``Conversation`` and ``Manifest``, as JSON data.

Nothing in a record depends on the clock or on the order in which conversations ran: a run that was killed and
resumed has the same records as one that was not. Measured times are kept apart (``Measured``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from autograph.errors import AutographError
from autograph.models.base import Usage

__all__ = [
    "ENDINGS", "NOTHING", "OUTCOMES", "VERSION", "Conversation", "Failure", "Manifest", "Measured", "RecordError",
    "Taken",
]  # fmt: skip

VERSION = 1
"""The version of both forms; a file of another one is refused."""

Outcome = Literal["finished", "stuck", "failed", "limit"]
Ending = Literal["program", "user", ""]

OUTCOMES: tuple[Outcome, ...] = ("finished", "stuck", "failed", "limit")
ENDINGS: tuple[Ending, ...] = ("program", "user", "")

_COUNTS = ("prompt", "completion", "cached", "reasoning", "requests")

NOTHING = Usage(0, 0, 0, 0, 0)
"""No request was made."""


class RecordError(AutographError):
    """A record that is none, or of another version."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The error that ended a conversation: its class, its sentence and the node where it happened.

    ``said`` is what the user said last, if there was no reply to it.
    """

    kind: str
    message: str
    node: str | None = None
    said: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The failure as JSON data."""
        data = {"class": self.kind, "message": self.message, "node": self.node}
        return {**data, "said": self.said} if self.said else data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Failure:
        """The failure that ``to_dict`` wrote."""
        return cls(data["class"], data["message"], data.get("node"), data.get("said", ""))


@dataclass(frozen=True, slots=True)
class Taken:
    """One turn of a conversation: what the user said and what the program replied.

    ``user`` is "" where the program opens. ``node`` is where the conversation stands afterwards, ``path`` the
    nodes entered in this turn, ``target`` what the simulated user aimed at (a transition as written, an
    interjection's node, or ""). ``usage`` is what the program asked of models in this turn, ``user_usage``
    what the user did before it.
    """

    user: str
    reply: str
    node: str | None
    path: tuple[str, ...]
    usage: Usage = NOTHING
    target: str = ""
    user_usage: Usage = NOTHING

    def to_dict(self) -> dict[str, Any]:
        """The turn as JSON data."""
        data: dict[str, Any] = {"user": self.user, "reply": self.reply, "node": self.node, "path": list(self.path)}
        if self.target:
            data["target"] = self.target
        if self.usage.requests:
            data["usage"] = usage_to_dict(self.usage)
        if self.user_usage.requests:
            data["user_usage"] = usage_to_dict(self.user_usage)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Taken:
        """The turn that ``to_dict`` wrote."""
        used, by_user = usage_from_dict(data.get("usage")), usage_from_dict(data.get("user_usage"))
        return cls(
            data["user"], data["reply"], data["node"], tuple(data["path"]), used, data.get("target", ""), by_user
        )


@dataclass(frozen=True, slots=True)
class Conversation:
    """One simulated conversation.

    ``index`` counts all conversations of the run: ``round * n + case``. ``case`` is the user (seed and persona),
    ``round`` counts the repetitions of the same case (``--repeat``); conversations of one case have one ``seed``.
    ``outcome``: ``finished`` (the program ended, or the user did: ``ended_by``), ``stuck``, ``failed`` (``error``
    says how) or ``limit`` (too many turns). ``success`` is the value of the success expression, None if it could not
    be told. ``reason`` is a sentence about the outcome. ``path`` are all nodes entered. ``cost`` is in the unit of
    the prices, None without prices. ``traffic`` are the counts of ``autograph.interpreter.traffic`` as JSON data.
    ``variables`` are the visible ones at the end, as JSON data.
    """

    index: int
    case: int
    round: int
    seed: int
    persona: str | None
    outcome: Outcome
    success: bool | None
    reason: str
    turns: tuple[Taken, ...]
    path: tuple[str, ...]
    last_node: str | None
    ended_by: Ending = ""
    error: Failure | None = None
    usage: Usage = NOTHING
    user_usage: Usage = NOTHING
    cost: float | None = None
    traffic: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    version: int = VERSION

    def to_dict(self) -> dict[str, Any]:
        """The conversation as JSON data."""
        return {
            "version": self.version,
            "index": self.index,
            "case": self.case,
            "round": self.round,
            "seed": self.seed,
            "persona": self.persona,
            "outcome": self.outcome,
            "ended_by": self.ended_by,
            "success": self.success,
            "reason": self.reason,
            "turns": [turn.to_dict() for turn in self.turns],
            "path": list(self.path),
            "last_node": self.last_node,
            "error": None if self.error is None else self.error.to_dict(),
            "usage": {"program": usage_to_dict(self.usage), "user": usage_to_dict(self.user_usage)},
            "cost": self.cost,
            "traffic": dict(self.traffic),
            "variables": dict(self.variables),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Conversation:
        """The conversation that ``to_dict`` wrote. Raises ``RecordError`` for anything else."""
        _refuse_version(data)
        try:
            return cls(
                index=data["index"],
                case=data["case"],
                round=data["round"],
                seed=data["seed"],
                persona=data["persona"],
                outcome=data["outcome"],
                success=data["success"],
                reason=data["reason"],
                turns=tuple(map(Taken.from_dict, data["turns"])),
                path=tuple(data["path"]),
                last_node=data["last_node"],
                ended_by=data["ended_by"],
                error=None if data["error"] is None else Failure.from_dict(data["error"]),
                usage=usage_from_dict(data["usage"]["program"]),
                user_usage=usage_from_dict(data["usage"]["user"]),
                cost=data["cost"],
                traffic=data["traffic"],
                variables=data["variables"],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise RecordError(
                f"a conversation lacks or mistakes {error}; it was not written by this program."
            ) from None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a run was: with it anybody can tell what its figures are about.

    ``fingerprint`` is a digest of the compiled source and its configuration. ``models`` names who spoke in each role
    (``chatbot``, ``classifier``, ``user``). ``user`` is ``sheet``, ``model`` or the file of the program that plays
    the user; ``personas`` a digest of the personas, or None. ``n`` are the cases, ``repeat`` the rounds of each.
    ``options`` is whatever else changes what is said. ``source`` says where the program was read; ``autograph``,
    ``python`` and ``date`` when and by what it was held; ``command`` are the options to go on with. These five are no
    part of what must agree when a run goes on (``terms``).
    """

    program: str
    fingerprint: str
    source: str
    models: Mapping[str, str]
    user: str
    personas: str | None
    seed: int
    n: int
    repeat: int
    max_turns: int
    success: str
    prices: Mapping[str, float] | None
    options: Mapping[str, Any]
    autograph: str
    python: str
    date: str
    command: Mapping[str, Any] = field(default_factory=dict)
    version: int = VERSION

    def to_dict(self) -> dict[str, Any]:
        """The manifest as JSON data."""
        data = {name: getattr(self, name) for name in self.__slots__}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in data.items()}
        return {"version": plain.pop("version"), **plain}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Manifest:
        """The manifest that ``to_dict`` wrote. Raises ``RecordError`` for anything else."""
        _refuse_version(data)
        try:
            return cls(**data)
        except TypeError as error:
            raise RecordError(f"this is no manifest of a simulation: {error}") from None

    @property
    def terms(self) -> dict[str, Any]:
        """What decides the records: two runs with equal terms have equal records, if their models do."""
        data = self.to_dict()
        for name in ("source", "autograph", "python", "date", "command"):
            del data[name]
        return data


@dataclass(frozen=True, slots=True)
class Measured:
    """How long a conversation took, in seconds: in all and turn by turn. It is no part of its record."""

    index: int
    seconds: float
    turns: tuple[float, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The times as JSON data, to the tenth of a millisecond."""
        return {"index": self.index, "seconds": round(self.seconds, 4), "turns": [round(s, 4) for s in self.turns]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Measured:
        """The times that ``to_dict`` wrote."""
        return cls(data["index"], data["seconds"], tuple(data["turns"]))


def usage_to_dict(usage: Usage) -> dict[str, int]:
    """A usage as JSON data, without what is 0."""
    return {name: count for name in _COUNTS if (count := getattr(usage, name))}


def usage_from_dict(data: Mapping[str, int] | None) -> Usage:
    """The usage that ``usage_to_dict`` wrote; None means that there was no request."""
    return Usage(*(data.get(name, 0) for name in _COUNTS)) if data else NOTHING


def _refuse_version(data: Mapping[str, Any]) -> None:
    version = data.get("version") if isinstance(data, Mapping) else None
    if version is None:
        raise RecordError("this is no record of a simulation.")
    if version != VERSION:
        raise RecordError(f"this is no record of version {VERSION} but {version!r}. Run the simulation again.")
