"""How is a mutation check shown? Tables by program and kind, the survivors with their cells, and the same as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograph.testing.coverage_report import Line
from autograph.testing.mutants import KINDS
from autograph.testing.mutate import MOST_EQUIVALENT, Outcome, Report, Tally

__all__ = ["mutation_data", "mutation_lines", "mutation_shortcomings", "mutation_summary"]

_HEADS = ("mutants", "killed", "survived", "equivalent", "rate of killed")


def mutation_lines(report: Report, *, most: int | None = 20) -> list[Line]:
    """The tables, then at most ``most`` survivors (None: all), then what is wrong with the entries of equivalents."""
    programs = [(program, report.tally(program)) for program in report.programs]
    rows = [*programs, ("all", report.tally())] if len(programs) > 1 else programs
    widest = max(map(len, report.kinds), default=0)
    kinds = [(f"{kind.ljust(widest)}  {KINDS[kind]}", report.tally(kind=kind)) for kind in report.kinds]
    lines = [*_table("Program", rows), Line("missing", ""), *_table("Kind", kinds)]
    if report.survivors:
        lines += [Line("missing", ""), Line("heading", "Survived: no test fails with these")]
        lines += list(_survivors(report.survivors, most))
    if report.remarks:
        lines += [Line("missing", ""), Line("heading", "Wrong entries of equivalent mutants")]
        lines += [Line("short", f"  {remark}") for remark in report.remarks]
    return lines


def _table(head: str, rows: Sequence[tuple[str, Tally]]) -> Iterator[Line]:
    cells = [(name, _cells(tally)) for name, tally in rows]
    first = max(len(head), *(len(name) for name, _ in cells)) if cells else len(head)
    widths = [max(len(title), *(len(row[i]) for _, row in cells)) if cells else 0 for i, title in enumerate(_HEADS)]

    def line(name: str, row: Sequence[str]) -> str:
        return "  ".join([name.ljust(first), *(cell.rjust(width) for cell, width in zip(row, widths, strict=True))])

    yield Line("heading", line(head, _HEADS))
    for (name, tally), (_, row) in zip(rows, cells, strict=True):
        yield Line("short" if tally.survived else "full", line(name, row))


def _cells(tally: Tally) -> tuple[str, ...]:
    return (*(f"{n:,}" for n in (tally.mutants, tally.killed, tally.survived, tally.equivalent)), tally.rate.text())


def _survivors(survivors: Sequence[Outcome], most: int | None) -> Iterator[Line]:
    order = sorted(survivors, key=lambda one: (one.program, one.mutant.order))
    for outcome in order[:most]:
        mutant = outcome.mutant
        yield Line("missing", f"  {mutant.id}  {mutant.location}, node {mutant.node}: {KINDS[mutant.kind]}")
        yield Line("before", f"    - {mutant.before}")
        yield Line("after", f"    + {mutant.after}")
    if most is not None and len(order) > most:
        yield Line("missing", f"  … and {len(order) - most} more; -v shows all")


def mutation_summary(report: Report) -> str:
    """``200 of 4,687 mutants, drawn with seed 0: 196 killed, 2 survived, 2 equivalent``."""
    tally = report.tally()
    whole = tally.mutants == report.possible
    which = f"{tally.mutants:,} mutants" if whole else (
        f"{tally.mutants:,} of {report.possible:,} mutants, drawn with seed {report.seed}"
    )  # fmt: skip
    return f"{which}: {tally.killed:,} killed, {tally.survived:,} survived, {tally.equivalent:,} equivalent"


def mutation_shortcomings(report: Report, kill_under: float) -> list[str]:
    """A sentence for each thing that the check does not forgive."""
    tally = report.tally()
    rest = tally.mutants - tally.equivalent
    found = []
    if 100 * tally.killed < kill_under * rest:
        share = 100 * tally.killed / rest
        found.append(
            f"{tally.killed:,} of {rest:,} mutants are killed, {share:.1f} %, and {kill_under:g} % are asked for."
        )
    if report.too_many_equivalent:
        most = f"{MOST_EQUIVALENT:.0%}".replace("%", " %")
        found.append(f"{tally.equivalent:,} of {tally.mutants:,} mutants are called equivalent; {most} may be.")
    if report.remarks:
        found.append(f"{len(report.remarks):,} entries of equivalent mutants are wrong.")
    return found


def mutation_data(report: Report, shortcomings: Sequence[str]) -> dict[str, Any]:
    """The report as JSON data."""
    return {
        "seed": report.seed,
        "possible": report.possible,
        **report.tally().to_dict(),
        "programs": {program: report.tally(program).to_dict() for program in report.programs},
        "kinds": {kind: report.tally(kind=kind).to_dict() for kind in report.kinds},
        "outcomes": [outcome.to_dict() for outcome in report.outcomes],
        "wrong_equivalents": [str(remark) for remark in report.remarks],
        "too_little": list(shortcomings),
    }
