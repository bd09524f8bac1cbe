"""Which nodes were entered, in order: linked blocks of names, one block a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["ENTERED", "Block", "names_of"]

ENTERED: Final = "entered"
"""The first item of the log entry of a node that was entered; the second is its name."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Block:
    """The names entered in one turn; ``total`` counts all names up to here."""

    names: tuple[str, ...]
    previous: Block | None
    total: int


def names_of(block: Block | None) -> list[str]:
    """All names, oldest first."""
    blocks = []
    while block is not None:
        blocks.append(block.names)
        block = block.previous
    return [name for names in reversed(blocks) for name in names]
