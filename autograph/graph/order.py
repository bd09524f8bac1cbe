"""Which edges run back? Those that lead, within a cycle, to an earlier row: reading order is row order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

__all__ = ["back_edges", "components"]

T = TypeVar("T", bound=Hashable)


def back_edges(order: Sequence[T], edges: Sequence[tuple[T, T]]) -> set[int]:
    """The places of the edges that lead backwards. Without them there is no cycle."""
    place = {name: index for index, name in enumerate(order)}
    ways: dict[T, list[T]] = {name: [] for name in order}
    for source, target in edges:
        ways[source].append(target)
    component = components(order, ways)
    return {
        index
        for index, (source, target) in enumerate(edges)
        if component[source] == component[target] and place[target] <= place[source]
    }


def components(order: Iterable[T], ways: Mapping[T, Sequence[T]]) -> dict[T, int]:
    """The strongly connected component of every node, as a number (Tarjan's way, without recursion)."""
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    found: dict[T, int] = {}
    for root in order:
        if root in index:
            continue
        work: list[tuple[T, int]] = [(root, 0)]
        while work:
            name, position = work.pop()
            if position == 0:
                index[name] = low[name] = len(index)
                stack.append(name)
            targets = ways[name]
            if position:
                low[name] = min(low[name], low[targets[position - 1]])
            descend = False
            for step in range(position, len(targets)):
                target = targets[step]
                if target not in index:
                    work += [(name, step + 1), (target, 0)]
                    descend = True
                    break
                if target not in found:
                    low[name] = min(low[name], index[target])
            if descend:
                continue
            if low[name] == index[name]:
                while True:
                    member = stack.pop()
                    found[member] = index[name]
                    if member == name:
                        break
    return found
