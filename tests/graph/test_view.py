"""The neutral view: nodes, edges, groups, functions, exits and problems, as values."""

from __future__ import annotations

import pytest

from autograph.errors import ProgramError
from autograph.graph import View, view_of
from autograph.graph.view import Exit, Field, ViewEdge, ViewFunction, ViewGroup
from autograph.program import build
from autograph.program.build import build_draft
from autograph.tables import read_rows
from graph.conftest import ROOT, SHOP, view


def edges(found: View, source: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(edge.target, edge.kind, edge.labels) for edge in found.edges if edge.source == source]


def test_nodes_are_in_row_order_with_their_looks(shop: View) -> None:
    assert [(node.name, node.look, node.word) for node in shop.nodes] == [
        ("start", "set_prompt", "set_prompt"),
        ("greet", "chat_exact", "chat_exact"),
        ("tea", "local_function", "local_function"),
        ("cake", "local_function", "local_function"),
        ("tell", "chat", "chat"),
        ("ask.a", "chat", "chat"),
        ("ask.b", "transition", "transition"),
        ("step.1", "thought", "thought"),
        ("step.2", "chat", "chat"),
        ("hours", "interjection", "interjection"),
        ("price()", "entry", "python"),
        ("sum", "transition", "transition"),
    ]


def test_answers_stand_on_edges(shop: View) -> None:
    assert edges(shop, "greet") == [
        ("tea", "transition", ("tea",)),
        ("cake", "transition", ("cake", "(or unclear)")),
        ("ask.*", "transition", ("cannot say",)),
    ]
    greet = shop.node("greet")
    assert greet is not None
    assert greet.exits == (Exit("quit", "quit", "nothing"),)


def test_calls_are_edges_to_the_function(shop: View) -> None:
    assert edges(shop, "tea") == [("tell", "transition", ()), ("price()", "call", ())]
    assert shop.functions == (ViewFunction("price()", "price(what, each=3)"),)


def test_what_only_a_function_reaches_belongs_to_it(shop: View) -> None:
    assert {node.name for node in shop.nodes if node.function == "price()"} == {"price()", "sum"}


def test_groups_say_how_they_choose(shop: View) -> None:
    assert shop.groups == (
        ViewGroup("ask.*", "first whose condition holds", ("ask.a", "ask.b")),
        ViewGroup("step.n", "in order", ("step.1", "step.2"), ordered=True),
    ) or shop.groups == (
        ViewGroup("step.n", "in order", ("step.1", "step.2"), ordered=True),
        ViewGroup("ask.*", "first whose condition holds", ("ask.a", "ask.b")),
    )
    assert {node.name: node.group for node in shop.nodes if node.group} == {
        "ask.a": "ask.*", "ask.b": "ask.*", "step.1": "step.n", "step.2": "step.n",
    }  # fmt: skip


def test_a_node_knows_its_role_text_and_place(shop: View) -> None:
    found = {node.name: node for node in shop.nodes}
    assert [name for name, node in found.items() if node.start] == ["start"]
    assert found["hours"].interjection
    assert found["hours"].text == "The guest asks for the hours."
    assert found["hours"].exits == (Exit("resume", "resume"),)
    assert found["ask.a"].condition == "visits('ask.a') < 2"
    assert found["sum"].exits == (Exit("return", "return x + len(what)"),)
    assert found["tell"].fields == (
        Field("name", "tell"), Field("action", "chat"), Field("instruction", "Say that it costs $cost."),
        Field("transitions", "greet"),
    )  # fmt: skip


def test_places_are_rows_of_a_sheet(tmp_path: object) -> None:
    clinic = view_of(build(read_rows(ROOT / "programs" / "sort.csv")))
    assert clinic.title == "sort"
    assert clinic.nodes[0].place == "row 2"


def test_a_node_without_transitions_ends() -> None:
    found = view([{"name": "a", "action": "chat", "instruction": "Hi"}])
    assert found.nodes[0].exits == (Exit("end", "end"),)


def test_several_ways_between_two_nodes_are_one_edge() -> None:
    found = view(
        [
            {
                "name": "a", "action": "chat", "instruction": "Hi", "transitions": "b, b",
                "transition_question": "Which?", "transition_choice_a": "statutory", "transition_choice_b": "private",
            },
            {"name": "b", "action": "chat", "instruction": "Bye", "transitions": "quit"},
        ]
    )  # fmt: skip
    assert found.edges == (ViewEdge("a", "b", "transition", ("statutory", "private")),)


def test_variables_that_name_the_next_node() -> None:
    rows = [
        {
            "name": "a",
            "action": "python_function",
            "instruction": "x = 'b'",
            "transitions": "$x",
            "allowed_targets": "b",
        },
        {"name": "b", "action": "chat", "instruction": "Bye", "transitions": "$y"},
    ]
    found = view(rows)
    assert found.edges == (ViewEdge("a", "b", "dynamic", ("$x",)),)
    assert [node.exits for node in found.nodes] == [(), (Exit("dynamic", "$y"),)]


def test_nodes_shared_by_functions_belong_to_the_first() -> None:
    rows = [
        {"name": "f()", "action": "transition", "transitions": "both"},
        {"name": "g()", "action": "transition", "transitions": "both"},
        {"name": "both", "action": "transition", "transitions": "return 1"},
    ]
    assert [node.function for node in view(rows).nodes] == ["f()", "g()", "f()"]


BROKEN = [
    {"name": "start1", "action": "chta", "instruction": "Hello", "transitions": "tea"},
    {"name": "tea", "action": "chat_exact", "instruction": "Hello", "transitions": "nowhere, nowhere"},
]


def test_a_draft_can_be_viewed() -> None:
    rows = read_rows(BROKEN)
    with pytest.raises(ProgramError) as refused:
        build(rows)
    program, problems = build_draft(rows)
    assert [p.code for p in problems] == [p.code for p in refused.value.problems]
    found = view_of(program)
    assert [(node.name, node.look) for node in found.nodes] == [
        ("start1", "missing"), ("tea", "chat_exact"), ("nowhere", "missing"),
    ]  # fmt: skip
    assert found.nodes[0].word == "chta"
    codes = {p.code for node in found.nodes for p in node.problems} | {p.code for p in found.problems}
    assert {"AG103", "AG104"} <= codes


def test_the_problems_of_a_draft_stand_at_their_nodes(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "broken.csv"
    path.write_text("name,action,instruction,transitions\nstart1,chat,Hi,tee\ntea,chat,Hi,quit\n", "utf-8")
    found = view_of(build_draft(read_rows(path))[0])
    assert [(p.code, p.node) for node in found.nodes for p in node.problems] == [("AG104", "start1")]
    yaml = path.with_suffix(".yaml")
    yaml.write_text("nodes:\n  a: {action: chat, instruction: Hi, transitions: b}\n  b:\n    action: chat\n"
                    "    instruction: Hi\n    transitions: c\n", "utf-8")  # fmt: skip
    found = view_of(build_draft(read_rows(yaml))[0])
    assert [(p.code, p.node) for node in found.nodes for p in node.problems] == [("AG104", "b")]


def test_a_draft_without_any_node_is_refused() -> None:
    rows = read_rows([{"name": "return", "action": "chat", "instruction": "x"}])
    with pytest.raises(ProgramError):
        build_draft(rows)


def test_the_shop_is_not_changed_by_being_viewed() -> None:
    assert view(SHOP) == view(SHOP)
