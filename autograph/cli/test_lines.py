"""How does a run of tests look on a terminal? A line for each file as it runs, failures, coverage, a summary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from autograph.cli.style import Page, Style, safe

if TYPE_CHECKING:
    from autograph.testing.coverage import Coverage
    from autograph.testing.result import CaseResult

__all__ = ["Progress", "coverage_text", "failures_text", "summary_line"]

_SIGNS = {"passed": (".", "✓"), "failed": ("F", "✗"), "skipped": ("s", "–")}
"""For each outcome the letter in a line of many, and the mark before a name."""


def _outcome(result: CaseResult) -> str:
    from autograph.testing.json_report import outcome

    return outcome(result)


def _colour(style: Style, word: str) -> Callable[[str], str]:
    return {"passed": style.chosen, "failed": style.error, "skipped": style.warning}[word]


class Progress:
    """Shows results as they come: a letter each after the name of their file, or with ``verbose`` a line each."""

    def __init__(self, page: Page, *, verbose: bool) -> None:
        self._page = page
        self._verbose = verbose
        self._column = 0

    def begin(self, file: str) -> None:
        """The tests of a file begin."""
        self.end()
        self._write(self._page.style.bold(safe(file)) + ("\n" if self._verbose else "  "))
        self._column = len(file) + 2

    def show(self, result: CaseResult) -> None:
        """A test is over."""
        word = _outcome(result)
        letter, mark = _SIGNS[word]
        colour = _colour(self._page.style, word)
        if self._verbose:
            why = self._page.style.dim(f" ({safe(result.skipped)})") if result.skipped else ""
            self._write(f"  {colour(mark)} {safe(result.case.name)}{why}\n")
            return
        if self._column >= self._page.width:
            self._write("\n  ")
            self._column = 2
        self._write(colour(letter))
        self._column += 1

    def end(self) -> None:
        """The tests of the last file are over."""
        if self._column and not self._verbose:
            self._write("\n")
        self._column = 0

    def _write(self, text: str) -> None:
        click.echo(text, nl=False, color=self._page.style.colour)


def failures_text(results: Sequence[CaseResult], page: Page) -> str:
    """Every failure, with what was expected and the path that led there."""
    from autograph.testing.failure import failure_text

    blocks = []
    for result, others in _told_once(results):
        head, _, rest = safe(failure_text(result, page.width)).partition("\n")
        blocks.append(f"{page.style.error(head)}\n{rest}".rstrip())
        if others:
            tests = "one more test" if others == 1 else f"{others} more tests"
            blocks.append(f"{tests} of {safe(str(result.suite.path))} could not be run for the same reason.")
    return "\n\n".join(blocks)


def _told_once(results: Sequence[CaseResult]) -> list[tuple[CaseResult, int]]:
    """The tests that failed; of those of one file whose program does not load, the first, and how many are like it."""
    told: dict[object, tuple[CaseResult, int]] = {}
    for number, result in enumerate(results):
        if not result.failures:
            continue
        first = result.failures[0]
        key = (result.suite.path, first.got) if first.what == "program" else number
        shown, others = told.get(key, (result, -1))
        told[key] = (shown, others + 1)
    return list(told.values())


def coverage_text(coverages: Sequence[Coverage], page: Page, *, verbose: bool) -> str:
    """The table of what is covered, and what is missing; ``verbose``: all of it."""
    from autograph.testing.coverage_report import MOST, report_lines

    style = page.style
    colours = {"heading": style.bold, "full": style.chosen}
    lines = report_lines(coverages, most=None if verbose else MOST)
    return "\n".join(colours[kind](safe(text)) if kind in colours else safe(text) for kind, text in lines)


def summary_line(results: Sequence[CaseResult], seconds: float, page: Page) -> str:
    """``12 passed, 1 failed, 2 skipped in 0.8 s``."""
    outcomes = [_outcome(result) for result in results]
    counts = [(word, outcomes.count(word)) for word in ("passed", "failed", "skipped")]
    parts = [_colour(page.style, word)(f"{number} {word}") for word, number in counts if number]
    return f"{', '.join(parts)} in {seconds:.1f} s"
