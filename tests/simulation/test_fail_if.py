"""Conditions after --fail-if: how they are read, and when they are shown, refuted or open."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.intervals import wilson
from autograph.simulation.conditions import FIGURES, Comparison, Condition, ConditionError, Joined, parse_condition
from autograph.simulation.fail_if import fail_if
from autograph.simulation.figures import Summary
from autograph.simulation.summary import summarise
from simulation_records import manifest, talk


def of(good: int, n: int, **fields: object) -> Summary:
    """The figures of ``n`` conversations of which ``good`` succeeded."""
    return summarise([talk(i, success=i < good, **fields) for i in range(n)], manifest(n=n))


# ---- reading


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("success < 0.9", Comparison("success", "<", 0.9)),
        ("success<90%", Comparison("success", "<", 0.9)),
        ("  failed ≥ 2 % ", Comparison("failed", ">=", 0.02)),
        ("turns.mean>8", Comparison("turns.mean", ">", 8)),
        ("cost > 1e-3", Comparison("cost", ">", 0.001)),
        ("n < .5", Comparison("n", "<", 0.5)),
    ],
)
def test_a_comparison(text: str, read: Comparison) -> None:
    assert parse_condition(text) == read


def test_and_binds_closer_than_or() -> None:
    a, b, c = Comparison("success", "<", 0.9), Comparison("failed", ">", 0.1), Comparison("n", ">", 5)
    assert parse_condition("success < .9 or failed > .1 and n > 5") == Joined("or", (a, Joined("and", (b, c))))
    assert parse_condition("(success < .9 OR failed > .1) and n > 5") == Joined("and", (Joined("or", (a, b)), c))
    assert parse_condition("((success < .9))") == a


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sucess < 0.9", '"sucess < 0.9", character 1: there is no figure "sucess". Did you mean "success"?'),
        ("failed > 0 or turn.mean > 3", 'character 15: there is no figure "turn.mean". Did you mean "turns.mean"?'),
        ("success 0.9", "character 9: after the figure comes one of <, <=, > and >="),
        ("success == 0.9", "character 9: after the figure comes one of"),
        ("success < ", "after the sign comes a number, as 0.9 or 90 %"),
        ("success < high", "character 11: after the sign comes a number"),
        ("success < 0.9 failed > 1", "character 15: here should be `and`, `or` or the end"),
        ("(success < 0.9", "character 15: a closing bracket is missing"),
        ("success < 0.9)", "character 14: here should be"),
        ("", "the name of a figure is missing"),
        ("success < 0.9 and", "the name of a figure is missing"),
        ("__import__('os').system('x')", 'there is no figure "__import__"'),
        ("(" * 60 + "n > 1" + ")" * 60, "brackets lie more than 50 deep"),
    ],
)
def test_what_is_no_condition(text: str, message: str) -> None:
    with pytest.raises(ConditionError) as raised:
        parse_condition(text)
    assert message in str(raised.value)


COMPARISONS = st.builds(
    Comparison,
    st.sampled_from(list(FIGURES)),
    st.sampled_from(["<", "<=", ">", ">="]),
    st.integers(0, 400).map(lambda i: i / 4),
)


def joined(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    return st.builds(Joined, st.sampled_from(["and", "or"]), st.lists(parts, min_size=2, max_size=3).map(tuple))


CONDITIONS: st.SearchStrategy[Condition] = st.recursive(COMPARISONS, joined, max_leaves=6)


@given(CONDITIONS)
def test_what_is_written_is_read_again(condition: Condition) -> None:
    assert parse_condition(str(condition)) == condition


@given(st.text("success<>=0.9 andor()%$x", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parsed = parse_condition(text)
    except ConditionError:
        return
    assert parse_condition(str(parsed)) == parsed


# ---- judging


def test_a_rate_fails_only_if_it_is_shown() -> None:
    seen, shown, good = (fail_if("success < 0.9", of(*counts)) for counts in ((17, 20), (70, 100), (100, 100)))
    assert (seen.state, seen.fails) == ("open", False)
    assert (shown.state, shown.fails) == ("shown", True)
    assert (good.state, good.fails) == ("refuted", False)


def test_the_message_says_what_is_known_and_what_would_decide() -> None:
    assert fail_if("success < 0.9", of(17, 20)).text == (
        "Not decided, and therefore not failed: success < 0.9.\n"
        "  success < 0.9: not decided with 20; success is 0.850 [0.640, 0.948]. "
        "About 140 conversations would decide it, if it stays as it is."
    )
    assert fail_if("success < 0.9", of(70, 100)).text == (
        "Failed, since success < 0.9.\n  success < 0.9: this is shown; success is 0.700 [0.604, 0.781]."
    )
    assert fail_if("success < 0.9", of(100, 100)).text.startswith("Passed: not success < 0.9.\n")
    assert (
        "It is at the limit, which no number of conversations can decide." in fail_if("success < 0.5", of(5, 10)).text
    )


def test_the_number_that_would_decide_does() -> None:
    needed = fail_if("success < 0.9", of(17, 20)).parts[0].needed
    assert needed == 139
    n = -(-needed // 20) * 20
    assert wilson(n * 17 // 20, n).below(0.9)


@given(st.integers(0, 40), st.integers(0, 20).map(lambda i: i / 20), st.sampled_from(["<", "<=", ">", ">="]))
def test_a_sign_and_its_opposite_are_never_both_shown(good: int, limit: float, sign: str) -> None:
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[sign]
    summary = of(good, 40)
    one, other = (fail_if(f"success {each} {limit}", summary).state for each in (sign, opposite))
    assert (one, other) in {("shown", "refuted"), ("refuted", "shown"), ("open", "open")}


def test_and_and_or() -> None:
    summary = of(17, 20)  # success < 0.9 is open, failed > 0.5 is refuted, n > 5 is shown
    states = {
        "success < 0.9 or n > 5": "shown",
        "success < 0.9 and n > 5": "open",
        "success < 0.9 and failed > 0.5": "refuted",
        "success < 0.9 or failed > 0.5": "open",
        "failed > 0.5 or n < 5": "refuted",
        "n > 5 and (failed > 0.5 or n > 6)": "shown",
    }
    assert {text: fail_if(text, summary).state for text in states} == states


def test_what_was_spent_decides_at_once() -> None:
    summary = of(3, 3, cost=2.0)
    assert fail_if("cost > 5", summary).text.endswith("cost > 5: this is shown; cost is 6 in all.")
    assert fail_if("cost.max > 5", summary).state == "refuted"
    assert fail_if("turns > 6", summary).state == "refuted"
    assert fail_if("turns >= 6", summary).state == "shown"


def test_means_have_intervals() -> None:
    turns = talk(0).turns
    summary = summarise([talk(i, turns=turns * (1 + i % 3)) for i in range(12)], manifest(n=12))
    assert summary.turns.mean.value == 4
    assert fail_if("turns.mean > 2", summary).state == "shown"
    judged = fail_if("turns.mean > 3.5", summary).parts[0]
    assert judged.state == "open"
    assert judged.needed is not None
    assert 20 < judged.needed < 200
    assert fail_if("turns.mean > 9", summary).state == "refuted"


def test_one_conversation_tells_nothing_of_a_mean() -> None:
    verdict = fail_if("turns.mean > 1", of(1, 1))
    assert verdict.state == "open"
    assert "More conversations are needed" in verdict.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cost > 1", "there are no costs without prices"),
        ("flake > 0.05", "no user was met repeatedly (--repeat)"),
    ],
)
def test_a_figure_that_is_not_there_decides_nothing(text: str, why: str) -> None:
    verdict = fail_if(text, of(9, 10))
    assert verdict.state == "open"
    assert why in verdict.text


def test_every_figure_can_be_judged() -> None:
    records = [talk(10 * r + i, case=i, round=r, success=i != r, cost=0.1 * i) for r in range(2) for i in range(10)]
    summary = summarise(records, manifest(repeat=2))
    for name in FIGURES:
        assert fail_if(f"{name} >= 0", summary).state == "shown", name


def test_plain_data() -> None:
    data = fail_if("success < 0.9 and cost > 1", of(17, 20)).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["state"] == "open"
    assert [each["needed"] for each in data["comparisons"]] == [139, None]
