"""What was really run? Counts of entered nodes and taken ways, laid over a view."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograph.graph.engine import DrawingError
from autograph.graph.view import View, ViewEdge

__all__ = ["BadCounts", "Counts", "overlaid", "read_counts"]

_FORM = '{"nodes": {"name": 3}, "edges": [["from", "to", 2]]}'


class BadCounts(DrawingError):
    """A file of counts has another form."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each node was entered, and each way from node to node was taken."""

    nodes: Mapping[str, int]
    edges: Mapping[tuple[str, str], int]


def read_counts(text: str, name: str = "the counts") -> Counts:
    """The counts of a JSON text: ``{"nodes": {name: count}, "edges": [[from, to, count]]}``. Raises ``BadCounts``."""
    try:
        data = json.loads(text)
        nodes = {str(node): _count(count) for node, count in data["nodes"].items()}
        edges = {(str(a), str(b)): _count(count) for a, b, count in data.get("edges", ())}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadCounts(f"{name} has not the form {_FORM}: {error}.") from error
    return Counts(nodes, edges)


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value


def overlaid(view: View, counts: Counts, *, weighted: bool = False) -> View:
    """The view with counts. ``weighted``: ways are the thicker the oftener they were taken."""
    nodes = tuple(replace(node, count=counts.nodes.get(node.name, 0)) for node in view.nodes)
    edges = tuple(replace(edge, count=_taken(view, edge, counts)) for edge in view.edges)
    entered = sum(1 for node in nodes if node.count)
    taken = sum(1 for edge in edges if edge.count)
    text = f"{entered} of {len(nodes)} nodes entered, {taken} of {len(edges)} edges taken"
    strange = [name for name in counts.nodes if view.node(name) is None]
    if strange:
        some = ", ".join(strange[:3]) + (" …" if len(strange) > 3 else "")
        text += f"; counts of {len(strange)} unknown nodes left out ({some})"
    return replace(view, nodes=nodes, edges=edges, counted=text, weighted=weighted)


def _taken(view: View, edge: ViewEdge, counts: Counts) -> int:
    """The count of an edge; one to a group has those of its members."""
    members = next((group.members for group in view.groups if group.name == edge.target), (edge.target,))
    return sum(counts.edges.get((edge.source, member), 0) for member in members)
