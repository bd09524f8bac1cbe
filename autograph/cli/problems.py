"""How are the problems of a sheet shown? As an aligned list with the cell, the number, the message and the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from autograph.cli.style import Page, safe
from autograph.cli.wrap import table, wrap
from autograph.errors import Location, Problem

__all__ = ["counted", "problem_data", "problem_report", "warning_lines"]

_NARROW = 90
"""Below this width the remedy stands under the message instead of beside it."""


def problem_data(found: Problem) -> dict[str, Any]:
    """A problem as JSON data."""
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "hint": found.hint,
        **asdict(found.location),
    }


def problem_report(problems: Sequence[Problem], page: Page) -> str:
    """All problems, grouped by file and sheet and sorted by row, and a line that counts them."""
    blocks = []
    for place, group in _grouped(problems):
        rows = [_row(found, page) for found in sorted(group, key=_position)]
        blocks.append("\n".join([page.style.bold(place), *_aligned(rows, page)]))
    return "\n\n".join([*blocks, counted(problems)])


def counted(problems: Iterable[Problem]) -> str:
    """``2 errors, 1 warning``."""
    found = [problem.severity for problem in problems]
    parts = [
        f"{found.count(word)} {word}{'' if found.count(word) == 1 else 's'}"
        for word in ("error", "warning")
        if word in found
    ]
    return ", ".join(parts) if parts else "no problems"


def warning_lines(problems: Sequence[Problem], page: Page, most: int = 5) -> list[str]:
    """The warnings in a line or two each, the first ``most`` of them."""
    warnings = [found for found in problems if found.severity == "warning"]
    lines = []
    for found in warnings[:most]:
        cell = _cell(found.location)
        text = f"{cell + ': ' if cell else ''}{safe(found.message)}{_remedy(found)} [{found.code}]"
        first, *rest = wrap(f"warning: {text}", page.width)
        lines.append(page.style.warning("warning:") + first.removeprefix("warning:"))
        lines.extend(f"  {line}" for line in rest)
    if len(warnings) > most:
        lines.append(page.style.dim(f"… and {len(warnings) - most} more warnings"))
    return lines


def _remedy(found: Problem) -> str:
    if not found.hint:
        return ""
    return f"{'' if found.message.endswith(('.', '?', '!')) else '.'} {safe(found.hint)}"


def _grouped(problems: Sequence[Problem]) -> list[tuple[str, list[Problem]]]:
    groups: dict[str, list[Problem]] = {}
    for found in problems:
        place = str(Location(found.location.file, found.location.sheet)) or "the program"
        groups.setdefault(place, []).append(found)
    return list(groups.items())


def _position(found: Problem) -> tuple[int, int, str]:
    cell = found.location.cell or ""
    return (found.location.row or found.location.line or 0, len(cell), cell)


def _cell(where: Location) -> str:
    if where.cell:
        return where.cell
    place = f"line {where.line}" if where.line is not None else f"row {where.row}" if where.row is not None else ""
    return place


def _row(found: Problem, page: Page) -> tuple[str, str, str, str]:
    mark = page.style.error if found.severity == "error" else page.style.warning
    code = found.code if found.severity == "error" else f"{found.code} {found.severity}"
    message = safe(found.message)
    if found.location.column and not found.location.cell and found.location.column not in message:
        message = f"{safe(found.location.column)}: {message}"
    return _cell(found.location), mark(code), message, safe(found.hint)


def _aligned(rows: Sequence[tuple[str, str, str, str]], page: Page) -> list[str]:
    if page.width >= _NARROW:
        return table(rows, page.width, wrapping=2)
    stacked = [(cell, code, f"{message}\n{hint}" if hint else message) for cell, code, message, hint in rows]
    return table(stacked, page.width)
