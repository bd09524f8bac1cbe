"""How do results of scenarios look on a terminal? A table of types and steps, the context, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from autograph.cli.comparing import comparison_lines
from autograph.cli.style import Page, safe
from autograph.cli.wrap import clip, table, wrap
from autograph.evaluation.comparison import Comparison
from autograph.evaluation.intervals import needed, wilson
from autograph.evaluation.scenarios.result import Held, counts_by, total_of

__all__ = ["limit_lines", "scenarios_text", "too_low"]

_MOST_WRONG = 8

_ENDS: Mapping[str, str] = {
    "program": "the program ended", "user": "the user had nothing more to say", "limit": "no step was left",
    "error": "the program failed",
}  # fmt: skip


def scenarios_text(
    programs: Mapping[str, Sequence[Held]],
    comparisons: Sequence[Comparison],
    title: str,
    page: Page,
    *,
    every: bool = False,
) -> str:
    """The whole result: accuracy of each type and number of steps, context, comparisons, what went wrong."""
    blocks = ["\n".join([page.style.bold(clip(safe(title), page.width)), "", *_summary(programs, page)])]
    blocks += ["\n".join(comparison_lines(found, "successful", page)) for found in comparisons]
    for name, held in programs.items():
        head = f"{safe(name)}: " if len(programs) > 1 else ""
        blocks += _failures(head, held, page, every)
    return "\n\n".join(blocks)


def _summary(programs: Mapping[str, Sequence[Held]], page: Page) -> list[str]:
    """One row a type, then all of them, then one row a number of steps, then the context; one column a program."""
    of_types = {name: counts_by(held, lambda each: each.kind) for name, held in programs.items()}
    of_steps = {name: counts_by(held, lambda each: each.limit) for name, held in programs.items()}
    rows = [("", "n", *map(safe, programs))]
    kinds = list(dict.fromkeys(kind for counts in of_types.values() for kind in counts))
    rows += [_row(safe(kind), [counts.get(kind) for counts in of_types.values()]) for kind in kinds]
    totals = [total_of(held) for held in programs.values()]
    n = max(sum(each.success is not None for each in held) for held in programs.values())
    place = len(rows)
    rows.append(("all", str(n), *map(str, totals)))
    steps = sorted({limit for counts in of_steps.values() for limit in counts})
    rows += [
        _row(f"{limit} step{'s' if limit > 1 else ''}", [counts.get(limit) for counts in of_steps.values()])
        for limit in steps
    ]
    if any(each.tokens for held in programs.values() for each in held):
        rows.append(("context, in words", "", *(_growth([each.words for each in held]) for held in programs.values())))
        rows.append(
            ("context, in tokens", "", *(_growth([each.tokens for each in held]) for held in programs.values()))
        )
    size = max(len(row[1]) for row in rows)
    lines = table([(row[0], row[1].rjust(size), *row[2:]) for row in rows], page.width, wrapping=len(programs))
    bold = next((i for i, line in enumerate(lines) if i >= place and line.lstrip().startswith("all ")), None)
    return [page.style.bold(line) if i == bold else line for i, line in enumerate(lines)]


def _row(name: str, counts: Sequence[tuple[int, int] | None]) -> tuple[str, ...]:
    n = max(found[1] for found in counts if found is not None)
    return (name, str(n), *(str(wilson(*found)) if found else "–" for found in counts))


def _growth(sizes: Sequence[int]) -> str:
    """``120 → 870, at most 900``: the means of the first and of the last fifth of the conversations."""
    if not sizes:
        return "–"
    part = -(-len(sizes) // 5)
    return f"{_mean(sizes[:part]):,.0f} → {_mean(sizes[-part:]):,.0f}, at most {max(sizes):,}"


def _mean(sizes: Sequence[int]) -> float:
    return sum(sizes) / len(sizes)


def _failures(head: str, held: Sequence[Held], page: Page, every: bool) -> list[str]:
    """A block of the conversations that went wrong, and one of those that do not count."""
    blocks = []
    for name, found in (
        ("without success", [each for each in held if each.success is False]),
        ("not counted", [each for each in held if each.success is None]),
    ):
        if not found:
            continue
        kinds = Counter(map(_failure, found))
        shown = list(kinds.items())[: None if every else _MOST_WRONG]
        lines = table([_times(row, count, max(kinds.values())) for row, count in shown], page.width)
        if len(kinds) > len(shown):
            lines.append(page.style.dim(f"  and {len(kinds) - len(shown)} other ways (--all shows them)"))
        blocks.append("\n".join([page.style.bold(f"{head}{len(found)} {name}"), *lines]))
    return blocks


def _times(row: tuple[str, ...], count: int, most: int) -> tuple[str, ...]:
    """A row with the number of conversations that went so, if some way was gone more than once."""
    return row if most == 1 else (f"{count} ×".rjust(len(str(most)) + 2), *row)


def _failure(held: Held) -> tuple[str, ...]:
    if held.success is None:
        return safe(held.scenario), safe(held.note)
    why = held.note or f"{_ENDS.get(held.ended, held.ended)} after {held.steps} of {held.limit} steps"
    last = held.exchanges[-1][1] if held.exchanges and not held.note else ""
    said = f"; last: “{clip(safe(last), 60)}”" if last else ""
    return safe(held.scenario), safe(why) + said


def too_low(held: Sequence[Held], limit: float, sure: bool) -> bool:
    """Whether the accuracy is below the limit; of no conversations at all it is never enough."""
    accuracy = total_of(held)
    return accuracy.below(limit) if sure else not accuracy.value >= limit


def limit_lines(programs: Mapping[str, Sequence[Held]], limit: float, page: Page) -> list[str]:
    """How each program stands to ``--fail-under``."""
    lines = []
    for name, held in programs.items():
        accuracy = total_of(held)
        below = too_low(held, limit, sure=False)
        text = f"{safe(name)}: {accuracy} is {'below' if below else 'at or above'} {limit:g}"
        if accuracy.low <= limit <= accuracy.high:
            more = needed(accuracy.value, limit) if accuracy.value == accuracy.value else None
            text += ", but that is not decided" + (f": it would take about {more:,} conversations" if more else "")
        lines += wrap((page.style.error if below else page.style.chosen)(text + "."), page.width)
    return lines
