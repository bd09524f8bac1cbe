"""The figures of a run, and how they read."""

from __future__ import annotations

import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.cli.style import Style
from autograph.evaluation.intervals import wilson
from autograph.simulation.breakdown import all_traffic, folded
from autograph.simulation.record import Failure
from autograph.simulation.summary import summarise
from autograph.simulation.summary_text import number_text, render_text
from simulation_records import manifest, program_rows, run, said, talk


def mixed() -> list:  # type: ignore[type-arg]
    """Ten conversations: six good ones, one that finished without success, one of each bad end."""
    lost = (said("", "Hello!", "greet"), said("cake", "Which?", "cake"), said("cake!", "Which?", "cake"))
    return [
        *(talk(i) for i in range(6)),
        talk(6, success=False),
        talk(7, outcome="stuck", success=False, reason="the same reply 3 times", turns=lost, ended_by=""),
        talk(
            8, outcome="failed", success=None, error=Failure("ModelError", "no answer after 30 s", "tea"), ended_by=""
        ),
        talk(9, outcome="limit", success=False, reason="20 turns", turns=lost, ended_by=""),
    ]


def test_rates() -> None:
    found = summarise(mixed(), manifest())
    assert {name: (rate.count, rate.n) for name, rate in found.outcomes} == {
        "success": (6, 10), "finished": (7, 10), "stuck": (1, 10), "failed": (1, 10), "limit": (1, 10),
    }  # fmt: skip
    assert found.success.interval == wilson(6, 10)
    assert (found.n, found.planned, found.cases, found.untold, found.flake.n) == (10, 10, 10, 1, 0)


def test_the_order_of_the_records_changes_nothing() -> None:
    records = run(60)
    shuffled = random.Random(4).sample(records, 60)
    assert summarise(records, manifest(n=60)).to_dict() == summarise(shuffled, manifest(n=60)).to_dict()


def test_amounts() -> None:
    found = summarise(mixed(), manifest())
    assert (found.turns.total, found.turns.least, found.turns.most) == (22, 2, 3)
    assert found.turns.mean.value == pytest.approx(2.2)
    assert found.turns.median.value == 2
    assert found.turns.mean.low < 2.2 < found.turns.mean.high
    assert (found.calls.total, found.tokens.total, found.user_calls.total) == (22, 330, 0)
    assert found.cost is None


def test_cost_needs_prices_everywhere() -> None:
    records = [talk(i, cost=0.5 + i) for i in range(4)]
    found = summarise(records, manifest(n=4))
    assert found.cost is not None
    assert found.cost.total == 8.0
    assert found.cost.mean.value == 2.0
    assert summarise([*records, talk(4)], manifest(n=5)).cost is None


def test_nodes_that_lose_people_come_first() -> None:
    found = summarise(mixed(), manifest(), nodes=[row["name"] for row in program_rows()])
    first, second = found.nodes[:2]
    assert (first.name, first.entries, first.reached.count, first.dropped.count, first.dropped.n) == (
        "cake",
        4,
        2,
        2,
        2,
    )
    assert (second.name, second.dropped.count, second.dropped.n) == ("tea", 1, 8)
    assert found.unvisited == ("pay", "bye", "attic")


def test_paths_fold_runs_of_one_node() -> None:
    found = summarise(mixed(), manifest())
    assert found.different_paths == 2
    assert [(each.path, each.count, each.succeeded, each.example) for each in found.paths] == [
        (("greet", "tea"), 8, 6, 0),
        (("greet", "cake"), 2, 0, 7),
    ]
    assert folded(("a", "a", "b", "a")) == ("a", "b", "a")


def test_errors_that_differ_in_numbers_only_are_one() -> None:
    records = [
        talk(i, outcome="failed", success=False, error=Failure("RunError", f'item {i} "{i}x" is lost', "tea"))
        for i in range(3)
    ]
    records.append(talk(3, outcome="failed", success=False, error=Failure("RunError", "no such thing", None)))
    found = summarise(records, manifest(n=4)).troubles
    assert [(each.kind, each.message, each.node, each.count, each.example) for each in found] == [
        ("RunError", 'item 0 "0x" is lost', "tea", 3, 0),
        ("RunError", "no such thing", "tea", 1, 3),
    ]


def test_flake_is_the_same_user_with_another_end() -> None:
    records = [talk(i, case=i, round=0) for i in range(4)]
    records += [talk(4 + i, case=i, round=1, success=i != 2) for i in range(4)]
    found = summarise(records, manifest(n=4, repeat=2))
    assert (found.flake.count, found.flake.n, found.flaky) == (1, 4, (2,))
    assert (found.n, found.cases, found.planned) == (8, 4, 8)


def test_repetitions_do_not_make_a_figure_surer() -> None:
    once = [talk(i, success=i < 7, turns=[said("", "Hi", "greet")] * (1 + i % 3)) for i in range(10)]
    again = [talk(10 * r + i, case=i, round=r, success=i < 7, turns=once[i].turns) for r in range(5) for i in range(10)]
    one, many = summarise(once, manifest()), summarise(again, manifest(repeat=5))
    assert many.success.interval.low == pytest.approx(one.success.interval.low)
    assert many.turns.mean == one.turns.mean
    assert (many.turns.median.low, many.turns.median.high) == (one.turns.median.low, one.turns.median.high)


def test_personas() -> None:
    records = [talk(i, persona="Ann" if i < 3 else "Bob", success=i != 0) for i in range(5)]
    found = summarise(records, manifest(n=5)).personas
    assert [(each.persona, each.n, each.success.count) for each in found] == [("Ann", 3, 2), ("Bob", 2, 2)]
    assert summarise(mixed(), manifest()).personas == ()


def test_progress() -> None:
    found = summarise(mixed(), manifest()).progress
    assert [(each.turn, each.going, each.finished, each.succeeded) for each in found] == [
        (0, 10, 0, 0), (1, 10, 0, 0), (2, 2, 7, 6), (3, 0, 7, 6),
    ]  # fmt: skip


def test_worst_first() -> None:
    assert summarise(mixed(), manifest()).worst[:5] == (8, 7, 9, 6, 0)


def test_traffic_is_added_up() -> None:
    found = all_traffic(mixed())
    assert found.nodes == {"greet": 10, "tea": 8, "cake": 4}
    assert found.edges[("greet", "tea")] == 8


def test_success_that_was_never_told_is_no_figure() -> None:
    found = summarise([talk(0, success=None)], manifest(n=1))
    assert math.isnan(found.success.value)
    assert found.to_dict()["success"] == {"count": 0, "n": 0, "value": None, "low": 0.0, "high": 1.0}


def test_nothing_at_all() -> None:
    found = summarise([], manifest())
    assert (found.n, found.success.n, found.turns.total) == (0, 0, 0)
    assert render_text(found).startswith("shop.csv · 0 of 10 conversations\n")


@given(st.integers(0, 25), st.integers(1, 5))
def test_plain_data_is_strict_json(n: int, seed: int) -> None:
    data = summarise(run(n, seed), manifest(n=25)).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


# ---- text


def test_text() -> None:
    text = render_text(summarise(mixed(), manifest(), nodes=["attic"]))
    lines = text.splitlines()
    assert lines[0] == "shop.csv · 10 conversations"
    assert lines[2] == "  success  0.60 [0.31, 0.83]          6 of 10  ████████████░░░░░░░░"
    assert lines[7] == "  Success could not be told of 1, counted as none."
    assert "  cake                            2 of 2   1.00 [0.34, 1.00]" in lines
    assert '     1 × failed ModelError at "tea", as in #8' in lines
    assert "         no answer after 30 s" in lines
    assert "     8  greet → tea" in lines
    assert "  1 nodes were never entered: attic" not in lines
    assert "  1 node was never entered: attic" in lines


@pytest.mark.parametrize("width", [64, 80, 100])
def test_text_is_never_wider_than_the_page(width: int) -> None:
    text = render_text(summarise(run(80, turns=12), manifest(n=80), nodes=["x" * 90]), width=width)
    assert max(map(len, text.splitlines())) <= width
    assert all(line == line.rstrip() for line in text.splitlines())


def test_colours_are_those_of_the_style() -> None:
    found = summarise(mixed(), manifest())
    coloured = render_text(found, style=Style(colour=True))
    assert "\x1b[1mshop.csv\x1b[0m" in coloured
    assert "\x1b[31mfailed\x1b[0m" in coloured
    assert "\x1b" not in render_text(found)


def test_texts_cannot_take_over_the_terminal() -> None:
    bad = Failure("RunError", "evil \x1b[2J\r\n\x07text", "te\x1b]0;a")
    text = render_text(summarise([talk(0, outcome="failed", success=False, error=bad)], manifest(n=1)))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "evil [2J text" in text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "1,234,567"), (5.68, "5.68"), (12.34, "12.3"), (0.01234, "0.0123"), (math.nan, "–"), (math.inf, "–")],
)
def test_numbers(value: float, text: str) -> None:
    assert number_text(value) == text
