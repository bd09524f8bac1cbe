"""How do an agent's figures look on a terminal? A row for each task, a column for each metric, and pairs of agents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from autograph.cli.style import Page, safe
from autograph.cli.wrap import clip, columns, table, wrap

if TYPE_CHECKING:
    from autograph.evaluation.intervals import Interval
    from autograph.evaluation.parlai.examined_model import Examined, TaskResult
    from autograph.evaluation.parlai.paired_models import PairedMetric

__all__ = ["comparison_text", "examined_text", "figure"]

ALL = "all"


def figure(value: float) -> str:
    """A figure with four digits, without a nought before the point; whole numbers as they are; nothing for nan."""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return ""
    text = f"{value:.0f}" if value >= 1000 else f"{value:.4g}"
    text = text.replace("-0.", "-.") if text.startswith("-") else text
    text = text.removeprefix("0") if text.startswith("0.") else text
    return text.ljust(5, "0") if text.startswith(".") else text


def _bounds(interval: Interval | None) -> str:
    """``[.12, .88]``, or nothing where the ends are open."""
    if interval is None or not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return ""
    return f"[{_short(interval.low)}, {_short(interval.high)}]"


def _short(value: float, sign: bool = False) -> str:
    text = f"{value:{'+' if sign else ''}.2f}"
    if float(text) == 0:
        return ".00"
    return text.replace("0.", ".", 1) if text.lstrip("+-").startswith("0.") else text


# ---------------------------------------------------------------------- one agent


def examined_text(examined: Examined, metrics: Sequence[str], datatype: str, page: Page) -> str:
    """The figures of an agent; several tables if one is too wide."""
    answered, measured = examined.coverage
    dialogues = sum(len({example.episode for example in result.examples}) for result in examined.tasks)
    examples = len(examined.examples)
    parts = [examined.model, datatype, _counted(examples, "example"), _counted(dialogues, "dialogue")]
    lines = [page.style.bold(safe(" · ".join(parts))), ""]
    lines += _tables(examined, metrics, page)
    for note in _notes(examined, examples, answered, measured):
        lines += ["", *(page.style.dim(line) for line in wrap(note, page.width))] if note else []
    return "\n".join(lines)


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' if number != 1 else ''}"


def _notes(examined: Examined, examples: int, answered: int, measured: int) -> list[str]:
    notes = []
    if len(examined.tasks) > 1:
        each = "each example counts alike (micro)" if examined.micro else "each task counts alike (macro)"
        notes.append(f"In the row {ALL} {each}.")
    if answered < measured:
        silent = measured - answered
        notes.append(f"Silent: {silent:,} of {measured:,}. The averages leave silence out, as ParlAI does.")
    if measured < examples:
        notes.append(f"Without labels, and not measured: {examples - measured:,} of {examples:,}.")
    return notes


def _tables(examined: Examined, metrics: Sequence[str], page: Page) -> list[str]:
    single = len(examined.tasks) == 1
    intervals = examined.intervals()
    report = {name: metric.value() for name, metric in examined.report().items()}
    rows = [("", ALL)] if not single else []
    rows += [("" if single else f"{result.task}/", result.task) for result in examined.tasks]
    silent = examined.coverage[0] < examined.coverage[1]
    head = ["", "exs", *(["answered"] if silent else [])]
    first = []
    for key, name in rows:
        counts = [str(report.get(f"{key}exs", 0)), *([_answered(examined, name)] if silent else [])]
        first.append([clip(safe(name), 40), *counts])
    cells = {metric: [_cell(f"{key}{metric}", report, intervals) for key, _ in rows] for metric in metrics}
    lines: list[str] = []
    for number, names in enumerate(_fitting([head, *first], cells, page.width)):
        kept = 1 if number else len(head)  # the counts stand in the first table only
        body = [[*row[:kept], *(cells[name][i] for name in names)] for i, row in enumerate(first)]
        lines += [""] if number else []
        lines += table([[*head[:kept], *names], *body], page.width, "  ", wrapping=0)
    return lines


def _cell(key: str, report: Mapping[str, float], intervals: Mapping[str, Interval]) -> str:
    if key not in report:
        return ""
    return f"{figure(report[key])} {_bounds(intervals.get(key))}".rstrip()


def _answered(examined: Examined, name: str) -> str:
    if name == ALL and len(examined.tasks) > 1:
        answered, measured = examined.coverage
    else:
        result: TaskResult = next(result for result in examined.tasks if result.task == name)
        answered, measured = result.answered, len(result.measured)
    return f"{answered}/{measured}"


def _fitting(first: Sequence[Sequence[str]], cells: Mapping[str, Sequence[str]], width: int) -> list[list[str]]:
    """The metrics, in as many tables as are needed to fit into the width beside the first columns."""
    sizes = [max(columns(cell) for cell in column) + 2 for column in zip(*first, strict=True)]
    blocks: list[list[str]] = [[]]
    used = sum(sizes)
    for name, column in cells.items():
        size = 2 + max(len(name), *(columns(cell) for cell in column))
        if blocks[-1] and used + size > width:
            blocks.append([])
            used = sizes[0]
        blocks[-1].append(name)
        used += size
    return blocks


# ---------------------------------------------------------------------- two agents


def comparison_text(first: str, other: str, pairs: Sequence[PairedMetric], page: Page) -> str:
    """The figures of A and B, their differences, and how odd these are: two tables where one is too wide."""
    lines = [page.style.bold(safe(f"A {first} · B {other} · the same examples")), ""]
    rows = [["", "n", "A", "B", "B - A", "A better", "B better", "p", ""]]
    for pair in pairs:
        ends = (pair.difference.low, pair.difference.high)
        bounds = f" [{_short(ends[0], True)}, {_short(ends[1], True)}]" if all(map(math.isfinite, ends)) else ""
        difference = f"{_short(pair.difference.value, True)}{bounds}"
        counts = [str(pair.only_first), str(pair.only_other), _chance(pair.p), pair.test]
        rows.append([pair.metric, str(pair.n), figure(pair.first), figure(pair.other), difference, *counts])
    whole = table(rows, page.width, "  ", wrapping=0)
    if max(map(columns, whole)) > page.width:
        figures = table([row[:5] for row in rows], page.width, "  ", wrapping=0)
        whole = [*figures, "", *table([[row[0], *row[5:]] for row in rows], page.width, "  ", wrapping=0)]
    lines += whole
    note = "Each example counts alike, silence as wrong. p: the chance of this if neither were better."
    return "\n".join([*lines, "", *(page.style.dim(line) for line in wrap(note, page.width))])


def _chance(p: float) -> str:
    return "< .001" if p < 0.001 else figure(round(p, 3)) if p < 1 else "1"
