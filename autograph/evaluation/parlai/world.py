"""Where do agents meet? ``World``: what all worlds have. ``parley`` is one round in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from autograph.evaluation.metric import Metric
from autograph.evaluation.parlai.message import Message

__all__ = ["World", "joined_report", "shown_acts", "validated"]


class World:
    """A world of agents. It is a context manager that lets go of its agents at the end.

    ``acts`` are the last ones, of each agent. ``total_parleys`` counts rounds, ``total_exs`` the examples answered
    until the last ``report``, ``total_epochs`` passes over the data.
    """

    def __init__(self, agents: Sequence[Any], *, id: str = "") -> None:
        self.agents = list(agents)
        self.id = id or self._first_id()
        self.acts: list[Message] = [Message() for _ in self.agents]
        self.total_parleys = 0
        self.total_exs: int | float = 0
        self.total_epochs: float = 0

    def _first_id(self) -> str:
        return str(self.agents[0].id) if self.agents else "world"

    def getID(self) -> str:  # noqa: N802 - ParlAI's name
        """The name of the world: its task's."""
        return self.id

    def get_agents(self) -> list[Any]:
        """The agents."""
        return self.agents

    def get_acts(self) -> list[Message]:
        """The last acts."""
        return self.acts

    def get_task_agent(self) -> Any:
        """Who sets the task: the first agent."""
        return self.get_agents()[0]

    def get_model_agent(self) -> Any:
        """Who is asked: the second agent."""
        return self.get_agents()[1]

    # ------------------------------------------------------------------ what worlds do

    def parley(self) -> None:
        """One round: the agents act one after the other, and observe each other."""
        raise NotImplementedError(f"{type(self).__name__} has no parley()")

    def episode_done(self) -> bool:
        """Whether the dialogue has ended."""
        return False

    def epoch_done(self) -> bool:
        """Whether there is nothing more to pose."""
        return False

    def report(self) -> dict[str, Metric]:
        """The metrics of the agents."""
        report = joined_report(self.agents)
        if "exs" in report:
            self.total_exs = report["exs"].value()
        return report

    def num_examples(self) -> int:
        """How many examples the first agent has; 0 if it is no teacher."""
        return int(getattr(self.get_task_agent(), "num_examples", int)() or 0)

    def num_episodes(self) -> int:
        """How many dialogues the first agent has; 0 if it is no teacher."""
        return int(getattr(self.get_task_agent(), "num_episodes", int)() or 0)

    def display(self) -> str:
        """The last acts, to be read."""
        return shown_acts(self.get_acts())

    def share(self) -> Self:
        """A copy of the world with copies of the agents."""
        return type(self)([agent.share() for agent in self.agents])

    # ------------------------------------------------------------------ counting, beginning, ending

    def update_counters(self, parleys: int = 1) -> None:
        """Count a round of ``parleys`` worlds."""
        self.total_parleys += 1
        examples = self.num_examples()
        if examples:
            self.total_epochs = self.total_parleys * parleys / examples
        elif self.epoch_done():
            self.total_epochs += 1

    def reset(self) -> None:
        """Begin again with all agents."""
        for agent in self.agents:
            agent.reset()
        self.total_parleys, self.total_exs, self.total_epochs = 0, 0, 0

    def reset_metrics(self) -> None:
        """Forget what was measured."""
        for agent in self.agents:
            agent.reset_metrics()

    def shutdown(self) -> None:
        """Let go of the agents."""
        for agent in self.agents:
            if hasattr(agent, "shutdown"):
                agent.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.shutdown()


def validated(act: Any) -> Message:
    """An act as a message. Raises ``TypeError`` for what is none."""
    if isinstance(act, Message):
        return act
    if isinstance(act, dict):
        return Message(act)
    raise TypeError(f"an agent must act with a dict or a Message, not with {act!r:.60}")


def joined_report(agents: Sequence[Any]) -> dict[str, Metric]:
    """The metrics of all agents; of two with a name the first agent's counts, so that nobody can improve its marks."""
    joined: dict[str, Metric] = {}
    for agent in agents:
        for name, metric in (agent.report() if hasattr(agent, "report") else {}).items():
            joined.setdefault(name, metric)
    return joined


def shown_acts(acts: Sequence[Mapping[str, Any]]) -> str:
    """Acts as lines ``[id]: text``, with the right answers and the candidates."""
    lines = []
    for act in acts:
        if not act:
            continue
        if act.get("reward"):
            lines.append(f"[reward: {act['reward']}]")
        lines.append(f"[{act.get('id', '?')}]: {act.get('text', '(silent)')}")
        for name in ("labels", "eval_labels", "label_candidates", "text_candidates"):
            if act.get(name):
                lines.append(f"  [{name}: {'|'.join(map(str, list(act[name])[:9]))}]")
    return "\n".join(lines)
