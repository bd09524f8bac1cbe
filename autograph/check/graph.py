"""Where can a program go from each node? Nodes by number, with what follows them on their level and whom they call."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from autograph.check.walks import ANY_CALL, ANYWHERE, ENDS, QUITS, RESUMES, RETURNS, Walks
from autograph.errors import Problem
from autograph.program import NodeSpec, Program, Transition

__all__ = ["Graph", "broken_transitions", "path_names"]

_MOST_SLIPS = 20


class Graph(Walks):
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
        self.companions: dict[tuple[int, int], int] = {}
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
                    self.companions[number, variant] = earlier
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
