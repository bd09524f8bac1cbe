"""Who said what: one turn, linked to the turn before it.

Turns form a chain from the newest to the oldest. Memories of one conversation share their older
turns, so a copy costs nothing and two threads that continue one memory cannot disturb each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Turn", "add_turn", "iterate", "oldest_first"]

MESSAGE_OVERHEAD = 4
"""Tokens that a message costs beside its text."""


def tokens(text: str) -> int:
    """An estimate of the tokens of ``text``: a token is about four characters."""
    return (len(text) + 3) // 4 + MESSAGE_OVERHEAD


@dataclass(slots=True, eq=False, repr=False)
class Turn:
    """What a chat or thought node said, and what it answered. Never changed once it is made.

    (Not declared frozen, since every turn makes one and a frozen dataclass costs three times as much.)

    ``user`` is the user text that the node consumed (None: there was none); ``agent`` the reply or
    the thought; ``shown`` the messages, as ``(role, text)``, that stand before ``agent`` in later
    prompts; ``category`` the node's ``state_category``; ``spoke`` whether the user saw it.
    ``size`` counts the tokens of the whole chain up to and including this turn, ``category_size``
    those of this category; ``heads`` maps each category to its newest turn (only where a program
    uses ``conv_scope``).
    """

    node: str
    user: str | None
    agent: str
    shown: tuple[tuple[str, str], ...]
    category: str
    spoke: bool
    previous: Turn | None
    index: int
    size: int
    category_size: int = 0
    heads: Mapping[str, Turn] | None = None

    def renamed(self, node: str, previous: Turn | None) -> Turn:
        """This turn said by ``node`` and following ``previous``."""
        by_category = self.heads is not None
        return add_turn(previous, node, self.user, self.agent, self.shown, self.category, self.spoke, by_category)

    def to_dict(self) -> dict[str, Any]:
        """The turn as JSON data, without its links."""
        data: dict[str, Any] = {"node": self.node, "user": self.user, "agent": self.agent}
        if self.shown != default_shown(self.user):
            data["shown"] = [list(pair) for pair in self.shown]
        if self.category:
            data["category"] = self.category
        if not self.spoke:
            data["spoke"] = False
        return data


def default_shown(user: str | None) -> tuple[tuple[str, str], ...]:
    """What stands before a reply in later prompts if nothing else was kept: the user's text."""
    return (("user", user),) if user else ()


def add_turn(
    previous: Turn | None,
    node: str,
    user: str | None,
    agent: str,
    shown: tuple[tuple[str, str], ...],
    category: str = "",
    spoke: bool = True,
    by_category: bool = False,
) -> Turn:
    """A new turn at the end of the chain ``previous``."""
    size = tokens(agent)
    for _, text in shown:
        size += tokens(text)
    index, total = (0, size) if previous is None else (previous.index + 1, previous.size + size)
    if not by_category:
        return Turn(node, user, agent, shown, category, spoke, previous, index, total)
    heads: dict[str, Turn] = dict(previous.heads or {}) if previous else {}
    before = heads.get(category)
    in_category = size + (before.category_size if before else 0)
    turn = Turn(node, user, agent, shown, category, spoke, previous, index, total, in_category, heads)
    heads[category] = turn
    return turn


def iterate(newest: Turn | None, stop: Turn | None = None) -> Iterator[Turn]:
    """The turns from the newest back to, and without, ``stop``."""
    turn = newest
    while turn is not None and turn is not stop:
        yield turn
        turn = turn.previous


def oldest_first(newest: Turn | None, stop: Turn | None = None) -> list[Turn]:
    """The turns after ``stop`` in the order in which they were said."""
    found = list(iterate(newest, stop))
    found.reverse()
    return found
