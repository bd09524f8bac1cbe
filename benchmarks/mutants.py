"""Which faults in the shipped programs do their own tests notice? All mutants, by program and by kind.

python benchmarks/mutants.py [--write] [--check] [--number N] [--jobs N]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from sections import put

from autograph.testing.discover import discover
from autograph.testing.mutate import Report, Tally, check_mutants
from autograph.testing.mutation_report import mutation_shortcomings, mutation_summary
from interpreter import commit

PROGRAMS = Path(__file__).parent.parent / "programs"
BAR = 90.0
"""Per cent of the mutants that must be killed."""


def main() -> int:
    """Try the mutants and print what came out; 1 with ``--check`` if too few are killed."""
    parser = argparse.ArgumentParser(description="Try the tests of the shipped programs on faulty copies of them.")
    parser.add_argument("--number", type=int, help="how many mutants; all without it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    parser.add_argument("--write", action="store_true", help="write the results to RESULTS.md as well")
    parser.add_argument("--check", action="store_true", help=f"exit code 1 if less than {BAR:.0f} % are killed")
    options = parser.parse_args()
    programs: dict[str, list[str]] = {}
    for suite in discover([PROGRAMS]):
        programs.setdefault(str(suite.program), []).append(str(suite.path))
    report = check_mutants(programs, number=options.number, jobs=options.jobs)
    text = markdown(report)
    print(text)
    if options.write:
        put("mutants", text)
    return 1 if options.check and mutation_shortcomings(report, BAR) else 0


def markdown(report: Report) -> str:
    """The section of RESULTS.md."""
    lines = [
        "## Mutants of the shipped programs",
        "",
        f"{date.today().isoformat()}, commit {commit()}; written by `python benchmarks/mutants.py --write`.",
        "",
        f"{mutation_summary(report)}.",
        "",
    ]
    lines += _table("program", [(Path(name).name, report.tally(program=name)) for name in report.programs])
    lines += ["", *_table("kind", [(kind, report.tally(kind=kind)) for kind in report.kinds])]
    return "\n".join(lines)


def _table(head: str, rows: Sequence[tuple[str, Tally]]) -> list[str]:
    lines = [f"| {head} | mutants | killed | survived | equivalent |", "| --- | ---: | ---: | ---: | ---: |"]
    return lines + [
        f"| {name} | {tally.mutants:,} | {tally.killed:,} | {tally.survived:,} | {tally.equivalent:,} |"
        for name, tally in rows
    ]


if __name__ == "__main__":
    sys.exit(main())
