"""Which parts is a drawing made of? The main part and every function, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass

from autograph.graph.view import View, ViewEdge, ViewGroup, ViewNode

__all__ = ["Link", "Part", "parts_of"]


@dataclass(frozen=True, slots=True)
class Part:
    """What is laid out by itself: ``edges`` are those within it, with their place in the view."""

    name: str
    nodes: tuple[ViewNode, ...]
    groups: tuple[ViewGroup, ...]
    edges: tuple[tuple[int, ViewEdge], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """An edge that is drawn between parts, or a call within one: numbers of the edge and of the two parts.

    ``target`` is the node where it ends; ``""`` for a call, which ends at the function's frame.
    """

    edge: int
    source: str
    start: int
    end: int
    target: str = ""


def parts_of(view: View) -> tuple[tuple[Part, ...], tuple[Link, ...]]:
    """The parts that have nodes, the main part first, and the links between them."""
    home = {node.name: node.function for node in view.nodes}
    first = {group.name: next((m for m in group.members if m in home), "") for group in view.groups}
    names = ["", *(f.name for f in view.functions)]
    names = [name for name in names if name in set(home.values())]
    place = {name: index for index, name in enumerate(names)}
    inner: dict[str, list[tuple[int, ViewEdge]]] = {name: [] for name in names}
    links = []
    for index, edge in enumerate(view.edges):
        target = edge.target if edge.target in home else first.get(edge.target, "")
        if edge.source not in home or target not in home:
            continue
        start, end = home[edge.source], home[target]
        if edge.kind == "call":
            links.append(Link(index, edge.source, place[start], place[end]))
        elif start == end:
            inner[start].append((index, edge))
        else:
            links.append(Link(index, edge.source, place[start], place[end], target))
    parts = []
    for name in names:
        nodes = tuple(node for node in view.nodes if node.function == name)
        here = {node.name for node in nodes}
        groups = tuple(g for g in view.groups if not here.isdisjoint(g.members))
        parts.append(Part(name, nodes, groups, tuple(inner[name])))
    return tuple(parts), tuple(links)
