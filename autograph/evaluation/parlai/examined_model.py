"""How well does an agent answer the questions of some tasks? Its answers, measured, with the intervals of the means.

Reports are those of ParlAI. What ParlAI leaves out of its averages is counted beside them: answers that were silence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.evaluation.intervals import Interval, mean_interval
from autograph.evaluation.metric import Average, Metric
from autograph.evaluation.metrics import aggregate_named_reports, values
from autograph.evaluation.parlai.agent import labels_of
from autograph.evaluation.parlai.concurrent_world import ConcurrentWorld, Round
from autograph.evaluation.parlai.dialog_worlds import DialogPartnerWorld
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.teachers import Teacher

__all__ = ["Examined", "Example", "TaskResult", "examine", "limited"]


@dataclass(frozen=True, slots=True)
class Example:
    """A question and its answer; ``episode`` and ``turn`` are counted from 0."""

    task: str
    episode: int
    turn: int
    asked: Message
    answer: Message

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """What was measured; empty where nobody knows the right answer."""
        found: Mapping[str, Metric] = self.answer.get("metrics") or {}
        return found if "exs" in found else {}

    @property
    def answered(self) -> bool:
        """Whether there was an answer at all."""
        return self.answer.get("text") is not None

    def to_dict(self) -> dict[str, Any]:
        """The example as JSON data."""
        further = {name: self.answer[name] for name in ("node", "confidence", "error") if self.answer.get(name)}
        return {
            "task": self.task,
            "episode": self.episode,
            "turn": self.turn,
            "text": self.asked.get("text"),
            "labels": labels_of(self.asked),
            "reply": self.answer.get("text"),
            **further,
            "metrics": {name: number for name, number in values(self.metrics).items() if name != "exs"},
        }


@dataclass(frozen=True, slots=True)
class TaskResult:
    """One task: its metrics by name, and the examples, in order."""

    task: str
    report: Mapping[str, Metric]
    examples: tuple[Example, ...]

    @property
    def measured(self) -> list[Example]:
        """The examples whose right answers are known."""
        return [example for example in self.examples if example.metrics]

    @property
    def answered(self) -> int:
        """How many of them were answered."""
        return sum(example.answered for example in self.measured)

    def values_of(self, metric: str) -> list[float]:
        """An average's values, one of each example that has one; empty for what is no mean of examples."""
        found = [example.metrics[metric] for example in self.measured if metric in example.metrics]
        if not all(isinstance(each, Average) and each.denominator == 1 for each in found):
            return []
        return [float(each.value()) for each in found]

    def intervals(self) -> dict[str, Interval]:
        """The intervals of the averages, by name."""
        found = {name: self.values_of(name) for name in sorted(self.report)}
        return {name: mean_interval(numbers) for name, numbers in found.items() if numbers}


@dataclass(frozen=True, slots=True)
class Examined:
    """The results of an agent in all tasks. ``micro``: over all tasks each example counts alike, not each task."""

    model: str
    tasks: tuple[TaskResult, ...]
    micro: bool = False

    def report(self, micro: bool | None = None) -> dict[str, Metric]:
        """The metrics: of one task as they are, of several as ``task/metric`` and over all."""
        reports = {result.task: result.report for result in self.tasks}
        return aggregate_named_reports(reports, micro_average=self.micro if micro is None else micro)

    def intervals(self) -> dict[str, Interval]:
        """The intervals of the averages in the report, by the same names."""
        if len(self.tasks) == 1:
            return self.tasks[0].intervals()
        of_tasks = {result.task: result.intervals() for result in self.tasks}
        found = {f"{task}/{name}": each for task, those in of_tasks.items() for name, each in those.items()}
        for name in sorted({name for those in of_tasks.values() for name in those}):
            if self.micro:
                found[name] = mean_interval([value for result in self.tasks for value in result.values_of(name)])
            else:
                found[name] = _mean_of([those[name] for those in of_tasks.values() if name in those])
        return found

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples of all tasks."""
        return tuple(example for result in self.tasks for example in result.examples)

    @property
    def coverage(self) -> tuple[int, int]:
        """How many of how many examples with known answers were answered."""
        return sum(result.answered for result in self.tasks), sum(len(result.measured) for result in self.tasks)

    def to_dict(self) -> dict[str, Any]:
        """The results as JSON data, without the examples."""
        answered, measured = self.coverage
        return {
            "model": self.model,
            "average": "micro" if self.micro else "macro",
            "tasks": [result.task for result in self.tasks],
            "report": values(self.report()),
            "macro": values(self.report(micro=False)),
            "micro": values(self.report(micro=True)),
            "intervals": {name: interval.to_dict() for name, interval in self.intervals().items()},
            "answered": answered,
            "measured": measured,
            "examples": len(self.examples),
            "episodes": sum(len({example.episode for example in result.examples}) for result in self.tasks),
        }


def _mean_of(parts: Sequence[Interval]) -> Interval:
    """The mean of independent figures, each of which has an interval.

    G. Y. Zou and A. Donner, Construction of confidence limits about effect measures: a general approach, Stat. Med. 27
    (2008) 1693–1702: the distances to the ends are added as squares.
    """
    n = len(parts)
    value = math.fsum(part.value for part in parts) / n
    down = math.sqrt(math.fsum((part.value - part.low) ** 2 for part in parts)) / n
    up = math.sqrt(math.fsum((part.high - part.value) ** 2 for part in parts)) / n
    return Interval(value, value - down, value + up)


def examine(
    agent: Any,
    teachers: Sequence[Teacher],
    *,
    at_once: int = 1,
    most: int | None = None,
    micro: bool = False,
    each: Callable[[Example], object] | None = None,
) -> Examined:
    """Let the agent answer all questions of the teachers, or the first ``most`` of each.

    ``at_once``: how many dialogues are held at the same time; ``each`` is told of every example. The first error ends
    it. Raises ``ValueError`` for two tasks of one name, or questions without end.
    """
    names = [teacher.id for teacher in teachers]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f'two tasks are called "{twice}", so their figures could not be told apart. Leave one out.')
    results = []
    for teacher in teachers:
        agent.reset()
        world = ConcurrentWorld(DialogPartnerWorld([teacher, agent]), at_once)

        def tell(held: Round, task: str = teacher.id) -> None:
            if each is not None:
                each(_example(task, held))

        rounds = world.run(most=most, each=tell)
        results.append(TaskResult(teacher.id, world.report(), tuple(_example(teacher.id, held) for held in rounds)))
    return Examined(str(agent.id), tuple(results), micro)


def _example(task: str, held: Round) -> Example:
    return Example(task, held.episode, held.turn, held.acts[0], held.acts[1])


def limited(teachers: Sequence[Teacher], most: int | None) -> int:
    """How many examples will be posed, for whoever shows how far it is."""
    return sum(t.num_examples() if most is None else min(t.num_examples(), most) for t in teachers)
