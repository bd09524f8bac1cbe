"""How is ``autograph test`` run? Find the tests, run one after the other, show them, write what was asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from time import monotonic

import click

from autograph.cli.exits import BAD_PROGRAM, FOUND, GOOD
from autograph.cli.render import json_line
from autograph.cli.style import Page, page_of, safe
from autograph.cli.test import TestOptions
from autograph.cli.test_lines import Progress, coverage_text, failures_text, summary_line
from autograph.errors import AutographError, did_you_mean
from autograph.models.recordings import Recordings
from autograph.testing.bots import Bots
from autograph.testing.case import Case, Suite
from autograph.testing.collect import Collector
from autograph.testing.coverage import Coverage
from autograph.testing.coverage_file import DEFAULT_FILE, CoverageError, Entry, joined, read_entries, write_entries
from autograph.testing.coverage_report import read_least, report_data, too_little
from autograph.testing.discover import find_tests, load_suites
from autograph.testing.fault import SuiteError
from autograph.testing.json_report import results_data
from autograph.testing.junit import junit_xml
from autograph.testing.result import CaseResult
from autograph.testing.run import run_case

__all__ = ["run_test"]

Tests = list[tuple[Suite, Case]]

_MOST_FAULTS = 30
"""How many mistakes in files of tests are shown at once."""


def run_test(options: TestOptions) -> int:
    """Do what the options say; the exit code. Raises ``click.UsageError``."""
    least = _least(options)
    earlier = _earlier(options)
    try:
        tests = _selected(options)
        if options.mutate is not None:
            from autograph.cli.mutating import run_mutation

            return run_mutation(options, {suite.path: suite for suite, _ in tests}.values())
    except SuiteError as error:
        return _refused(error, options)
    page = page_of(sys.stdout, no_colour=options.no_colour)
    ran = _Ran(Recordings(options.record or "none"))
    begun = monotonic()
    try:
        _run(tests, options, page, ran)
    except KeyboardInterrupt:
        if not options.as_json:
            click.echo(f"\n{summary_line(ran.results, monotonic() - begun, page)}, then interrupted", err=True)
        raise
    everything = not options.paths and not options.words and len(ran.results) == len(tests)
    ran.recordings.close(prune=everything and all(result.passed for result in ran.results))
    entries, notes = joined(earlier, ran.collector.entries())
    coverages = ran.collector.coverages(earlier) if options.counts else ()
    short = too_little(coverages, least)
    _show(options, ran.results, coverages, short, monotonic() - begun, page)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    _keep(options, ran.results, entries)
    return FOUND if short or any(result.failures for result in ran.results) else GOOD


# ---------------------------------------------------------------------- which tests


def _selected(options: TestOptions) -> Tests:
    """The tests to run, in the order of their files. Raises ``SuiteError`` for files of tests that are wrong."""
    paths = options.paths or (Path("."),)
    for path in paths:
        if not path.exists():
            raise click.UsageError(_no_path(path))
    try:
        files = find_tests(paths)
    except SuiteError as error:
        raise click.UsageError(str(error)) from error
    if not files:
        raise click.UsageError(
            f"there are no conversation tests {_where(options)}. Write NAME.chat.yaml beside the program NAME.csv "
            "(or .yaml, .xlsx): a list of tests, each with a name (test) and turns (say, expect)."
        )
    suites = load_suites(files)
    tests = [(suite, case) for suite in suites for case in suite.cases if _wanted(suite, case, options.words)]
    if not tests:
        count = sum(len(suite.cases) for suite in suites)
        words = " or ".join(f'"{word}"' for word in options.words)
        none, has = ("the test", "has not") if count == 1 else (f"none of the {count} tests", "has")
        found = f"{none} {_where(options)} {has} {words} in its name or file"
        raise click.UsageError(f"{found}. autograph test -v lists the names.")
    return tests


def _where(options: TestOptions) -> str:
    return "in " + ", ".join(map(str, options.paths)) if options.paths else "here"


def _no_path(path: Path) -> str:
    near = did_you_mean(path.name, [p.name for p in path.parent.iterdir()]) if path.parent.is_dir() else ""
    return f"there is no file or folder {path}. {near}".rstrip()


def _wanted(suite: Suite, case: Case, words: Sequence[str]) -> bool:
    name = f"{suite.path} {case.name}".casefold()
    return not words or any(word.casefold() in name for word in words)


def _refused(error: SuiteError, options: TestOptions) -> int:
    """Files of tests that are wrong: nothing is run, since what they meant to test would go unseen."""
    if options.as_json:
        problems = [
            {"message": f.message, "hint": f.hint, "file": f.file, f.unit: f.line or None} for f in error.faults
        ]
        click.echo(json_line({"problems": problems}))
        return BAD_PROGRAM
    page = page_of(sys.stderr, no_colour=options.no_colour)
    for fault in error.faults[:_MOST_FAULTS]:
        click.echo(f"{page.style.error('error:')} {safe(str(fault))}", err=True, color=page.style.colour)
    if len(error.faults) > _MOST_FAULTS:
        more = f"… and {len(error.faults) - _MOST_FAULTS:,} more; --json gives all."
        click.echo(page.style.dim(more), err=True, color=page.style.colour)
    return BAD_PROGRAM


# ---------------------------------------------------------------------- running


@dataclass(slots=True)
class _Ran:
    """What was run so far, and the recordings that were played back or made."""

    recordings: Recordings
    results: list[CaseResult] = field(default_factory=list)
    collector: Collector = field(default_factory=Collector)


def _run(tests: Tests, options: TestOptions, page: Page, ran: _Ran) -> None:
    progress = None if options.as_json else Progress(page, verbose=options.verbose)
    bots = Bots()
    for path, group in groupby(tests, key=lambda test: test[0].path):
        if progress is not None:
            progress.begin(str(path))
        for suite, case in group:
            result = run_case(suite, case, bots=bots, live=options.live, recordings=ran.recordings)
            ran.results.append(result)
            if options.counts:
                _count(ran.collector, bots, result, options)
            if progress is not None:
                progress.show(result)
            if result.failures and options.first:
                break
        else:
            continue
        break
    if progress is not None:
        progress.end()


def _count(collector: Collector, bots: Bots, result: CaseResult, options: TestOptions) -> None:
    """Count what a test went through; a skipped one at least says which program is under test."""
    try:
        bot = bots.get(result.suite.program, result.case.config, live=result.case.live and options.live)
    except AutographError:  # the program cannot be loaded, which the result says
        return
    collector.add(bot.program, result.turns)


# ---------------------------------------------------------------------- coverage


def _least(options: TestOptions) -> dict[str, float]:
    try:
        return read_least(options.least)
    except CoverageError as error:
        raise click.UsageError(f"--fail-under: {error}") from error


def _earlier(options: TestOptions) -> tuple[Entry, ...]:
    """The counts of earlier runs, read before anything is run so that a bad file costs no time."""
    if not options.append:
        return ()
    try:
        return read_entries(_file(options))
    except CoverageError as error:
        raise click.UsageError(str(error)) from error


def _file(options: TestOptions) -> Path:
    return options.coverage_file or Path(DEFAULT_FILE)


# ---------------------------------------------------------------------- showing


def _show(
    options: TestOptions,
    results: Sequence[CaseResult],
    coverages: Sequence[Coverage],
    short: Sequence[str],
    seconds: float,
    page: Page,
) -> None:
    if options.as_json:
        data = results_data(results)
        if options.counts:
            data |= {"coverage": report_data(coverages), "too_little": list(short)}
        click.echo(json_line(data))
        return
    style = page.style
    blocks = [failures_text(results, page)]
    if coverages:
        blocks.append(coverage_text(coverages, page, verbose=options.verbose))
    blocks.append("\n".join(f"{style.error('too little:')} {safe(text)}" for text in short))
    blocks.append(summary_line(results, seconds, page))
    click.echo("\n" + "\n\n".join(block for block in blocks if block), color=style.colour)


# ---------------------------------------------------------------------- files


def _keep(options: TestOptions, results: Sequence[CaseResult], entries: Sequence[Entry]) -> None:
    """Write what was asked for, when all is shown: a file that cannot be written takes no results away."""
    if options.counts:
        try:
            write_entries(_file(options), entries)
        except CoverageError as error:
            raise click.UsageError(str(error)) from error
        if not options.as_json:
            file = _file(options)
            click.echo(f"Counts in {file}; autograph graph PROGRAM --coverage {file} draws them.", err=True)
    if options.junit is not None:
        try:
            options.junit.write_text(junit_xml(results), "utf-8", newline="\n")
        except OSError as error:
            message = f"--junit: {options.junit} cannot be written: {error.strerror or error}."
            raise click.UsageError(message) from error
