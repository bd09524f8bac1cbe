"""Where things go: parts, reading order, labels without overlap, columns, time-outs, and both layout programs."""

from __future__ import annotations

import stat
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.graph import Drawing, View, view_of
from autograph.graph import engine as engines
from autograph.graph.engine import DrawingError, Engine, LayoutFailed, find_engine, run_engine
from autograph.graph.geometry import Box, Layout
from autograph.graph.order import back_edges
from autograph.graph.parts import parts_of
from autograph.graph.place import place_blocks
from autograph.graph.sizes import edge_label, label_size
from autograph.program import build
from autograph.tables import read_rows
from graph.conftest import ROOT, view


def clinic() -> View:
    return view_of(build(read_rows(ROOT / "programs" / "clinic.yaml")))


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.w and other.x < one.x + one.w and one.y < other.y + other.h and other.y < one.y + one.h
    )


# ---------------------------------------------------------------------- order


def test_within_a_cycle_the_edge_to_an_earlier_row_runs_back() -> None:
    assert back_edges("abc", [("a", "b"), ("b", "c"), ("c", "a"), ("b", "b")]) == {2, 3}
    assert back_edges("abc", [("c", "a"), ("a", "b")]) == set()


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24))
def test_without_the_back_edges_there_is_no_cycle(edges: list[tuple[int, int]]) -> None:
    back = back_edges(range(8), edges)
    left = [edge for index, edge in enumerate(edges) if index not in back]
    reached = {node: {node} for node in range(8)}
    for _ in range(8):
        for source, target in left:
            reached[source] |= reached[target]
    assert not any(source in reached[target] for source, target in left)


def test_parts_and_links(shop: View) -> None:
    parts, links = parts_of(shop)
    assert [(part.name, len(part.nodes)) for part in parts] == [("", 10), ("price()", 2)]
    assert [(link.source, link.start, link.end, link.target) for link in links] == [
        ("tea", 0, 1, ""), ("cake", 0, 1, ""),
    ]  # fmt: skip


# ---------------------------------------------------------------------- both programs


def test_every_node_and_edge_has_a_place(engine: str) -> None:
    drawing = Drawing(clinic(), engine=engine)
    blocks = drawing.layout.blocks
    assert sorted(name for block in blocks for name in block.boxes) == sorted(node.name for node in drawing.view.nodes)
    drawn = {number for block in blocks for number in block.curves} | {link.edge for link in parts_of(drawing.view)[1]}
    assert drawn == set(range(len(drawing.view.edges)))
    assert drawing.layout.rough == ()


def test_nothing_lies_on_anything_else(engine: str) -> None:
    drawing = Drawing(clinic(), engine=engine)
    for block in drawing.layout.blocks:
        boxes = [*block.boxes.values(), *block.exits.values()]
        for number, curve in block.curves.items():
            if curve.label:
                w, h = label_size(edge_label(drawing.view.edges[number]))
                boxes.append(Box(curve.label[0] - w / 2 + 1, curve.label[1] - h / 2 + 1, w - 2, h - 2))
        assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
        for frame in block.frames.values():
            assert frame.x >= -0.1
            assert frame.y >= -0.1
    corners = [Box(x, y, b.w, b.h) for (x, y), b in zip(drawing.layout.corners, drawing.layout.blocks, strict=True)]
    assert not [pair for pair in combinations(corners, 2) if overlap(*pair)]


def test_reading_order_is_row_order(engine: str) -> None:
    boxes = Drawing(clinic(), engine=engine).layout.blocks[0].boxes
    path = ["start1", "welcome", "complaint", "alarm.a", "flag.1", "flag.2", "flag.3", "flag_answer", "flag_note"]
    path += ["emergency", "ask_insurance", "insured", "cover.a", "ask_time", "search", "offer.a", "pick"]
    downwards = path[:9] + path[10:]
    assert [boxes[name].y for name in downwards] == sorted(boxes[name].y for name in downwards)
    assert {boxes[name].y for name in ("start1", "human", "privacy", "danger", "cancel")} == {boxes["start1"].y}


def test_members_of_a_group_stand_side_by_side_in_order(engine: str) -> None:
    boxes = Drawing(clinic(), engine=engine).layout.blocks[0].boxes
    cover = [boxes[f"cover.{letter}"] for letter in "abcd"]
    assert {box.y for box in cover} == {cover[0].y}
    assert [box.x for box in cover] == sorted(box.x for box in cover)


def test_functions_stand_to_the_right_at_the_height_of_their_caller(engine: str) -> None:
    layout = Drawing(clinic(), engine=engine).layout
    main = layout.blocks[0]
    for block, (x, y) in zip(layout.blocks[1:], layout.corners[1:], strict=True):
        assert x > main.w
        caller = {"yes_or_no()": "flag_answer", "check_insurance()": "insured", "free_slots()": "search"}.get(
            block.name
        )
        if caller:
            assert abs(y - main.boxes[caller].y) < 60


def test_curves_end_at_their_boxes(engine: str) -> None:
    drawing = Drawing(clinic(), engine=engine)
    for block in drawing.layout.blocks:
        for number, curve in block.curves.items():
            edge = drawing.view.edges[number]
            for name, (x, y) in ((edge.source, curve.points[0]), (edge.target, curve.tip)):
                box = block.boxes.get(name) or block.frames[name]
                near_x = min(max(x, box.x), box.x + box.w)
                near_y = min(max(y, box.y), box.y + box.h)
                assert abs(x - near_x) + abs(y - near_y) < 4, (edge, name)


def test_a_layout_is_the_same_every_time() -> None:
    first, second = (Drawing(clinic(), engine="graphviz-pure") for _ in range(2))
    assert first.html() == second.html()
    assert first.svg() == second.svg()


# ---------------------------------------------------------------------- columns


def test_columns() -> None:
    sizes = [(400.0, 900.0), (200.0, 100.0), (200.0, 100.0), (150.0, 80.0)]
    corners, width, height = place_blocks(sizes, [(0, 300.0, 1), (0, 320.0, 2), (1, 40.0, 3)], True)
    assert corners == [(0.0, 0.0), (470.0, 278.0), (470.0, 404.0), (740.0, 296.0)]
    assert (width, height) == (890.0, 900.0)


def test_functions_without_a_main_part_stand_in_the_first_columns() -> None:
    corners, _, _ = place_blocks([(200.0, 100.0), (200.0, 100.0)], [(0, 20.0, 1), (1, 20.0, 0)], False)
    assert corners[0] == (0.0, 0.0)
    assert corners[1][0] > 200


@given(
    st.lists(st.tuples(st.floats(50, 500), st.floats(50, 2500)), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.floats(0, 400), st.integers(0, 11)), max_size=20),
    st.booleans(),
)
def test_blocks_never_overlap(sizes: list[tuple[float, float]], links: list[Any], main: bool) -> None:
    links = [link for link in links if link[0] < len(sizes) and link[2] < len(sizes)]
    corners, width, height = place_blocks(sizes, links, main)
    boxes = [Box(x, y, w, h) for (x, y), (w, h) in zip(corners, sizes, strict=True)]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    assert all(box.x + box.w <= width + 1e-6 and box.y + box.h <= height + 1e-6 for box in boxes)


# ---------------------------------------------------------------------- what can go wrong


def script(path: Path, body: str) -> Engine:
    """A layout program that does as told."""
    path.write_text(f"#!{sys.executable}\n{body}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Engine("dot", str(path))


def test_a_program_that_hangs_is_stopped(tmp_path: Path) -> None:
    slow = script(tmp_path / "slow", "import time; time.sleep(60)")
    with pytest.raises(LayoutFailed, match="took more than 0 s"):
        run_engine(slow, "digraph{}", ("-Tjson0",), 0.3)


def test_a_program_that_fails_says_why(tmp_path: Path) -> None:
    bad = script(tmp_path / "bad", "import sys; print('trouble in init_rank', file=sys.stderr); sys.exit(1)")
    with pytest.raises(LayoutFailed, match="dot ended with exit code 1: trouble in init_rank"):
        run_engine(bad, "digraph{}", ("-Tjson0",), 5)
    with pytest.raises(LayoutFailed, match="cannot be run"):
        run_engine(Engine("dot", str(tmp_path / "none")), "", (), 5)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import time; time.sleep(60)", "took more than"),
        ("print('no json')", "cannot be read"),
        ('print(\'{"bb": "0,0,1,1"}\')', "cannot be read"),
        ("raise SystemExit(3)", "exit code 3"),
    ],
)
def test_then_the_part_is_drawn_in_a_plain_way(
    body: str, why: str, shop: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = script(tmp_path / "made", body)
    monkeypatch.setattr("autograph.graph.layout.find_engine", lambda wanted: made)
    drawing = Drawing(shop, seconds=0.6)
    assert len(drawing.notes()) == 2
    assert why in drawing.notes()[0]
    assert drawing.notes()[0].endswith("the main part (10 nodes) is drawn in a plain way")
    for block in drawing.layout.blocks:
        assert not [pair for pair in combinations(block.boxes.values(), 2) if overlap(*pair)]
    assert "greet" in drawing.svg()
    assert "greet" in drawing.html()


def test_without_a_layout_program_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_program", lambda name: None)
    with pytest.raises(DrawingError, match="pip install graphviz-pure"):
        find_engine()
    with pytest.raises(DrawingError, match='"dot" is not installed'):
        find_engine("dot")


def test_a_selection_without_nodes_is_said(shop: View) -> None:
    with pytest.raises(DrawingError, match="nothing to draw"):
        Drawing(replace(shop, nodes=())).svg()


# ---------------------------------------------------------------------- any program


@st.composite
def programs(draw: st.DrawFn) -> list[dict[str, Any]]:
    names = [f"n{i}" for i in range(draw(st.integers(1, 7)))] + ["p.a", "p.b", "q.1", "q.2", "f()", "g()"]
    targets = [name for name in names if not name.endswith("()")] + ["p.*", "q.n"]
    rows = []
    for name in names:
        ways = draw(st.lists(st.sampled_from([*targets, "return" if name.endswith("()") else "quit"]), max_size=4))
        row: dict[str, Any] = {"name": name, "action": "chat", "instruction": "Say x.", "transitions": ways}
        if len(ways) > 1:
            row["transition_question"] = "Which?"
            row |= {f"transition_choice_{'abcd'[i]}": f"answer {i}" for i in range(len(ways))}
        if draw(st.booleans()) and not name.endswith("()"):
            row |= {"action": "local_function", "instruction": draw(st.sampled_from(["f()", "x = g()"]))}
        elif draw(st.integers(0, 5)) == 0 and not name.endswith("()"):
            row["condition_interjection"] = "Anything."
        rows.append(row)
    return rows


@settings(max_examples=25, deadline=None)
@given(programs())
def test_any_program_can_be_drawn(rows: list[dict[str, Any]]) -> None:
    from autograph.program.build import build_draft

    drawing = Drawing(view_of(build_draft(read_rows(rows))[0]), engine="graphviz-pure")
    layout: Layout = drawing.layout
    assert layout.rough == ()
    drawn = {number for block in layout.blocks for number in block.curves}
    drawn |= {link.edge for link in parts_of(drawing.view)[1]}
    assert drawn == set(range(len(drawing.view.edges)))
    for block in layout.blocks:
        assert not [pair for pair in combinations(block.boxes.values(), 2) if overlap(*pair)]
    assert drawing.html()


def test_view_of_a_list(shop: View) -> None:
    assert view([{"name": "a", "action": "chat", "instruction": "x"}]).nodes[0].name == "a"
