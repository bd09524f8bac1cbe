"""What there is to cover, counted by hand for programs with every kind of transition; sums; reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.interpreter.traffic import Traffic, merged
from autograph.models import ScriptedModel
from autograph.testing.coverage import KINDS, Coverage, coverage_of
from autograph.testing.coverage_file import CoverageError
from autograph.testing.coverage_report import read_least, report_data, report_lines, too_little

SHEET = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b,transition_choice_c,\
boolean_condition,condition_interjection,allowed_targets,on_unclear
ask,chat_exact,Tea?,"make, make, call",What?,black,green,none,,,,ask
make,python_function,n = 3,size.*,,,,,,,,
size.a,chat_exact,Big,jump,,,,,n > 5,,,
size.b,chat_exact,Middle,jump,,,,,n > 2,,,
size.c,chat_exact,Small,jump,,,,,,,,
jump,python_function,"where = 'ask'",$where,,,,,,,"ask, size.*, quit",
call,local_function,f(1),bye,,,,,,,,
f(n),transition,,"return 1, return 2",Sure?,yes,no,,,,,
bye,chat_exact,Bye,quit,,,,,,,,
why,chat_exact,Because,resume,,,,,,The user asks why,,
lost,transition,,bye,,,,,,,,
"""
TOTALS = {"nodes": 11, "transitions": 3 + 1 + 3 + 3 + 1 + 2 + 1 + 1 + 1 + 1, "answers": 3 + 2, "conditions": 4}
FIRST = (["", "green", "why?", "I see"], ["D", "green", "A", "B"])


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "tea.csv"
    path.write_text(SHEET, "utf-8")
    return path


def traffic(sheet: Path, says: Sequence[str], answers: Sequence[Any]) -> tuple[autograph.Autograph, Traffic]:
    bot = autograph.load(str(sheet), model=ScriptedModel(replies=[], answers=list(answers)))
    memory, found = None, []
    for say in says:
        before = memory
        _, memory = bot.reply(say, memory)
        found.append(Traffic.of_turn(bot.program, before, memory))
    return bot, merged(found)


def covered(sheet: Path, says: Sequence[str], answers: Sequence[Any]) -> Coverage:
    bot, found = traffic(sheet, says, answers)
    return coverage_of(bot.program, found)


def figures(coverage: Coverage) -> dict[str, tuple[int, int]]:
    return {kind: (coverage.share(kind).covered, coverage.share(kind).total) for kind in KINDS}


def missing(coverage: Coverage, kind: str) -> list[str]:
    return [item.text for item in coverage.missing if item.kind == kind]


# ---------------------------------------------------------------------- by hand


def test_of_nothing_everything_is_missing(sheet: Path) -> None:
    program = autograph.load(str(sheet), model=ScriptedModel(replies=[], answers=[])).program
    coverage = coverage_of(program, Traffic())
    assert figures(coverage) == {kind: (0, total) for kind, total in TOTALS.items()}
    assert missing(coverage, "transitions") == [
        "ask → make (A)", "ask → make (B)", "ask → call", "make → size.*", "size.a → jump", "size.b → jump",
        "size.c → jump", "jump → $where = ask", "jump → $where = size.*", "jump → $where = quit", "call → bye",
        "f() → return 1", "f() → return 2", "bye → quit", "why → resume", "interjection → why", "lost → bye",
    ]  # fmt: skip
    assert missing(coverage, "answers") == [
        'ask: A "black"',
        'ask: B "green"',
        'ask: C "none"',
        'f(): A "yes"',
        'f(): B "no"',
    ]
    assert missing(coverage, "conditions") == [
        "size.a: n > 5 is true",
        "size.a: n > 5 is false",
        "size.b: n > 2 is true",
        "size.b: n > 2 is false",
    ]


def test_a_conversation_with_an_interjection_a_group_and_a_variable(sheet: Path) -> None:
    #      opens; green, n = 3, so size.b; why? interrupts it and comes back; jump goes to ask, by its variable
    coverage = covered(sheet, ["", "green", "why?", "I see", "go on"], ["B", "B", 0, "B", "B", "B"])
    assert missing(coverage, "nodes") == ["size.a", "size.c", "call", "f()", "bye", "lost"]
    assert missing(coverage, "transitions") == [
        "ask → make (A)", "ask → call", "size.a → jump", "size.c → jump", "jump → $where = size.*",
        "jump → $where = quit", "call → bye", "f() → return 1", "f() → return 2", "bye → quit", "lost → bye",
    ]  # fmt: skip
    assert missing(coverage, "answers") == ['ask: A "black"', 'ask: C "none"', 'f(): A "yes"', 'f(): B "no"']
    assert missing(coverage, "conditions") == ["size.a: n > 5 is true", "size.b: n > 2 is false"]
    assert figures(coverage) == {"nodes": (5, 11), "transitions": (6, 17), "answers": (1, 5), "conditions": (2, 4)}


def test_a_call_that_returns_and_the_end(sheet: Path) -> None:
    coverage = covered(sheet, ["", "nothing"], [1, 2, 1])
    assert figures(coverage) == {"nodes": (4, 11), "transitions": (4, 17), "answers": (2, 5), "conditions": (0, 4)}
    assert "f() → return 1" in missing(coverage, "transitions")
    assert "f() → return 2" not in missing(coverage, "transitions")
    assert "bye → quit" not in missing(coverage, "transitions")


def test_an_unclear_answer_covers_neither_answer_nor_transition(sheet: Path) -> None:
    assert figures(covered(sheet, ["", "hm"], [1, "?"])) == {
        "nodes": (1, 11), "transitions": (0, 17), "answers": (0, 5), "conditions": (0, 4)
    }  # fmt: skip


def test_each_missing_one_has_its_cell(sheet: Path) -> None:
    cells = {item.text: item.location.cell for item in covered(sheet, [""], []).missing}
    assert cells["make"] == "A3"
    assert cells["ask → call"] == "D2"
    assert cells['ask: B "green"'] == "G2"
    assert cells["size.b: n > 2 is false"] == "I5"
    assert cells["interjection → why"] == "J11"


def test_lines_where_the_program_is_no_sheet(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        "nodes:\n  ask:\n    action: chat_exact\n    instruction: Tea?\n    transitions: [ask, bye]\n"
        "    transition_question: Tea?\n    transition_choices:\n      - 'yes'\n      - 'no'\n"
        "  bye:\n    action: chat_exact\n    instruction: Bye\n    transitions: quit\n",
        "utf-8",
    )
    lines = {item.text: item.location.line for item in covered(path, [""], []).missing}
    assert lines == {
        "ask → ask": 5, "ask → bye": 5, 'ask: A "yes"': 8, 'ask: B "no"': 8, "bye": 10, "bye → quit": 13
    }  # fmt: skip


def test_the_last_variant_need_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(
        "name,action,instruction,transitions,boolean_condition\na,python_function,n = 1,v.*,\n"
        "v.a,chat_exact,A,quit,n > 1\nv.b,chat_exact,B,quit,n > 0\n",
        "utf-8",
    )
    coverage = covered(path, [""], [])
    assert coverage.share("conditions").total == 3
    assert missing(coverage, "conditions") == ["v.a: n > 1 is true"]


def test_a_program_without_questions_has_all_of_none(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("name,action,instruction,transitions\na,chat_exact,Hi,quit\n", "utf-8")
    coverage = covered(path, [""], [])
    assert figures(coverage) == {"nodes": (1, 1), "transitions": (1, 1), "answers": (0, 0), "conditions": (0, 0)}
    assert [coverage.share(kind).percent for kind in KINDS] == [100.0] * 4
    assert coverage.missing == ()


# ---------------------------------------------------------------------- sums

TALKS = [(["", "hm"], [1, "?"]), (["", "nothing"], [1, 2, 1]), (["", "green", "go", "black"], [1, 1, 1, 1, 0]),
         (["", "why?"], [0]), (["", "nothing"], [1, 2, 0]), ([""], [])]  # fmt: skip


@given(st.lists(st.sampled_from(TALKS), max_size=4), st.lists(st.sampled_from(TALKS), max_size=4))
def test_what_either_run_covers_both_cover(
    tmp_path_factory: pytest.TempPathFactory, one: list[Any], two: list[Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "tea.csv"
    path.write_text(SHEET, "utf-8")
    program = autograph.load(str(path), model=ScriptedModel(replies=[], answers=[])).program
    a = merged(traffic(path, *talk)[1] for talk in one)
    b = merged(traffic(path, *talk)[1] for talk in two)
    assert a + b == b + a
    both, first, second = (coverage_of(program, t) for t in (a + b, a, b))
    assert set(both.missing) == {item for item in first.missing if item in second.missing}
    for kind in KINDS:
        assert both.share(kind).covered >= max(first.share(kind).covered, second.share(kind).covered)
        assert both.share(kind).total == TOTALS[kind]


# ---------------------------------------------------------------------- reports


def test_the_table_and_the_missing_ones(sheet: Path) -> None:
    lines = report_lines([covered(sheet, ["", "nothing"], [1, 2, 1])], most=3)
    texts = [text.replace(str(sheet), "tea.csv") for _, text in lines]
    assert texts[0].split() == ["Coverage", *KINDS]
    assert texts[1].split() == ["tea.csv", "4/11", "36", "%", "4/17", "23", "%", "2/5", "40", "%", "0/4", "0", "%"]
    assert len(lines[0].text) == len(lines[1].text)
    assert texts[2:] == [
        "",
        "Missing in tea.csv",
        '  transition  ask → make (A)  row 2, column "transitions" (D2)',
        '  transition  ask → make (B)  row 2, column "transitions" (D2)',
        '  answer      ask: A "black"  row 2, column "transition_choice_a" (F2)',
        "  … and 24 more; -v shows all",
    ]
    assert [kind for kind, _ in lines[:4]] == ["heading", "short", "missing", "heading"]


def test_hundred_per_cent_means_all(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    rows = "".join(f"n{i},transition,,n{i + 1}\n" for i in range(300))
    last = "n300,chat_exact,Hi,quit\nlost,transition,,n0\n"
    path.write_text(f"name,action,instruction,transitions\n{rows}{last}", "utf-8")
    coverage = covered(path, [""], [])
    assert (coverage.share("nodes").covered, coverage.share("nodes").total) == (301, 302)
    assert coverage.share("nodes").shown == "99 %"


def test_the_report_as_data(sheet: Path) -> None:
    (data,) = report_data([covered(sheet, ["", "nothing"], [1, 2, 1])])
    assert data["file"] == str(sheet)
    assert data["nodes"] == {"covered": 4, "total": 11, "percent": 36.36}
    assert data["missing"][0] == {
        "kind": "transition", "node": "ask", "text": "ask → make (A)", "file": str(sheet), "sheet": None, "row": 2,
        "column": "transitions", "cell": "D2", "line": None,
    }  # fmt: skip
    assert len(data["missing"]) == 7 + 13 + 3 + 4


def test_what_is_too_little(sheet: Path) -> None:
    coverage = covered(sheet, ["", "nothing"], [1, 2, 1])
    assert too_little([coverage], {"nodes": 36, "answers": 40}) == []
    assert too_little([coverage], {"nodes": 100, "answers": 40.5}) == [
        f"{sheet}: 4 of 11 nodes are covered, 36.4 %, and 100 % are asked for.",
        f"{sheet}: 2 of 5 answers are covered, 40.0 %, and 40.5 % are asked for.",
    ]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["90"], {"nodes": 90, "transitions": 90, "answers": 90, "conditions": 90}),
        (["nodes=100,transitions = 95.5 %"], {"nodes": 100, "transitions": 95.5}),
        (["80", "nodes=100"], {"nodes": 100, "transitions": 80, "answers": 80, "conditions": 80}),
        ([], {}),
    ],
)
def test_percentages(given: list[str], found: dict[str, float]) -> None:
    assert read_least(given) == found


@pytest.mark.parametrize("given", ["", "much", "101", "nods=100", "nodes=", "-1", "nodes=90,"])
def test_what_is_no_percentage(given: str) -> None:
    with pytest.raises(CoverageError, match=r"is no percentage\. Write a number up to 100, or KIND") as caught:
        read_least([given])
    assert ('Did you mean "nodes"?' in str(caught.value)) == (given == "nods=100")
