"""Every format: what it says, that hostile names and texts stay text, folding, notebooks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.graph import FORMATS, Drawing, DrawingError, View, draw
from autograph.graph import text as texts
from autograph.graph.engine import find_engine, run_engine
from autograph.graph.style import ACCENT, DARK_INK, DARK_PAGE, INK, LOOKS, contrast, dark
from autograph.vocabulary import ACTIONS
from graph.conftest import ROOT, SHOP, installed_engines, view

SVG = "{http://www.w3.org/2000/svg}"

NASTY = [
    '</script><script>alert(1)</script>', '<img src=x onerror="alert(1)">', "a'b\"c", "\\n \\ \\\\", "]]> --> <!--",
    "#quot; %00",     "\u202eright to left", "日本語のテキスト", "🙂🙃 emoji", "{{x}} ${y} `z`",
    "| pipe ; semi", "end", "tab\there\nnew line",
]  # fmt: skip


def hostile() -> View:
    rows: list[dict[str, Any]] = []
    for index, text in enumerate(NASTY):
        name = re.sub(r'[,\[\]{}"$\n\t()\']', " ", text).strip() + f" {index}"
        rows.append({"name": name, "action": "chat_exact", "instruction": text.replace("$", "\\$").replace("?{", "{")})
    for row, following in zip(rows, [*rows[1:], rows[0]], strict=True):
        row["transitions"] = [following["name"], "quit"]
        row["transition_question"] = "Which?"
        row["transition_choice_a"] = str(row["instruction"])
        row["transition_choice_b"] = "other"
    from autograph.graph import view_of
    from autograph.program.build import build_draft
    from autograph.tables import read_rows

    return view_of(build_draft(read_rows(rows))[0], NASTY[0])


# ---------------------------------------------------------------------- colours


def test_every_action_has_a_look() -> None:
    assert set(ACTIONS) <= set(LOOKS)


@pytest.mark.parametrize("name", LOOKS)
def test_contrast(name: str) -> None:
    look = LOOKS[name]
    fill, stroke = dark(look)
    assert contrast(INK, look.fill) >= 4.5
    assert contrast(look.stroke, look.fill) >= 4.5  # it is the colour of the word in the corner, too
    assert contrast(look.stroke, "#ffffff") >= 3
    assert contrast(DARK_INK, fill) >= 4.5
    assert contrast(stroke, fill) >= 4.5
    assert contrast(stroke, DARK_PAGE) >= 3
    assert contrast(ACCENT, look.fill) >= 3


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_no_two_looks_differ_in_colour_alone() -> None:
    seen = {(look.shape, look.word, look.dashed) for look in LOOKS.values()}
    assert len(seen) == len(LOOKS)


# ---------------------------------------------------------------------- texts


def test_texts_are_cut_and_broken() -> None:
    assert texts.clip("short", 100, 10) == "short"
    assert texts.clip("a rather long text that goes on", 60, 10).endswith("…")
    assert texts.text_width(texts.clip("W" * 50, 60, 10), 10) <= 60
    assert texts.wrap("one two three", 50, 10, 2) == ["one two", "three"]
    assert texts.wrap("answer = lookup_everything(last_user_message)", 100, 9.5, 2)[0] == "answer ="
    assert len(texts.wrap("word " * 50, 100, 10, 2)) == 2
    assert texts.wrap("", 100, 10, 2) == []
    assert texts.plain("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert texts.text_width("日本", 10) > texts.text_width("ab", 10)


# ---------------------------------------------------------------------- SVG


def test_svg_is_well_formed_and_says_everything(shop: View) -> None:
    root = ElementTree.fromstring(Drawing(shop).svg())
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert titles[0] == "shop: 12 nodes, 13 edges"
    assert "greet → tea: tea" in titles
    assert "tea calls price()" in titles
    assert any(title.startswith("hours · interjection") for title in titles)
    words = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    assert {"greet", "chat_exact", "ask.* · first whose condition holds", "step.n · in order", "■ quit"} <= set(words)
    assert "price(what, each=3)" in words


def test_folded_functions_are_one_box(shop: View) -> None:
    folded = Drawing(shop, fold=True).svg()
    assert "2 nodes, folded" in folded
    assert "x + len(what)" not in folded
    assert "x + len(what)" in Drawing(shop, fold=False).svg()


def test_above_150_nodes_functions_start_folded() -> None:
    rows = [{"name": f"n{i}", "action": "chat", "instruction": "x", "transitions": f"n{i + 1}"} for i in range(149)]
    rows += [{"name": "n149", "action": "local_function", "instruction": "f()", "transitions": "quit"}]
    rows += [{"name": "f()", "action": "transition", "transitions": "return 1"}]
    assert Drawing(view(rows)).layout.folded == {"f()"}
    assert Drawing(view([*rows[148:149], *rows[149:]])).layout.folded == set()


class Elements(HTMLParser):
    """The names of all elements and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize(("make", "scripts"), [(Drawing.svg, 0), (Drawing.html, 2)])
def test_hostile_texts_stay_text(make: Any, scripts: int) -> None:
    found = Elements()
    found.feed(make(Drawing(hostile())))
    assert found.tags.count("script") == scripts
    assert "img" not in found.tags
    assert [name for name in found.attributes if name.startswith("on")] == []


def test_a_hostile_svg_is_well_formed() -> None:
    root = ElementTree.fromstring(Drawing(hostile()).svg())
    assert len([g for g in root.iter(f"{SVG}g") if "node" in (g.get("class") or "").split()]) == len(NASTY)


# ---------------------------------------------------------------------- HTML


def test_the_page_needs_nothing_else(shop: View) -> None:
    page = Drawing(shop).html()
    assert re.findall(r'(?:src|href)="', page) == []
    assert [url for url in re.findall(r"https?://[^\s\"'<]+", page) if not url.startswith("http://www.w3.org/")] == []
    assert "default-src 'none'" in page
    assert "unsafe" not in page
    assert "innerHTML" not in page


def test_the_data_in_the_page_is_json(shop: View) -> None:
    page = Drawing(hostile()).html()
    data = json.loads(re.findall(r'<script type="application/json" id="program">(.*?)</script>', page, re.DOTALL)[0])
    assert data["title"] == NASTY[0]
    assert [node["fields"][2][1] for node in data["nodes"]][7] == "日本語のテキスト"


# ---------------------------------------------------------------------- the other formats


def test_json(shop: View) -> None:
    data = json.loads(Drawing(shop).json())
    assert data["version"] == 1
    assert [node["name"] for node in data["nodes"]] == [node.name for node in shop.nodes]
    assert {"source": "tea", "target": "price()", "kind": "call", "labels": [], "change": "", "count": None} in data[
        "edges"
    ]
    json.loads(Drawing(hostile()).json())


def test_mermaid(shop: View) -> None:
    lines = [line.strip() for line in Drawing(shop).mermaid().splitlines()]
    assert lines[1] == "flowchart TD"
    assert 'n0[/"<b>start</b> · set#95;prompt<br/>You sell tea."/]:::set_prompt' in lines
    assert 'n1 -->|"tea"| n2' in lines
    assert "n2 -->" not in lines
    assert 'n2 -.->|"calls"| n10' in lines
    assert lines.count("end") == 3


def test_hostile_mermaid_has_one_statement_a_line() -> None:
    for line in Drawing(hostile()).mermaid().splitlines()[2:]:
        strings = re.findall(r'"([^"]*)"', line)
        assert line.count('"') == 2 * len(strings)
        assert all(not set("<>{}|`") & set(re.sub(r"</?b>|<br/>", "", text)) for text in strings)


@pytest.mark.parametrize("program", ["shop", "hostile"])
def test_dot_is_read_by_graphviz(program: str, shop: View, engine: str) -> None:
    found = Drawing(shop if program == "shop" else hostile()).dot()
    svg = run_engine(find_engine(engine), found, ("-Kdot", "-Tsvg"), 20).decode("utf-8")
    nodes = [e for e in ElementTree.fromstring(svg).iter(f"{SVG}g") if e.get("class") == "node"]
    assert len(nodes) == (len(shop.nodes) if program == "shop" else len(NASTY))


def test_png(shop: View, engine: str) -> None:
    drawing = Drawing(shop, engine=engine)
    data = drawing.png()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width = int.from_bytes(data[16:20], "big")
    assert abs(width / 2 - (drawing.layout.w + 43)) < 60
    assert drawing.notes("png") == []
    assert Drawing(hostile(), engine=engine).png()[:4] == b"\x89PNG"


def test_missing_glyphs_are_said() -> None:
    notes = Drawing(hostile(), engine="graphviz-pure").notes("png")
    assert len(notes) == 1
    assert "no glyphs for letters such as" in notes[0]
    assert "Remedy" in notes[0]


def test_pdf_needs_dot(shop: View) -> None:
    with pytest.raises(DrawingError, match="Remedy: install Graphviz"):
        Drawing(shop, engine="graphviz-pure").pdf()
    if "dot" in installed_engines():
        assert Drawing(shop, engine="dot").pdf()[:5] == b"%PDF-"


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "pdf"])
def test_comparison_and_counts_are_drawn(form: str, shop: View) -> None:
    from autograph.graph.diff import compared
    from autograph.graph.overlay import Counts, overlaid

    changed = [dict(row) for row in SHOP]
    changed[4] = {**changed[4], "instruction": "Say it."}
    found = overlaid(compared(shop, view(changed)), Counts({"greet": 12}, {("start", "greet"): 12}), weighted=True)
    made = Drawing(found).render(form)
    if form in ("html", "svg"):
        assert b"~ changed" in made
        assert "×12".encode() in made


def test_mermaid_says_when_it_will_not_draw_all() -> None:
    rows = [{"name": f"n{i}", "action": "chat", "instruction": "x", "transitions": f"n{i + 1}"} for i in range(502)]
    rows.append({"name": "n502", "action": "chat", "instruction": "x", "transitions": "quit"})
    assert Drawing(view(rows)).notes("mermaid") == ["Mermaid draws 500 edges unless its setting maxEdges is raised."]


# ---------------------------------------------------------------------- from Python


def test_draw(tmp_path: Path) -> None:
    bot = autograph.load(ROOT / "programs" / "sort.csv", model="offline")
    drawing = autograph.draw(bot, function="merge_sort")
    assert repr(drawing).startswith("<Drawing of sort: ")
    assert drawing.save(tmp_path / "sort.svg").read_text("utf-8").startswith("<svg ")
    assert draw(bot.program).view == draw(ROOT / "programs" / "sort.csv").view
    assert len(draw(SHOP, focus="tell", depth=1).view.nodes) == 4
    assert draw(SHOP, compare=SHOP, category="talk").view.compared_with == "program"
    with pytest.raises(DrawingError, match=r"must end in \.html"):
        drawing.save(tmp_path / "sort.txt")
    with pytest.raises(DrawingError, match='no format "gif"'):
        drawing.render("gif")


def test_a_notebook_shows_the_picture() -> None:
    bot = autograph.load(ROOT / "programs" / "sort.csv", model="offline")
    shown = bot._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg ")
    assert shown["text/plain"] == repr(bot)
    assert autograph.Autograph()._repr_mimebundle_() == {"text/plain": "<Autograph without a program>"}
    assert set(autograph.draw(bot)._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}


def test_importing_autograph_loads_no_drawing() -> None:
    code = "import sys, autograph; print([name for name in sys.modules if name.startswith('autograph.graph')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
