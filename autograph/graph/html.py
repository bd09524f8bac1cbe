"""How does the page come about? The drawing, its data and a hand-written script in one file that needs nothing else."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from autograph.graph.css import page_css
from autograph.graph.data import node_data, problem_data
from autograph.graph.geometry import Layout
from autograph.graph.parts import Link
from autograph.graph.pieces import esc
from autograph.graph.place import block_size, title_width
from autograph.graph.shapes import fold_line, outline
from autograph.graph.sizes import PAD, TITLE, exit_text
from autograph.graph.style import look_of
from autograph.graph.svg import svg_text
from autograph.graph.view import View, ViewNode

__all__ = ["html_text"]

_KEYS = (
    ("/", "search; Enter goes to the next hit"),
    ("Tab", "through the nodes in row order"),
    ("Enter", "select"),
    ("↓ ↑", "along the edges, forwards and back"),
    ("→ ←", "to the other answers"),
    ("0", "show everything"),
    ("+ −", "closer, further away"),
    ("f", "fold or open all functions"),
    ("t", "the same as a table"),
    ("d", "dark or light"),
    ("Esc", "end search or selection"),
)


def html_text(view: View, layout: Layout, links: Sequence[Link]) -> str:
    """The page. ``layout`` has nothing folded but names in ``folded`` what the script folds at first."""
    open_layout = Layout(layout.blocks, layout.corners, frozenset(), layout.w, layout.h)
    style = page_css() + files("autograph.graph").joinpath("static/page.css").read_text("utf-8")
    script = files("autograph.graph").joinpath("static/page.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    data = json.dumps(_page_data(view, layout, links), ensure_ascii=True, separators=(",", ":"))
    return "".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<meta name="generator" content="autograph">\n<title>{esc(view.title)}</title>\n<style>{style}</style>\n',
            f"</head>\n<body>\n{_header(view)}<main>\n{_TABLE}\n",
            f'<div id="stage">\n{svg_text(view, open_layout, links, page=True)}</div>\n',
            '<aside id="panel" aria-label="About the selection"><div id="about" aria-live="polite"></div>\n',
            f"{_legend(view)}</aside>\n",
            f"</main>\n{_help()}\n",
            f'<script type="application/json" id="program">{_embedded(data)}</script>\n',
            f"<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def _embedded(data: str) -> str:
    """JSON within a script element: nothing in it can end the element or open a comment."""
    return data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# ---------------------------------------------------------------------- data for the script


def _page_data(view: View, layout: Layout, links: Sequence[Link]) -> dict[str, Any]:
    numbers = {node.name: index for index, node in enumerate(view.nodes)}
    titles = {f.name: f.signature for f in view.functions}
    sizes = [block_size(block, title_width(view, block.name), False) for block in layout.blocks]
    boxes: list[list[float]] = [[0, 0, 0] for _ in view.nodes]
    for number, block in enumerate(layout.blocks):
        dx, dy = (PAD, TITLE + PAD) if block.name else (0.0, 0.0)
        for name, box in block.boxes.items():
            boxes[numbers[name]] = [number, round(dx + box.x, 1), round(dy + box.y, 1)]
    return {
        "title": view.title,
        "summary": _summary(view),
        "nodes": [_node(node) for node in view.nodes],
        "edges": [
            {"s": e.source, "t": e.target, "kind": e.kind, "labels": e.labels, "count": e.count} for e in view.edges
        ],
        "groups": [{"name": g.name, "members": [numbers[m] for m in g.members if m in numbers]} for g in view.groups],
        "blocks": [
            {"name": block.name, "title": titles.get(block.name, block.name), "w": w, "h": h}
            for block, (w, h) in zip(layout.blocks, sizes, strict=True)
        ],
        "links": [
            {"e": k.edge, "n": numbers[k.source], "start": k.start, "end": k.end, "to": numbers.get(k.target, -1)}
            for k in links
        ],
        "boxes": boxes,
        "folded": [i for i, block in enumerate(layout.blocks) if block.name in layout.folded],
        "problems": [problem_data(p) for p in view.problems],
    }


def _node(node: ViewNode) -> dict[str, Any]:
    data = node_data(node)
    kept = {key: data[key] for key in ("name", "word", "text", "place", "group", "start", "change", "count")}
    return {
        **kept,
        "fn": node.function,
        "fields": [[f.name, f.text, f.was] for f in node.fields],
        "exits": [[exit_text(leaving), leaving.label] for leaving in node.exits],
        "problems": [problem_data(p) for p in node.problems],
    }


# ---------------------------------------------------------------------- the frame of the page


def _summary(view: View) -> str:
    parts = [_counted(len(view.nodes), "node"), _counted(len(view.edges), "edge")]
    if view.functions:
        parts.append(_counted(len(view.functions), "function"))
    text = ", ".join(parts)
    for more in (view.selection, view.compared_with and f"compared with {view.compared_with}", view.counted):
        text += f" · {more}" if more else ""
    return text


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _header(view: View) -> str:
    return (
        f'<header><h1 title="{esc(view.title)}">{esc(view.title)}</h1>'
        '<input id="search" type="search" placeholder="Search nodes and fields ( / )" '
        'aria-label="Search nodes and fields" autocomplete="off" spellcheck="false">'
        f'<span id="count" role="status">{esc(_summary(view))}</span><span class="space"></span>'
        '<button id="fold" type="button">Fold</button><button id="fit" type="button">Fit</button>'
        '<button id="as-table" type="button" aria-pressed="false">Table</button>'
        '<button id="theme" type="button">Theme</button>'
        '<button id="keys" type="button" aria-label="Keys">?</button></header>\n'
    )


_TABLE = (
    '<section id="table" hidden aria-label="All nodes as a table"><table><caption>All nodes in row order</caption>'
    "<thead><tr>"
    + "".join(f'<th scope="col">{head}</th>' for head in ("node", "kind", "place", "function", "text", "goes to"))
    + "</tr></thead><tbody></tbody></table></section>"
)


def _legend(view: View) -> str:
    used = dict.fromkeys(node.look for node in view.nodes)
    return (
        '<details id="legend" open><summary>Legend</summary><ul>'
        + "".join(_legend_row(key) for key in used)
        + "".join(_signs(view))
        + "</ul></details>\n"
    )


def _legend_row(key: str) -> str:
    look = look_of(key)
    dash = ' stroke-dasharray="5 3"' if look.dashed else ""
    inner = fold_line(look.shape, 28, 17)
    line = f'<path class="inner" d="{inner}" fill="none" stroke="{look.stroke}"/>' if inner else ""
    shape = f'<path class="shape" d="{outline(look.shape, 28, 17)}" fill="{look.fill}" stroke="{look.stroke}"{dash}/>'
    name = key if look is not look_of("custom") else "custom"
    word = look.word if look is not look_of("custom") else key
    return (
        f'<li><svg class="drawing a-{name}" viewBox="-1 -1 30 20" aria-hidden="true">{shape}{line}</svg>'
        f"<b>{esc(word)}</b><span>{esc(look.summary)}</span></li>"
    )


def _signs(view: View) -> Iterator[str]:
    if any(node.start for node in view.nodes):
        yield "<li><b>▶</b><span>the program begins here</span></li>"
    exits = {leaving.kind for node in view.nodes for leaving in node.exits}
    for kinds, sign, text in (
        (("quit", "end"), "■", "the conversation ends"),
        (("return", "end"), "↩", "back to the caller"),
        (("resume",), "⤺", "back to where the user interrupted"),
        (("dynamic",), "◇", "a variable names the next node"),
    ):
        if exits & {kinds[0]}:
            yield f"<li><b>{sign}</b><span>{text}</span></li>"
    if any(edge.kind == "unclear" for edge in view.edges):
        yield "<li><b>┄</b><span>when the answer is unclear</span></li>"


def _help() -> str:
    rows = "".join(f"<dt><kbd>{esc(keys)}</kbd></dt><dd>{esc(text)}</dd>" for keys, text in _KEYS)
    return (
        f'<dialog id="help" aria-label="Keys"><dl>{rows}</dl><p class="soft">Wheel or pinch zooms, dragging moves. '
        "An address that ends in #name opens at that node.</p>"
        '<form method="dialog"><button type="submit">Close</button></form></dialog>'
    )
