"""What do the figures look like? Bars with their intervals, of one agent or of two."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograph.errors import AutographError
from autograph.evaluation.intervals import Interval
from autograph.evaluation.parlai.examined_model import Examined
from autograph.evaluation.plot_text import lettering, plain
from autograph.evaluation.pydialogue.plots import require_matplotlib

__all__ = ["plot_models"]

_COLOURS = ("#3b6ea5", "#d98b2b")
_WIDTH = 0.9
"""Inches for a group of bars."""


def plot_models(models: Sequence[Examined], metrics: Sequence[str], path: Path) -> None:
    """Draw one or two agents to a file (.png, .svg, .pdf).

    One task is one panel with a group of bars for each metric; of several tasks, each metric has a panel with a group
    for each task. ``metrics``: those to be drawn, averages from 0 to 1. Raises ``AutographError`` where there are
    none, without matplotlib, or for an ending that it cannot write.
    """
    if not metrics:
        raise AutographError(f"{path} would be empty: nothing was measured that has an average.")
    require_matplotlib()
    with lettering([name for model in models for name in (model.model, *(result.task for result in model.tasks))]):
        try:
            _figure(models, metrics).savefig(path, dpi=150, bbox_inches="tight")
        except ValueError as error:
            raise AutographError(f"{path} cannot be drawn: {error}. Use .png, .svg or .pdf.") from error


def _figure(models: Sequence[Examined], metrics: Sequence[str]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = _panels(models, metrics)
    groups = [name for name, _ in panels[0][1]]
    figure = Figure(figsize=(max(4.5, 1.8 + _WIDTH * len(groups)), 1.0 + 1.9 * len(panels)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True)[:, 0]
    intervals = [model.intervals() for model in models]
    for ax, (title, keys) in zip(axes, panels, strict=True):
        _draw(ax, title, [key for _, key in keys], models, intervals)
    slanted = len(groups) > 3 and max(map(len, groups)) > 10
    axes[-1].set_xticks(range(len(groups)), groups, rotation=30 if slanted else 0, ha="right" if slanted else "center")
    if len(models) > 1:
        figure.legend(
            *axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(models), frameon=False
        )
    else:
        figure.suptitle(plain(models[0].model), fontsize=11)
    return figure


Panel = tuple[str, list[tuple[str, str]]]
"""The title of a panel, and its groups of bars: name, and key in the report."""


def _panels(models: Sequence[Examined], metrics: Sequence[str]) -> list[Panel]:
    tasks = [result.task for result in models[0].tasks]
    if len(tasks) == 1:
        return [(_short(tasks[0]), [(metric, metric) for metric in metrics])]
    return [(metric, [("all", metric), *((_short(task), f"{task}/{metric}") for task in tasks)]) for metric in metrics]


def _draw(
    ax: Any,
    title: str,
    keys: Sequence[str],
    models: Sequence[Examined],
    intervals: Sequence[dict[str, Interval]],
) -> None:
    width = 0.7 / len(models)
    for number, (model, found) in enumerate(zip(models, intervals, strict=True)):
        shown = [(place, found[key]) for place, key in enumerate(keys) if key in found]
        at = [place + (number - (len(models) - 1) / 2) * width for place, _ in shown]
        heights = [interval.value for _, interval in shown]
        down = [max(0.0, interval.value - max(0.0, interval.low)) for _, interval in shown]
        up = [max(0.0, min(1.0, interval.high) - interval.value) for _, interval in shown]
        ax.bar(at, heights, width * 0.92, color=_COLOURS[number], label=plain(model.model))
        ax.errorbar(at, heights, yerr=[down, up], fmt="none", ecolor="#333333", capsize=3, linewidth=1)
    ax.set_ylim(0, 1.02)
    ax.set_xlim(-0.6, len(keys) - 0.4)
    ax.set_ylabel(title)
    ax.grid(axis="y", color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _short(task: str, most: int = 18) -> str:
    return plain(task if len(task) <= most else f"…{task[1 - most :]}")
