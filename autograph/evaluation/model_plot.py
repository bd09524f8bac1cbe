"""What do the figures look like? Bars with their intervals, of each task, of one agent or of two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograph.errors import AutographError
from autograph.evaluation.examined_model import Examined
from autograph.evaluation.intervals import Interval

__all__ = ["plot_models"]

_COLOURS = ("#3b6ea5", "#d98b2b")
_LEAST_WIDTH = 0.9
"""Inches for a group of bars."""


def plot_models(models: Sequence[Examined], metrics: Sequence[str], path: Path) -> None:
    """Draw one or two agents to a file (.png, .svg, .pdf): a panel for each metric, a group of bars for each task.

    ``metrics``: those to be drawn, which are averages from 0 to 1. Raises ``AutographError`` without matplotlib, or
    for an ending that it cannot write.
    """
    figure = _figure(models, metrics)
    try:
        figure.savefig(path, dpi=150, bbox_inches="tight")
    except ValueError as error:
        raise AutographError(f"{path} cannot be drawn: {error}. Use .png, .svg or .pdf.") from error


def _figure(models: Sequence[Examined], metrics: Sequence[str]) -> Any:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise AutographError('plots need the package matplotlib: pip install "autograph-bots[eval]"') from error
    tasks = _rows(models)
    width = max(4.5, 1.8 + _LEAST_WIDTH * len(tasks))
    figure = Figure(figsize=(width, 1.0 + 1.9 * len(metrics)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(metrics), 1, squeeze=False, sharex=True)[:, 0]
    intervals = [model.intervals() for model in models]
    for panel, metric in zip(panels, metrics, strict=True):
        _panel(panel, metric, tasks, models, intervals)
    panels[-1].set_xticks(range(len(tasks)), [_short(task or "all") for task in tasks], rotation=0)
    if max(len(_short(task)) for task in tasks) > 10 and len(tasks) > 3:
        panels[-1].tick_params(axis="x", labelrotation=30)
        for label in panels[-1].get_xticklabels():
            label.set_horizontalalignment("right")
    if len(models) > 1:
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(models), frameon=False
        )
    else:
        figure.suptitle(models[0].model, fontsize=11)
    return figure


def _rows(models: Sequence[Examined]) -> list[str]:
    """The groups of bars: all tasks together first (""), where there are several."""
    tasks = [result.task for result in models[0].tasks]
    return tasks if len(tasks) == 1 else ["", *tasks]


def _panel(
    panel: Any,
    metric: str,
    tasks: Sequence[str],
    models: Sequence[Examined],
    intervals: Sequence[dict[str, Interval]],
) -> None:
    width = 0.7 / len(models)
    for number, (model, found) in enumerate(zip(models, intervals, strict=True)):
        for place, task in enumerate(tasks):
            key = metric if not task or len(tasks) == 1 else f"{task}/{metric}"
            interval = found.get(key)
            if interval is None:
                continue
            at = place + (number - (len(models) - 1) / 2) * width
            label = model.model if place == 0 else None
            panel.bar(at, interval.value, width * 0.92, color=_COLOURS[number], label=label)
            low, high = max(0.0, interval.low), min(1.0, interval.high)
            ends = [[max(0.0, interval.value - low)], [max(0.0, high - interval.value)]]
            panel.errorbar(at, interval.value, yerr=ends, color="#333333", capsize=3, linewidth=1)
    panel.set_ylim(0, 1.02)
    panel.set_ylabel(metric)
    panel.set_xlim(-0.6, len(tasks) - 0.4)
    panel.grid(axis="y", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def _short(task: str, most: int = 18) -> str:
    return task if len(task) <= most else f"…{task[1 - most :]}"
