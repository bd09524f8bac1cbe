"""Which node belongs to which function? What only a function reaches is drawn with it; all else is the main part."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from autograph.graph.view import ViewEdge, ViewGroup
from autograph.program.program import Program

__all__ = ["clusters"]


def clusters(program: Program, edges: Sequence[ViewEdge], groups: Sequence[ViewGroup]) -> dict[str, str]:
    """The function of every node by name; ``""`` is the main part.

    A node that the main part reaches, or that nothing reaches, belongs to the main part; one that several
    functions reach belongs to the first of them in row order. A group stays together.
    """
    ways = _ways(edges, groups)
    roots = [n.name for n in program.interjections if not n.callable]
    if not program.nodes[program.start].callable:
        roots.append(program.start)
    home = dict.fromkeys(_reached(roots, ways), "")
    for function in program.functions.values():
        for name in _reached([function.name], ways):
            home.setdefault(name, function.name)
    found = {name: home.get(name, "") for name in program.nodes}
    for group in groups:
        homes = {found[member] for member in group.members}
        if len(homes) > 1:
            shared = "" if "" in homes else found[group.members[0]]
            found.update(dict.fromkeys((m for m in group.members if not program.nodes[m].callable), shared))
    return found


def _ways(edges: Iterable[ViewEdge], groups: Iterable[ViewGroup]) -> dict[str, list[str]]:
    members = {group.name: group.members for group in groups}
    ways: dict[str, list[str]] = {}
    for edge in edges:
        if edge.kind != "call":
            ways.setdefault(edge.source, []).extend(members.get(edge.target, (edge.target,)))
    return ways


def _reached(roots: Iterable[str], ways: Mapping[str, Sequence[str]]) -> list[str]:
    """All that is reached from the roots, which come first, nearest first."""
    seen = dict.fromkeys(roots)
    waiting = deque(seen)
    while waiting:
        for target in ways.get(waiting.popleft(), ()):
            if target not in seen:
                seen[target] = None
                waiting.append(target)
    return list(seen)
