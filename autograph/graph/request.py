"""What is Graphviz asked? The DOT text of one part: sizes and ways, no texts, so that fonts do not matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from autograph.graph.order import back_edges
from autograph.graph.parts import Part
from autograph.graph.sizes import (
    BADGE,
    EXIT_H,
    NODE_H,
    NODE_W,
    PAD,
    TITLE,
    badge_text,
    edge_label,
    exit_text,
    label_size,
)
from autograph.graph.text import text_width
from autograph.graph.view import ViewEdge, ViewGroup, ViewNode

__all__ = ["Asked", "ExitKey", "Unit", "ask"]

ExitKey = tuple[str, int]
"""An exit: the name of its node, and its place there."""

_ABREAST = 6
"""Members of a ``.*`` group that stand on one rank; a larger group is stacked like a ``.n`` group."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One box of the question: a node, an exit, or a ``.*`` group with its members side by side."""

    w: float
    h: float
    members: tuple[str, ...] = ()
    exit: ExitKey | None = None
    lifted: bool = False

    @property
    def abreast(self) -> bool:
        """Whether it is a whole group."""
        return len(self.members) > 1


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the layout program, and what its answer means.

    Node ``n3`` is ``units[3]``. Edge ``e2`` is ``edges[2]``: a number of the view's edges, or an exit, from the
    unit ``ends[2][0]`` to ``ends[2][1]``; ``turned`` holds those that are asked the other way round.
    """

    text: str
    units: tuple[Unit, ...]
    edges: tuple[int | ExitKey, ...]
    ends: tuple[tuple[int, int], ...]
    turned: frozenset[int]


def ask(part: Part) -> Asked:
    """The question about one part."""
    return _Writer(part).asked()


class _Writer:
    def __init__(self, part: Part) -> None:
        self.part = part
        self.nodes = {node.name: node for node in part.nodes}
        self.members = {g.name: tuple(m for m in g.members if m in self.nodes) for g in part.groups}
        self.group_of = {member: group for group in part.groups for member in self.members[group.name]}
        self.units: list[Unit] = []
        self.unit_of: dict[str, int] = {}
        for node in part.nodes:
            if node.name not in self.unit_of:
                self._add(node)
        self.edges: list[int | ExitKey] = []
        self.ends: list[tuple[int, int]] = []
        self.turned: set[int] = set()

    def _add(self, node: ViewNode) -> None:
        """The unit of a node, which may be its whole group."""
        group = self.group_of.get(node.name)
        members = self.members[group.name] if group else ()
        first = self._stands_first(node)
        if group and len(members) > 1 and self._is_abreast(group):
            width = len(members) * (NODE_W + PAD) + PAD
            height = NODE_H + (BADGE if any(badge_text(self.nodes[m]) for m in members) else 0)
            self.unit_of.update(dict.fromkeys(members, len(self.units)))
            self.units.append(Unit(width, height + TITLE, members, lifted=True))
            return
        lifted = bool(members) and members[0] == node.name and not first
        self.unit_of[node.name] = len(self.units)
        height = NODE_H + (BADGE if badge_text(node) else 0) + (TITLE if lifted else 0)
        self.units.append(Unit(NODE_W, height, (node.name,), lifted=lifted))

    def _is_abreast(self, group: ViewGroup) -> bool:
        members = self.members[group.name]
        return (
            not group.ordered
            and len(members) <= _ABREAST
            and not any(map(self._stands_first, map(self.nodes.get, members)))
        )

    def _stands_first(self, node: ViewNode | None) -> bool:
        return node is not None and (node.start or node.interjection or node.entry)

    def asked(self) -> Asked:
        """The finished question."""
        edges = [*self._edges(), *self._exits()]
        lines = [
            'digraph { graph [ranksep="0.36" nodesep="0.22"];',
            'node [shape=box fixedsize=true margin=0 label=""]; edge [arrowsize=0.6];',
            *(_unit_line(index, unit) for index, unit in enumerate(self.units)),
            *self._first_rank(),
            *self._stacks(),
            *edges,
            "}",
        ]
        return Asked("\n".join(lines), tuple(self.units), tuple(self.edges), tuple(self.ends), frozenset(self.turned))

    # ------------------------------------------------------------------ ranks and frames

    def _first_rank(self) -> Iterator[str]:
        first = [f"n{self.unit_of[n.name]};" for n in self.part.nodes if self._stands_first(n)]
        if first:
            yield "{rank=min; " + " ".join(first) + "}"

    def _stacks(self) -> Iterator[str]:
        """Groups whose members stand below each other are clusters."""
        for index, group in enumerate(self.part.groups):
            units = [self.unit_of[m] for m in self.members[group.name]]
            if len(set(units)) < len(units) or any(self._stands_first(self.nodes[m]) for m in self.members[group.name]):
                continue
            yield f'subgraph cluster_{index} {{ margin="{PAD:.0f}";'
            yield " ".join(f"n{unit};" for unit in units)
            for upper, lower in pairwise(units):
                yield f'n{upper} -> n{lower} [style=invis weight="40"];'
            yield "}"

    # ------------------------------------------------------------------ edges

    def _edges(self) -> Iterator[str]:
        ends = [(edge.source, self._end(edge)) for _, edge in self.part.edges]
        wholes = [(self._whole(source), self._whole(target)) for source, target in ends]
        back = back_edges(sorted({self._whole(name) for name in self.nodes}), wholes)
        rows = {name: row for row, name in enumerate(self.nodes)}
        for place, (number, edge) in enumerate(self.part.edges):
            source, target = ends[place]
            within = wholes[place][0] == wholes[place][1]
            turned = rows[target] < rows[source] if within else place in back
            weight = (
                0 if turned else 6 if rows[target] == rows[source] + 1 else 3 if self.nodes[source].interjection else 1
            )
            yield self._edge(number, source, target, edge.target in self.members, edge_label(edge), weight, turned)

    def _whole(self, name: str) -> int:
        """The unit that stands for a node in the reading order: the first of its group."""
        group = self.group_of.get(name)
        return self.unit_of[self.members[group.name][0] if group else name]

    def _end(self, edge: ViewEdge) -> str:
        return edge.target if edge.target in self.nodes else self.members[edge.target][0]

    def _edge(
        self,
        key: int | ExitKey,
        source: str,
        target: str,
        to_frame: bool,
        label: Sequence[str],
        weight: int = 1,
        turned: bool = False,
    ) -> str:
        number = len(self.edges)
        self.edges.append(key)
        start, end = self.unit_of[source], self.unit_of[target]
        self.ends.append((start, end))
        attributes = f'id="e{number}" weight="{weight}"{_label_attributes(label)}'
        tail = self._port(source, start, "n" if turned else "s")
        head = f"n{end}" if to_frame else self._port(target, end, "s" if turned else "n")
        if turned:
            self.turned.add(number)
            return f"{head} -> {tail} [{attributes} dir=back];"
        return f"{tail} -> {head} [{attributes}];"

    def _port(self, name: str, unit: int, side: str) -> str:
        members = self.units[unit].members
        return f"n{unit}:p{members.index(name)}:{side}" if len(members) > 1 else f"n{unit}"

    def _exits(self) -> Iterator[str]:
        """Exits that answer a question are boxes of their own, below their node."""
        for node in self.part.nodes:
            for place, leaving in enumerate(node.exits):
                if leaving.label:
                    key = (node.name, place)
                    name = f"{node.name}\0{place}"
                    self.unit_of[name] = len(self.units)
                    self.units.append(Unit(min(text_width(exit_text(leaving), 9) + 16, NODE_W), EXIT_H, exit=key))
                    label = edge_label(ViewEdge("", "", labels=(leaving.label,)))
                    yield self._edge(key, node.name, name, False, label)


def _unit_line(index: int, unit: Unit) -> str:
    size = f'width="{unit.w / 72:.4f}" height="{unit.h / 72:.4f}"'
    if not unit.abreast:
        return f"n{index} [{size}];"
    gap = f'<TD FIXEDSIZE="TRUE" WIDTH="{PAD:.0f}" HEIGHT="{unit.h:.0f}"></TD>'
    cells = gap.join(
        f'<TD PORT="p{place}" FIXEDSIZE="TRUE" WIDTH="{NODE_W:.0f}" HEIGHT="{unit.h:.0f}"></TD>'
        for place in range(len(unit.members))
    )
    return f"n{index} [{size} label=<<TABLE {_PLAIN}><TR>{gap}{cells}{gap}</TR></TABLE>>];"


_PLAIN = 'BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"'


def _label_attributes(lines: Sequence[str]) -> str:
    if not lines:
        return ""
    w, h = label_size(lines)
    return f' label=<<TABLE {_PLAIN} FIXEDSIZE="TRUE" WIDTH="{w:.0f}" HEIGHT="{h:.0f}"><TR><TD></TD></TR></TABLE>>'
