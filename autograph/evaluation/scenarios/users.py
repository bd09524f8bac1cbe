"""What does the user of a scenario say next? A script, another program, or a model that plays a person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from autograph.errors import RunError
from autograph.evaluation.scenarios.scenario import Persona
from autograph.models.base import GenerateRequest, Message, Model, Reply
from autograph.models.limited import asked

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.memory import MemoryObject

__all__ = ["END", "AnsweringProgram", "PlayedPersona", "Reciter", "User"]

END = "<end>"
"""What a model says when the person it plays leaves."""

_LONGEST = 30
"""So many messages of the conversation a persona remembers."""


class User(Protocol):
    """Somebody who talks to the program in one conversation."""

    async def say(self, reply: str) -> str | None:
        """The answer to what the program said; None: nothing more."""


@dataclass(slots=True)
class Reciter:
    """Says its texts, whatever it hears."""

    texts: tuple[str, ...]
    said: int = 0

    async def say(self, reply: str) -> str | None:
        """The next text."""
        self.said += 1
        return self.texts[self.said - 1] if self.said <= len(self.texts) else None


@dataclass(slots=True)
class AnsweringProgram:
    """Another program that hears the replies; it has nothing more to say when it has ended."""

    bot: Autograph
    seed: int
    memory: MemoryObject | None = None

    async def say(self, reply: str) -> str | None:
        """What the user's program replies."""
        if self.memory is None:
            self.memory = self.bot.start()
            self.memory.seed = self.seed
        if self.memory.finished:
            return None
        try:
            text, self.memory = await self.bot.areply(reply, self.memory)
        except RunError as error:  # its nodes are none of the program that is tested
            raise RunError(f"the program that plays the user failed: {error}") from error
        return _until_end(text, self.bot.config.end_signal or END)


@dataclass(slots=True)
class PlayedPersona:
    """A model that plays a person; it sees the conversation from the other side."""

    model: Model
    persona: Persona
    seed: int
    messages: list[Message] = field(default_factory=list)

    async def say(self, reply: str) -> str | None:
        """What the person answers."""
        self.messages.append(Message("user", reply))
        request = GenerateRequest(
            "", (Message("system", _role(self.persona)), *self.messages[-_LONGEST:]), "user", self.persona.goal,
            seed=self.seed,
        )  # fmt: skip
        answer: Reply = await asked(self.model, "generate", request)
        text = _until_end(answer.text, END)
        if text is not None:
            self.messages.append(Message("assistant", text))
        return text


def _role(persona: Persona) -> str:
    traits = f" What you are like: {persona.traits}." if persona.traits else ""
    return (
        f"You are {persona.name}, and talk with a chatbot; the other side is the chatbot.{traits} You want this: "
        f"{persona.goal}\n\nSay only what this person says next, in one or two short sentences and in the language of "
        "the conversation. When you have what you want, or see that you cannot get it here, write "
        f"{END} and nothing else."
    )


def _until_end(text: str, signal: str) -> str | None:
    """The text up to the signal that the user leaves; None if nothing stands before it."""
    before, found, _ = text.partition(signal)
    return (before.strip() or None) if found else text
