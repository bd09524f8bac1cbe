"""How does a person take part? ``PersonAgent``: it reads what is typed, and shows what others say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograph.evaluation.parlai.agent import Agent, Options
from autograph.evaluation.parlai.message import Message

__all__ = ["DONE", "EXIT", "PersonAgent"]

DONE = "[DONE]"
"""Typed to end the dialogue and begin another."""
EXIT = "[EXIT]"
"""Typed to end all."""


class PersonAgent(Agent):
    """A person. ``read(prompt)`` gives a line and raises ``EOFError`` at the end; ``show(message)`` shows one.

    ``[DONE]`` ends the dialogue, ``[EXIT]`` everything; ``\\n`` is a line end. ``candidates`` go with each message, for
    agents that choose among them.
    """

    name = "localHuman"

    def __init__(
        self,
        opt: Options | None = None,
        *,
        read: Callable[[str], str] = input,
        show: Callable[[Mapping[str, Any]], object] | None = None,
        prompt: str = "> ",
        candidates: list[str] | None = None,
    ) -> None:
        super().__init__(opt)
        self._read, self._show, self._prompt, self._candidates = read, show or _print, prompt, candidates
        self.finished = False

    def observe(self, observation: Mapping[str, Any]) -> Message:
        """Show what was said."""
        message = super().observe(observation)
        self._show(message)
        return message

    def act(self) -> Message:
        """What the person types. Ends of dialogues and of input have ``episode_done``, and no text."""
        try:
            line = self._read(self._prompt).replace("\\n", "\n")
        except EOFError:
            line = EXIT
        self.finished = self.finished or EXIT in line
        if DONE in line or EXIT in line:
            return self._reply(episode_done=True)
        act = self._reply(text=line, episode_done=False)
        if self._candidates:
            act["label_candidates"] = list(self._candidates)
        return act

    def epoch_done(self) -> bool:
        """Whether the person has left."""
        return self.finished

    def share(self) -> PersonAgent:
        """There is but one of a person."""
        return self


def _print(message: Mapping[str, Any]) -> None:
    if message.get("text"):
        print(f"[{message.get('id', '?')}] {message['text']}")
