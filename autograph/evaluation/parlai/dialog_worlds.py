"""How do agents talk in turn? Two, of whom the first says when it ends; or as many as there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.world import World, validated

__all__ = ["DialogPartnerWorld", "MultiAgentDialogWorld"]


class DialogPartnerWorld(World):
    """Two agents in turn: often a teacher, and whoever it examines. Raises ``ValueError`` for more or fewer."""

    def __init__(self, agents: Sequence[Any], *, id: str = "") -> None:
        if len(agents) != 2:
            raise ValueError(f"a world for two was given {len(agents)} agents")
        super().__init__(agents, id=id)

    def parley(self) -> None:
        """The first acts, the second observes and acts, the first observes. Padding is not answered."""
        first, second = self.agents
        if self._begun():
            second.observe(self.acts[0])
            self.acts[1] = validated(second.act())
            first.observe(self.acts[1])
        self.update_counters()

    async def aparley(self) -> None:
        """As ``parley``; the second agent need not hold up other worlds while it waits for a model."""
        first, second = self.agents
        if self._begun():
            second.observe(self.acts[0])
            self.acts[1] = validated(await second.aact())
            first.observe(self.acts[1])
        self.update_counters()

    def _begun(self) -> bool:
        """Let the first agent act; False if it has nothing to say (padding)."""
        self.acts = [validated(self.agents[0].act()), Message.padding_example()]
        return not self.acts[0].is_padding()

    def episode_done(self) -> bool:
        """Whether the first agent has ended the dialogue."""
        return bool(self.acts[0].get("episode_done", False))

    def epoch_done(self) -> bool:
        """Whether the first agent has nothing more to pose."""
        return bool(self.agents[0].epoch_done())


class MultiAgentDialogWorld(World):
    """Many agents, one after the other; all others observe each act. A dialogue ends when anybody ends it."""

    def parley(self) -> None:
        """Each agent acts once."""
        for index, agent in enumerate(self.agents):
            self.acts[index] = validated(agent.act())
            for other in self.agents:
                if other is not agent:
                    other.observe(self.acts[index])
        self.update_counters()

    def episode_done(self) -> bool:
        """Whether one of the last acts ended the dialogue."""
        return any(act.get("episode_done", False) for act in self.acts)

    def epoch_done(self) -> bool:
        """Whether one of the agents has come to its end."""
        return any(agent.epoch_done() for agent in self.agents)
