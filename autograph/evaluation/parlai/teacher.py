"""Who asks the questions and knows the answers? What every teacher can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, Self, runtime_checkable

from autograph.evaluation.metric import Metric
from autograph.evaluation.parlai.message import Message

__all__ = ["Teacher"]


@runtime_checkable
class Teacher(Protocol):
    """An agent that poses examples and measures the answers. ``id`` names its task."""

    id: str

    def act(self) -> Message:
        """The next example; a padding message when there is none left."""

    def observe(self, observation: Message) -> Message:
        """Measure an answer to the example that was posed last, and note the metrics in it (``metrics``)."""

    def epoch_done(self) -> bool:
        """Whether every example has been posed: true with the last one."""

    def num_examples(self) -> int:
        """How many examples there are."""

    def num_episodes(self) -> int:
        """How many dialogues there are."""

    def report(self) -> Mapping[str, Metric]:
        """The metrics so far."""

    def reset(self) -> None:
        """Begin again, with nothing measured."""

    def reset_metrics(self) -> None:
        """Forget what was measured."""

    def share(self) -> Self:
        """A copy at the beginning of a dialogue that draws from the same examples and adds to the same metrics."""

    def __iter__(self) -> Iterator[Message]:
        """The examples in order, from the first; for ever if the datatype cycles. The teacher itself does not move."""
