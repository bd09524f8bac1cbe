"""Which nodes come after which? Walks over a graph: what is reached, shortest paths, circles, and orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# fmt: off
__all__ = [
    "ANYWHERE", "ANY_CALL", "BARRED", "ENDS", "LEAVES", "QUITS", "RESUMES", "RETURNS", "Region", "Walks",
]
# fmt: on

RETURNS, QUITS, ENDS, RESUMES, ANYWHERE, ANY_CALL = 1, 2, 4, 8, 16, 32
"""What a node may do beside going to a known node: ``return``, ``quit``, end for want of transitions, ``resume``,
go where a variable says, call what a variable names."""

BARRED = -2

LEAVES = RETURNS | QUITS | ENDS | RESUMES | ANYWHERE


@dataclass(frozen=True, slots=True)
class Region:
    """The nodes that one level can run through, from ``entry`` on.

    ``order``: their numbers so that most predecessors come first; ``before``: for each position the positions of
    its predecessors, each with the position of a variant that was surely visited too, or -1, or ``BARRED`` if the way
    may be barred by what was decided before.
    ``loose``: a variable decides where it goes, so that the edges are not all known.
    """

    entry: int
    order: tuple[int, ...]
    position: dict[int, int]
    before: tuple[tuple[tuple[int, int], ...], ...]
    loose: bool


class Walks:
    """The walks of a graph, which says what ``successors`` are and what ``is_barred``."""

    next: list[tuple[int, ...]]
    leaves: list[int]
    calls: list[tuple[int, ...]]
    interrupted: list[bool]
    guarded: set[int]
    hub: int | None
    companions: dict[tuple[int, int], int]

    def is_barred(self, number: int, other: int) -> bool:
        """Whether the way from one node to another may be barred by what was decided before."""
        raise NotImplementedError

    def successors(self, number: int, *, hub: bool = True) -> tuple[int, ...]:
        """What may follow on the same level; interjections by way of the hub."""
        if hub and self.hub is not None and self.interrupted[number]:
            return (*self.next[number], self.hub)
        return self.next[number]

    # ------------------------------------------------------------------ walks

    def reached(self, starts: Iterable[int], *, calls: bool = False, hub: bool = True) -> set[int]:
        """All nodes that can be reached from ``starts``, these included; with ``calls`` functions too."""
        found = set(starts)
        waiting = list(found)
        while waiting:
            number = waiting.pop()
            following = self.successors(number, hub=hub)
            for other in (*following, *self.calls[number]) if calls else following:
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def leading_to(self, goals: Iterable[int], within: Iterable[int], *, hub: bool = False) -> set[int]:
        """The nodes of ``within`` from which one of ``goals`` can be reached on the same level."""
        inside = set(within)
        back: dict[int, list[int]] = {}
        for number in inside:
            for other in self.successors(number, hub=hub):
                if other in inside:
                    back.setdefault(other, []).append(number)
        found = {number for number in goals if number in inside}
        waiting = list(found)
        while waiting:
            for other in back.get(waiting.pop(), ()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def path(
        self, start: int, goal: int, avoid: set[int] | frozenset[int] = frozenset(), *, open_only: bool = False
    ) -> list[int]:
        """A shortest path on one level, ends included, that does not leave a node of ``avoid``; empty if none.

        ``open_only``: without the ways that may be barred.
        """
        came: dict[int, int] = {start: -1}
        ring = [start]
        while ring and goal not in came:
            following: list[int] = []
            for number in ring:
                if number in avoid:
                    continue
                for other in self.successors(number):
                    if other not in came and not (open_only and self.is_barred(number, other)):
                        came[other] = number
                        following.append(other)
            ring = following
        return self.back(came, goal)

    def walk(self, start: int) -> dict[int, int]:
        """All nodes that can be reached from ``start`` on its level, the nearest first, each with the one before it."""
        came = {start: -1}
        ring = [start]
        while ring:
            following = []
            for number in ring:
                for other in self.successors(number):
                    if other not in came:
                        came[other] = number
                        following.append(other)
            ring = following
        return came

    def back(self, came: dict[int, int], goal: int) -> list[int]:
        """The path to ``goal`` in a walk; empty if it was not reached."""
        path = [goal] if goal in came else []
        while path and came[path[-1]] >= 0:
            path.append(came[path[-1]])
        return [number for number in reversed(path) if number != self.hub]

    def region(self, entry: int, *, hub: bool) -> Region:
        """The nodes of the level that begins at ``entry``, in an order that suits a flow analysis."""
        order = self._order(entry, hub)
        position = {number: place for place, number in enumerate(order)}
        before: list[list[tuple[int, int]]] = [[] for _ in order]
        for place, number in enumerate(order):
            for other in self.successors(number, hub=hub):
                companion = position.get(self.companions.get((number, other), -1), -1) if self.companions else -1
                if self.guarded and self.is_barred(number, other):
                    companion = BARRED
                before[position[other]].append((place, companion))
        loose = any(self.leaves[number] & ANYWHERE for number in order)
        return Region(entry, tuple(order), position, tuple(map(tuple, before)), loose)

    def _order(self, entry: int, hub: bool) -> list[int]:
        """Reverse postorder of a depth-first walk."""
        seen = {entry}
        done: list[int] = []
        stack: list[tuple[int, Iterator[int]]] = [(entry, iter(self.successors(entry, hub=hub)))]
        while stack:
            number, following = stack[-1]
            for other in following:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(self.successors(other, hub=hub))))
                    break
            else:
                stack.pop()
                done.append(number)
        done.reverse()
        return done

    def cycles(self, within: Iterable[int]) -> list[list[int]]:
        """The strongly connected parts of ``within`` that hold a cycle, each in row order (Tarjan's algorithm)."""
        inside = set(within)
        low: dict[int, int] = {}
        number_of: dict[int, int] = {}
        held: list[int] = []
        on_stack: set[int] = set()
        found: list[list[int]] = []
        for root in sorted(inside):
            if root in number_of:
                continue
            number_of[root] = low[root] = len(number_of)
            held.append(root)
            on_stack.add(root)
            work = [(root, iter(self.next[root]))]
            while work:
                node, following = work[-1]
                for other in following:
                    if other not in inside:
                        continue
                    if other not in number_of:
                        number_of[other] = low[other] = len(number_of)
                        held.append(other)
                        on_stack.add(other)
                        work.append((other, iter(self.next[other])))
                        break
                    if other in on_stack:
                        low[node] = min(low[node], number_of[other])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == number_of[node]:
                        part = _popped(held, node)
                        on_stack.difference_update(part)
                        if len(part) > 1 or node in self.next[node]:
                            found.append(sorted(part))
        return sorted(found)

    def a_cycle(self, part: Sequence[int]) -> list[int]:
        """One short cycle through the first node of a strongly connected part, that node first and last."""
        inside, start = set(part), part[0]
        came: dict[int, int] = {}
        ring = [start]
        while start not in came:
            following = []
            for number in ring:
                for other in self.next[number]:
                    if other in inside and other not in came:
                        came[other] = number
                        following.append(other)
            ring = following
        path = [start, came[start]]
        while path[-1] != start:
            path.append(came[path[-1]])
        return path[::-1]


def _popped(held: list[int], last: int) -> list[int]:
    part = []
    while True:
        part.append(held.pop())
        if part[-1] == last:
            return part
