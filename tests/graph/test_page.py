"""The page in a browser without a network: search, click, keys, folding, deep links, dark, print, small windows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from autograph.graph import Drawing, view_of
from autograph.program import build
from autograph.tables import read_rows
from graph.conftest import ROOT
from graph.test_formats import hostile


@dataclass
class Opened:
    """A page and what it complained about."""

    page: Any
    said: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).inner_text())

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.id"))


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    clinic = view_of(build(read_rows(ROOT / "programs" / "clinic.yaml")))
    Drawing(clinic).save(folder / "clinic.html")
    Drawing(clinic, fold=True).save(folder / "folded.html")
    Drawing(hostile()).save(folder / "hostile.html")
    return folder


@pytest.fixture
def open_page(browser: Any, files: Path) -> Iterator[Open]:
    contexts = []
    opened = []

    def open_it(name: str = "clinic.html", anchor: str = "", **options: Any) -> Opened:
        options.setdefault("viewport", {"width": 1400, "height": 900})
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("console", lambda message: found.said.append(message.text))
        found.page.on("pageerror", lambda error: found.said.append(str(error)))
        found.page.on("request", lambda request: request.url.startswith("file:") or found.said.append(request.url))
        found.page.goto((files / name).as_uri() + anchor)
        opened.append(found)
        return found

    yield open_it
    assert [found.said for found in opened if found.said] == []
    for context in contexts:
        context.close()


def test_it_loads_without_a_network(open_page: Open) -> None:
    found = open_page()
    assert found.page.title() == "clinic"
    assert found.count("svg.drawing .node") == 66
    assert found.text("#count") == "66 nodes, 63 edges, 4 functions"
    assert found.text("#about h2") == "clinic"


def test_search(open_page: Open) -> None:
    found = open_page()
    found.page.keyboard.press("/")
    assert found.focused() == "Search nodes and fields"
    found.page.keyboard.type("Insur card")
    assert found.text("#count") == "1 of 66"
    assert found.count(".node.found") == 1
    found.page.keyboard.press("Enter")
    assert found.text("#about h2") == "done"
    assert found.text("#count") == "1 of 1"
    found.page.keyboard.press("Escape")
    assert found.count(".node.found") == 0
    assert found.text("#count") == "66 nodes, 63 edges, 4 functions"


def test_enter_goes_through_the_hits(open_page: Open) -> None:
    found = open_page()
    found.page.fill("#search", "slots")
    hits = found.count(".node.found")
    seen = []
    for _ in range(hits + 1):
        found.page.press("#search", "Enter")
        seen.append(found.text("#about h2"))
    assert len(set(seen)) == hits
    assert seen[0] == seen[-1]
    found.page.press("#search", "Shift+Enter")
    assert found.text("#about h2") == seen[-2]


def test_a_click_shows_fields_and_links(open_page: Open) -> None:
    found = open_page()
    found.page.locator(".node[aria-label^='change, ']").click()
    about = re.sub(r"\n+", "\n", found.text("#about"))
    assert about.startswith("change\nchat_exact · line ")
    assert "What shall I change" in about
    assert "transition question\nWhat does the patient want to change?" in about
    assert found.count(".edge.on") >= 5
    assert found.page.url.endswith("#change")
    found.page.locator("#about a", has_text="forget").click()
    assert found.text("#about h2") == "forget"
    assert "comes from" in found.text("#about")
    found.page.keyboard.press("Escape")
    assert found.text("#about h2") == "clinic"
    assert "#" not in found.page.url


def test_deep_links(open_page: Open) -> None:
    assert open_page(anchor="#flag_answer").text("#about h2") == "flag_answer"
    assert open_page(anchor="#cover.*").text("#about h2") == "cover.a"
    assert open_page(anchor="#100%").text("#about h2") == "clinic"
    inside = open_page("folded.html", "#check_result.b")
    assert inside.text("#about h2") == "check_result.b"
    assert inside.page.locator(".node[aria-label^='check_result.b']").is_visible()


_IS_SEEN = """() => {
    const node = document.querySelector(".picked").getBoundingClientRect();
    const stage = document.querySelector("#stage").getBoundingClientRect();
    return node.left >= stage.left && node.right <= stage.right && node.top >= stage.top && node.bottom <= stage.bottom;
}"""


@pytest.mark.parametrize(("width", "height"), [(1000, 420), (390, 700)])
def test_a_deep_link_shows_its_node(open_page: Open, width: int, height: int) -> None:
    found = open_page(anchor="#forgotten", viewport={"width": width, "height": height}, reduced_motion="no-preference")
    found.page.wait_for_timeout(500)
    assert found.page.evaluate(_IS_SEEN)


def test_after_folding_the_nodes_are_still_legible(open_page: Open) -> None:
    found = open_page(viewport={"width": 600, "height": 300})
    found.page.keyboard.press("f")
    found.page.keyboard.press("f")
    assert found.page.locator(".node").first.bounding_box()["width"] > 60


def test_keys(open_page: Open) -> None:
    found = open_page()
    found.page.locator("#keys").focus()
    found.page.keyboard.press("Tab")
    assert found.focused().startswith("start1, python, line ")
    found.page.keyboard.press("Tab")
    assert found.focused().startswith("welcome, ")
    found.page.keyboard.press("Enter")
    assert found.text("#about h2") == "welcome"
    found.page.keyboard.press("ArrowDown")
    assert found.focused().startswith("complaint, ")
    found.page.keyboard.press("ArrowDown")
    assert found.text("#about h2") == "alarm.a"
    found.page.keyboard.press("ArrowRight")
    assert found.text("#about h2") == "alarm.b"
    found.page.keyboard.press("ArrowLeft")
    found.page.keyboard.press("ArrowUp")
    assert found.text("#about h2") == "complaint"
    found.page.keyboard.press("?")
    assert found.page.locator("#help").is_visible()
    found.page.keyboard.press("Escape")
    assert not found.page.locator("#help").is_visible()


def test_zoom_fit_and_drag(open_page: Open) -> None:
    found = open_page()

    def box() -> list[float]:
        return [float(n) for n in found.page.locator("svg.drawing").first.get_attribute("viewBox").split()]

    found.page.keyboard.press("0")
    whole = box()
    found.page.mouse.move(500, 400)
    found.page.mouse.wheel(0, -300)
    closer = box()
    assert closer[2] < whole[2]
    found.page.mouse.down()
    found.page.mouse.move(560, 430, steps=3)
    found.page.mouse.up()
    assert box()[0] < closer[0]
    assert found.text("#about h2") == "clinic"
    found.page.keyboard.press("0")
    assert box() == pytest.approx(whole)


def test_dark_mode(open_page: Open) -> None:
    def colours(found: Opened) -> tuple[str, str]:
        script = "s => { const c = getComputedStyle(document.querySelector(s)); return [c.backgroundColor, c.fill]; }"
        return found.page.evaluate(script, "html")[0], found.page.evaluate(script, ".node .shape")[1]

    light, dark = open_page(color_scheme="light"), open_page(color_scheme="dark")
    assert colours(light) == ("rgb(255, 255, 255)", "rgb(230, 244, 234)")
    assert colours(dark)[0] == "rgb(13, 17, 23)"
    light.page.click("#theme")
    assert colours(light) == colours(dark)
    light.page.keyboard.press("d")
    assert colours(light)[0] == "rgb(255, 255, 255)"


def test_functions_fold(open_page: Open) -> None:
    found = open_page("folded.html")
    inner = found.page.locator(".node[aria-label^='check_result.a']")
    assert not inner.is_visible()
    closed = found.page.locator(".closed[aria-label='Open check_insurance(text, insurers)']")
    closed.focus()
    found.page.keyboard.press("Enter")
    assert inner.is_visible()
    assert found.focused() == "Fold check_insurance(text, insurers)"
    found.page.keyboard.press("Enter")
    assert not inner.is_visible()
    found.page.keyboard.press("f")
    assert inner.is_visible()
    found.page.keyboard.press("f")
    assert not inner.is_visible()


def test_the_script_places_blocks_as_python_does(open_page: Open, files: Path) -> None:
    clinic = view_of(build(read_rows(ROOT / "programs" / "clinic.yaml")))
    for name, fold in (("clinic.html", False), ("folded.html", True)):
        found = open_page(name)
        layout = Drawing(clinic, fold=fold).layout
        shown = found.page.evaluate("[...document.querySelectorAll('[data-b]')].map(g => g.getAttribute('transform'))")
        corners = [tuple(map(float, text[10:-1].split())) for text in shown]
        assert corners == [pytest.approx(corner, abs=0.2) for corner in layout.corners]


def test_the_table(open_page: Open) -> None:
    found = open_page()
    found.page.click("#as-table")
    rows = found.page.locator("#table tbody tr")
    assert rows.count() == 66
    assert not found.page.locator("#stage").is_visible()
    assert rows.nth(1).inner_text().startswith("welcome")
    found.page.locator("#table a", has_text="ask_time").first.click()
    assert found.page.locator("#stage").is_visible()
    assert found.text("#about h2") == "ask_time"


def test_nodes_have_names_for_screen_readers(open_page: Open) -> None:
    found = open_page()
    assert found.count(".node[role=button][tabindex='0'][aria-label]") == 66
    assert found.page.get_by_role("button", name="insured, local_function, line ").count() == 1


def test_hostile_texts_do_nothing(open_page: Open) -> None:
    found = open_page("hostile.html")
    for index in range(found.count(".node")):
        found.page.locator(".node").nth(index).focus()
        found.page.keyboard.press("Enter")
    found.page.keyboard.press("t")
    assert found.count("#about img, #about script, #table img, #table script") == 0


def test_without_scripts_it_is_a_picture(open_page: Open) -> None:
    found = open_page("folded.html", java_script_enabled=False)
    assert found.page.locator("svg.drawing").first.is_visible()
    assert found.page.locator(".node").first.is_visible()
    assert found.page.locator(".node[aria-label^='check_result.a']").is_visible()


def test_a_small_window_and_print(open_page: Open) -> None:
    found = open_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    assert found.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert found.page.locator("#stage").bounding_box()["height"] > 250
    printed = open_page()
    printed.page.emulate_media(media="print")
    assert not printed.page.locator("header").is_visible()
    assert not printed.page.locator("#panel").is_visible()
    printed.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed.page.set_viewport_size({"width": 1000, "height": 700})
    printed.page.wait_for_timeout(100)
    assert printed.page.locator("svg.drawing").first.get_attribute("viewBox").startswith("-24 -24 ")
