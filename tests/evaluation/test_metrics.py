"""Are answers measured as ParlAI measures them?"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.measures import bleu, characters, normalize_answer, prec_recall_f1
from autograph.evaluation.metric import Average, Fixed, InterDistinct, Macro, Sum, Timer, as_metric
from autograph.evaluation.metrics import (
    Scores,
    aggregate_named_reports,
    aggregate_unnamed_reports,
    evaluate,
    values,
)

DATA = json.loads((Path(__file__).parent.parent / "data" / "parlai-metrics.json").read_text("utf-8"))
EXACT = 1e-12


@pytest.mark.parametrize("vector", DATA["vectors"], ids=lambda vector: str(vector["id"]))
def test_one_answer(vector: dict[str, Any]) -> None:
    report = evaluate(vector["guess"], vector["labels"], vector["text_candidates"])
    assert report == pytest.approx(vector["report"], abs=EXACT)
    if vector["guess"] is not None:
        assert normalize_answer(vector["guess"]) == vector["normalized_guess"]
        assert [normalize_answer(label) for label in vector["labels"]] == vector["normalized_labels"]


def task_reports() -> dict[str, Any]:
    reports = {}
    for task, examples in DATA["aggregation"]["tasks"].items():
        scores = Scores()
        for guess, labels in examples:
            scores.response({"text": guess}, labels)
        reports[task] = scores.report()
    return reports


def test_several_tasks() -> None:
    expected, reports = DATA["aggregation"], task_reports()
    for task, report in reports.items():
        assert values(report) == pytest.approx(expected["per_task"][task], abs=EXACT)
    assert values(aggregate_named_reports(reports)) == pytest.approx(expected["macro"], abs=EXACT)
    micro = aggregate_named_reports(reports, micro_average=True)
    assert values(micro) == pytest.approx(expected["micro"], abs=EXACT)
    assert values(aggregate_unnamed_reports(reports.values())) == pytest.approx(expected["unnamed"], abs=EXACT)
    one = aggregate_named_reports({"taskA": reports["taskA"]})
    assert values(one) == pytest.approx(expected["single"], abs=EXACT)
    with pytest.raises(ValueError, match="no report"):
        aggregate_named_reports({})


def test_an_agents_own_metrics() -> None:
    scores = Scores()
    scores.response({"text": "a b", "metrics": {"f1": 0.25, "mine": 3, "s": Sum(2), "skip": None}}, ["b"])
    scores.response({"text": "c", "metrics": {"mine": 5, "s": Sum(4)}}, ["b"])
    assert values(scores.report()) == pytest.approx(DATA["user_metrics"]["report"], abs=EXACT)
    with pytest.raises(ValueError, match="a metric is a number, not 'x'"):
        scores.response({"text": "c", "metrics": {"mine": "x"}}, ["b"])


def test_the_algebra() -> None:
    assert (Sum(2) + Sum(3)).value() == 5
    assert (Average(1, 2) + Average(1)).value() == pytest.approx(2 / 3)
    assert Average(0, 0).value() == 0.0
    assert math.isnan(float(Average(1, 0).value()))
    assert (Fixed(1) + Fixed(1)).value() == 1
    with pytest.raises(ValueError, match="FixedMetrics not the same: 1 and 2"):
        Fixed(1) + Fixed(2)
    assert (Timer(4, 1.0, 2.0) + Timer(2, 2.0, 4.0)).value() == 2.0
    assert Macro((("a", Average(3, 4)), ("b", Average(1, 2)))).value() == 0.625
    assert (Macro((("a", Sum(1)),)) + Macro((("a", Sum(2)), ("b", Sum(5))))).value() == 4
    assert as_metric(2).value() == 2
    assert aggregate_named_reports({"a": {"k": Fixed(7)}, "b": {"k": Fixed(9)}})["k"].value() == 7


def test_the_best_label_counts_for_each_figure_alone() -> None:
    assert prec_recall_f1("answer is yes", ["no", "answer is no", "yes answer is yes"]) == (1.0, 0.75, 6 / 7)


def test_chinese_characters_one_by_one() -> None:
    assert evaluate("我要咖啡", ["我要茶"])["f1"] == 0.0
    assert evaluate("我要咖啡", ["我要茶"], tokenize="char")["f1"] == pytest.approx(2 * (0.5 * 2 / 3) / (0.5 + 2 / 3))
    assert characters("好 good好") == ["好", "good", "好"]
    assert evaluate("我要咖啡", ["我要咖啡"], tokenize="char")["bleu-4"] == pytest.approx(1)


def test_a_corpus_of_equal_answers_is_not_varied() -> None:
    scores = Scores(names=("interdistinct", "intradistinct"))
    for text in ("yes sir", "yes sir", "no"):
        scores.response({"text": text}, ["x"])
    report = values(scores.report())
    assert report["interdistinct-1"] == pytest.approx(3 / 5)
    assert report["intradistinct-1"] == pytest.approx(1.0)
    assert isinstance(scores.report()["interdistinct-2"], InterDistinct)


TEXTS = st.text("ab c.", max_size=12)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_the_figures_are_shares(guess: str, labels: list[str]) -> None:
    report = evaluate(guess, labels, [guess, *labels])
    assert all(0 <= report[name] <= 1 + 1e-9 for name in report if name != "exs")
    assert report["hits@5"] == 1.0
    assert report["f1"] <= max(report["precision"], report["recall"]) + EXACT


@given(st.text("abc ", min_size=7, max_size=20).filter(lambda text: len(normalize_answer(text).split()) >= 4))
def test_a_right_answer_of_four_words_has_bleu_1(text: str) -> None:
    assert bleu(text, ["zz", text]) == pytest.approx(1.0)
