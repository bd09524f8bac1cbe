"""How are several tasks posed at once? By one teacher that lets each have its turn, and reports over all."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Literal, Self

from autograph.evaluation.metric import Metric
from autograph.evaluation.metrics import aggregate_named_reports
from autograph.evaluation.parlai.datatypes import Datatype
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.teacher import Teacher

__all__ = ["MultiTaskTeacher"]


class MultiTaskTeacher:
    """Several teachers, one dialogue of each in turn; with the datatype ``train``, at random.

    ``weights``: how often each is drawn (1 where none is given), or ``stochastic``: by their numbers of dialogues.
    ``micro_average``: the figure over all tasks counts each example alike, not each task. Raises ``ValueError``.
    """

    def __init__(
        self,
        teachers: Sequence[Teacher],
        *,
        id: str = "",
        datatype: str = "train",
        weights: Sequence[float] | Literal["stochastic"] = (1,),
        seed: int | None = None,
        micro_average: bool = False,
    ) -> None:
        self.teachers = tuple(teachers)
        if not self.teachers:
            raise ValueError("there is no task. Name one at least.")
        names = [teacher.id for teacher in self.teachers]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(
                f'two tasks are called "{twice}", so their figures could not be told apart. Leave one out.'
            )
        self.id = id or ",".join(names)
        self.datatype = Datatype(datatype)
        chosen = [t.num_episodes() for t in self.teachers] if weights == "stochastic" else list(weights)
        self._weights = [*chosen, *[1] * len(names)][: len(names)]
        self._seed, self._micro = seed, micro_average
        self._rng = random.Random(seed)
        self._current, self._between = -1, True

    def act(self) -> Message:
        """The next example of the teacher whose turn it is."""
        if self._between:
            if not self._turn():
                return Message.padding_example()
            self._between = False
        asked = self.teachers[self._current].act()
        self._between = bool(asked["episode_done"])
        return asked

    def _turn(self) -> bool:
        """Whose turn is it? False if all are done."""
        count = len(self.teachers)
        if self.datatype.shuffles:
            self._current = self._rng.choices(range(count), weights=self._weights)[0]
            return True
        for _ in range(count):
            self._current = (self._current + 1) % count
            if not self.teachers[self._current].epoch_done():
                return True
        return False

    def observe(self, observation: Message) -> Message:
        """Let the teacher that asked measure the answer."""
        return self.teachers[self._current].observe(observation)

    def epoch_done(self) -> bool:
        """Whether all teachers are done."""
        return all(teacher.epoch_done() for teacher in self.teachers)

    def num_examples(self) -> int:
        """How many examples there are in all."""
        return sum(teacher.num_examples() for teacher in self.teachers)

    def num_episodes(self) -> int:
        """How many dialogues there are in all."""
        return sum(teacher.num_episodes() for teacher in self.teachers)

    def report(self) -> dict[str, Metric]:
        """The metrics so far: of each task, ``task/metric``, and over all."""
        return aggregate_named_reports(
            {teacher.id: teacher.report() for teacher in self.teachers}, micro_average=self._micro
        )

    def reset(self) -> None:
        """Begin again with all teachers, with nothing measured."""
        for teacher in self.teachers:
            teacher.reset()
        self._rng.seed(self._seed)
        self._current, self._between = -1, True

    def reset_metrics(self) -> None:
        """Forget what was measured."""
        for teacher in self.teachers:
            teacher.reset_metrics()

    def share(self) -> Self:
        """A copy whose teachers are copies (``Teacher.share``)."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.teachers = tuple(teacher.share() for teacher in self.teachers)
        twin._current, twin._between = -1, True
        return twin

    def __iter__(self) -> Iterator[Message]:
        """The examples of the teachers, each as it gives them, in turn by dialogues."""
        sources = [iter(teacher) for teacher in self.teachers]
        while sources:
            for source in list(sources):
                for asked in source:
                    yield asked
                    if asked["episode_done"]:
                        break
                else:
                    sources.remove(source)
