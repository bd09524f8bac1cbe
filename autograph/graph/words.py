"""What is said of a node and of an edge? The lines in a box, tooltips, and what a screen reader says."""

from __future__ import annotations

from autograph.graph.style import look_of
from autograph.graph.text import wrap
from autograph.graph.view import Exit, ViewEdge, ViewNode

__all__ = ["classes_of", "edge_title", "exit_title", "lines_of", "node_title", "spoken"]


def lines_of(node: ViewNode, room: float) -> list[tuple[str, str]]:
    """The two lines below the name: the condition of a variant takes one of them."""
    found = []
    if node.condition:
        lines = 1 if node.text else 2
        found = [(line, "cond") for line in wrap(f"if {node.condition}", room, 9.5, lines)]
    return found + [(line, "line") for line in wrap(node.text, room, 9.5, 2 - len(found))]


def classes_of(node: ViewNode) -> str:
    words = ["node", f"a-{node.look}" if look_of(node.look) is not look_of("custom") else "a-custom"]
    words += [node.change] if node.change else []
    if node.count is not None:
        words.append("hit" if node.count else "missed")
    return " ".join(words)


def spoken(node: ViewNode) -> str:
    """What a screen reader says: ``offer, chat, row 19``."""
    parts = [node.name, node.word, node.place]
    parts += [f"in the function {node.function}"] if node.function else []
    parts += [node.change] if node.change else []
    parts += [f"{len(node.problems)} problems"] if node.problems else []
    return ", ".join(part for part in parts if part)


def node_title(node: ViewNode) -> str:
    head = " · ".join(part for part in (node.name, node.word, node.place) if part)
    lines = [head, f"if {node.condition}" if node.condition else "", node.text[:300]]
    lines += [f"{p.code}: {p.message}" for p in node.problems]
    return "\n".join(line for line in lines if line)


def edge_title(edge: ViewEdge) -> str:
    verb = "calls" if edge.kind == "call" else "→"
    label = ": " + " | ".join(edge.labels) if edge.labels else ""
    count = f" (×{edge.count})" if edge.count is not None else ""
    return f"{edge.source} {verb} {edge.target}{label}{count}"


def exit_title(node: ViewNode, leaving: Exit) -> str:
    return f"{node.name} → {leaving.text}: {leaving.label}"
