"""How are many conversations held at the same time? Each at its own pace, so that no model waits for another one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from autograph.evaluation.metric import Metric
from autograph.evaluation.parlai.dialog_worlds import DialogPartnerWorld
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.world import World
from autograph.evaluation.running import run_now

__all__ = ["AT_ONCE", "ConcurrentWorld", "Round"]

AT_ONCE = 8
"""How many conversations are held at the same time."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: of which dialogue, its place there (both from 0), and what was said."""

    episode: int
    turn: int
    acts: tuple[Message, ...]


@dataclass(slots=True)
class _Share:
    """What the conversations divide among them: the numbers of dialogues, and how long each may be."""

    limits: list[int] | None
    numbers: Iterator[int] = field(default_factory=count)

    def next(self) -> tuple[int, int | None] | None:
        """The number of the next dialogue, and how many rounds of it are wanted; None if there are enough."""
        number = next(self.numbers)
        if self.limits is None:
            return number, None
        return (number, self.limits[number]) if number < len(self.limits) else None


class ConcurrentWorld(World):
    """The conversations of a world of a teacher and an agent, ``at_once`` at a time, each with copies of both.

    A conversation that has ended makes room for the next one, as long as the teacher has any. With ``at_once=1`` the
    world itself is used, and nothing is copied.
    """

    def __init__(self, world: DialogPartnerWorld, at_once: int = AT_ONCE) -> None:
        if at_once < 1:
            raise ValueError(f"{at_once} conversations at once are none; 1 is the least")
        super().__init__((), id=world.getID())
        self.world, self._at_once = world, at_once

    def get_agents(self) -> list[Any]:
        """The agents of which copies talk."""
        return self.world.get_agents()

    def parley(self) -> None:
        """Hold all conversations."""
        self.run()

    def run(self, *, most: int | None = None, each: Callable[[Round], object] | None = None) -> list[Round]:
        """Hold all conversations, or those with the first ``most`` examples; the rounds, in the order of the data.

        ``each`` is told of a round when it has ended. The first error ends all. Raises ``ValueError`` where the
        examples go on for ever and ``most`` is not given.
        """
        teacher = self.get_task_agent()
        shared = _Share(_limits(teacher, most))
        rounds: list[Round] = []

        def keep(held: Round) -> None:
            self.total_parleys += 1
            rounds.append(held)
            if each is not None:
                each(held)

        if self._at_once == 1:
            _hold(self.world, shared, keep)
        else:
            lanes = [self.world.share() for _ in range(self._at_once)]
            run_now(lambda: _all(lanes, shared, keep))
        if self.num_examples():
            self.total_epochs = self.total_parleys / self.num_examples()
        return sorted(rounds, key=lambda held: (held.episode, held.turn))

    def epoch_done(self) -> bool:
        """Whether all examples were posed."""
        return self.total_parleys >= self.num_examples()

    def report(self) -> dict[str, Metric]:
        """The metrics of all conversations."""
        return self.world.report()

    def reset(self) -> None:
        """Begin again."""
        super().reset()
        self.world.reset()

    def reset_metrics(self) -> None:
        """Forget what was measured."""
        self.world.reset_metrics()

    def shutdown(self) -> None:
        """Let go of the agents."""
        self.world.shutdown()


def _limits(teacher: Any, most: int | None) -> list[int] | None:
    """How many rounds of each dialogue are wanted; None: all of all."""
    if most is None:
        datatype = getattr(teacher, "datatype", None)
        if getattr(datatype, "cycles", False):
            raise ValueError(f'the examples of the datatype "{datatype}" go on for ever. Say how many are wanted.')
        return None
    limits: list[int] = []
    begins = True
    for asked in teacher if most > 0 else ():
        if begins:
            limits.append(0)
        limits[-1] += 1
        begins = bool(asked.get("episode_done"))
        most -= 1
        if most <= 0:
            break
    return limits


def _hold(world: DialogPartnerWorld, shared: _Share, keep: Callable[[Round], object]) -> None:
    """Hold one conversation after the other, as long as there are any."""
    while (turn := shared.next()) is not None:
        number, limit = turn
        for place in count():
            world.parley()
            if world.acts[0].is_padding():
                return
            keep(Round(number, place, tuple(world.acts)))
            if world.episode_done() or place + 1 == limit:
                break
        if limit is None and world.epoch_done():
            return


async def _all(worlds: list[DialogPartnerWorld], shared: _Share, keep: Callable[[Round], object]) -> None:
    tasks = [asyncio.ensure_future(_ahold(world, shared, keep)) for world in worlds]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for world in worlds:
            world.shutdown()


async def _ahold(world: DialogPartnerWorld, shared: _Share, keep: Callable[[Round], object]) -> None:
    """As ``_hold``."""
    while (turn := shared.next()) is not None:
        number, limit = turn
        for place in count():
            await world.aparley()
            if world.acts[0].is_padding():
                return
            keep(Round(number, place, tuple(world.acts)))
            await asyncio.sleep(0)  # an agent that never waits must let others have their turn, and Ctrl-C its effect
            if world.episode_done() or place + 1 == limit:
                break
