"""Curves over time: recorded ones of pydialogue, true sliding windows, files, and what pyplot is left with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograph.evaluation.dialogues import plot_acc, plot_acc_individual, plot_context_sizes
from autograph.evaluation.pydialogue.plots import PlotError, blank_axes, curve_of, short_number

plt = pytest.importorskip("matplotlib.pyplot")

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "pydialogue.json").read_text("utf-8"))
OUTCOMES = [1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0]


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    plt.switch_backend("agg")
    plt.close("all")
    yield
    plt.close("all")


@pytest.mark.parametrize("case", VECTORS["plots"], ids=lambda case: case.get("label", str(case.get("token_factor"))))
def test_recorded_curves(case: dict[str, Any]) -> None:
    result = case["result"]

    def plot() -> Any:
        if case["fn"] == "plot_context_sizes":
            return plot_context_sizes(case["time_points"], case["instructions_size"], case["token_factor"])
        options = {"epochs": case.get("epochs"), "smooth_over": case["smooth_over"]}
        return plot_acc(case["outcomes"], case["label"], **options, show_plot=False, compatible=True)

    if "error" in result:
        with pytest.raises(ValueError, match="10 points of 12 outcomes, but 12 epochs"):
            plot()
        return
    axes = plot()
    assert axes is plt.gca()
    for line, expected in zip(axes.get_lines(), result["lines"], strict=True):
        assert line.get_label() == expected["label"]
        assert list(line.get_xdata()) == pytest.approx(expected["x"])
        assert list(line.get_ydata()) == pytest.approx(expected["y"], abs=1e-9)
    assert list(axes.get_ylim()) == pytest.approx(result["ylim"])


def test_a_true_window_forgets_old_outcomes() -> None:
    places, shares = curve_of([0, 0, 0, 1, 1, 1], 3)
    assert places == [2, 3, 4, 5]
    assert shares == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert curve_of([0, 0, 0, 1, 1, 1], 3, compatible=True)[1][-1] < 0.5


def test_failures_are_failures_however_they_are_written() -> None:
    assert curve_of([1, -1, 1, 0], 4) == curve_of([True, 0, 1, False], 4) == ([3.0], [0.5])


def test_few_outcomes_are_one_point() -> None:
    assert curve_of([1, 0], 10) == ([1.0], [0.5])
    assert curve_of([], 10) == ([], [])
    (line,) = plot_acc([1, 0], "few", show_plot=False).get_lines()
    assert line.get_marker() == "o"


def test_a_window_needs_outcomes() -> None:
    with pytest.raises(PlotError, match="above 0"):
        curve_of([1], 0)


def test_epochs_of_points_or_outcomes() -> None:
    for epochs in (list(range(100, 112)), list(range(102, 112))):
        axes = plot_acc(OUTCOMES, "a", epochs=epochs, smooth_over=3, show_plot=False, ax=blank_axes()[0])
        assert list(axes.get_lines()[0].get_xdata()) == list(range(102, 112))
    with pytest.raises(PlotError, match="one for each point, or one for each outcome"):
        plot_acc(OUTCOMES, "a", epochs=[1, 2], show_plot=False)


def test_curves_lie_over_each_other() -> None:
    plot_acc(OUTCOMES, "one", show_plot=False)
    axes = plot_acc(OUTCOMES, "two", show_plot=False)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one", "two"]


def test_each_type_has_its_curve() -> None:
    points = [("Look", 1, 5), ("Get", 0, 6), ("Look", 0, 9), ("Get", 1, 12)]
    axes = plot_acc_individual(points, smooth_over=2)
    assert {line.get_label(): list(line.get_ydata()) for line in axes.get_lines()} == {"Look": [0.5], "Get": [0.5]}


@pytest.mark.parametrize("name", ["a.png", "a.svg"])
def test_a_file_leaves_pyplot_alone(name: str, tmp_path: Path) -> None:
    plot_acc(OUTCOMES, "one", save_to=tmp_path / name)
    plot_context_sizes([("A", 1, 1500), ("A", 1, 90_000)], 10, label="words", save_to=tmp_path / f"c{name}")
    plot_acc_individual([("A", 1, 3)], save_to=tmp_path / f"i{name}")
    assert all((tmp_path / file).stat().st_size > 1000 for file in (name, f"c{name}", f"i{name}"))
    assert plt.get_fignums() == []


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match="cannot be written"):
        plot_acc(OUTCOMES, "one", save_to=tmp_path / "no" / "a.png")
    with pytest.raises(PlotError, match="cannot be written"):
        plot_acc(OUTCOMES, "one", save_to=tmp_path / "a.doc")


def test_plots_are_shown_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(1))
    plot_acc(OUTCOMES, "one")
    plot_acc(OUTCOMES, "one", show_plot=False)
    plot_acc_individual([("A", 1)])
    plot_acc_individual([("A", 1)], show_plot=True)
    assert len(shown) == 2


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (7, "7"), (2.5, "2.5"), (0.05, "0.05"), (999, "999"), (1000, "1K"), (1500, "1.5K"), (20_000, "20K"),
     (999_990, "1M"), (2_500_000, "2.5M"), (3e9, "3B"), (-1500, "-1.5K")],
)  # fmt: skip
def test_numbers_at_the_ticks(number: float, text: str) -> None:
    assert short_number(number) == text
