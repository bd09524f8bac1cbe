"""Who takes part? ``Agent``: something that observes messages and acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from autograph.evaluation.metric import Metric
from autograph.evaluation.parlai.message import Message

__all__ = ["Agent", "Options", "labels_of", "number_of"]

Options = Mapping[str, Any]
"""An agent's options by name, as ``-m`` and its kin give them; unknown ones are for others."""


class Agent:
    """An agent. A class of your own needs ``act``; it finds what was observed last in ``self.observation``.

    ``opt`` are the options it was made with. It does not share its observations with a copy (``share``).
    """

    name = "agent"
    """What ``id`` is at first."""

    def __init__(self, opt: Options | None = None) -> None:
        self.opt: dict[str, Any] = dict(opt or {})
        self.id: str = self.name
        self.observation: Message | None = None

    def getID(self) -> str:  # noqa: N802 - ParlAI's name
        """The name under which it speaks."""
        return self.id

    def observe(self, observation: Mapping[str, Any]) -> Message:
        """Take in what another agent did; it is returned, as it was understood."""
        self.observation = observation if isinstance(observation, Message) else Message(observation)
        return self.observation

    def act(self) -> Message:
        """What it does next."""
        raise NotImplementedError(f"{type(self).__name__} has no act()")

    async def aact(self) -> Message:
        """As ``act``, for worlds in which many talk at once; agents that wait for others override it."""
        return self.act()

    def self_observe(self, act: Mapping[str, Any]) -> None:
        """Is told of its own act, where worlds let an agent say what it did not choose."""

    def respond(self, text: str | Mapping[str, Any], **fields: Any) -> str:
        """Its answer to a text alone, given by a copy: no conversation is disturbed. ``fields``: further fields.

        It is empty where it stays silent. Raises ``ValueError`` for a message without a text.
        """
        message = Message({"episode_done": True, **({"text": text} if isinstance(text, str) else text), **fields})
        if "text" not in message:
            raise ValueError("the message has no text to answer")
        return self.share()._answer(message)

    def _answer(self, message: Message) -> str:
        self.observe(message)
        return str(self.act().get("text", ""))

    def reset(self) -> None:
        """Forget the conversation."""
        self.observation = None

    def reset_metrics(self) -> None:
        """Forget what was measured."""

    def report(self) -> Mapping[str, Metric]:
        """What it measured itself."""
        return {}

    def epoch_done(self) -> bool:
        """Whether it will not go on."""
        return False

    def share(self) -> Self:
        """A copy for a conversation of its own; what costs much is held in common. Override it if there is any."""
        copy = type(self)(self.opt)
        copy.id = self.id
        return copy

    def clone(self) -> Self:
        """As ``share``."""
        return self.share()

    def shutdown(self) -> None:
        """Let go of what it holds open."""

    def _reply(self, **fields: Any) -> Message:
        return Message({"id": self.getID(), **fields})


def labels_of(message: Mapping[str, Any]) -> list[str] | None:
    """The right answers of an example, whatever its datatype; None if it has none."""
    labels = message.get("labels", message.get("eval_labels"))
    return list(labels) if labels is not None else None


def number_of(opt: Options, name: str, usual: float) -> float:
    """The number that an option holds; ``usual`` if it is not given. Raises ``ValueError`` with its name."""
    given = opt.get(name, usual)
    try:
        return float(given)
    except (TypeError, ValueError):
        raise ValueError(f"the option {name} is {given!r:.40}, which is no number") from None
