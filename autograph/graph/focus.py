"""What if only a part is wanted? A view of the nodes around one, of a category, or of a function."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import replace

from autograph.errors import did_you_mean
from autograph.graph.engine import DrawingError
from autograph.graph.view import View, ViewEdge, ViewNode

__all__ = ["BadSelection", "around", "of_category", "of_function"]


class BadSelection(DrawingError):
    """What is to be drawn is not in the program."""


def around(view: View, name: str, depth: int) -> View:
    """The nodes that are at most ``depth`` edges away from a node, whichever way. Raises ``BadSelection``."""
    start = _found(name, [node.name for node in view.nodes], "node")
    near: dict[str, set[str]] = {}
    for edge in view.edges:
        for target in _members(view, edge.target):
            near.setdefault(edge.source, set()).add(target)
            near.setdefault(target, set()).add(edge.source)
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if distance[here] < depth:
            for other in near.get(here, ()):
                if other not in distance:
                    distance[other] = distance[here] + 1
                    waiting.append(other)
    return _restricted(view, distance, f"{start} and what is {depth} edge{'' if depth == 1 else 's'} away")


def of_category(view: View, category: str) -> View:
    """The nodes with this ``state_category``. Raises ``BadSelection``."""
    known = dict.fromkeys(node.category for node in view.nodes if node.category)
    wanted = _found(category, known, "category")
    names = [node.name for node in view.nodes if node.category == wanted]
    return _restricted(view, names, f"category {wanted}")


def of_function(view: View, function: str) -> View:
    """The nodes of one function; its brackets may be left out. Raises ``BadSelection``."""
    plain = function.partition("(")[0].strip()
    name = _found(f"{plain}()", [f.name for f in view.functions], "function")
    return _restricted(view, [node.name for node in view.nodes if node.function == name], f"function {name}")


def _found(wanted: str, known: Collection[str], what: str) -> str:
    if wanted in known:
        return wanted
    if f"{wanted}()" in known:
        return f"{wanted}()"
    hint = did_you_mean(wanted, known) or (f"There is no {what} at all." if not known else "")
    raise BadSelection(f'There is no {what} "{wanted}". {hint}'.rstrip())


def _members(view: View, target: str) -> Iterable[str]:
    return next((group.members for group in view.groups if group.name == target), (target,))


def _restricted(view: View, names: Iterable[str], selection: str) -> View:
    """The view with these nodes only, and what lies between them."""
    kept = set(names)
    groups = tuple(
        replace(group, members=members)
        for group in view.groups
        if (members := tuple(member for member in group.members if member in kept))
    )
    ends = kept | {group.name for group in groups}
    nodes = tuple(_freed(node, ends) for node in view.nodes if node.name in kept)
    edges = tuple(edge for edge in view.edges if _inside(edge, kept, ends))
    used = {node.function for node in nodes}
    functions = tuple(f for f in view.functions if f.name in used)
    return replace(view, nodes=nodes, edges=edges, groups=groups, functions=functions, selection=selection)


def _freed(node: ViewNode, ends: Collection[str]) -> ViewNode:
    return node if not node.group or node.group in ends else replace(node, group="")


def _inside(edge: ViewEdge, kept: Collection[str], ends: Collection[str]) -> bool:
    return edge.source in kept and edge.target in ends
