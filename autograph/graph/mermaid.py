"""How does a view look in Mermaid, the diagram language of Markdown pages?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograph.graph.sizes import exit_text
from autograph.graph.style import LOOKS, look_of
from autograph.graph.text import clip, plain
from autograph.graph.view import View, ViewEdge, ViewNode

__all__ = ["MOST_EDGES", "mermaid_text"]

MOST_EDGES = 500
"""What Mermaid draws unless its ``maxEdges`` is raised."""

_BRACKETS = {
    "rounded": ("(", ")"),
    "box": ("[", "]"),
    "call": ("[[", "]]"),
    "entry": ("([", "])"),
    "note": ("[/", "/]"),
    "arrow": (">", "]"),
}
_ESCAPES = {c: f"#{ord(c)};" for c in '#"<>&`;|{}[]()\\*_~'}


def mermaid_text(view: View) -> str:
    """The view as a flow chart."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: View) -> Iterator[str]:
    numbers = {node.name: f"n{index}" for index, node in enumerate(view.nodes)}
    boxes = {group.name: f"g{index}" for index, group in enumerate(view.groups)}
    yield "%% made by autograph graph"
    yield "flowchart TD"
    for name in ("", *(f.name for f in view.functions)):
        nodes = [node for node in view.nodes if node.function == name]
        if not nodes:
            continue
        if name:
            signature = next(f.signature for f in view.functions if f.name == name)
            yield f'  subgraph f{[f.name for f in view.functions].index(name)}["{_escaped(signature)}"]'
        yield from _part(view, nodes, numbers, boxes)
        if name:
            yield "  end"
    for edge in view.edges:
        target = numbers.get(edge.target) or boxes.get(edge.target)
        if edge.source in numbers and target:
            yield f"  {numbers[edge.source]} {_arrow(edge)} {target}"
    used = dict.fromkeys(node.look if node.look in LOOKS else "custom" for node in view.nodes)
    for key in used:
        look = look_of(key)
        dash = ",stroke-dasharray:5 3" if look.dashed else ""
        yield f"  classDef {key} fill:{look.fill},stroke:{look.stroke},color:#10151d{dash}"


def _part(view: View, nodes: list[ViewNode], numbers: dict[str, str], boxes: dict[str, str]) -> Iterator[str]:
    for node in nodes:
        if not node.group:
            yield from _node(node, numbers[node.name])
    for group in view.groups:
        members = [node for node in nodes if node.group == group.name]
        if members:
            yield f'  subgraph {boxes[group.name]}["{_escaped(f"{group.name} · {group.note}")}"]'
            for node in members:
                yield from _node(node, numbers[node.name])
            yield "  end"


def _node(node: ViewNode, number: str) -> Iterator[str]:
    look = look_of(node.look)
    left, right = _BRACKETS[look.shape]
    text = f"if {node.condition}" if node.condition else node.text
    lines = [f"<b>{_escaped(node.name)}</b> · {_escaped(node.word)}", _escaped(clip(text, 300, 9.5))]
    key = node.look if node.look in LOOKS else "custom"
    yield f'  {number}{left}"{"<br/>".join(line for line in lines if line)}"{right}:::{key}'
    for place, leaving in enumerate(node.exits):
        label = f'|"{_escaped(leaving.label)}"|' if leaving.label else ""
        yield f'  {number} -->{label} {number}x{place}(["{_escaped(clip(exit_text(leaving), 200, 9.5))}"])'


def _arrow(edge: ViewEdge) -> str:
    line = "-.->" if edge.kind != "transition" else "-->"
    label = " | ".join(_words(edge))
    return f'{line}|"{_escaped(label)}"|' if label else line


def _words(edge: ViewEdge) -> Iterable[str]:
    return edge.labels or (("calls",) if edge.kind == "call" else ())


def _escaped(text: str) -> str:
    """``text`` for a quoted string of Mermaid: whatever could mean something there as a numeric entity."""
    return "".join(_ESCAPES.get(letter, letter) for letter in plain(" ".join(text.split())))
