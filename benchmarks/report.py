"""What came out? Tables and bars, as text for a terminal, as Markdown and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from measure import Timing

__all__ = ["Bar", "Report", "Table", "markdown", "plain", "text"]


@dataclass(frozen=True, slots=True)
class Table:
    """One comparison: CPU time per unit by contestant, each also as a multiple of those in ``bases``."""

    title: str
    unit: str
    timings: dict[str, Timing]
    bases: tuple[str, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """Something promised: ``value`` must be at most ``limit``, or at least with ``at_least``.

    A ``ratio`` bar compares two things measured in the same run and holds or fails on any machine alike; the others
    are absolute and depend on the machine.
    """

    name: str
    value: float
    limit: float
    unit: str
    ratio: bool = True
    at_least: bool = False

    @property
    def holds(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run found: ``about`` says where and when, ``tables`` what was measured, ``bars`` what it means."""

    about: dict[str, str]
    tables: list[Table] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)

    def failed(self) -> list[Bar]:
        """The ratio bars that do not hold."""
        return [bar for bar in self.bars if bar.ratio and not bar.holds]


Grid = list[list[str]]


def table_cells(table: Table) -> Grid:
    """Header and rows of a table, quickest first; contestants that are not installed last."""
    grid = [["contestant", f"best, {table.unit}", "median", *(f"× {base}" for base in table.bases)]]
    for timing in sorted(table.timings.values(), key=lambda timing: timing.best):
        times = [number(timing.best / table.timings[base].best) for base in table.bases]
        grid.append([timing.contestant, number(timing.best * 1e6), number(timing.median * 1e6), *times])
    return grid + [[name, "not installed", *("-" for _ in grid[0][2:])] for name in table.missing]


def bar_cells(bars: Sequence[Bar]) -> Grid:
    """Header and rows of the bars."""
    grid = [["bar", "measured", "wanted", "kind", "state"]]
    for bar in bars:
        wanted = f"{'≥' if bar.at_least else '≤'} {number(bar.limit)} {bar.unit}"
        kind = "ratio" if bar.ratio else "absolute"
        measured = f"{number(bar.value)} {bar.unit}"
        grid.append([bar.name, measured.strip(), wanted.strip(), kind, "holds" if bar.holds else "FAILS"])
    return grid


def number(value: float) -> str:
    """Three significant digits, thousands with commas."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def text(report: Report) -> str:
    """The report for a terminal."""
    parts = ["\n".join(f"{name}: {value}" for name, value in report.about.items())]
    parts += [f"{table.title}\n{aligned(table_cells(table))}" for table in report.tables]
    parts.append(f"Bars\n{aligned(bar_cells(report.bars))}")
    return "\n\n".join(parts)


def aligned(grid: Grid) -> str:
    """The grid in columns: the first one flush left, the others flush right."""
    widths = [max(len(cell) for cell in column) for column in zip(*grid, strict=True)]
    lines = []
    for row in grid:
        others = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(["", f"{row[0]:<{widths[0]}}", *others]).rstrip())
    return "\n".join(lines)


def markdown(report: Report) -> str:
    """The report as a Markdown page."""
    parts = [
        "## Interpreter",
        "Written by `python benchmarks/interpreter.py --write`.",
        "\n".join(f"- {name}: {value}" for name, value in report.about.items()),
    ]
    parts += [f"### {table.title}\n\n{piped(table_cells(table))}" for table in report.tables]
    parts.append(f"### Bars\n\n{piped(bar_cells(report.bars))}")
    return "\n\n".join(parts) + "\n"


def piped(grid: Grid) -> str:
    """The grid as a Markdown table."""
    head, *rows = grid
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ruler, *rows])


def plain(report: Report) -> dict[str, Any]:
    """The report as JSON data; times are in CPU seconds."""
    tables = [
        {
            "title": table.title,
            "unit": table.unit,
            "timings": [asdict(timing) for timing in table.timings.values()],
            "missing": list(table.missing),
        }
        for table in report.tables
    ]
    return {
        "about": report.about,
        "tables": tables,
        "bars": [{**asdict(bar), "holds": bar.holds} for bar in report.bars],
    }
