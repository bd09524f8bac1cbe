"""How does a program take part? ``ProgramAgent``: it is told what was said, and its reply is what it does.

A message with ``episode_done`` is the last of its dialogue: after the reply to it the program begins a conversation
anew. Fields with the right answers are never looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, Self

from autograph.errors import AutographError
from autograph.evaluation.parlai.agent import Agent
from autograph.evaluation.parlai.message import Message
from autograph.memory import MemoryObject

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph

__all__ = ["SILENCE", "Opening", "ProgramAgent"]

SILENCE = "__SILENCE__"
"""The text by which a first speaker is asked to begin."""

Opening = Literal["answer", "skip"]


class ProgramAgent(Agent):
    """A program as an agent. ``program`` is a loaded bot or what ``autograph.load`` takes, ``load`` its options.

    Programs often speak first, agents are spoken to. ``opening`` says what becomes of a program's first words:

    - ``answer``: the first text is there before the program says anything; its first reply answers it.
    - ``skip``: the program opens unheard, and the first text is taken as the answer to that.

    Where nothing was said to it, or ``__SILENCE__``, it opens, and is heard. Several messages between two acts are one
    text of several lines. Its acts also have ``node`` (which spoke), ``confidence`` (of the answer to the last question
    of the turn, where the model tells it), ``usage`` (tokens), and ``finished`` once the program has ended. Then it is
    silent, its acts have no text, until the dialogue ends. ``errors="silence"``: the same for a turn that fails, with
    the message in ``error``; at first errors are raised.
    """

    def __init__(
        self,
        program: Any,
        *,
        id: str | None = None,
        opening: Opening = "answer",
        errors: Literal["raise", "silence"] = "raise",
        **load: Any,
    ) -> None:
        super().__init__()
        self.bot = _loaded(program, load)
        self.id = id or _name_of(program)
        if opening not in ("answer", "skip") or errors not in ("raise", "silence"):
            raise ValueError('opening is "answer" or "skip", errors is "raise" or "silence"')
        self._opening: Opening = opening
        self._errors: Literal["raise", "silence"] = errors
        self.memory: MemoryObject | None = None
        self._heard: list[str] = []
        self._ended = False

    # ------------------------------------------------------------------ observing

    def observe(self, observation: Mapping[str, Any]) -> Message:
        """Keep what was said for the next act."""
        message = super().observe(observation)
        if self._ended:  # the dialogue ended without an act of ours
            self._begin_anew()
        text = message.get("text")
        if text and text != SILENCE:
            self._heard.append(str(text))
        self._ended = bool(message.get("episode_done"))
        return message

    def self_observe(self, act: Mapping[str, Any]) -> None:
        """What it is made to say is not known to the program: what was said to it before is dropped."""
        self._heard.clear()

    def reset(self) -> None:
        """Begin a conversation anew."""
        super().reset()
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.memory, self._heard, self._ended = None, [], False

    # ------------------------------------------------------------------ acting

    def act(self) -> Message:
        """The program's reply. Raises what a turn raises."""
        text = self._text()
        if text is None:
            return self._silent()
        try:
            if self._opens_unheard(text):
                _, self.memory = self.bot.reply()
            if self._has_ended():
                return self._silent()
            reply, self.memory = self.bot.reply(text, self.memory)
        except AutographError as error:
            return self._failed(error)
        return self._said(reply)

    async def aact(self) -> Message:
        """As ``act``, without holding up other conversations."""
        text = self._text()
        if text is None:
            return self._silent()
        try:
            if self._opens_unheard(text):
                _, self.memory = await self.bot.areply()
            if self._has_ended():
                return self._silent()
            reply, self.memory = await self.bot.areply(text, self.memory)
        except AutographError as error:
            return self._failed(error)
        return self._said(reply)

    def _text(self) -> str | None:
        """What is answered now; None if the program has ended, or was told that nobody is there (padding)."""
        text, self._heard = "\n".join(self._heard), []
        alone = self.observation is not None and self.observation.is_padding()
        return None if alone or self._has_ended() else text

    def _has_ended(self) -> bool:
        return self.memory is not None and self.memory.finished

    def _opens_unheard(self, text: str) -> bool:
        return self.memory is None and self._opening == "skip" and bool(text)

    def _said(self, reply: str) -> Message:
        memory = self.memory
        assert memory is not None  # a turn was held
        act = self._reply(text=reply, episode_done=memory.finished)
        last = memory.last_turn
        if last is not None:
            act.update({"node": last.node, "confidence": _confidence(last.trace), "usage": _usage(last.usage)})
        if memory.finished:
            act["finished"] = True
        self._settle()
        return act

    def _silent(self) -> Message:
        self._settle()
        return self._reply(episode_done=True, finished=True)

    def _failed(self, error: AutographError) -> Message:
        from autograph.errors import RunError

        if self._errors == "raise" or not isinstance(error, RunError):  # a model that is out of reach stays so
            raise error
        self._settle()
        return self._reply(episode_done=False, error=str(error))

    def _settle(self) -> None:
        """The reply was given: if the dialogue has ended, so has the conversation."""
        if self._ended:
            self._begin_anew()

    # ------------------------------------------------------------------ copies

    def share(self) -> Self:
        """A copy for another conversation with the same program."""
        return type(self)(self.bot, id=self.id, opening=self._opening, errors=self._errors)


def _loaded(program: Any, load: Mapping[str, Any]) -> Autograph:
    if hasattr(program, "areply"):
        if load:
            raise TypeError(f"{', '.join(load)}: options of loading, but the program is loaded already")
        bot: Autograph = program
        return bot
    from autograph.interpreter.loading import load as load_program

    return load_program(program, **load)


def _name_of(program: Any) -> str:
    """The stem of the file's name, else ``program``."""
    if isinstance(program, (str, PurePath)):
        return PurePath(str(program).partition("#")[0]).stem or "program"
    return "program"


def _confidence(trace: list[Any]) -> float | None:
    """How sure the classifier was of the last question of the turn."""
    sure = [event.choice.confidence for event in trace if event.kind == "asked" and event.choice is not None]
    return sure[-1] if sure else None


def _usage(usage: Any) -> dict[str, int] | None:
    if usage is None:
        return None
    return {"prompt": usage.prompt, "completion": usage.completion, "requests": usage.requests}
