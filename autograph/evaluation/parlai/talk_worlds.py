"""Where does a person talk to an agent, or an agent to itself? In worlds without a teacher."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from autograph.evaluation.parlai.dialog_worlds import DialogPartnerWorld
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.world import validated

__all__ = ["CONTEXT", "InteractiveWorld", "SelfChatWorld"]

CONTEXT = "context"
"""The ``id`` of what the world itself says to begin with."""


def _context(text: str) -> Message:
    return Message(id=CONTEXT, text=text, episode_done=False)


class InteractiveWorld(DialogPartnerWorld):
    """A person, who speaks first, and an agent. ``contexts``: what each is told first. ``opens``: the agent begins.

    When one of them ends the dialogue, both forget it, and the next one begins.
    """

    def __init__(self, agents: Sequence[Any], *, contexts: Sequence[str] = ("", ""), opens: bool = False) -> None:
        super().__init__(agents)
        self.contexts = tuple(contexts)
        self.turn_cnt = 0
        self._opens = opens
        self._ended = False

    def parley(self) -> None:
        """The person speaks, the agent answers. Where the person ends the dialogue, there is no answer."""
        person, agent = self.agents
        self._ended = False
        self.acts = [Message(), Message()]
        if self.turn_cnt == 0:
            self._begin(person, agent)
        self.acts[0] = validated(person.act())
        if "text" in self.acts[0]:
            agent.observe(self.acts[0])
            self.acts[1] = validated(agent.act())
            person.observe(self.acts[1])
        self.update_counters()
        self.turn_cnt += 1
        if any(act.get("episode_done") for act in self.acts):
            self._ended, self.turn_cnt = True, 0
            for each in self.agents:
                each.reset()

    def _begin(self, person: Any, agent: Any) -> None:
        for each, text in zip((person, agent), self.contexts, strict=True):
            if text:
                each.observe(_context(text))
        if self._opens:
            person.observe(validated(agent.act()))

    def episode_done(self) -> bool:
        """Whether the dialogue has just ended."""
        return self._ended


class SelfChatWorld(DialogPartnerWorld):
    """Two agents that talk with each other for ``max_turns`` rounds, or until one ends it.

    The first round is what each is told first: ``contexts`` (None: there is no such round). Then, if there are
    ``openers``, one of them drawn by chance is the first agent's first text.
    """

    def __init__(
        self,
        agents: Sequence[Any],
        *,
        max_turns: int = 6,
        contexts: Sequence[str] | None = ("Hi!", ""),
        openers: Sequence[str] = (),
        seed: int | None = 42,
    ) -> None:
        super().__init__(agents)
        self.max_turn_cnt = max_turns
        self.contexts = contexts
        self.openers = list(openers)
        self.turn_cnt = 0
        self.episode_cnt = 0
        self._random = random.Random(seed)
        self._opener = ""
        self._told = False

    def parley(self) -> None:
        """One round; at the end of a dialogue it is the first one of the next."""
        if self.episode_done():
            self._end_episode()
        if self.turn_cnt == 0:
            self.acts = [Message(), Message()]
            self._opener = self._random.choice(self.openers) if self.openers else ""
            self._told = self.contexts is None
        if not self._told:
            self._tell()
        else:
            self._talk()
        self.update_counters()
        self.turn_cnt += 1

    def _tell(self) -> None:
        self._told = True
        for index, text in enumerate(self.contexts or ()):
            self.acts[index] = _context(text)
            self.agents[index].observe(self.acts[index])

    def _talk(self) -> None:
        first, second = self.agents
        if self._opener:
            self.acts[0] = Message(text=self._opener, episode_done=False, id=first.id)
            first.self_observe(self.acts[0])
            self._opener = ""
        else:
            self.acts[0] = validated(first.act())
        second.observe(self.acts[0])
        self.acts[1] = validated(second.act())
        first.observe(self.acts[1])

    def episode_done(self) -> bool:
        """Whether there were rounds enough, or one of the two has ended it."""
        return self.turn_cnt >= self.max_turn_cnt or any(act.get("episode_done") for act in self.acts)

    def _end_episode(self) -> None:
        self.turn_cnt = 0
        self.episode_cnt += 1
        self.acts = [Message(), Message()]
        for agent in self.agents:
            agent.reset()
