"""Which part of a task's data is posed, and in what order? ``train``, ``train:ordered``, ``valid``, ``test`` …"""

from __future__ import annotations

from dataclasses import dataclass

from autograph.errors import did_you_mean

__all__ = ["DATATYPES", "FOLDS", "Datatype"]

FOLDS = ("train", "valid", "test")
DATATYPES = (
    "train",
    "train:stream",
    "train:ordered",
    "train:ordered:stream",
    "train:stream:ordered",
    "train:evalmode",
    "train:evalmode:stream",
    "train:evalmode:ordered",
    "train:evalmode:ordered:stream",
    "train:evalmode:stream:ordered",
    "valid",
    "valid:stream",
    "test",
    "test:stream",
)


@dataclass(frozen=True, slots=True)
class Datatype:
    """A datatype by its name. Raises ``ValueError`` if there is none of this name."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in DATATYPES:
            hint = did_you_mean(self.name, DATATYPES) or f"It is one of {', '.join(DATATYPES)}."
            raise ValueError(f'there is no datatype "{self.name}". {hint}')

    @property
    def fold(self) -> str:
        """``train``, ``valid`` or ``test``."""
        return self.name.partition(":")[0]

    @property
    def training(self) -> bool:
        """Whether the agent may learn from the right answers, so that they are called ``labels``."""
        return self.fold == "train" and "evalmode" not in self.name

    @property
    def cycles(self) -> bool:
        """Whether the examples go on for ever."""
        return self.training and "ordered" not in self.name

    @property
    def shuffles(self) -> bool:
        """Whether tasks are drawn at random."""
        return self.cycles and not self.streams

    @property
    def random(self) -> bool:
        """Whether dialogues are drawn at random, with replacement."""
        return self.name == "train"

    @property
    def streams(self) -> bool:
        """Whether the data are read one after the other."""
        return "stream" in self.name

    def __str__(self) -> str:
        return self.name
