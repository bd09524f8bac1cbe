"""How are several worlds one? One task after the other (``MultiWorld``), or side by side in step (``BatchWorld``)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from autograph.evaluation.metric import Metric
from autograph.evaluation.metrics import aggregate_named_reports
from autograph.evaluation.parlai.datatypes import Datatype
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.world import World, validated
from autograph.evaluation.running import run_now

__all__ = ["BatchWorld", "MultiWorld"]


class MultiWorld(World):
    """A world for each of several tasks; with the end of a dialogue the next one has its turn.

    With the datatype ``train`` it is drawn at random, by ``weights`` (1 where none is given; ``stochastic``: by the
    numbers of dialogues), else it is the next that is not done. ``micro_average``: the figure over all counts each
    example alike, not each task. Raises ``ValueError`` for two worlds of one name.
    """

    def __init__(
        self,
        worlds: Sequence[World],
        *,
        datatype: str = "valid",
        weights: Sequence[float] | Literal["stochastic"] = (1,),
        micro_average: bool = False,
        seed: int | None = None,
    ) -> None:
        if not worlds:
            raise ValueError("there is no world. Give one at least.")
        self.worlds = list(worlds)
        self.world_idx = -1
        super().__init__((), id=",".join(world.getID() for world in worlds))
        names = [world.getID() for world in worlds]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f'two worlds are called "{twice}", so their figures could not be told apart')
        self._datatype, self._micro = Datatype(datatype), micro_average
        chosen = [world.num_episodes() for world in worlds] if weights == "stochastic" else list(weights)
        self._weights = [*chosen, *[1] * len(names)][: len(names)]
        self._random = random.Random(seed)

    def _now(self) -> World:
        return self.worlds[self.world_idx]

    def get_agents(self) -> list[Any]:
        """The agents of the world whose turn it is."""
        return self._now().get_agents()

    def get_acts(self) -> list[Message]:
        """The last acts, in the world whose turn it is."""
        return self._now().get_acts()

    def parley_init(self) -> None:
        """Choose the world whose turn it is."""
        if self.world_idx >= 0 and not self._now().episode_done():
            return
        count = len(self.worlds)
        if self._datatype.shuffles:
            self.world_idx = self._random.choices(range(count), weights=self._weights)[0]
            return
        for _ in range(count):
            self.world_idx = (self.world_idx + 1) % count
            if not self._now().epoch_done():
                return

    def parley(self) -> None:
        """A round of the world whose turn it is."""
        self.parley_init()
        self._now().parley()
        self.update_counters()

    def episode_done(self) -> bool:
        """Whether the dialogue of the world whose turn it is has ended."""
        return self.world_idx >= 0 and self._now().episode_done()

    def epoch_done(self) -> bool:
        """Whether all worlds are done."""
        return all(world.epoch_done() for world in self.worlds)

    def report(self) -> dict[str, Metric]:
        """The metrics of each task, ``task/metric``, and over all."""
        reports: Mapping[str, Mapping[str, Metric]] = {world.getID(): world.report() for world in self.worlds}
        report = aggregate_named_reports(reports, micro_average=self._micro)
        if "exs" in report:
            self.total_exs = report["exs"].value()
        return report

    def num_examples(self) -> int:
        """How many examples the worlds have."""
        return sum(world.num_examples() for world in self.worlds)

    def num_episodes(self) -> int:
        """How many dialogues the worlds have."""
        return sum(world.num_episodes() for world in self.worlds)

    def display(self) -> str:
        """The last acts, with the name of their world."""
        return f"[world {self.world_idx}: {self._now().getID()}]\n{self._now().display()}"

    def share(self) -> Self:
        """A copy with copies of all worlds."""
        copy = type(self)(
            [world.share() for world in self.worlds],
            datatype=self._datatype.name,
            weights=self._weights,
            micro_average=self._micro,
        )
        copy._random = self._random
        return copy

    def reset(self) -> None:
        """Begin again with all worlds."""
        super().reset()
        for world in self.worlds:
            world.reset()
        self.world_idx = -1

    def reset_metrics(self) -> None:
        """Forget what was measured."""
        for world in self.worlds:
            world.reset_metrics()

    def shutdown(self) -> None:
        """Let go of all agents."""
        for world in self.worlds:
            world.shutdown()


class BatchWorld(World):
    """``batchsize`` copies of a world in step: all first agents act, then all second ones, and so on.

    An agent with ``batch_act(observations)`` answers for all of its copies, else each copy acts (``aact``, so that
    requests to models are sent together). A copy that has nothing left to pose (padding) is not answered. Give the
    teacher the same ``batchsize``. It ends no dialogue itself.
    ``acts`` has a list of acts for each agent.
    """

    def __init__(self, world: World, batchsize: int) -> None:
        if batchsize < 1:
            raise ValueError(f"a batch of {batchsize} is none; it has 1 conversation at least")
        self.world = world
        self.worlds = [world.share() for _ in range(batchsize)]
        super().__init__((), id=world.getID())
        self.batch_acts: list[list[Message]] = []
        self._observed: list[list[Any]] = []

    def get_agents(self) -> list[Any]:
        """The agents of the world that was copied."""
        return self.world.get_agents()

    def parley(self) -> None:
        """A round in all copies. Raises ``ValueError`` for an agent that does not return what it observed."""
        for world in self.worlds:
            if isinstance(world, MultiWorld):
                world.parley_init()
        count = len(self.worlds[0].get_agents())
        self._observed = self._observed or [[None] * len(self.worlds) for _ in range(count)]
        self.batch_acts = [[] for _ in range(count)]
        for index in range(count):
            acts = self._act(index)
            self.batch_acts[index] = acts
            for world, act in zip(self.worlds, acts, strict=True):
                world.get_acts()[index] = act
            for other in range(count):
                self._observed[other] = self._observe(other, index, acts)
        self.update_counters(len(self.worlds))

    def _act(self, index: int) -> list[Message]:
        root = self.get_agents()[index]
        if hasattr(root, "batch_act"):
            return [validated(act) for act in root.batch_act(self._observed[index])]
        asked = [world for world in self.worlds if not (index and world.get_acts()[0].is_padding())]
        agents = [world.get_agents()[index] for world in asked]
        if hasattr(root, "aact"):

            async def together() -> list[Any]:
                return list(await asyncio.gather(*(agent.aact() for agent in agents)))

            acts = iter(run_now(together))
        else:
            acts = iter([agent.act() for agent in agents])
        return [validated(next(acts)) if world in asked else Message.padding_example() for world in self.worlds]

    def _observe(self, index: int, acting: int, acts: Sequence[Message]) -> list[Any]:
        observed: list[Any] = []
        for world, act in zip(self.worlds, acts, strict=True):
            agent = world.get_agents()[index]
            if index == acting:
                if hasattr(agent, "self_observe"):
                    agent.self_observe(act)
                observed.append(act)
                continue
            observed.append(agent.observe(act))
            if observed[-1] is None:
                raise ValueError(f"{type(agent).__name__}.observe() must return what it observed")
        return observed

    def epoch_done(self) -> bool:
        """Whether all copies are done."""
        return all(world.epoch_done() for world in self.worlds)

    def report(self) -> dict[str, Metric]:
        """The metrics of the world that was copied: its copies add to them."""
        return self.world.report()

    def num_examples(self) -> int:
        """How many examples there are."""
        return self.world.num_examples()

    def num_episodes(self) -> int:
        """How many dialogues there are."""
        return self.world.num_episodes()

    def display(self) -> str:
        """The last acts of all copies."""
        blocks = [f"[batch world {index}]\n{world.display()}" for index, world in enumerate(self.worlds)]
        return "\n".join([f"[batch of {len(self.worlds)}]", *blocks])

    def reset(self) -> None:
        """Begin again."""
        super().reset()
        for world in (self.world, *self.worlds):
            world.reset()
        self._observed = []

    def reset_metrics(self) -> None:
        """Forget what was measured."""
        self.world.reset_metrics()

    def shutdown(self) -> None:
        """Let go of all agents."""
        for world in (*self.worlds, self.world):
            world.shutdown()
