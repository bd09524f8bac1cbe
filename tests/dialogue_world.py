"""A tiny world of dialogues with the interface of pydialogue's: users ask for a number, agents count up to it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any


class Policy:
    """Somebody's behaviour."""

    def __init__(self, player: str) -> None:
        self.player = player

    def speak(self, dialogue: Dialogue) -> str | None:
        raise NotImplementedError

    def save_state(self) -> Any:
        return None

    def recover_state(self, state: Any) -> None:
        assert state is None


class CountPolicy(Policy):
    """The user: asks once."""

    def speak(self, dialogue: Dialogue) -> str | None:
        return f"{self.player} says count to {dialogue.wanted}" if dialogue.counter == 0 else None


class NamePolicy(CountPolicy):
    """A user of another type."""


class Oracle(Policy):
    """Counts on, one number a step; cannot count beyond three."""

    def speak(self, dialogue: Dialogue) -> str | None:
        reached = dialogue.counter + 1
        return str(reached) if reached <= min(3, dialogue.wanted) else None


class Learner(Policy):
    """Counts right only if it heard nobody count that far, and keeps how much it heard."""

    def __init__(self, player: str) -> None:
        super().__init__(player)
        self.heard: list[int] = []

    def speak(self, dialogue: Dialogue) -> str | None:
        self.heard.append(len(dialogue.generator.context_strings))
        return str(dialogue.counter + 1) if dialogue.wanted != 2 else "no idea"

    def save_state(self) -> Any:
        return list(self.heard)

    def recover_state(self, state: Any) -> None:
        self.heard[:] = state


class Dialogue:
    """A user's request, and the steps of the one who is asked."""

    def __init__(self, generator: Generator, kind: type[Policy], user: str, agent: str, wanted: int) -> None:
        self.generator, self.wanted = generator, wanted
        self.policies: list[Policy] = [kind(user), Oracle(agent)]
        self.counter, self.max_episode_length, self.reward = 0, None, 0
        self.runs = 0

    def get_players(self) -> list[str]:
        return [policy.player for policy in self.policies]

    def get_player_policies(self, player: str) -> list[Policy]:
        return [policy for policy in self.policies if policy.player == player]

    def replace_player_policies(self, new: Sequence[Policy]) -> None:
        left = list(new)
        self.policies[:] = [left.pop(0) if p.player == new[0].player else p for p in self.policies]

    def run(self) -> None:
        self.runs += 1
        limit = self.max_episode_length or 5
        while self.counter < limit and self.reward != 1:
            for policy in list(self.policies):
                said = policy.speak(self)
                if said is not None:
                    self.generator.context_strings.append(said)
                if said == str(self.wanted):
                    self.reward = 1
            self.counter += 1
        if self.reward != 1:
            self.reward = -1

    def evaluate_goal(self) -> int:
        return self.reward

    def save_state(self) -> Any:
        return list(self.policies), self.counter, self.max_episode_length, self.reward, self.generator.save_state()

    def recover_state(self, state: Any) -> None:
        self.policies[:], self.counter, self.max_episode_length, self.reward = state[0], *state[1:4]
        self.generator.recover_state(state[4])


class Generator:
    """Makes dialogues up; ``nothing`` of the calls give none."""

    def __init__(self, seed: int = 7, nothing: int = 0) -> None:
        self.random_gen = Random(seed)
        self.world = SimpleNamespace(players=["me", "ann", "bob"])
        self.context_strings: list[str] = []
        self.flushed = 0
        self.nothing = nothing
        self.asked: list[str] = []
        self.primitive_templates = [CountPolicy, NamePolicy]

    @property
    def context(self) -> list[str]:
        return self.context_strings[self.flushed :]

    def flush(self) -> None:
        self.flushed = len(self.context_strings)

    def save_state(self) -> Any:
        return list(self.context_strings), self.random_gen.getstate()

    def recover_state(self, state: Any) -> None:
        self.context_strings[:] = state[0]
        self.random_gen.setstate(state[1])

    def generate_dialogue(self, structure_list: Any = None, default_args_list: Any = None) -> Dialogue | None:
        if self.nothing:
            self.nothing -= 1
            return None
        kind = structure_list[0][1] if structure_list else self.random_gen.choice(self.primitive_templates)
        given = default_args_list[0] if default_args_list else {"agent": "ann", "user": "bob"}
        self.asked.append(given["agent"])
        return Dialogue(self, kind, given["user"], given["agent"], self.random_gen.randint(1, 4))
