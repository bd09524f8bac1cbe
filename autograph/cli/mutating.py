"""How is ``autograph test --mutate`` run? Mutants are drawn and tested in several processes; progress is on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from autograph.cli.exits import FOUND, GOOD
from autograph.cli.render import json_line
from autograph.cli.style import Page, page_of, safe
from autograph.testing.mutate import Report, check_mutants
from autograph.testing.mutation_report import (
    mutation_data,
    mutation_lines,
    mutation_shortcomings,
    mutation_summary,
)
from autograph.testing.trial import MutationError

if TYPE_CHECKING:
    from autograph.cli.test import TestOptions
    from autograph.testing.case import Suite

__all__ = ["run_mutation", "wanted_mutants"]


def wanted_mutants(text: str) -> int | None:
    """How many mutants ``--mutate`` asks for; None: all. Raises ``click.UsageError``."""
    if text == "all":
        return None
    if not text.isdecimal() or not int(text):
        raise click.UsageError(
            f'--mutate takes a number of mutants, or all, not "{text}". Write --mutate 200, or put it last.'
        )
    return int(text)


def run_mutation(options: TestOptions, suites: Iterable[Suite]) -> int:
    """Check with how many faults in the programs their tests fail; the exit code. Raises ``SuiteError``."""
    if options.words or options.first or options.live or options.counts or options.junit is not None:
        raise click.UsageError(
            "--mutate runs all tests of the programs; use it without -k, -x, --live, --coverage, --junit."
        )
    number = wanted_mutants(options.mutate or "")
    programs: dict[str, list[str]] = {}
    for suite in suites:
        programs.setdefault(str(suite.program), []).append(str(suite.path))
    begun = monotonic()
    counter = _Counter(sys.stderr)
    try:
        report = check_mutants(
            programs,
            number=number,
            seed=options.mutate_seed,
            jobs=options.jobs or os.cpu_count() or 1,
            progress=counter.show,
        )
    except MutationError as error:
        click.echo(f"error: {safe(str(error))}", err=True)
        return FOUND
    finally:
        counter.end()
    short = mutation_shortcomings(report, options.kill_under)
    if options.as_json:
        click.echo(json_line(mutation_data(report, short)))
    else:
        page = page_of(sys.stdout, no_colour=options.no_colour)
        click.echo(_text(report, short, monotonic() - begun, page, options.verbose), color=page.style.colour)
    return FOUND if short else GOOD


def _text(report: Report, short: list[str], seconds: float, page: Page, verbose: bool) -> str:
    style = page.style
    colours: dict[str, Callable[[str], str]] = {
        "heading": style.bold, "full": style.chosen, "before": style.error, "after": style.chosen,
    }  # fmt: skip
    lines = mutation_lines(report, most=None if verbose else 20)
    blocks = ["\n".join(colours[kind](safe(text)) if kind in colours else safe(text) for kind, text in lines)]
    blocks.append("\n".join(f"{style.error('too little:')} {safe(text)}" for text in short))
    blocks.append(f"{mutation_summary(report)}, in {seconds:.1f} s")
    return "\n\n".join(block for block in blocks if block)


class _Counter:
    """How many mutants are done, on a line that a terminal writes over; nothing where there is no terminal."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._shown = False

    def show(self, done: int, total: int) -> None:
        """So many of so many are done."""
        if self._stream.isatty():
            self._shown = True
            self._stream.write(f"\r{done:,} of {total:,} mutants tried")
            self._stream.flush()

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
