"""Parts, comparisons and counts are views again."""

from __future__ import annotations

from copy import deepcopy

import pytest

from autograph.graph import View
from autograph.graph.diff import compared
from autograph.graph.focus import BadSelection, around, of_category, of_function
from autograph.graph.overlay import BadCounts, Counts, overlaid, read_counts
from graph.conftest import SHOP, view


def names(found: View) -> list[str]:
    return [node.name for node in found.nodes]


@pytest.mark.parametrize(
    ("depth", "near"),
    [
        (0, ["tell"]),
        (1, ["greet", "tea", "cake", "tell"]),
        (2, ["start", "greet", "tea", "cake", "tell", "ask.a", "ask.b", "price()"]),
    ],
)
def test_around_a_node(shop: View, depth: int, near: list[str]) -> None:
    found = around(shop, "tell", depth)
    assert names(found) == near
    ends = {*near, *(group.name for group in found.groups)}
    assert all(edge.source in near and edge.target in ends for edge in found.edges)
    assert found.selection.startswith("tell and what is ")


def test_a_function_and_a_category(shop: View) -> None:
    assert names(of_function(shop, "price")) == ["price()", "sum"]
    assert names(of_function(shop, "price()")) == ["price()", "sum"]
    talk = of_category(shop, "talk")
    assert names(talk) == ["greet", "ask.a"]
    assert [group.members for group in talk.groups] == [("ask.a",)]


def test_what_is_not_there_is_said_with_a_suggestion(shop: View) -> None:
    with pytest.raises(BadSelection, match=r'There is no node "greeet"\. Did you mean "greet"\?'):
        around(shop, "greeet", 1)
    with pytest.raises(BadSelection, match=r'There is no category "tlak"\. Did you mean "talk"\?'):
        of_category(shop, "tlak")
    with pytest.raises(BadSelection, match="There is no function at all"):
        of_function(view([{"name": "a", "action": "chat", "instruction": "x"}]), "f")


def test_the_same_program_has_no_changes(shop: View) -> None:
    found = compared(shop, view(SHOP))
    assert {node.change for node in found.nodes} == {""}
    assert {edge.change for edge in found.edges} == {""}
    assert found.compared_with == "shop"


def test_added_removed_changed() -> None:
    new = deepcopy(SHOP)
    del new[3]  # cake
    new[1].update(transitions=["tea", "juice", "ask.*", "quit"], transition_choice_b="juice", on_unclear="juice")
    new.insert(3, {"name": "juice", "action": "chat", "instruction": "Offer juice.", "transitions": "tell"})
    new[4]["instruction"] = "Say the price: $cost."
    del new[5]["state_category"]
    found = compared(view(SHOP), view(new))
    assert {node.name: node.change for node in found.nodes if node.change} == {
        "greet": "changed", "juice": "added", "cake": "removed", "tell": "changed", "ask.a": "changed",
    }  # fmt: skip
    assert names(found)[2:5] == ["tea", "cake", "juice"]
    tell = found.node("tell")
    assert tell is not None
    assert [(f.text, f.was) for f in tell.fields if f.was is not None] == [
        ("Say the price: $cost.", "Say that it costs $cost.")
    ]
    asked = found.node("ask.a")
    assert asked is not None
    assert [(f.name, f.text, f.was) for f in asked.fields if f.was is not None] == [("state_category", "", "talk")]
    assert {(e.source, e.target): e.change for e in found.edges if e.change} == {
        ("greet", "juice"): "added", ("juice", "tell"): "added", ("greet", "cake"): "removed",
        ("cake", "tell"): "removed", ("cake", "price()"): "removed",
    }  # fmt: skip


def test_a_renamed_node_is_the_same_node() -> None:
    new = deepcopy(SHOP)
    new[4].update(name="say_price", formerly="tell")
    for row in (new[2], new[3]):
        row["transitions"] = "say_price"
    found = compared(view(SHOP), view(new))
    assert {node.name: node.change for node in found.nodes if node.change} == {
        "say_price": "changed", "tea": "changed", "cake": "changed",
    }  # fmt: skip
    assert {edge.change for edge in found.edges} == {""}


def test_counts_lie_on_nodes_and_edges(shop: View) -> None:
    counts = Counts({"start": 1, "greet": 3, "ask.a": 2, "gone": 1}, {("greet", "ask.a"): 2, ("start", "greet"): 1})
    found = overlaid(shop, counts)
    assert [node.count for node in found.nodes][:6] == [1, 3, 0, 0, 0, 2]
    assert {(e.source, e.target): e.count for e in found.edges if e.count} == {
        ("start", "greet"): 1, ("greet", "ask.*"): 2,
    }  # fmt: skip
    assert found.counted == ("3 of 12 nodes entered, 2 of 13 edges taken; counts of 1 unknown nodes left out (gone)")


def test_counts_are_read() -> None:
    assert read_counts('{"nodes": {"a": 1}, "edges": [["a", "b", 2]]}') == Counts({"a": 1}, {("a", "b"): 2})
    assert read_counts('{"nodes": {}}') == Counts({}, {})


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"nodes": {"a": -1}}', '{"nodes": {"a": "1"}}', '{"nodes": {}, "edges": [["a"]]}', "[" * 9999],
)  # fmt: skip
def test_other_data_is_refused(text: str) -> None:
    with pytest.raises(BadCounts, match=r"^counts.json has not the form"):
        read_counts(text, "counts.json")
