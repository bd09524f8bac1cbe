"""How does an evaluation of transitions look on a terminal? A summary, then a compact confusion table a question."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.cli.comparing import comparison_lines
from autograph.cli.style import Page, safe
from autograph.cli.wrap import clip, columns, table, wrap
from autograph.evaluation.intervals import needed
from autograph.evaluation.understanding.confusion import UNCLEAR, Outcome, Table, Verdicts
from autograph.evaluation.understanding.result import Evaluation, NotAsked

__all__ = ["evaluation_text", "not_asked_lines", "verdict_lines"]

_MOST_WRONG = 8
"""How many sayings that went wrong are shown below a table."""

_WIDEST_COLUMN = 12


def evaluation_text(evaluation: Evaluation, title: str, page: Page, *, every: bool = False) -> str:
    """The whole result: accuracy of each question and model, comparisons, tables with what went wrong."""
    blocks = ["\n".join([page.style.bold(clip(safe(title), page.width)), "", *_summary(evaluation, page)])]
    blocks += ["\n".join(comparison_lines(each, "right", page)) for each in evaluation.comparisons]
    for verdicts in evaluation.verdicts:
        if len(evaluation.verdicts) > 1:
            blocks.append(page.style.bold(f"── {safe(verdicts.model)} ──"))
        blocks += ["\n".join(_question(found, verdicts, page, every)) for found in verdicts.tables]
    if evaluation.not_asked:
        blocks.append("\n".join(not_asked_lines(evaluation.not_asked, page)))
    return "\n\n".join(blocks)


# ---------------------------------------------------------------------- the summary


def _summary(evaluation: Evaluation, page: Page) -> list[str]:
    """One row a question, one column a model; then all sayings, the mean of the questions, and how sure it was."""
    verdicts = evaluation.verdicts
    tables = {v.model: {t.subject.name: t for t in v.tables} for v in verdicts}
    names = list(dict.fromkeys(name for found in tables.values() for name in found))
    rows = [("", "n", *(safe(v.model) for v in verdicts))]
    for name in names:
        mine = [tables[v.model].get(name) for v in verdicts]
        n = max(found.n for found in mine if found is not None)
        rows.append((safe(name), str(n), *(str(found.accuracy) if found else "–" for found in mine)))
    total = max((len(v.outcomes) for v in verdicts), default=0)
    rows.append(("all sayings", str(total), *(str(v.accuracy) for v in verdicts)))
    if len(names) > 1:
        rows.append(("mean of the questions", "", *(_number(v.macro) for v in verdicts)))
    if any(v.calibration.known for v in verdicts):
        rows.append(("sure when right", "", *(_number(v.calibration.when_right) for v in verdicts)))
        rows.append(("sure when wrong", "", *(_number(v.calibration.when_wrong) for v in verdicts)))
    size = max(len(n) for _, n, *_ in rows)
    lines = table(
        [(name, _right(n, size), *cells) for name, n, *cells in rows], page.width, wrapping=len(verdicts) or 1
    )
    head = next((i for i, line in enumerate(lines) if line.lstrip().startswith("all sayings")), len(lines) - 1)
    return [page.style.bold(line) if i == head else line for i, line in enumerate(lines)]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


# ---------------------------------------------------------------------- one question


def _question(found: Table, verdicts: Verdicts, page: Page, every: bool) -> list[str]:
    subject = found.subject
    figures = f"{found.accuracy} · {found.right} of {found.n}"
    head = f"{page.style.bold(safe(subject.name))} · {figures}"
    wrong = [o for o in verdicts.wrong if o.subject == subject.name]
    lines = [head, *(page.style.dim(line) for line in wrap(safe(subject.question), page.width)), *_grid(found, page)]
    return lines + _wrong_lines(wrong, page, every)


def _grid(found: Table, page: Page) -> list[str]:
    """The counts: what was right in green, what was wrong in red, nothing as a dot; without empty columns."""
    shown = [c for c in found.columns if c in found.rows or any(found.count(r, c) for r in found.rows)]
    heads = [clip(safe(column), _WIDEST_COLUMN) for column in shown]
    sizes = [max(columns(head), 3) for head in heads]
    room = max(page.width - sum(sizes) - 2 * len(sizes) - 2, 12)
    names = _row_names(found, room)
    first = max(columns(name) for name in names)
    lines = ["  " + " " * first + "".join(f"  {_right(head, size)}" for head, size in zip(heads, sizes, strict=True))]
    for row, name in zip(found.rows, names, strict=True):
        cells = []
        for column, size in zip(shown, sizes, strict=True):
            count = found.count(row, column)
            text = _right(str(count) if count else "·", size)
            mark = page.style.chosen if row == column else page.style.error
            cells.append("  " + (mark(text) if count else page.style.dim(text)))
        lines.append(f"  {name}{' ' * (first - columns(name))}{''.join(cells)}")
    return lines


def _row_names(found: Table, room: int) -> list[str]:
    """The key of each row with its choice behind it, as far as there is room."""
    keys = [clip(safe(row), _WIDEST_COLUMN) for row in found.rows]
    size = max(map(columns, keys))
    padded = [key + " " * (size - columns(key)) for key in keys]
    labels = [safe(found.label(row)) for row in found.rows]
    if room < size + 8:
        return padded
    return [f"{key}  {clip(label, room - size - 2)}".rstrip() for key, label in zip(padded, labels, strict=True)]


def _right(text: str, size: int) -> str:
    return " " * (size - columns(text)) + text


def _wrong_lines(wrong: Sequence[Outcome], page: Page, every: bool) -> list[str]:
    """Where it stands, what was meant and taken, how sure, and what was said."""
    shown = wrong if every else wrong[:_MOST_WRONG]
    rows = []
    for o in shown:
        got = page.style.warning(safe(o.got)) if o.got == UNCLEAR else safe(o.got.removeprefix("→ "))
        sure = f"{o.confidence:.2f}" if o.confidence is not None else ""
        rows.append((_place(o), f"{safe(o.wanted)} → {got}", sure, f"“{safe(o.said)}”"))
    lines = table(rows, page.width)
    if len(shown) < len(wrong):
        lines.append(page.style.dim(f"  and {len(wrong) - len(shown)} more; --all shows them."))
    return lines


def _place(outcome: Outcome | NotAsked) -> str:
    place = outcome.location
    if place.row is not None:
        return f"row {place.row}"
    return f"line {place.line}" if place.line is not None else safe(outcome.node)


# ---------------------------------------------------------------------- what could not be asked; enough or not


def not_asked_lines(left: Sequence[NotAsked], page: Page) -> list[str]:
    """The sayings that were not asked, one line for each node and reason."""
    if not left:
        return []
    groups: dict[tuple[str, str], list[NotAsked]] = {}
    for each in left:
        groups.setdefault((each.node, each.reason), []).append(each)
    lines = [page.style.warning(f"Not asked: {len(left)}")]
    for (node, reason), mine in groups.items():
        places = ", ".join(_place(each) for each in mine[:3]) + (" …" if len(mine) > 3 else "")
        lines += [f"  {line}" for line in wrap(safe(f"{node} ({places}): {reason}"), page.width - 2)]
    return lines


def verdict_lines(evaluation: Evaluation, limit: float, page: Page) -> list[str]:
    """Whether each model is above the limit, and whether the sayings are enough to say so."""
    lines = []
    for verdicts in evaluation.verdicts:
        found = verdicts.accuracy
        name = f"{safe(verdicts.model)}: " if len(evaluation.verdicts) > 1 else ""
        good = found.value >= limit
        text = f"{name}{found} is {'not below' if good else 'below'} {limit:g}"
        if found.low <= limit <= found.high:
            more = needed(found.value, limit)
            text += "; not decided, since the interval holds the limit"
            text += f" ({more} sayings with this result would decide)" if more else ""
        mark = page.style.chosen if good else page.style.error
        first, *rest = wrap(f"{text}.", page.width)
        lines += [mark(first), *(mark(line) for line in rest)]
    if evaluation.not_asked:
        lines.append(page.style.error("Something could not be asked, so this is no pass."))
    return lines
