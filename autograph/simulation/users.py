"""What does the user say next? Three kinds of simulated users: the sheet's own, a persona, and another program.

A user is made anew for every conversation, so that it may remember what was said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from autograph.errors import RunError
from autograph.models.base import GenerateRequest, Message, Model, Reply
from autograph.models.limited import asked

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.memory import MemoryObject
    from autograph.simulation.personas import Persona

__all__ = ["MakeUser", "PersonaUser", "ProgramUser", "Said", "SheetUser", "User"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a user says (None: nothing more), whether these are its last words, and the transition it aims at."""

    text: str | None
    ends: bool = False
    target: str = ""


class User(Protocol):
    """Somebody who talks to the program in one conversation."""

    async def say(self, reply: str, memory: MemoryObject) -> Said:
        """The answer to ``reply``, after which the program's memory is ``memory``."""


MakeUser = Callable[["Persona | None", int], User]
"""Makes the user of one conversation from its persona and its seed."""


@dataclass(slots=True)
class SheetUser:
    """Follows the sheet's own user instructions and probabilities. ``bot``: whose model speaks."""

    bot: Autograph
    seed: int

    async def say(self, reply: str, memory: MemoryObject) -> Said:
        """What the sheet has a user say at this node."""
        text, target = await self.bot.asimulate_user(memory, seed=self.seed)
        return parted(text, self.bot.config.end_signal, target)


@dataclass(slots=True)
class PersonaUser:
    """A model that plays a person with a goal; it is shown the conversation from the other side.

    ``end_signal`` is what it says when it leaves; ``budget`` bounds its view back, in tokens of about four characters.
    """

    model: Model
    persona: Persona
    seed: int
    end_signal: str = "<end>"
    budget: int = 8_000
    messages: list[Message] = field(default_factory=list)

    async def say(self, reply: str, memory: MemoryObject) -> Said:
        """What the person answers."""
        self._hear(reply)
        system = Message("system", role_of(self.persona, self.end_signal))
        request = GenerateRequest(
            memory.current or "",
            (system, *self._recent()),
            "user",
            self.persona.instructions or self.persona.goal,
            seed=self.seed,
        )
        answer: Reply = await asked(self.model, "generate", request)
        said = parted(answer.text, self.end_signal)
        if said.text is not None:
            self.messages.append(Message("assistant", said.text))
        return said

    def _hear(self, reply: str) -> None:
        if not self.messages and self.persona.opening is not None:
            self.messages.append(Message("assistant", self.persona.opening))
        self.messages.append(Message("user", reply))

    def _recent(self) -> list[Message]:
        """The newest messages within the budget, from a message of the program on; the last one always."""
        first, left = len(self.messages) - 1, self.budget
        for place in range(len(self.messages) - 1, -1, -1):
            left -= len(self.messages[place].content) // 4 + 4
            if left < 0:
                break
            first = place
        return self.messages[first:]


def role_of(persona: Persona, end_signal: str) -> str:
    """What a model is told in order to play a persona."""
    parts = [
        f"You play a person who talks with a chatbot; the other side is the chatbot. You are {persona.name}.",
        persona.traits and f"What you are like: {persona.traits}",
        f"What you want: {persona.goal}",
        persona.instructions,
        "Say only what this person would say next, in one or two short sentences, in the language of the conversation. "
        "Stay in the role, and do not help the chatbot with its work.",
        f"When you have what you want, or see that you will not get it here, write {end_signal} and nothing else.",
    ]
    return "\n\n".join(part.strip() for part in parts if part)


@dataclass(slots=True)
class ProgramUser:
    """Another autograph program; its replies are what the user says. It leaves when it has ended."""

    bot: Autograph
    seed: int
    memory: MemoryObject | None = None

    async def say(self, reply: str, memory: MemoryObject) -> Said:
        """What the user's program replies to the program's reply."""
        if self.memory is None:
            self.memory = self.bot.start()
            self.memory.seed = self.seed
        try:
            text, self.memory = await self.bot.areply(reply, self.memory)
        except RunError as error:  # its nodes are none of the program that is tested
            raise RunError(f"the program that plays the user failed: {error}") from error
        said = parted(text, self.bot.config.end_signal)
        return Said(said.text, True) if self.memory.finished else said


def parted(text: str, end_signal: str, target: str = "") -> Said:
    """A text up to the end signal, which may stand alone or after last words."""
    before, signal, _ = text.partition(end_signal) if end_signal else (text, "", "")
    if not signal:
        return Said(text, False, target)
    return Said(before.strip() or None, True, target)


def pick_user(kind: str, *, bot: Any, model: Any, personas: bool) -> MakeUser:
    """How users are made. ``kind``: ``sheet``, ``model`` or ``program``; ``bot``: whose instructions, or which program.

    With ``personas`` every user is one; with the kind ``model`` and none, it is anybody who wants to try the program.
    """
    if kind == "program":
        return lambda persona, seed: ProgramUser(bot, seed)
    if kind == "sheet" and not personas:
        return lambda persona, seed: SheetUser(bot, seed)
    signal, budget = bot.config.end_signal, bot.config.max_prompt_tokens
    return lambda persona, seed: PersonaUser(model, persona or _anybody(seed), seed, signal, budget)


def _anybody(seed: int) -> Persona:
    """Somebody without a persona's file: a person of one of a few kinds."""
    from autograph.simulation.personas import Persona

    rng = Random(f"{seed} anybody")
    trait = rng.choice(["friendly and brief", "in a hurry", "unsure and asking back", "talkative", "sceptical"])
    return Persona("a user of this chatbot", "Use the chatbot for what it is there for, until you are done.", trait)
