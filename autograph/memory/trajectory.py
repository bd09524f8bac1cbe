"""Which nodes were entered, in order, and how often: linked blocks of names, one block a turn, and counts.

Nothing here grows with the length of a conversation unless somebody asks: blocks are shared by all
memories of a conversation, visits are counted when they are first asked for, and a memory that goes on
copies only the counts of recent turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

__all__ = ["ENTERED", "Block", "Visits", "names_of"]

ENTERED: Final = "entered"
"""The first item of the log entry of a node that was entered; the second is its name."""


class Block(NamedTuple):
    """The names entered in one turn; ``total`` counts all names up to here. (A tuple, since every turn makes one.)"""

    names: tuple[str, ...]
    previous: Block | None
    total: int


def names_of(block: Block | None, after: Block | None = None) -> list[str]:
    """All names after the block ``after``, oldest first."""
    blocks: list[tuple[str, ...]] = []
    while block is not None and block is not after:
        blocks.append(block.names)
        block = block.previous
    return [name for names in reversed(blocks) for name in names]


class Visits:
    """How often each node was entered.

    Two layers: ``old`` is shared and never changed, ``recent`` belongs to this object. When ``recent`` has
    grown to a multiple of the root of ``old``, both are merged, so that a fork costs the root of the number
    of nodes visited.
    """

    __slots__ = ("_old", "_recent", "block")

    def __init__(self, counts: Mapping[str, int], block: Block | None) -> None:
        self._old: Mapping[str, int] = counts
        self._recent: dict[str, int] = {}
        self.block = block

    def fork(self) -> Visits:
        """Counts that can go on without changing these."""
        new = Visits(self._old, self.block)
        new._recent = self._recent.copy()
        return new

    def add(self, names: Iterable[str]) -> None:
        """Count these entries."""
        recent = self._recent
        for name in names:
            recent[name] = recent.get(name, 0) + 1
        if len(recent) > 16 and len(recent) ** 2 > 4 * len(self._old):
            self._old = self.counts()
            self._recent = {}

    def __call__(self, node: str) -> int:
        return self._old.get(node, 0) + self._recent.get(node, 0)

    def counts(self) -> dict[str, int]:
        """All counts."""
        merged = dict(self._old)
        for name, count in self._recent.items():
            merged[name] = merged.get(name, 0) + count
        return merged


def entered_in(log: Sequence[tuple[Any, ...]]) -> list[str]:
    """The names of the nodes entered according to a log."""
    return [entry[1] for entry in log if entry[0] is ENTERED]
