"""How does an agent do over time? Curves of its accuracy and its context. Needs matplotlib (extra eval).

Each function draws into ``ax`` if it is given; with ``save_to`` into a figure of its own, which is written to that
file; else into pyplot's current axes, as pydialogue does, so that curves lie over each other and notebooks show them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from autograph.errors import AutographError

__all__ = [
    "PlotError",
    "blank_axes",
    "curve_of",
    "plot_acc",
    "plot_acc_individual",
    "plot_context_sizes",
    "require_matplotlib",
    "short_number",
]

_SIZE = (8.0, 4.5)
_ALMOST = 0.99995  # a tick of 999,960 is 1M, not 1000.0K
_UNITS = ((1e9, "B"), (1e6, "M"), (1e3, "K"))


class PlotError(AutographError, ValueError):
    """Values that cannot be plotted."""


def plot_acc(
    outcomes: Sequence[int],
    label: str,
    epochs: Sequence[float] | None = None,
    smooth_over: int = 10,
    show_plot: bool = True,
    *,
    compatible: bool = False,
    ax: Any = None,
    save_to: str | os.PathLike[str] | None = None,
) -> Any:
    """Plot the accuracy over time; the axes.

    Each point is the share of successes (1) among the last ``smooth_over`` outcomes, or among all if there are fewer.
    ``epochs``: where the points stand, one for each point or one for each outcome; without it the outcomes are counted
    from 0. ``show_plot`` opens pyplot's window. ``compatible``: the mean of the last ``smooth_over`` cumulative
    accuracies instead, which pydialogue 0.2.0 plots. Raises ``PlotError`` (a ``ValueError``).
    """
    positions, shares = curve_of(outcomes, smooth_over, compatible=compatible)
    if epochs is not None:
        positions = _placed(list(epochs), len(outcomes), len(shares), compatible)
    axes = _axes(ax, save_to)
    _draw_share(axes, positions, shares, label)
    return _finished(axes, save_to, show_plot and ax is None)


def plot_acc_individual(
    test_points: Iterable[Sequence[Any]],
    smooth_over: int = 50,
    show_plot: bool = False,
    *,
    compatible: bool = False,
    ax: Any = None,
    save_to: str | os.PathLike[str] | None = None,
) -> Any:
    """Plot the accuracy of each type over time, one curve each as ``plot_acc`` draws it; the axes."""
    of_types: dict[str, list[int]] = {}
    for kind, outcome, *_ in test_points:
        of_types.setdefault(kind, []).append(outcome)
    axes = _axes(ax, save_to)
    for kind, outcomes in of_types.items():
        positions, shares = curve_of(outcomes, smooth_over, compatible=compatible)
        _draw_share(axes, positions, shares, kind)
    return _finished(axes, save_to, show_plot and ax is None)


def plot_context_sizes(
    time_points: Iterable[Sequence[Any]],
    instructions_size: float,
    token_factor: float = 1.3,
    *,
    label: str | None = None,
    ax: Any = None,
    save_to: str | os.PathLike[str] | None = None,
) -> Any:
    """Plot how many tokens the context had at each time point; the axes.

    ``instructions_size``: words of the instructions, which stand before the context; ``token_factor``: tokens
    for a word.
    """
    sizes = [int((point[2] + instructions_size) * token_factor) for point in time_points]
    axes = _axes(ax, save_to)
    axes.plot(range(1, len(sizes) + 1), sizes, label=label, marker="o" if len(sizes) == 1 else None)
    axes.set_xlabel("dialogues")
    axes.set_ylabel("tokens")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(short_number)
    if label is not None:
        axes.legend()
    return _finished(axes, save_to, show=False)


# ---------------------------------------------------------------------- the curve


def curve_of(outcomes: Sequence[int], smooth_over: int, *, compatible: bool = False) -> tuple[list[float], list[float]]:
    """The points of ``plot_acc``: the number of the newest outcome in each window, and the share."""
    if smooth_over < 1:
        raise PlotError(f"smooth_over is a number of outcomes above 0; {smooth_over} is none.")
    size = smooth_over if compatible else max(1, min(smooth_over, len(outcomes)))
    window: deque[float] = deque(maxlen=size)
    successes, shares = 0, []
    for number, outcome in enumerate(outcomes, 1):
        successes += outcome
        window.append(successes / number if compatible else float(outcome == 1))
        if len(window) == size:
            shares.append(sum(window) / size)
    return [float(place) for place in range(len(outcomes) - len(shares), len(outcomes))], shares


def _placed(epochs: list[float], outcomes: int, points: int, compatible: bool) -> list[float]:
    if len(epochs) == outcomes and not compatible:
        return epochs[outcomes - points :]
    if len(epochs) != points:
        raise PlotError(
            f"there are {points} points of {outcomes} outcomes, but {len(epochs)} epochs. Give one for each point, or "
            "one for each outcome."
        )
    return epochs


# ---------------------------------------------------------------------- drawing


def short_number(value: float, position: int | None = None) -> str:
    """A number at a tick: ``1.5K``, ``20M``; ``position`` is what matplotlib tells beside."""
    size = abs(value)
    for unit, name in _UNITS:
        if size >= unit * _ALMOST:
            return f"{value / unit:.1f}".removesuffix(".0") + name
    return f"{value:.1f}".removesuffix(".0") if size >= 1 else f"{value:.3g}"


def blank_axes(width: float = _SIZE[0], height: float = _SIZE[1], count: int = 1) -> list[Any]:
    """Axes below each other on a figure that pyplot does not know; the size is that of one, in inches."""
    figure = _matplotlib("figure").Figure(figsize=(width, height * count), layout="constrained")
    return [figure.add_subplot(count, 1, place + 1) for place in range(count)]


def _draw_share(axes: Any, positions: Sequence[float], shares: Sequence[float], label: str) -> None:
    axes.plot(positions, shares, label=label, marker="o" if len(shares) == 1 else None)
    axes.set_ylim(0, 1)
    axes.grid(True)
    axes.xaxis.set_major_formatter(short_number)
    axes.set_xlabel("dialogues")
    axes.set_ylabel("accuracy")
    axes.legend()


def _axes(ax: Any, save_to: str | os.PathLike[str] | None) -> Any:
    if ax is not None:
        return ax
    return blank_axes()[0] if save_to is not None else _matplotlib("pyplot").gca()


def _finished(axes: Any, save_to: str | os.PathLike[str] | None, show: bool) -> Any:
    if save_to is not None:
        try:
            axes.figure.savefig(save_to)
        except (OSError, ValueError) as error:
            raise PlotError(f"the plot cannot be written to {save_to}: {error}.") from error
    elif show:
        _matplotlib("pyplot").show()
    return axes


def require_matplotlib() -> None:
    """Raise ``PlotError`` if matplotlib is not there."""
    _matplotlib("figure")


def _matplotlib(module: str) -> Any:
    """A module of matplotlib, imported on use."""
    try:
        return import_module(f"matplotlib.{module}")
    except ImportError as error:
        raise PlotError(
            f"plots need matplotlib, which cannot be imported ({error}). Install it: "
            'pip install "autograph-bots[eval]".'
        ) from error
