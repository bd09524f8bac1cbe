"""Sayings put to a program: which choice, interjections first, what cannot be asked; tables and comparisons."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.errors import ModelError
from autograph.evaluation.fault import DataError
from autograph.evaluation.manifest import manifest
from autograph.evaluation.understanding.answered import evaluate_labelled
from autograph.evaluation.understanding.confusion import Outcome
from autograph.evaluation.understanding.examined import Programs
from autograph.evaluation.understanding.labelled import Labelled, read_labelled
from autograph.evaluation.understanding.result import Evaluation
from autograph.evaluation.understanding.sayings import Saying, read_sayings
from autograph.evaluation.understanding.transitions import evaluate_sayings
from autograph.evaluation.understanding.transitions_page import transitions_page
from autograph.models import ScriptedModel
from autograph.models.base import Choice, GenerateRequest, Question, Reply
from sayings_support import TEA, tea_house

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return tea_house(tmp_path)


def run(programs: Programs, sayings: Sequence[Saying], answers: Sequence[Any]) -> Evaluation:
    """The evaluation with one scripted classifier, which must have been asked for every answer."""
    model = ScriptedModel(answers=answers)
    result = evaluate_sayings(programs, sayings, {"scripted": model})
    assert model.left == (0, 0)
    return result


def outcome(result: Evaluation) -> Outcome:
    (verdicts,) = result.verdicts
    (found,) = verdicts.outcomes
    return found


# ---------------------------------------------------------------------- what is asked, and how it is taken


def test_the_real_question_is_asked_in_context(programs: Programs) -> None:
    model = ScriptedModel(answers=["None of the above", "Yes"])
    result = evaluate_sayings(programs, [Saying("ask", "yes", "gladly")], {"m": model})
    found = outcome(result)
    assert (found.subject, found.wanted, found.got, found.target, found.right) == ("ask", "B", "B", "tea", True)
    about, own = model.requests
    assert isinstance(about, Question)
    assert isinstance(own, Question)
    assert (about.purpose, about.choices) == ("interjection", ("The guest asks for the hours.", "None of the above"))
    assert (own.question, own.choices) == ("Does Ada want tea?", ("Yes", "No"))
    assert [m.to_dict() for m in own.context] == [
        {"role": "assistant", "content": "Tea, Ada?"},
        {"role": "user", "content": "gladly"},
    ]


@pytest.mark.parametrize("choice", ["yes", "YES.", "tea", "b", "B", "1"])
def test_how_a_choice_may_be_written(choice: str, programs: Programs) -> None:
    assert outcome(run(programs, [Saying("ask", choice, "ok")], [1, "Yes"])).wanted == "B"


@pytest.mark.parametrize("choice", ["hours", "The guest asks for the hours."])
def test_how_an_interjection_may_be_written(choice: str, programs: Programs) -> None:
    found = outcome(run(programs, [Saying("green", choice, "when do you close")], [0]))
    assert (found.subject, found.wanted, found.got, found.target) == ("interjections", "hours", "hours", "hours")


def test_an_interjection_that_is_taken_wins(programs: Programs) -> None:
    found = outcome(run(programs, [Saying("ask", "yes", "until when?")], [[0, 0.8]]))
    assert (found.wanted, found.got, found.target, found.confidence) == ("B", "→ hours", "hours", 0.8)


def test_no_interjection_was_meant(programs: Programs) -> None:
    result = run(programs, [Saying("ask", "none", "ok"), Saying("green", "none", "nice")], [[1, 0.7], "No", 0])
    first, second = result.verdicts[0].outcomes
    assert (first.wanted, first.got, first.right, first.confidence) == ("none", "none", True, 0.7)
    assert (second.wanted, second.got, second.right) == ("none", "hours", False)


def test_unclear_answers(programs: Programs) -> None:
    sayings = [
        Saying("ask", "yes", "?"),
        Saying("ask", "yes", "??"),
        Saying("tea", "green", "???"),
        Saying("tea", "c", "!"),
    ]
    result = run(programs, sayings, ["perhaps", 1, "perhaps", 1, ["green", 0.4], 1, "perhaps"])
    assert [(o.got, o.target, o.confidence) for o in result.verdicts[0].outcomes] == [
        ("unclear", "", None),
        ("unclear", "", None),
        ("unclear", "bye", 0.4),
        ("unclear", "bye", None),
    ]
    remarks = [o.remark for o in result.verdicts[0].outcomes]
    assert remarks[0].startswith("the interjection question has no clear answer")
    assert remarks[1].startswith('the question "Does Ada want tea?" has no clear answer')
    assert remarks[2:] == ["", ""]
    assert not any(o.right for o in result.verdicts[0].outcomes)


def test_the_classifier_under_test_answers_also_where_the_sheet_names_another(programs: Programs) -> None:
    assert outcome(run(programs, [Saying("tea", "black", "black")], [1, ["black", 0.9]])).right


def test_nothing_behind_the_decision_is_run(tmp_path: Path) -> None:
    rows = [
        {"name": "start1", "action": "chat_exact", "instruction": "Go?", "transitions": "go, stop",
         "transition_question": "Go?", "transition_choice_a": "yes", "transition_choice_b": "no"},
        {"name": "go", "action": "python_function", "instruction": "launch()", "transitions": "stop"},
        {"name": "stop", "action": "chat_exact", "instruction": "Done.", "transitions": "quit"},
    ]  # fmt: skip
    launched: list[int] = []
    programs = Programs(rows, modules={"launch": lambda: launched.append(1)})
    assert outcome(run(programs, [Saying("start1", "yes", "go")], ["Yes"])).got == "A"
    assert launched == []


def test_a_node_that_does_not_speak_asks_with_the_text_in_hand(programs: Programs) -> None:
    model = ScriptedModel(answers=[0])
    saying = Saying("sort", "yes", "of course", before="Black, really?")
    assert outcome(evaluate_sayings(programs, [saying], {"m": model})).right
    (question,) = model.requests
    assert isinstance(question, Question)
    assert [m.content for m in question.context] == ["Black, really?", "of course", "Hm."]


# ---------------------------------------------------------------------- standing at a node


def test_the_text_before_stands_for_that_of_the_node(programs: Programs) -> None:
    model = ScriptedModel(answers=[1, "green"])
    evaluate_sayings(programs, [Saying("tea", "green", "the first", before="Green or black?")], {"m": model})
    question = model.requests[-1]
    assert isinstance(question, Question)
    assert [m.content for m in question.context] == ["Green or black?", "the first"]


def test_a_node_that_cannot_be_entered_is_reported_and_the_rest_is_asked(programs: Programs) -> None:
    sayings = [Saying("black", "none", "thanks"), Saying("green", "none", "thanks"), Saying("bye", "none", "thanks")]
    result = run(programs, sayings, [1])
    assert [o.position for o in result.verdicts[0].outcomes] == [1]
    assert [(left.position, left.node, left.reason) for left in result.not_asked] == [
        (0, "black", 'the variable "who" is not defined. For a dollar sign write \\$who. Give what it needs in the '
         "column variables, or its text in before."),
        (2, "bye", "the conversation ends there, so nobody answers."),
    ]  # fmt: skip


def test_variables_and_the_text_before_help_to_enter(programs: Programs) -> None:
    with_variables = Saying("black", "none", "ok", variables={"who": "Bo", "much": "hot"})
    with_text = Saying("black", "none", "ok", before="Black tea.")
    model = ScriptedModel(answers=[1, 1])
    result = evaluate_sayings(programs, [with_variables, with_text], {"m": model})
    assert result.not_asked == ()
    assert [q.context[0].content for q in model.requests if isinstance(q, Question)] == [
        "Black for Bo, hot.",
        "Black tea.",
    ]


def test_a_function_is_entered_by_its_caller(programs: Programs) -> None:
    model = ScriptedModel(answers=[1, "Yes"])
    saying = Saying("brew(kind)", "yes", "two", variables={"kinds": "mint"})
    assert outcome(evaluate_sayings(programs, [saying], {"m": model})).right
    question = model.requests[-1]
    assert isinstance(question, Question)
    assert question.context[0].content == "Brewing mint. Sugar?"
    left = evaluate_sayings(programs, [Saying("brew", "yes", "two")], {"m": ScriptedModel()}).not_asked
    assert [each.reason.partition(".")[0] for each in left] == ["'kinds' is not defined"]


def test_a_question_that_cannot_be_rendered_is_reported(tmp_path: Path) -> None:
    rows = [
        {"name": "start1", "action": "chat_exact", "instruction": "Go?", "transitions": "stop, start1",
         "transition_question": "Does $who go?", "transition_choice_a": "yes", "transition_choice_b": "no"},
        {"name": "stop", "action": "chat_exact", "instruction": "Done.", "transitions": "quit"},
    ]  # fmt: skip
    result = evaluate_sayings(Programs(rows), [Saying("start1", "yes", "go")], {"m": ScriptedModel()})
    assert [each.reason for each in result.not_asked] == [
        'the variable "who" is not defined. For a dollar sign write \\$who. Give what it needs in the column variables.'
    ]


def test_a_program_that_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "tea.csv").write_text(TEA, "utf-8")
    try:
        autograph.load(tmp_path / "tea.csv", trust="untrusted", model="offline")
    except autograph.AutographError as error:
        pytest.skip(f"no process can be locked here: {error}")
    programs = Programs(tmp_path / "tea.csv", trust="untrusted")
    result = run(programs, [Saying("ask", "yes", "ok"), Saying("ask", "no", "hm")], [1, "Yes", 0])
    assert [o.got for o in result.verdicts[0].outcomes] == ["B", "→ hours"]


# ---------------------------------------------------------------------- rows that do not fit


@pytest.mark.parametrize(
    ("saying", "fault"),
    [
        (Saying("aks", "yes", "x"), 'there is no node "aks". Did you mean "ask"?'),
        (Saying("ask", "yess", "x"), 'the node "ask" has no choice "yess". Did you mean "yes"?'),
        (Saying("ask", "42", "x"), 'the node "ask" has no choice "42". There are: A. no (bye), B. yes (tea), hours, '
         "none."),
        (Saying("start1", "yes", "x"), 'the node "start1" asks nothing: it has one way on, and no interjection can be '
         "taken there. Name a node with a transition_question, or one that can be interrupted."),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_the_program(saying: Saying, fault: str, programs: Programs) -> None:
    with pytest.raises(DataError) as caught:
        evaluate_sayings(programs, [saying, Saying("ask", "yes", "x")], {"m": ScriptedModel()})
    assert [str(each) for each in caught.value.faults] == [fault]


# ---------------------------------------------------------------------- tables and figures


def test_the_confusion_table_is_exact(programs: Programs) -> None:
    sayings = [*[Saying("ask", "no", f"n{i}") for i in range(3)], *[Saying("ask", "yes", f"y{i}") for i in range(5)]]
    answers = [1, ["No", 0.9], 1, ["No", 0.7], 1, ["Yes", 0.5], *[1, ["Yes", 0.8]] * 3, 0, 1, "hm"]
    (verdicts,) = run(programs, sayings, answers).verdicts
    (table,) = verdicts.tables
    assert (table.rows, table.columns) == (("A", "B"), ("A", "B", "→ hours", "unclear"))
    assert table.counts == ((2, 1, 0, 0), (0, 3, 1, 1))
    assert (table.n, table.right, table.label("A"), table.label("→ hours")) == (8, 5, "no", "")
    assert verdicts.accuracy.text() == "0.62 [0.31, 0.86]"
    assert verdicts.macro == 5 / 8
    calibration = verdicts.calibration
    assert (calibration.known, calibration.when_wrong) == (6, 0.5)
    assert calibration.when_right == pytest.approx(0.8)
    assert [(o.said, o.wanted, o.got) for o in verdicts.wrong] == [
        ("n2", "A", "B"), ("y3", "B", "→ hours"), ("y4", "B", "unclear"),
    ]  # fmt: skip


def test_the_mean_of_the_questions_counts_each_alike(programs: Programs) -> None:
    sayings = [
        Saying("ask", "yes", "a"),
        Saying("green", "hours", "b"),
        Saying("green", "none", "c"),
        Saying("ask", "hours", "d"),
    ]
    (verdicts,) = run(programs, sayings, [1, "No", 0, 1, 0]).verdicts
    assert (verdicts.accuracy.value, verdicts.macro) == (0.75, 0.5)
    assert [table.subject.name for table in verdicts.tables] == ["ask", "interjections"]
    assert verdicts.tables[1].columns == ("hours", "none")


def test_two_models_are_compared_on_the_same_sayings(programs: Programs) -> None:
    sayings = [Saying("ask", "yes", str(i)) for i in range(6)]
    one = ScriptedModel(answers=[1, "No"] * 5 + [1, "Yes"])
    other = ScriptedModel(answers=[1, "Yes"] * 5 + [1, "No"])
    result = evaluate_sayings(programs, sayings, {"one": one, "other": other})
    (comparison,) = result.comparisons
    pairs = comparison.pairs
    assert (comparison.first, comparison.other) == ("one", "other")
    assert (pairs.both, pairs.only_a, pairs.only_b, pairs.neither) == (0, 1, 5, 0)
    assert comparison.difference.value == pytest.approx(4 / 6)
    assert comparison.p == pytest.approx(2 * (1 + 6) / 2**6)


class Counting:
    """A model without asynchronous twins that knows no answer but the first, and says how sure it is."""

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        return [
            Choice(0 if q.purpose == "transition" else q.passes_on, 0.75, "", None, (0.75, 0.25)) for q in questions
        ]

    def generate(self, request: GenerateRequest) -> Reply:
        raise AssertionError("no text is asked for")


def test_any_model_object_will_do(programs: Programs) -> None:
    (verdicts,) = evaluate_sayings(
        programs, [Saying("ask", "no", "n"), Saying("ask", "yes", "y")], {"m": Counting()}
    ).verdicts
    assert [o.got for o in verdicts.outcomes] == ["B", "B"]
    assert verdicts.outcomes[0].probabilities == (("Yes", 0.75), ("No", 0.25))
    assert verdicts.to_dict()["sayings"][0]["probabilities"] == {"Yes": 0.75, "No": 0.25}


class Slow:
    """Counts how many questions are with it at once."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(3):
            await asyncio.sleep(0)
        self.now -= 1
        return [Choice(q.passes_on if q.passes_on is not None else 0) for q in questions]

    choose = generate = Counting.generate


def test_some_are_asked_at_once_and_results_keep_their_order(programs: Programs) -> None:
    told: list[tuple[int, int]] = []
    model = Slow()
    result = evaluate_sayings(
        programs, [Saying("ask", "yes", str(i)) for i in range(9)], {"m": model}, at_once=4,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert model.most == 4
    assert [o.said for o in result.verdicts[0].outcomes] == [str(i) for i in range(9)]
    assert told == [(i, 9) for i in range(1, 10)]


def test_it_works_where_an_event_loop_runs_already(programs: Programs) -> None:
    async def in_a_notebook() -> Evaluation:
        return run(programs, [Saying("ask", "yes", "ok")], [1, "Yes"])

    assert outcome(asyncio.run(in_a_notebook())).right


def test_a_model_that_cannot_be_asked_ends_it(programs: Programs) -> None:
    with pytest.raises(ModelError, match="run out of answers"):
        evaluate_sayings(programs, [Saying("ask", "yes", str(i)) for i in range(20)], {"m": ScriptedModel(answers=[1])})


def test_the_page_has_the_tables_and_escapes_what_people_say(programs: Programs) -> None:
    result = run(programs, [Saying("ask", "no", "<b>no</b>")], [1, "Yes"])
    page = transitions_page(result, manifest("tea.csv", "f", "d", ["scripted"]), "tea.csv")
    assert "“&lt;b&gt;no&lt;/b&gt;”" in page
    assert "<b>no</b>" not in page.replace("<b>A</b> no", "")
    assert "<h3>ask · 0.00 [0.00, 0.79] · 0 of 1</h3>" in page


# ---------------------------------------------------------------------- labelled questions


def item(kind: str, choices: tuple[str, ...], answer: int) -> Labelled:
    return Labelled("1", kind, Question("1", "Which?", choices), answer)


def test_labelled_questions_have_a_table_a_kind() -> None:
    items = [
        item("yesno", ("Yes", "No"), 0), item("yesno", ("Yes", "No"), 1),
        item("pick", ("red", "blue"), 1), item("pick", ("big", "small", "tiny"), 2),
    ]  # fmt: skip
    model = ScriptedModel(answers=["Yes", "Yes", "blue", "huge"])
    (verdicts,) = evaluate_labelled(items, {"m": model}).verdicts
    yesno, pick = verdicts.tables
    assert (yesno.subject.labels, yesno.counts) == (("Yes", "No"), ((1, 0), (1, 0)))
    assert (pick.subject.labels, pick.rows, pick.columns) == (
        ("choice 1", "choice 2", "choice 3"), ("B", "C"), ("A", "B", "C", "unclear"),
    )  # fmt: skip
    assert pick.counts == ((0, 1, 0, 0), (0, 0, 0, 1))
    assert verdicts.wrong[1].remark == 'the answer "huge" is no choice'


def test_the_offline_rules_on_the_set_that_is_shipped() -> None:
    items = read_labelled(ROOT / "examples" / "questions.jsonl")
    (verdicts,) = evaluate_labelled(items, {"offline": "offline"}).verdicts
    assert len(items) == 75
    assert verdicts.accuracy.value >= 0.9


@pytest.mark.parametrize(("name", "least"), [("tutor.csv", 0.85), ("recruiter.csv", 0.85), ("clinic.yaml", 0.75)])
def test_the_sayings_of_the_programs_fit_them(name: str, least: float) -> None:
    """Each choice of each question has eight sayings or more, all can be asked, and the rules get most of them."""
    path = ROOT / "programs" / name
    sayings = read_sayings(path.with_name(f"{path.stem}.sayings.csv"))
    result = evaluate_sayings(Programs(path), sayings, {"offline": "offline"})
    (verdicts,) = result.verdicts
    assert result.not_asked == ()
    assert [table.subject.name for table in verdicts.tables] == [subject.name for subject in verdicts.subjects]
    for table in verdicts.tables:
        assert len(table.rows) == len(table.subject.labels)
        assert min(map(sum, table.counts)) >= 8
    assert verdicts.accuracy.value >= least
