"""How does a view look in DOT? For people who use Graphviz themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph.graph.sizes import NODE_W
from autograph.graph.style import look_of
from autograph.graph.text import clip, plain, wrap
from autograph.graph.view import Exit, View, ViewEdge, ViewNode

__all__ = ["FONT", "dot_text", "edge_style", "exit_words", "html_label", "inner", "node_label", "node_style", "quoted"]

_SHAPES = {"rounded": "box", "box": "box", "call": "component", "entry": "folder", "note": "note", "arrow": "cds"}
FONT = 'fontname="Arial"'


def dot_text(view: View) -> str:
    """The view as a graph that Graphviz lays out itself."""
    return "\n".join(_plain_lines(view)) + "\n"


def _plain_lines(view: View) -> Iterator[str]:
    numbers = {node.name: f"n{index}" for index, node in enumerate(view.nodes)}
    first = {g.name: next((m for m in g.members if m in numbers), "") for g in view.groups}
    clusters = {group.name: f"cluster_g{index}" for index, group in enumerate(view.groups)}
    yield f"digraph {quoted(view.title)} {{"
    yield f"  graph [{FONT} fontsize=11 compound=true]"
    yield f"  node [{FONT} fontsize=11]"
    yield f'  edge [{FONT} fontsize=9.5 color="#5b6472" arrowsize=0.7]'
    for place, name in enumerate(("", *(f.name for f in view.functions))):
        nodes = [node for node in view.nodes if node.function == name]
        if not nodes:
            continue
        if name:
            signature = view.functions[place - 1].signature
            yield f'  subgraph cluster_f{place} {{ label={quoted(signature)} style=rounded color="#0b665f"'
        yield from _plain_nodes(view, nodes, numbers, clusters)
        if name:
            yield "  }"
    for edge in view.edges:
        if edge.source not in numbers or not (
            target := numbers.get(edge.target) or numbers.get(first.get(edge.target, ""))
        ):
            continue
        more = f" lhead={clusters[edge.target]}" if edge.target not in numbers else ""
        label = quoted(" | ".join(edge.labels))
        yield f"  {numbers[edge.source]} -> {target} [{edge_style(edge)} label={label}{more}]"
    yield "}"


def _plain_nodes(
    view: View, nodes: Sequence[ViewNode], numbers: dict[str, str], clusters: dict[str, str]
) -> Iterator[str]:
    grouped = {group.name: [node for node in nodes if node.group == group.name] for group in view.groups}
    for node in nodes:
        if not node.group:
            yield f"  {numbers[node.name]} [{node_style(node)} label={node_label(node)}]"
    for group in view.groups:
        if not grouped[group.name]:
            continue
        style = "dotted" if group.ordered else "dashed"
        title = quoted(f"{group.name} · {group.note}")
        yield f'  subgraph {clusters[group.name]} {{ label={title} style="rounded,{style}" color="#8a5a10"'
        for node in grouped[group.name]:
            yield f"    {numbers[node.name]} [{node_style(node)} label={node_label(node)}]"
        yield "  }"


def node_style(node: ViewNode) -> str:
    """Shape and colours of a node, as attributes."""
    look = look_of(node.look)
    style = ["filled"] + (["rounded"] if look.shape == "rounded" else []) + (["dashed"] if look.dashed else [])
    return (
        f'shape={_SHAPES[look.shape]} style="{",".join(style)}" fillcolor="{look.fill}" color="{look.stroke}" '
        f"tooltip={quoted(node.text[:300])}"
    )


def edge_style(edge: ViewEdge) -> str:
    """The line of an edge, as attributes."""
    if edge.kind == "call":
        return 'style=dashed color="#0b665f" constraint=false'
    return "style=dotted" if edge.kind != "transition" else "style=solid"


def node_label(node: ViewNode) -> str:
    """A label of two columns: name and word, then the lines of the box."""
    look = look_of(node.look)
    room = NODE_W - 14
    lines = [line for line in (f"if {node.condition}" if node.condition else "", node.text) if line]
    shown = [clip(line, room, 9.5) for line in lines] if len(lines) == 2 else wrap("".join(lines), room, 9.5, 2)
    badge = "  ".join(exit_words(leaving) for leaving in node.exits if not leaving.label)
    rows = "".join(_row(f'<FONT POINT-SIZE="9.5">{html_label(line)}</FONT>') for line in shown)
    if badge:
        rows += _row(f'<FONT POINT-SIZE="9">{html_label(clip(badge, room, 9))}</FONT>', "RIGHT")
    name = html_label(clip(node.name, room - 70, 11, bold=True))
    word = html_label(clip(node.word, 80, 8.5))
    table = f'TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1" WIDTH="{room:.0f}"'
    return (
        f'<<{table}><TR><TD ALIGN="LEFT"><B>{name}</B></TD>'
        f'<TD ALIGN="RIGHT"><FONT POINT-SIZE="8.5" COLOR="{look.stroke}">{word}</FONT></TD></TR>{rows}</TABLE>>'
    )


def exit_words(leaving: Exit) -> str:
    """An exit without the marks that the fonts of Graphviz may lack."""
    return f"→ {leaving.text}"


def _row(cell: str, align: str = "LEFT") -> str:
    return f'<TR><TD COLSPAN="2" ALIGN="{align}">{cell}</TD></TR>'


# ---------------------------------------------------------------------- texts


def inner(text: str) -> str:
    """``text`` for the inside of a quoted string."""
    return plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def quoted(text: str) -> str:
    """``text`` as a quoted string."""
    return f'"{inner(text)}"'


def html_label(text: str) -> str:
    """``text`` for the inside of an HTML-like label, which may not be empty."""
    marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "[": "&#91;", "]": "&#93;"}
    return "".join(marks.get(letter, letter) for letter in plain(text)) or " "
