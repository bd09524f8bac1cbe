"""How does a view look in DOT? For people who use Graphviz themselves, and, with positions, for PNG and PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph.graph.geometry import Box, Curve, Layout, Point
from autograph.graph.parts import Link
from autograph.graph.place import anchor, block_size, link_points, title_width
from autograph.graph.sizes import NODE_H, NODE_W, PAD, TITLE, edge_label
from autograph.graph.style import look_of
from autograph.graph.text import clip, plain, wrap
from autograph.graph.view import Exit, View, ViewEdge, ViewNode

__all__ = ["dot_text", "placed_dot_text"]

_SHAPES = {"rounded": "box", "box": "box", "call": "component", "entry": "folder", "note": "note", "arrow": "cds"}
_HEAD = 'fontname="Arial"'


def dot_text(view: View) -> str:
    """The view as a graph that Graphviz lays out itself."""
    return "\n".join(_plain_lines(view)) + "\n"


def _plain_lines(view: View) -> Iterator[str]:
    numbers = {node.name: f"n{index}" for index, node in enumerate(view.nodes)}
    first = {g.name: next((m for m in g.members if m in numbers), "") for g in view.groups}
    clusters = {group.name: f"cluster_g{index}" for index, group in enumerate(view.groups)}
    yield f"digraph {_quoted(view.title)} {{"
    yield f"  graph [{_HEAD} fontsize=11 compound=true]"
    yield f"  node [{_HEAD} fontsize=11]"
    yield f'  edge [{_HEAD} fontsize=9.5 color="#5b6472" arrowsize=0.7]'
    for place, name in enumerate(("", *(f.name for f in view.functions))):
        nodes = [node for node in view.nodes if node.function == name]
        if not nodes:
            continue
        if name:
            signature = view.functions[place - 1].signature
            yield f'  subgraph cluster_f{place} {{ label={_quoted(signature)} style=rounded color="#0b665f"'
        yield from _plain_nodes(view, nodes, numbers, clusters)
        if name:
            yield "  }"
    for edge in view.edges:
        if edge.source not in numbers or not (target := numbers.get(edge.target) or numbers.get(first.get(edge.target, ""))):
            continue
        more = f" lhead={clusters[edge.target]}" if edge.target not in numbers else ""
        yield f"  {numbers[edge.source]} -> {target} [{_edge_style(edge)} label={_quoted(' | '.join(edge.labels))}{more}]"
    yield "}"


def _plain_nodes(
    view: View, nodes: Sequence[ViewNode], numbers: dict[str, str], clusters: dict[str, str]
) -> Iterator[str]:
    grouped = {group.name: [node for node in nodes if node.group == group.name] for group in view.groups}
    for node in nodes:
        if not node.group:
            yield f"  {numbers[node.name]} [{_node_style(node)} label={_node_label(node)}]"
    for group in view.groups:
        if not grouped[group.name]:
            continue
        style = "dotted" if group.ordered else "dashed"
        title = _quoted(f"{group.name} · {group.note}")
        yield f'  subgraph {clusters[group.name]} {{ label={title} style="rounded,{style}" color="#8a5a10"'
        for node in grouped[group.name]:
            yield f"    {numbers[node.name]} [{_node_style(node)} label={_node_label(node)}]"
        yield "  }"


def _node_style(node: ViewNode) -> str:
    look = look_of(node.look)
    style = ["filled"] + (["rounded"] if look.shape == "rounded" else []) + (["dashed"] if look.dashed else [])
    return (
        f'shape={_SHAPES[look.shape]} style="{",".join(style)}" fillcolor="{look.fill}" color="{look.stroke}" '
        f"tooltip={_quoted(node.text[:300])}"
    )


def _edge_style(edge: ViewEdge) -> str:
    if edge.kind == "call":
        return 'style=dashed color="#0b665f" constraint=false'
    return "style=dotted" if edge.kind != "transition" else "style=solid"


def _node_label(node: ViewNode) -> str:
    """A label of two columns: name and word, then the lines of the box."""
    look = look_of(node.look)
    room = NODE_W - 14
    lines = [line for line in (f"if {node.condition}" if node.condition else "", node.text) if line]
    shown = [clip(line, room, 9.5) for line in lines] if len(lines) == 2 else wrap("".join(lines), room, 9.5, 2)
    badge = "  ".join(_exit_words(leaving) for leaving in node.exits if not leaving.label)
    rows = "".join(_row(f'<FONT POINT-SIZE="9.5">{_html(line)}</FONT>') for line in shown)
    if badge:
        rows += _row(f'<FONT POINT-SIZE="9">{_html(clip(badge, room, 9))}</FONT>', "RIGHT")
    name = _html(clip(node.name, room - 70, 11, bold=True))
    word = _html(clip(node.word, 80, 8.5))
    return (
        f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1" WIDTH="{room:.0f}"><TR><TD ALIGN="LEFT"><B>{name}</B></TD>'
        f'<TD ALIGN="RIGHT"><FONT POINT-SIZE="8.5" COLOR="{look.stroke}">{word}</FONT></TD></TR>{rows}</TABLE>>'
    )


def _exit_words(leaving: Exit) -> str:
    """An exit without the marks that the fonts of Graphviz may lack."""
    return f"→ {leaving.text}"


def _row(cell: str, align: str = "LEFT") -> str:
    return f'<TR><TD COLSPAN="2" ALIGN="{align}">{cell}</TD></TR>'


# ---------------------------------------------------------------------- with positions


def placed_dot_text(view: View, layout: Layout, links: Sequence[Link], dpi: int) -> str:
    """The view with the places of everything, for an engine that only draws (``-Kneato -n2``)."""
    return "\n".join(_Placed(view, layout, links).lines(dpi)) + "\n"


class _Placed:
    def __init__(self, view: View, layout: Layout, links: Sequence[Link]) -> None:
        self.view = view
        self.layout = layout
        self.links = links
        self.nodes = {node.name: node for node in view.nodes}
        self.numbers = {node.name: index for index, node in enumerate(view.nodes)}

    def lines(self, dpi: int) -> Iterator[str]:
        yield f'digraph {{ graph [{_HEAD} dpi="{dpi}" bgcolor=white outputorder=nodesfirst pad="0.3" splines=true]'
        yield f'node [{_HEAD} fontsize=11 fixedsize=true shape=box margin=0] edge [{_HEAD} fontsize=9.5 color="#5b6472" arrowsize=0.6]'
        for number, block in enumerate(self.layout.blocks):
            x, y = self.layout.corners[number]
            if block.name in self.layout.folded:
                yield self._box(f"b{number}", Box(x, y, NODE_W, NODE_H), _function_label(self.view, block.name, len(block.boxes)))
                continue
            dx, dy = (x + PAD, y + TITLE + PAD) if block.name else (x, y)
            if block.name:
                w, h = block_size(block, title_width(self.view, block.name), False)
                yield self._frame(f"b{number}", Box(x, y, w, h), _title(self.view, block.name), "rounded", "#0b665f")
            for place, (name, frame) in enumerate(block.frames.items()):
                group = next(g for g in self.view.groups if g.name == name)
                style = "rounded,dotted" if group.ordered else "rounded,dashed"
                yield self._frame(f"g{number}_{place}", frame.moved(dx, dy), f"{name} · {group.note}", style, "#8a5a10")
            for name, box in block.boxes.items():
                node = self.nodes[name]
                yield f"n{self.numbers[name]} [{_at(box.moved(dx, dy))} {_node_style(node)} label={_node_label(node)}]"
            for (name, place), box in block.exits.items():
                text = _quoted(clip(_exit_words(self.nodes[name].exits[place]), box.w - 8, 9))
                yield f'x{self.numbers[name]}_{place} [{_at(box.moved(dx, dy))} style=rounded fontsize=9 color="#5b6472" label={text}]'
            for index, curve in block.curves.items():
                edge = self.view.edges[index]
                yield self._curve(self.numbers[edge.source], edge, curve, dx, dy)
            for (name, place), curve in block.exit_curves.items():
                labels = (self.nodes[name].exits[place].label,)
                yield self._curve(self.numbers[name], ViewEdge(name, "", labels=labels), curve, dx, dy)
        for link in self.links:
            yield from self._link(link)
        yield "}"

    def _box(self, name: str, box: Box, label: str) -> str:
        return f'{name} [{_at(box)} shape=folder style=filled fillcolor="#dff3f1" color="#0b665f" label={label}]'

    def _frame(self, name: str, box: Box, title: str, style: str, colour: str) -> str:
        label = _quoted(clip(title, box.w - 16, 10))
        head = Box(box.x, box.y, box.w, TITLE)
        return (
            f'{name} [{_at(box)} style="{style}" color="{colour}" label=""]\n'
            f'{name}t [{_at(head)} shape=plain fontsize=10 fontcolor="{colour}" label={label}]'
        )

    def _curve(self, source: int, edge: ViewEdge, curve: Curve, dx: float, dy: float) -> str:
        moved = Curve(
            tuple((x + dx, y + dy) for x, y in curve.points),
            (curve.tip[0] + dx, curve.tip[1] + dy),
            (curve.label[0] + dx, curve.label[1] + dy) if curve.label else None,
        )
        label = ""
        if moved.label and edge.labels:
            text = "\\n".join(_inner(line) for line in edge_label(edge))
            label = f' label="{text}" lp="{_xy(moved.label)}"'
        return f'n{source} -> n{source} [{_edge_style(edge)} pos="{_pos(moved.points, moved.tip)}"{label}]'

    def _link(self, link: Link) -> Iterator[str]:
        blocks, corners, folded = self.layout.blocks, self.layout.corners, self.layout.folded
        if link.start == link.end and blocks[link.start].name in folded:
            return
        start = anchor(blocks[link.start], corners[link.start], link.source, blocks[link.start].name in folded, True)
        end = anchor(blocks[link.end], corners[link.end], link.target, blocks[link.end].name in folded, False)
        edge = self.view.edges[link.edge]
        at = f"b{link.start}" if blocks[link.start].name in folded else f"n{self.numbers[link.source]}"
        yield f'{at} -> {at} [{_edge_style(edge)} pos="{_pos(link_points(start, end), end)}"]'


def _title(view: View, name: str) -> str:
    return next((f.signature for f in view.functions if f.name == name), name)


def _function_label(view: View, name: str, count: int) -> str:
    title = _html(clip(_title(view, name), NODE_W - 20, 11, bold=True))
    return f'<<B>{title}</B><BR/><FONT POINT-SIZE="9.5">{count} nodes</FONT>>'


def _at(box: Box) -> str:
    return f'pos="{_xy((box.cx, box.cy))}" width="{box.w / 72:.3f}" height="{box.h / 72:.3f}"'


def _xy(point: Point) -> str:
    return f"{point[0]:.1f},{-point[1]:.1f}"


def _pos(points: Sequence[Point], tip: Point) -> str:
    return f"e,{_xy(tip)} {' '.join(map(_xy, points))}"


# ---------------------------------------------------------------------- texts


def _inner(text: str) -> str:
    return plain(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _quoted(text: str) -> str:
    return f'"{_inner(text)}"'


def _html(text: str) -> str:
    marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "[": "&#91;", "]": "&#93;"}
    return "".join(marks.get(letter, letter) for letter in plain(text)) or " "


