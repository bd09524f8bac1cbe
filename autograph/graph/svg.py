"""How is a laid-out view drawn? One SVG that explains itself without any script: shapes, texts, titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph.graph.css import svg_css
from autograph.graph.geometry import Block, Box, Curve, Layout
from autograph.graph.parts import Link
from autograph.graph.pieces import count_svg, esc, label_svg, num, path_data, pill_svg, tip_data
from autograph.graph.place import anchor, block_size, link_points, title_width
from autograph.graph.shapes import fold_line, outline
from autograph.graph.sizes import BADGE, EXIT_H, NODE_H, NODE_W, PAD, TITLE, badge_text, edge_label, exit_text
from autograph.graph.style import look_of
from autograph.graph.text import clip, text_width
from autograph.graph.view import View, ViewEdge, ViewNode
from autograph.graph.words import classes_of, edge_title, exit_title, lines_of, node_title, spoken

__all__ = ["svg_text"]

_MARGIN = 24.0
FONT = "Arial, Arimo, 'Liberation Sans', Helvetica, sans-serif"
_CHANGES = {"added": "+ added", "removed": "− removed", "changed": "~ changed"}


def svg_text(view: View, layout: Layout, links: Sequence[Link], *, page: bool = False) -> str:
    """The drawing. With ``page`` it is a part of the HTML page, which brings the style and folds functions itself."""
    return "\n".join(_Drawer(view, layout, links, page).lines()) + "\n"


class _Drawer:
    def __init__(self, view: View, layout: Layout, links: Sequence[Link], page: bool) -> None:
        self.view = view
        self.layout = layout
        self.links = links
        self.page = page
        self.nodes = {node.name: node for node in view.nodes}
        self.numbers = {node.name: index for index, node in enumerate(view.nodes)}
        self.most = max((edge.count or 0 for edge in view.edges), default=0) if view.weighted else 0

    def lines(self) -> Iterator[str]:
        m = _MARGIN
        w, h = self.layout.w + 2 * m, self.layout.h + 2 * m
        size = "" if self.page else f' width="{w:.0f}" height="{h:.0f}"'
        names = f"{esc(self.view.title)}: {len(self.view.nodes)} nodes, {len(self.view.edges)} edges"
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="{-m:.0f} {-m:.0f} {w:.0f} {h:.0f}"'
            f'{size} role="group" aria-label="{names}" font-family="{FONT}">'
        )
        yield f"<title>{names}</title>"
        if not self.page:
            yield f"<style>{svg_css()}</style>"
            yield f'<rect class="page" x="{-m:.0f}" y="{-m:.0f}" width="{w:.0f}" height="{h:.0f}" fill="#ffffff"/>'
        yield '<g class="links">'
        for link in self.links:
            yield from self._link(link)
        yield "</g>"
        for number, block in enumerate(self.layout.blocks):
            yield from self._block(number, block)
        yield "</svg>"

    # ------------------------------------------------------------------ blocks

    def _block(self, number: int, block: Block) -> Iterator[str]:
        corner = self.layout.corners[number]
        folded = block.name in self.layout.folded
        kind = "block main" if not block.name else "block"
        yield f'<g class="{kind}" data-b="{number}" transform="translate({num(corner[0])} {num(corner[1])})">'
        if not block.name:
            yield from self._body(block)
        else:
            if self.page or not folded:
                yield '<g class="open">'
                yield from self._frame(block)
                yield f'<g transform="translate({num(PAD)} {num(TITLE + PAD)})">'
                yield from self._body(block)
                yield "</g></g>"
            if self.page or folded:
                yield from self._closed(block)
        yield "</g>"

    def _title(self, name: str) -> str:
        return next((f.signature for f in self.view.functions if f.name == name), name)

    def _frame(self, block: Block) -> Iterator[str]:
        title = self._title(block.name)
        w, h = block_size(block, title_width(self.view, block.name), False)
        yield (
            f'<rect class="frame" width="{num(w)}" height="{num(h)}" rx="8" '
            'fill="#f3faf9" fill-opacity="0.75" stroke="#0b665f"/>'
        )
        shown = clip(title, w - 40, 11, bold=True)
        yield (
            f'<g class="head"><title>{esc(title)}: {len(block.boxes)} nodes</title>'
            f'<rect class="hit" width="{num(w)}" height="{num(TITLE)}" fill="none"/>'
            f'<text class="title" x="10" y="15.5" font-size="11" font-weight="bold" fill="#0b665f">{esc(shown)}</text>'
        )
        if self.page:
            yield f'<path class="fold" d="M{num(w - 21)} 11h9" stroke="#0b665f"/>'
        yield "</g>"

    def _closed(self, block: Block) -> Iterator[str]:
        title = self._title(block.name)
        count = f"{len(block.boxes)} node{'' if len(block.boxes) == 1 else 's'}"
        shown = clip(title, NODE_W - 36, 11, bold=True)
        yield f'<g class="closed"><title>{esc(title)}: {count}, folded</title>'
        yield f'<path class="shape" d="{outline("entry", NODE_W, NODE_H)}" fill="#dff3f1" stroke="#0b665f"/>'
        yield f'<text class="title" x="10" y="20" font-size="11" font-weight="bold" fill="#0b665f">{esc(shown)}</text>'
        yield f'<text class="line" x="10" y="38" font-size="9.5" fill="#10151d">{count}</text>'
        if self.page:
            yield f'<path class="fold" d="M{num(NODE_W - 21)} 16h9m-4.5 -4.5v9" stroke="#0b665f"/>'
        yield "</g>"

    def _body(self, block: Block) -> Iterator[str]:
        for name, frame in block.frames.items():
            yield from self._group(name, frame)
        for number, curve in block.curves.items():
            yield from self._edge(number, self.view.edges[number], curve)
        for (name, place), curve in block.exit_curves.items():
            yield from self._exit(self.nodes[name], place, block.exits[name, place], curve)
        for name, box in block.boxes.items():
            yield from self._node(self.nodes[name], box)

    def _group(self, name: str, frame: Box) -> Iterator[str]:
        group = next(g for g in self.view.groups if g.name == name)
        dash = "1.5 4" if group.ordered else "6 4"
        title = f'<tspan font-weight="bold">{esc(name)}</tspan> · {esc(group.note)}'
        yield (
            f'<g class="group" data-g="{esc(name)}"><title>{esc(name)} · {esc(group.note)}</title>'
            f'<rect x="{num(frame.x)}" y="{num(frame.y)}" width="{num(frame.w)}" height="{num(frame.h)}" rx="9" '
            f'fill="#fffaf2" fill-opacity="0.7" stroke="#8a5a10" stroke-dasharray="{dash}" stroke-linecap="round"/>'
            f'<text class="title" x="{num(frame.x + PAD)}" y="{num(frame.y + 15)}" font-size="10" fill="#6f480c">'
            f"{title}</text></g>"
        )

    # ------------------------------------------------------------------ edges

    def _edge(self, number: int, edge: ViewEdge, curve: Curve) -> Iterator[str]:
        yield f'<g class="{self._edge_classes(edge)}" data-e="{number}"><title>{esc(edge_title(edge))}</title>'
        dash = ' stroke-dasharray="2 3"' if edge.kind in ("dynamic", "unclear") else ""
        line = f'fill="none" stroke="#5b6472" stroke-width="{self._width(edge)}"{dash}'
        yield f'<path d="{path_data(curve.points)}" {line}/>'
        yield f'<path class="tip" d="{tip_data(curve.points[-1], curve.tip)}" fill="#5b6472"/>'
        if curve.label and edge.labels:
            yield from label_svg(edge_label(edge), curve.label)
        if edge.count and not (curve.label and edge.labels):
            yield from count_svg(edge.count, curve)
        yield "</g>"

    def _edge_classes(self, edge: ViewEdge) -> str:
        words = ["edge", edge.kind]
        if edge.change:
            words.append(edge.change)
        if edge.count is not None:
            words.append("hit" if edge.count else "missed")
        return " ".join(words)

    def _width(self, edge: ViewEdge) -> str:
        """A way that was often taken is thicker: from 1.1 to 5."""
        share = (edge.count or 0) / self.most if self.most else 0
        return num(1.1 + 3.9 * share**0.5)

    def _link(self, link: Link) -> Iterator[str]:
        edge = self.view.edges[link.edge]
        blocks, corners, folded = self.layout.blocks, self.layout.corners, self.layout.folded
        if link.start == link.end and blocks[link.start].name in folded:
            return
        start = anchor(blocks[link.start], corners[link.start], link.source, blocks[link.start].name in folded, True)
        end = anchor(blocks[link.end], corners[link.end], link.target, blocks[link.end].name in folded, False)
        points = link_points(start, end)
        colour, dash = ("#0b665f", ' stroke-dasharray="5 4"') if edge.kind == "call" else ("#5b6472", "")
        yield f'<g class="{self._edge_classes(edge)}" data-e="{link.edge}"><title>{esc(edge_title(edge))}</title>'
        yield f'<path d="{path_data(points)}" fill="none" stroke="{colour}" stroke-width="{self._width(edge)}"{dash}/>'
        yield f'<path class="tip" d="{tip_data(points[-1], end)}" fill="{colour}"/></g>'

    def _exit(self, node: ViewNode, place: int, box: Box, curve: Curve) -> Iterator[str]:
        leaving = node.exits[place]
        title = esc(exit_title(node, leaving))
        yield f'<g class="edge leave" data-x="{self.numbers[node.name]}"><title>{title}</title>'
        yield f'<path d="{path_data(curve.points)}" fill="none" stroke="#5b6472" stroke-width="1.1"/>'
        yield f'<path class="tip" d="{tip_data(curve.points[-1], curve.tip)}" fill="#5b6472"/>'
        if curve.label:
            yield from label_svg(edge_label(ViewEdge("", "", labels=(leaving.label,))), curve.label)
        yield pill_svg(box, exit_text(leaving), "exit")
        yield "</g>"

    # ------------------------------------------------------------------ nodes

    def _node(self, node: ViewNode, box: Box) -> Iterator[str]:
        look = look_of(node.look)
        word = clip(node.word, 84, 8.5)
        indent = 12 if look.shape == "call" else 10
        end = NODE_W - (20 if look.shape == "arrow" else 12)
        room = end - indent - text_width(word, 8.5) - 6
        dash = ' stroke-dasharray="5 3"' if look.dashed else ""
        yield (
            f'<g class="{classes_of(node)}" data-n="{self.numbers[node.name]}" '
            f'transform="translate({num(box.x)} {num(box.y)})" aria-label="{esc(spoken(node))}">'
        )
        yield f"<title>{esc(node_title(node))}</title>"
        path = outline(look.shape, box.w, box.h)
        yield f'<path class="shape" d="{path}" fill="{look.fill}" stroke="{look.stroke}"{dash}/>'
        inner = fold_line(look.shape, box.w, box.h)
        if inner:
            yield f'<path class="inner" d="{inner}" fill="none" stroke="{look.stroke}"/>'
        yield (
            f'<text class="name" x="{indent}" y="16" font-size="11" font-weight="bold" fill="#10151d">'
            f"{esc(clip(node.name, room, 11, bold=True))}</text>"
            f'<text class="word" x="{num(end)}" y="15.5" font-size="8.5" text-anchor="end" fill="{look.stroke}">'
            f"{esc(word)}</text>"
        )
        for index, (text, kind) in enumerate(lines_of(node, end - indent)):
            y = f"{30 + 12.5 * index:g}"
            yield f'<text class="{kind}" x="{indent}" y="{y}" font-size="9.5" fill="#10151d">{esc(text)}</text>'
        yield from self._marks(node, box)
        yield "</g>"

    def _marks(self, node: ViewNode, box: Box) -> Iterator[str]:
        if node.start:
            yield '<path class="start" d="M-12 -11l9 5.5l-9 5.5z" fill="#10151d"/>'
        badge = badge_text(node)
        if badge:
            shown = clip(badge, box.w - 44, 9)
            w = text_width(shown, 9) + 14
            yield pill_svg(Box(box.w - w - 8, box.h - EXIT_H + BADGE, w, EXIT_H), shown, "exit")
        if node.count is not None:
            shown = f"×{node.count}" if node.count else "never"
            yield pill_svg(Box(8, box.h - EXIT_H + BADGE, text_width(shown, 9) + 12, EXIT_H), shown, "count")
        if node.problems:
            worst = min(node.problems, key=lambda p: (p.severity != "error", p.code))
            more = f" +{len(node.problems) - 1}" if len(node.problems) > 1 else ""
            w = text_width(worst.code + more, 8.5) + 12
            yield pill_svg(Box(box.w - w + 7, -9, w, 16), worst.code + more, f"badge {worst.severity}")
        if node.change:
            shown = _CHANGES[node.change]
            yield pill_svg(Box(-7, -9, text_width(shown, 8.5) + 12, 16), shown, f"badge {node.change}")
