"""How are dialogues posed that are known beforehand? In order or at random, with labels or without, and measured."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from autograph.evaluation.metric import Metric
from autograph.evaluation.metrics import Scores
from autograph.evaluation.parlai.datatypes import Datatype
from autograph.evaluation.parlai.message import Message

__all__ = ["FixedDialogTeacher"]

_USUAL = ("accuracy", "precision", "recall", "f1", "bleu-4")


@dataclass(slots=True)
class _Common:
    """What a teacher and its copies have in common: the place in the data, the dice, the metrics."""

    rng: random.Random
    scores: Scores
    index: int = -1


@dataclass(slots=True)
class _Place:
    """Where a teacher is: in which dialogue, before which of its examples; and what it waits for."""

    episode: Sequence[Message] = ()
    entry: int = 0
    done: bool = False
    asked: Message = field(default_factory=Message)
    labels: Sequence[str] | None = None


class FixedDialogTeacher:
    """A teacher over dialogues that are known beforehand, each a list of examples.

    ``datatype``: ``train`` draws dialogues at random, with replacement (``seed`` makes it repeatable), all others pose
    them in order; only training ``train`` and ``train:stream`` go on for ever. Where the agent may not learn, labels
    are called ``eval_labels``, and with ``hide_labels`` not shown at all. ``batchsize``: how many copies (``share``)
    work side by side. ``tokenize`` and ``metrics`` are as for ``metrics.Scores``. ``stream_ends``: ``train:…`` that is
    both ordered and streamed comes to an end, as with ParlAI's numbered lines and conversations; else it begins again.

    Raises ``ValueError``: no dialogue, an unknown datatype.
    """

    def __init__(
        self,
        episodes: Sequence[Sequence[Mapping[str, Any]]],
        *,
        id: str = "teacher",
        datatype: str = "train",
        seed: int | None = None,
        batchsize: int = 1,
        hide_labels: bool = False,
        tokenize: str = "word",
        metrics: Sequence[str] = _USUAL,
        stream_ends: bool = False,
    ) -> None:
        self.id = id
        self.datatype = Datatype(datatype)
        self._episodes = [_whole(episode) for episode in episodes if episode]
        if not self._episodes:
            raise ValueError(f'the task "{id}" has no dialogue for the datatype "{datatype}".')
        self._num_examples = sum(map(len, self._episodes))
        self._seed, self._batchsize, self._hides = seed, batchsize, hide_labels
        ends = stream_ends and self.datatype.streams and not self.datatype.cycles
        self._begins_again = self.datatype.training and not ends
        self._measure: dict[str, Any] = {"tokenize": tokenize, "names": tuple(metrics)}
        self._common = _Common(random.Random(seed), Scores(**self._measure))
        self._place = _Place()

    def act(self) -> Message:
        """The next example; a padding message when there is none left."""
        place = self._place
        if place.entry >= len(place.episode):
            index = self._next_episode()
            if index >= len(self._episodes):
                self._place = _Place(done=True)
                return Message(Message.padding_example(), id=self.id)
            place.episode, place.entry = self._episodes[index], 0
            place.done = not self.datatype.cycles and index + self._batchsize >= len(self._episodes)
        asked = Message(place.episode[place.entry], id=self.id)
        place.entry += 1
        place.asked, place.labels = asked, asked.get("labels", asked.get("eval_labels"))
        return asked.copy() if self.datatype.training else self._without_labels(asked)

    def _next_episode(self) -> int:
        if self.datatype.random:
            return self._common.rng.randrange(len(self._episodes))
        self._common.index += 1
        if self._begins_again:
            self._common.index %= len(self._episodes)
        return self._common.index

    def _without_labels(self, asked: Message) -> Message:
        shown = asked.copy()
        labels = shown.pop("labels", None)
        if labels is not None and not self._hides:
            shown.force_set("eval_labels", labels)
        return shown

    def observe(self, observation: Message) -> Message:
        """Measure an answer to the example that was posed last, and note the metrics in it (``metrics``).

        The agent's own metrics are measured too, and replaced in the answer by those that come of it.
        """
        place = self._place
        if place.labels is not None:
            scores = self._common.scores
            recent = dict(scores.response(observation, place.labels))
            further = self.custom_evaluation(place.asked, place.labels, observation)
            scores.add(further)
            place.labels = None
            dict.__setitem__(observation, "metrics", {**recent, **further})
        return observation

    def custom_evaluation(
        self, teacher_action: Message, labels: Sequence[str], model_response: Message
    ) -> Mapping[str, Metric]:
        """Further metrics of an answer, for subclasses: what was asked, the right answers, the answer."""
        return {}

    def epoch_done(self) -> bool:
        """Whether every example has been posed: true with the last one; never, if they go on for ever."""
        return self._place.done and self._place.entry >= len(self._place.episode)

    def num_examples(self) -> int:
        """How many examples there are."""
        return self._num_examples

    def num_episodes(self) -> int:
        """How many dialogues there are."""
        return len(self._episodes)

    def report(self) -> dict[str, Metric]:
        """The metrics so far."""
        return self._common.scores.report()

    def reset(self) -> None:
        """Begin again, also for the copies, with nothing measured; the dice are as they were first."""
        self.reset_metrics()
        self._common.index = -1
        self._common.rng.seed(self._seed)
        self._place = _Place()

    def reset_metrics(self) -> None:
        """Forget what was measured."""
        self._common.scores = Scores(**self._measure)

    def share(self) -> Self:
        """A copy at the beginning of a dialogue that draws from the same examples and adds to the same metrics."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._place = _Place()
        return twin

    def __iter__(self) -> Iterator[Message]:
        """The examples from the first; for ever if the datatype cycles. The teacher itself does not move."""
        twin = self.share()
        twin._common = _Common(random.Random(self._seed), Scores())
        twin._batchsize = 1
        while not twin.epoch_done():
            yield twin.act()


def _whole(episode: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    """The examples of a dialogue; the last one ends it, and no other."""
    return tuple(Message({**act, "episode_done": index == len(episode)}) for index, act in enumerate(episode, 1))
