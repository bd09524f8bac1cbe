"""Where can a program go from each node? Nodes by number, with what follows them on the same level and whom they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from autograph.errors import Problem
from autograph.program import NodeSpec, Program, Transition

__all__ = ["ANYWHERE", "ANY_CALL", "BARRED", "ENDS", "LEAVES", "QUITS", "RESUMES", "RETURNS", "Graph", "Region", "path_names"]

RETURNS, QUITS, ENDS, RESUMES, ANYWHERE, ANY_CALL = 1, 2, 4, 8, 16, 32
"""What a node may do beside going to a known node: ``return``, ``quit``, end for want of transitions, ``resume``,
go where a variable says, call what a variable names."""

BARRED = -2
_MOST_SLIPS = 20

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


class Graph:
    """The graph of a program.

    ``next[i]``: the nodes that may follow node ``i`` on its level; ``leaves[i]``: flags such as ``RETURNS``;
    ``calls[i]``: the callable nodes that it calls. Where the program has interjections, ``hub`` is the number of a
    stand-in that follows every node that speaks and leads to all interjections; else it is None.
    """

    def __init__(self, program: Program, problems: Iterable[Problem] = ()) -> None:
        self.program = program
        self.specs: list[NodeSpec] = list(program.nodes.values())
        self.index = {spec.name: number for number, spec in enumerate(self.specs)}
        self.next: list[tuple[int, ...]] = []
        self.leaves: list[int] = []
        self.calls: list[tuple[int, ...]] = []
        self._companion: dict[tuple[int, int], int] = {}
        self.guarded: set[int] = set()
        self._slips = 0
        self._lowered = {name.lower(): number for name, number in self.index.items()}
        broken = broken_transitions(program, problems)
        for number, spec in enumerate(self.specs):
            follow, leaves = self._following(number, spec)
            calls, calls_any = self._called(spec)
            broken_flag = ANYWHERE if spec.name in broken else 0
            self.next.append(follow)
            self.calls.append(calls)
            self.leaves.append(leaves | calls_any | broken_flag)
        self.speaks = [spec.action.speaks for spec in self.specs]
        self.interrupted = [self._is_interrupted(spec) for spec in self.specs]
        interjections = tuple(self.index[spec.name] for spec in program.interjections)
        self.hub: int | None = len(self.specs) if interjections else None
        if interjections:
            self.next.append(interjections)
            self.leaves.append(0)
            self.calls.append(())
            self.speaks.append(False)
            self.interrupted.append(False)
        self.start = self.index.get(program.start, 0)

    # ------------------------------------------------------------------ edges

    def _following(self, number: int, spec: NodeSpec) -> tuple[tuple[int, ...], int]:
        follow: dict[int, None] = {}
        leaves = 0 if spec.transitions else ENDS
        for transition in spec.transitions:
            leaves |= self._follow(number, spec, transition, follow)
        if spec.on_unclear != "error" and spec.unclear_index is None and spec.on_unclear in self.index:
            follow[self.index[spec.on_unclear]] = None
        return tuple(follow), leaves

    def _follow(self, number: int, spec: NodeSpec, transition: Transition, follow: dict[int, None]) -> int:
        """Add what a transition may lead to; the flags of what else it may do."""
        match transition.kind:
            case "node":
                return self._to_node(transition.target, follow)
            case "group_n" | "group_star":
                self._to_group(number, transition, follow)
                return 0
            case "return":
                return RETURNS
            case "quit":
                return QUITS
            case "resume":
                return RESUMES
        if not spec.allowed_targets:
            return ANYWHERE
        leaves = 0
        for name in spec.allowed_targets:
            leaves |= self._allowed(number, name, follow)
        return leaves

    def _to_node(self, target: str, follow: dict[int, None]) -> int:
        found = self.index.get(target)
        if found is None:  # a slip of the pen: go on where it probably leads
            found = self._probably(target)
            if found is None:
                return ANYWHERE
        if not self.specs[found].callable:  # else it is refused
            follow[found] = None
        return 0

    def _probably(self, target: str) -> int | None:
        """The node whose name is nearest to that of no node; looking it up takes long, so only for the first ones."""
        self._slips += 1
        if self._slips > _MOST_SLIPS:
            return None
        near = get_close_matches(target.lower(), list(self._lowered), n=1, cutoff=0.6)
        return self._lowered[near[0]] if near else None

    def _to_group(self, number: int, transition: Transition, follow: dict[int, None]) -> None:
        group = self.program.groups.get(transition.target)
        if group is None:
            return
        variants = group.numbered if transition.kind == "group_n" else group.lettered
        earlier = -1
        for name in variants:
            variant = self.index[name]
            follow[variant] = None
            if transition.kind == "group_n":
                if earlier >= 0:
                    self._companion[number, variant] = earlier
                earlier = variant

    def _allowed(self, number: int, name: str, follow: dict[int, None]) -> int:
        flags = {"return": RETURNS, "quit": QUITS, "resume": RESUMES}
        if name in flags:
            return flags[name]
        prefix, _, suffix = name.rpartition(".")
        if suffix in ("n", "*"):
            kind = "group_n" if suffix == "n" else "group_star"
            self._to_group(number, Transition(kind, prefix, name), follow)
        elif name in self.index:
            follow[self.index[name]] = None
        return 0

    def _called(self, spec: NodeSpec) -> tuple[tuple[int, ...], int]:
        if spec.action.instruction != "call":
            return (), 0
        if spec.plan is None:
            return (), ANY_CALL
        names = [call.function for call in spec.plan.calls if not call.host and call.dynamic is None]
        dynamic = any(call.dynamic is not None for call in spec.plan.calls)
        return tuple(self.index[name] for name in names if name in self.index), ANY_CALL if dynamic else 0

    @staticmethod
    def _is_interrupted(spec: NodeSpec) -> bool:
        """Whether the user answers this node, so that an interjection may be taken."""
        return spec.action.speaks and any(transition.kind != "quit" for transition in spec.transitions)

    def guard(self, prefixes: Iterable[str]) -> None:
        """Take the ways into these lettered groups for ways that may be barred by what was decided before."""
        for prefix in prefixes:
            group = self.program.groups[prefix]
            self.guarded.update(self.index[name] for name in group.lettered)

    def is_barred(self, number: int, other: int) -> bool:
        """Whether the way from one node to another is only by a group that ``guard`` named."""
        if other not in self.guarded or number == self.hub:
            return False
        name = self.specs[other].name
        spec = self.specs[number]
        direct = any(t.kind == "node" and t.target == name for t in spec.transitions)
        return not direct and spec.on_unclear != name

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
                companion = position.get(self._companion.get((number, other), -1), -1) if self._companion else -1
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


def path_names(graph: Graph, path: Iterable[int], most: int = 8) -> str:
    """A path as one line of names: the first and the last ones if it is long."""
    names = [graph.specs[number].name for number in path if number != graph.hub]
    if len(names) > most:
        names = [*names[: most // 2], "…", *names[-(most - most // 2) :]]
    return " → ".join(names)


_OF_TRANSITIONS = frozenset(
    ("bad-list", "no-variant", "variant-gap", "transition-to-function", "bad-on-unclear", "unknown-action")
)


def broken_transitions(program: Program, problems: Iterable[Problem]) -> set[str]:
    """The names of nodes of which an error leaves open where they lead."""
    errors = [found for found in problems if found.severity == "error"]
    if not errors:
        return set()
    places = {(spec.row.row, spec.row.line): spec for spec in program.nodes.values()}
    lines = {line: spec for spec in program.nodes.values() for line in spec.row.lines.values()}
    broken = set()
    for found in errors:
        where = found.location
        spec = places.get((where.row, where.line)) or lines.get(where.line or -1)
        if spec is not None:
            in_transitions = where.column == spec.location("transitions").column
            if (in_transitions and found.kind != "unknown-target") or found.kind in _OF_TRANSITIONS:
                broken.add(spec.name)
    return broken
