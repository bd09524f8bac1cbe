"""How do programs do over time in scenarios? One picture: accuracy, accuracy of each type, and context."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from autograph.evaluation.plot_text import lettering, plain
from autograph.evaluation.pydialogue.plots import (
    PlotError,
    blank_axes,
    plot_acc,
    plot_acc_individual,
    require_matplotlib,
    short_number,
)
from autograph.evaluation.scenarios.result import Held

__all__ = ["plot_scenarios"]

_HEIGHT = 3.2

_EDGE = 0.03
"""How far the picture goes beyond 0 and 1, so that curves at the edge are seen."""


def plot_scenarios(programs: Mapping[str, Sequence[Held]], path: str | os.PathLike[str]) -> Any:
    """Draw the conversations of each program into a file; the figure.

    Above the accuracy of each program over a sliding window; for one program also that of each type; below the tokens
    of the largest prompt of each conversation. Raises ``PlotError``.
    """
    counting = {name: [each for each in held if each.success is not None] for name, held in programs.items()}
    require_matplotlib()
    with lettering([*programs, *(each.kind for held in counting.values() for each in held)]):
        figure = _figure(counting)
        try:
            figure.savefig(path, dpi=120)
        except (OSError, ValueError) as error:
            raise PlotError(f"the plot cannot be written to {path}: {error}.") from error
    return figure


def _figure(programs: Mapping[str, Sequence[Held]]) -> Any:
    axes = blank_axes(height=_HEIGHT, count=3 if len(programs) == 1 else 2)
    window = _window(max((len(held) for held in programs.values()), default=0))
    for name, held in programs.items():
        plot_acc([int(each.success is True) for each in held], plain(name), smooth_over=window, ax=axes[0])
        axes[-1].plot([each.tokens for each in held], label=plain(name), **_mark(held))
    axes[0].set_title(f"accuracy of the last {window} conversations")
    if len(programs) == 1:
        (held,) = programs.values()
        points = [(plain(each.kind), int(each.success is True)) for each in held]
        plot_acc_individual(points, smooth_over=window, ax=axes[1])
        axes[1].set_title(f"of each type: the last {window} of it")
    for panel in axes[:-1]:
        panel.set_ylim(-_EDGE, 1 + _EDGE)
    _context(axes[-1])
    for panel in axes:
        panel.xaxis.get_major_locator().set_params(integer=True)
    return axes[0].figure


def _window(number: int) -> int:
    """How many conversations are looked at together: a fifth of them, 5 to 50."""
    return max(5, min(50, number // 5))


def _mark(held: Sequence[Held]) -> dict[str, str]:
    return {"marker": "o"} if len(held) == 1 else {}


def _context(axes: Any) -> None:
    axes.set_title("context: tokens of the largest prompt of each conversation")
    axes.set_xlabel("dialogues")
    axes.set_ylabel("tokens")
    axes.set_ylim(0, max(1.0, axes.get_ylim()[1]) * (1 + _EDGE))
    axes.grid(True)
    axes.legend()
    axes.yaxis.set_major_formatter(short_number)
