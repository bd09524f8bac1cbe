"""The page of a run: what it says, that it does no harm, and how it behaves in a browser without a network."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.simulation.compare import compare
from autograph.simulation.page import write_page
from autograph.simulation.page_data import embedded
from autograph.simulation.page_plots import Stack, histogram
from autograph.simulation.record import Conversation, Failure
from autograph.simulation.summary import summarise
from graph import conftest as drawn
from simulation_records import manifest, program_rows, run, said, talk

browser = drawn.browser

EVIL = "</script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>\"'&<!--\u2028\x00"


def page(talks: Sequence[Conversation], bot: Any = None, **fields: Any) -> str:
    """The page of conversations with the program of ``program_rows``."""
    terms = manifest(n=len(talks), **fields)
    return write_page(summarise(talks, terms, nodes=[row["name"] for row in program_rows()]), talks, terms, bot)


def evil_talks() -> list[Conversation]:
    """Conversations whose every text wants to be markup."""
    return [
        talk(
            i,
            persona=EVIL,
            outcome="failed",
            success=False,
            reason=EVIL,
            last_node=EVIL,
            error=Failure(EVIL, EVIL, EVIL, EVIL),
            turns=(said(EVIL, EVIL, EVIL),),
            variables={EVIL: [EVIL]},
        )
        for i in range(3)
    ]


def two_versions() -> str:
    """The page of a run that is compared with another."""
    old, new = run(40, 1, skill=0.5), run(40, 2, skill=0.9)
    terms = manifest(n=40)
    found = compare(old, new, terms, manifest(n=40, fingerprint="beef"), names=("shop-1.csv", "shop.csv"))
    return write_page(summarise(new, terms), new, terms, None, found, others=old)


class Tags(HTMLParser):
    """The tags of a page, and whether each that was opened is closed."""

    VOID = ("meta", "input", "br", "img", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.found if name == tag]


def test_the_same_records_give_the_same_bytes() -> None:
    records = run(30)
    once = page(records, program_rows())
    assert page(random.Random(2).sample(records, 30), program_rows()) == once
    assert "2026-11-30" in once


def test_it_is_one_file_that_needs_nothing_else() -> None:
    text = page(run(30), program_rows())
    tags = Tags(text)
    assert tags.open == []
    assert not {"link", "img", "iframe"} & {tag for tag, _ in tags.found}
    assert all("src" not in attrs for attrs in tags.of("script"))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert all(not name.startswith("on") and name != "style" for _, attrs in tags.found for name in attrs)
    assert all(attrs["scope"] == "col" for attrs in tags.of("th"))
    ids = [attrs["id"] for _, attrs in tags.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    anchors = {attrs["href"] for attrs in tags.of("a") if not re.match(r"#c\d", attrs["href"] or "")}
    assert {anchor[1:] for anchor in anchors if anchor} <= set(ids)


@pytest.mark.parametrize("name", ["figures", "course", "personas", "troubles", "nodes", "paths", "graph", "manifest"])
def test_every_section_is_there(name: str) -> None:
    assert f'<section id="{name}" aria-labelledby="h-{name}"><h2 id="h-{name}">' in page(run(30), program_rows())


def test_figures_have_their_intervals() -> None:
    text = page([talk(i, success=i < 93) for i in range(100)])
    assert '<span class="figure">0.93 [0.86, 0.97]</span><span class="soft">93 of 100</span>' in text


def test_nothing_that_was_said_becomes_markup() -> None:
    text = page(evil_talks(), program=EVIL)
    assert "<script>document" not in text
    assert "<img" not in text
    assert Tags(text).open == []
    assert text.count("</script>") == 2


@given(st.recursive(st.text() | st.none() | st.integers(), lambda each: st.lists(each, max_size=3), max_leaves=6))
def test_embedded_data_is_read_again_and_is_no_markup(data: Any) -> None:
    text = embedded(data)
    assert json.loads(text) == data
    assert not set("<>&\u2028") & set(text)
    assert text.isascii()


def test_empty_and_partial_runs() -> None:
    assert Tags(page([])).open == []
    text = write_page(summarise([talk(0)], manifest()), [talk(0)], manifest())
    assert "Only 1 of 10 conversations were held." in text


def test_a_program_that_cannot_be_drawn_is_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    from autograph.graph import Drawing, DrawingError

    def refuse(self: Drawing) -> str:
        raise DrawingError("no layout <program>")

    monkeypatch.setattr(Drawing, "svg", refuse)
    text = page(run(5), program_rows())
    assert "It cannot be drawn: no layout &lt;program&gt;" in text
    assert "The ways of the program, and how often they were taken" in text


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40), st.booleans())
def test_every_value_falls_into_a_column(values: list[float], whole: bool) -> None:
    given_values = [float(int(value)) for value in values] if whole else values
    text = histogram([Stack("main", "x", given_values)], "x", whole=whole, label="x")
    counts = re.findall(r": (\d+) x</title>", text)
    assert sum(map(int, counts)) == len(values)
    assert len(counts) <= 31


# ---- in a browser


Open = Callable[..., Any]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    (folder / "run.html").write_text(page(run(120), program_rows()), "utf-8")
    broke = talk(0, outcome="failed", error=Failure("RunError", "no such price", "tea", "Eleven teas"))
    (folder / "broke.html").write_text(page([broke, talk(1)]), "utf-8")
    (folder / "evil.html").write_text(page(evil_talks(), program=EVIL), "utf-8")
    (folder / "two.html").write_text(two_versions(), "utf-8")
    (folder / "big.html").write_text(page(run(1000, turns=10)), "utf-8")
    return folder


@pytest.fixture
def open_page(browser: Any, files: Path) -> Iterator[Open]:
    contexts, said_by_pages = [], []

    def open_it(name: str = "run.html", anchor: str = "", **options: Any) -> Any:
        context = browser.new_context(offline=True, **{"viewport": {"width": 1200, "height": 900}, **options})
        contexts.append(context)
        found = context.new_page()
        found.on("console", lambda message: said_by_pages.append(message.text))
        found.on("pageerror", lambda error: said_by_pages.append(str(error)))
        found.on("request", lambda request: request.url.startswith("file:") or said_by_pages.append(request.url))
        found.goto((files / name).as_uri() + anchor)
        return found

    yield open_it
    for context in contexts:
        context.close()
    assert said_by_pages == []


def test_conversations_open_on_demand(open_page: Open) -> None:
    found = open_page()
    assert found.locator("#count").inner_text() == "120 of 120 conversations, 50 shown"
    assert found.locator("details.talk").count() == 50
    assert found.locator(".said").count() == 0
    first = found.locator("details.talk").first
    assert "✗ failed" in first.inner_text()
    first.locator("summary").click()
    assert first.locator(".said .user").first.inner_text().startswith("I want number")
    assert 'StatementError: no price "' in first.locator(".error").inner_text()
    found.locator("#more").click()
    assert found.locator("details.talk").count() == 100


def test_the_words_that_led_to_an_error_are_shown_and_found(open_page: Open) -> None:
    found = open_page("broke.html")
    found.locator("#text").fill("eleven")
    assert found.locator("#count").inner_text() == "1 of 2 conversations"
    found.locator("details.talk summary").first.click()
    assert found.locator(".said .user").all_inner_texts() == ["Tea", "Eleven teas"]


def test_filters(open_page: Open) -> None:
    found, records = open_page(), run(120)
    count = found.locator("#count")
    found.locator("#end").select_option("stuck")
    stuck = sum(1 for each in records if each.outcome == "stuck")
    assert count.inner_text() == f"{stuck} of 120 conversations"
    found.locator("#persona").select_option("Critic")
    both = sum(1 for each in records if each.outcome == "stuck" and each.persona == "Critic")
    assert count.inner_text() == f"{both} of 120 conversations"
    found.locator("button[type=reset]").click()
    found.locator("#text").fill("NUMBER 42,")
    said_it = [each for each in records if any("number 42," in turn.user for turn in each.turns)]
    assert said_it
    assert count.inner_text() == f"{len(said_it)} of 120 conversations"
    found.locator("details.talk summary").first.click()
    assert found.locator("mark").first.inner_text() == "number 42,"
    found.locator("button[type=reset]").click()
    found.locator("#order").select_option("i")
    assert found.locator("details.talk .id").first.inner_text() == "#0"


def test_nodes_lead_to_their_conversations(open_page: Open) -> None:
    found, records = open_page(), run(120)
    found.locator("#nodes button[data-node=bye]").click()
    through = sum(1 for each in records if "bye" in each.path)
    assert found.locator("#count").inner_text().startswith(f"{through} of 120")
    found.locator(".graph .node", has_text="cake").first.click()
    through = sum(1 for each in records if "cake" in each.path)
    assert found.locator("#count").inner_text().startswith(f"{through} of 120")


def test_links_open_a_conversation_wherever_it_is(open_page: Open) -> None:
    found = open_page(anchor="#c119")
    assert found.locator("#c119").get_attribute("open") is not None
    found.locator("#text").fill("nobody said this")
    assert found.locator("details.talk").count() == 0
    example = found.locator("#paths a").first
    example.click()
    assert found.locator(str(example.get_attribute("href"))).get_attribute("open") is not None


def test_tables_are_sorted_by_their_heads(open_page: Open) -> None:
    found = open_page()
    head = found.locator("#nodes th", has_text="entered")
    cells = found.locator("#nodes tbody tr td:nth-child(2)")

    def entered() -> list[int]:
        return [int(text.replace(",", "")) for text in cells.all_inner_texts()]

    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert entered() == sorted(entered(), reverse=True)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert entered() == sorted(entered())
    found.locator("#nodes th button", has_text="node").first.click()
    names = found.locator("#nodes tbody tr td:first-child").all_inner_texts()
    assert names == sorted(names, reverse=True)


def test_hostile_texts_are_shown_as_they_are(open_page: Open) -> None:
    found = open_page("evil.html")
    found.locator("details.talk summary").first.click()
    found.locator("#text").fill("<img")
    found.locator("details.talk summary").first.click()
    assert "</script><script>document.title='taken'" in found.locator(".said .user").first.inner_text()
    assert found.title().startswith("</script>")
    assert found.locator("img").count() == 0


def test_two_versions_stand_side_by_side(open_page: Open) -> None:
    found = open_page("two.html")
    assert "B succeeds more often." in found.locator("#comparison .verdict").inner_text()
    found.locator("#comparison table a").first.click()
    columns = found.locator("details.talk[open] .two h3").all_inner_texts()
    assert [text.split(" ✓")[0].split(" ✗")[0] for text in columns] == ["With B", "The same user with A"]


def test_a_thousand_conversations(open_page: Open, files: Path) -> None:
    assert (files / "big.html").stat().st_size < 2_000_000
    found = open_page("big.html")
    assert found.locator("#count").inner_text() == "1,000 of 1,000 conversations, 50 shown"
    assert found.locator("details.talk").count() == 50
    found.evaluate("location.hash = '#c999'")
    found.locator("#c999[open]").wait_for()


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_no_window_is_too_small(open_page: Open, width: int) -> None:
    for name in ("run.html", "two.html"):
        found = open_page(name, viewport={"width": width, "height": 700})
        assert found.evaluate("document.documentElement.scrollWidth") <= width


_CONTRAST = """() => {
  const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (box) => {
    for (let at = box; at; at = at.parentElement) {
      const found = numbers(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  const weak = [];
  for (const box of document.querySelectorAll("main *:not(svg):not(svg *), header *")) {
    if (![...box.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
    const [a, b] = [light(numbers(getComputedStyle(box).color)), light(behind(box))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.push(`${box.tagName}.${box.className} ${ratio.toFixed(1)}`);
  }
  return [...new Set(weak)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(open_page: Open, scheme: str) -> None:
    found = open_page(color_scheme=scheme)
    for index in (0, 1):
        found.locator("details.talk summary").nth(index).click()
    assert found.evaluate(_CONTRAST) == []
    found.locator("#theme").click()
    assert found.evaluate(_CONTRAST) == []


def test_print_shows_the_figures_and_what_was_opened(open_page: Open) -> None:
    found = open_page()
    found.locator("details.talk summary").first.click()
    found.emulate_media(media="print")
    assert found.locator("details.talk:visible").count() == 1
    assert not found.locator("#filter").is_visible()
    assert found.locator("svg.plot").first.is_visible()
    assert found.pdf()[:4] == b"%PDF"


def test_without_a_script_the_figures_are_there(open_page: Open) -> None:
    found = open_page(java_script_enabled=False)
    assert "0." in found.locator("#figures .figure").first.inner_text()
    assert found.locator("svg.drawing .node").count() == 6
    assert "does not run" in found.locator("noscript").inner_text()
