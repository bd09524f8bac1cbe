"""How does a run become a page? Figures, plots, the graph with its traffic and all conversations in one file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from autograph.graph.css import page_css
from autograph.graph.pieces import esc
from autograph.simulation.compare import Comparison
from autograph.simulation.figures import Summary
from autograph.simulation.page_compare import comparison_part
from autograph.simulation.page_data import embedded, page_data
from autograph.simulation.page_graph import graph_part
from autograph.simulation.page_parts import manifest_part, sections
from autograph.simulation.record import Conversation, Manifest

__all__ = ["write_page"]


def write_page(
    summary: Summary,
    conversations: Sequence[Conversation],
    manifest: Manifest,
    bot: Any = None,
    comparison: Comparison | None = None,
    *,
    others: Sequence[Conversation] = (),
    main: Literal["A", "B"] = "B",
) -> str:
    """The page of a run: one HTML text that needs no network, the same for the same records.

    ``bot``: the program, to be drawn (an ``Autograph``, its ``.program``, or whatever ``draw`` takes). ``comparison``
    with another version: ``main`` is the side of these conversations, ``others`` the other side's.
    """
    talks = sorted(conversations, key=lambda each: each.index)
    parts = list(sections(summary, talks))
    if comparison:
        parts.insert(1, ("comparison", "Two versions", comparison_part(comparison, main)))
    drawn: tuple[str, ...] = ()
    if bot is not None:
        graph, drawn = graph_part(bot, talks)
        parts.append(("graph", "The program and its traffic", graph))
    parts.append(("conversations", "Conversations", _CONVERSATIONS))
    parts.append(("manifest", "What was run", manifest_part(manifest)))
    data = page_data(talks, others, drawn) | {"other": "A" if main == "B" else "B"}
    return _whole(f"{summary.title} · {summary.n:,} simulated conversations", parts, embedded(data))


def _whole(title: str, parts: Sequence[tuple[str, str, str]], data: str) -> str:
    style = page_css() + _static("report.css")
    script = _static("report.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    links = "".join(f'<a href="#{anchor}">{esc(name)}</a>' for anchor, name, _ in parts)
    body = "".join(
        f'<section id="{anchor}" aria-labelledby="h-{anchor}"><h2 id="h-{anchor}">{esc(name)}</h2>{text}</section>\n'
        for anchor, name, text in parts
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="autograph">\n<title>{esc(title)}</title>\n<style>{style}</style>\n'
        f'</head>\n<body>\n<header><h1>{esc(title)}</h1><nav aria-label="Sections">{links}</nav>'
        f'<button id="theme" type="button">Theme</button></header>\n<main>\n{body}</main>\n'
        f'<script type="application/json" id="run">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def _static(name: str) -> str:
    return files("autograph.simulation").joinpath(f"static/{name}").read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


_CONVERSATIONS = """
<noscript><p class="note">The conversations are shown by a script, which this browser does not run.</p></noscript>
<form class="tools" id="filter" role="search" aria-label="Filter conversations">
<label>Search<input id="text" type="search" placeholder="what was said, errors" autocomplete="off"></label>
<label>Outcome<select id="end"></select></label>
<label>Persona<select id="persona"></select></label>
<label>Node<select id="node"></select></label>
<label>Order<select id="order"><option value="rank">worst first</option><option value="i">by number</option>
<option value="length">longest first</option><option value="cost">dearest first</option></select></label>
<button type="reset">Clear</button>
</form>
<p id="count" class="soft" role="status"></p>
<div id="list"></div>
<p class="tools"><button type="button" id="more" hidden>Show more</button></p>
"""
