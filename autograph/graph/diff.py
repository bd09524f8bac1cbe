"""What has changed? Two views become one, in which nodes and edges are marked as added, removed or changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograph.graph.view import Field, View, ViewEdge, ViewGroup, ViewNode

__all__ = ["compared"]


def compared(old: View, new: View) -> View:
    """``new`` with marks, and with the nodes and edges that only ``old`` has.

    A node that gives its earlier name in ``formerly`` is the same node, changed.
    """
    olds = {node.name: node for node in old.nodes}
    renamed = _renamed(olds, new)
    present = {node.name for node in new.nodes}
    marked = {node.name: _marked(node, olds.get(renamed.get(node.name, node.name))) for node in new.nodes}
    gone = {name: node for name, node in olds.items() if name not in present and name not in renamed.values()}
    functions = {f.name: f for f in (*new.functions, *old.functions)}
    now = {was: name for name, was in renamed.items()}
    groups = _groups(old, new, now)
    nodes = []
    for node in _in_order(old, new, gone, now):
        home = next((g.name for g in groups if node in g.members), "")
        found = marked.get(node) or replace(gone[node], change="removed", problems=())
        nodes.append(replace(found, group=home))
    used = {node.function for node in nodes}
    return replace(
        new,
        nodes=tuple(nodes),
        edges=_edges(old, new, now),
        groups=groups,
        functions=tuple(f for f in functions.values() if f.name in used),
        compared_with=old.title,
    )


def _renamed(olds: Mapping[str, ViewNode], new: View) -> dict[str, str]:
    """Present name to earlier name, of nodes that were renamed."""
    present = {node.name for node in new.nodes}
    found = {}
    for node in new.nodes:
        text = next((field.text for field in node.fields if field.name == "formerly"), "")
        names = [name.strip() for name in text.split(",")]
        names += [f"{name}()" for name in names]
        was = next((name for name in names if name in olds and name not in present), None)
        if was and node.name not in olds:
            found[node.name] = was
    return found


def _marked(node: ViewNode, old: ViewNode | None) -> ViewNode:
    if old is None:
        return replace(node, change="added")
    before = {field.name: field.text for field in old.fields}
    fields = [
        replace(field, was=before.get(field.name, "")) if before.get(field.name) != field.text else field
        for field in node.fields
    ]
    present = {field.name for field in node.fields}
    fields += [Field(name, "", text) for name, text in before.items() if name not in present]
    changed = any(field.was is not None for field in fields)
    return replace(node, fields=tuple(fields), change="changed") if changed else node


def _in_order(old: View, new: View, gone: Mapping[str, ViewNode], now: Mapping[str, str]) -> list[str]:
    """The names in the order of ``new``; what is gone stands behind what it stood behind."""
    order = [node.name for node in new.nodes]
    place = 0
    for node in old.nodes:
        if node.name in gone:
            order.insert(place, node.name)
            place += 1
        else:
            place = order.index(now.get(node.name, node.name)) + 1
    return order


def _groups(old: View, new: View, now: Mapping[str, str]) -> tuple[ViewGroup, ...]:
    """All groups with all their members, those that are gone last."""
    found = {group.name: group for group in new.groups}
    for group in old.groups:
        members = tuple(now.get(member, member) for member in group.members)
        known = found.get(group.name, replace(group, members=()))
        taken = {m for g in found.values() if g.name != group.name for m in g.members}
        more = tuple(m for m in members if m not in known.members and m not in taken)
        if known.members or more:
            found[group.name] = replace(known, members=known.members + more)
    return tuple(found.values())


def _edges(old: View, new: View, now: Mapping[str, str]) -> tuple[ViewEdge, ...]:
    before = {}
    for edge in old.edges:
        same = replace(edge, source=now.get(edge.source, edge.source), target=now.get(edge.target, edge.target))
        before[same.key] = same
    found = []
    for edge in new.edges:
        was = before.pop(edge.key, None)
        if was is None:
            found.append(replace(edge, change="added"))
        else:
            found.append(edge if was.labels == edge.labels else replace(edge, change="changed"))
    return (*found, *(replace(edge, change="removed") for edge in before.values()))
