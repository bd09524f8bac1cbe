"""How does a laid-out view look in DOT? With the places of everything, for PNG and PDF, which Graphviz only draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph.graph.dot import FONT, edge_style, exit_words, html_label, inner, node_label, node_style, quoted
from autograph.graph.geometry import Block, Box, Curve, Layout, Point
from autograph.graph.parts import Link
from autograph.graph.place import anchor, block_size, link_points, title_width
from autograph.graph.sizes import NODE_H, NODE_W, PAD, TITLE, edge_label
from autograph.graph.text import clip
from autograph.graph.view import View, ViewEdge

__all__ = ["placed_dot_text"]


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
        """The whole text."""
        yield f'digraph {{ graph [{FONT} dpi="{dpi}" bgcolor=white outputorder=nodesfirst pad="0.3" splines=true]'
        yield f"node [{FONT} fontsize=11 fixedsize=true shape=box margin=0]"
        yield f'edge [{FONT} fontsize=9.5 color="#5b6472" arrowsize=0.6]'
        for number, block in enumerate(self.layout.blocks):
            x, y = self.layout.corners[number]
            title = _title(self.view, block.name)
            if block.name in self.layout.folded:
                label = _function_label(title, len(block.boxes))
                yield self._box(f"b{number}", Box(x, y, NODE_W, NODE_H), label)
            elif block.name:
                w, h = block_size(block, title_width(self.view, block.name), False)
                yield self._frame(f"b{number}", Box(x, y, w, h), title, "rounded", "#0b665f")
                yield from self._block(number, block, x + PAD, y + TITLE + PAD)
            else:
                yield from self._block(number, block, x, y)
        for link in self.links:
            yield from self._link(link)
        yield "}"

    def _block(self, number: int, block: Block, dx: float, dy: float) -> Iterator[str]:
        for place, (name, frame) in enumerate(block.frames.items()):
            group = next(g for g in self.view.groups if g.name == name)
            style = "rounded,dotted" if group.ordered else "rounded,dashed"
            yield self._frame(f"g{number}_{place}", frame.moved(dx, dy), f"{name} · {group.note}", style, "#8a5a10")
        for name, box in block.boxes.items():
            node = self.nodes[name]
            yield f"n{self.numbers[name]} [{_at(box.moved(dx, dy))} {node_style(node)} label={node_label(node)}]"
        for (name, place), box in block.exits.items():
            text = quoted(clip(exit_words(self.nodes[name].exits[place]), box.w - 8, 9))
            look = f'style=rounded fontsize=9 color="#5b6472" label={text}'
            yield f"x{self.numbers[name]}_{place} [{_at(box.moved(dx, dy))} {look}]"
        for index, curve in block.curves.items():
            edge = self.view.edges[index]
            yield self._curve(self.numbers[edge.source], edge, curve, dx, dy)
        for (name, place), curve in block.exit_curves.items():
            labels = (self.nodes[name].exits[place].label,)
            yield self._curve(self.numbers[name], ViewEdge(name, "", labels=labels), curve, dx, dy)

    def _box(self, name: str, box: Box, label: str) -> str:
        return f'{name} [{_at(box)} shape=folder style=filled fillcolor="#dff3f1" color="#0b665f" label={label}]'

    def _frame(self, name: str, box: Box, title: str, style: str, colour: str) -> str:
        label = quoted(clip(title, box.w - 16, 10))
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
            text = "\\n".join(inner(line) for line in edge_label(edge))
            label = f' label="{text}" lp="{_xy(moved.label)}"'
        return f'n{source} -> n{source} [{edge_style(edge)} pos="{_pos(moved.points, moved.tip)}"{label}]'

    def _link(self, link: Link) -> Iterator[str]:
        blocks, corners, folded = self.layout.blocks, self.layout.corners, self.layout.folded
        if link.start == link.end and blocks[link.start].name in folded:
            return
        start = anchor(blocks[link.start], corners[link.start], link.source, blocks[link.start].name in folded, True)
        end = anchor(blocks[link.end], corners[link.end], link.target, blocks[link.end].name in folded, False)
        edge = self.view.edges[link.edge]
        at = f"b{link.start}" if blocks[link.start].name in folded else f"n{self.numbers[link.source]}"
        yield f'{at} -> {at} [{edge_style(edge)} pos="{_pos(link_points(start, end), end)}"]'


def _title(view: View, name: str) -> str:
    return next((f.signature for f in view.functions if f.name == name), name)


def _function_label(title: str, count: int) -> str:
    shown = html_label(clip(title, NODE_W - 20, 11, bold=True))
    return f'<<B>{shown}</B><BR/><FONT POINT-SIZE="9.5">{count} nodes</FONT>>'


def _at(box: Box) -> str:
    return f'pos="{_xy((box.cx, box.cy))}" width="{box.w / 72:.3f}" height="{box.h / 72:.3f}"'


def _xy(point: Point) -> str:
    return f"{point[0]:.1f},{-point[1]:.1f}"


def _pos(points: Sequence[Point], tip: Point) -> str:
    return f"e,{_xy(tip)} {' '.join(map(_xy, points))}"
