"""How does ``autograph simulate`` go? The runs are held and saved, then summed up and judged."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograph.cli.exits import FOUND, GOOD, INTERRUPTED, UNREACHABLE
from autograph.cli.progress import ProgressLine
from autograph.cli.render import json_line
from autograph.cli.resuming import resume_command
from autograph.cli.simulate import SimulateOptions
from autograph.cli.staging import Plan, default_folder, plans_of
from autograph.cli.style import page_of
from autograph.cli.wrap import wrap
from autograph.errors import AutographError
from autograph.simulation.fail_if import Condition, ConditionError, comparisons, fail_if, parse_condition
from autograph.simulation.folder import MANIFEST, FolderError, RunFolder, SavedRun, read_run
from autograph.simulation.runner import Progress, hold_all

if TYPE_CHECKING:
    from autograph.simulation.compare import Comparison
    from autograph.simulation.figures import Summary

__all__ = ["simulate_all"]

OTHER = "other"
"""The folder, within a run's, of the run that it is compared with."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A run as far as it went; ``stopped`` says why it did not go to its end."""

    plan: Plan
    saved: SavedRun
    stopped: str
    error: AutographError | None

    @property
    def lacking(self) -> int:
        """How many conversations have not been held."""
        return len(self.plan.cases) - len(self.saved.conversations)


def simulate_all(options: SimulateOptions) -> int:
    """Hold the conversations that the options ask for; the exit code."""
    condition = _condition(options)
    if options.html and not Path(options.html).absolute().parent.is_dir():
        raise click.UsageError(f"--html: there is no folder {Path(options.html).parent} to write into.")
    plan, other = plans_of(options, _once(options))
    gc.freeze()  # the programs stay: the collector need not look at them again and again while they run
    folder = Path(options.resume or options.out or default_folder(plan.manifest))
    _say(options, f"Conversations are saved in {folder}.")
    try:
        runs = [_run(plan, folder, options, "")]
        if other is not None and not runs[0].stopped:
            runs.append(_run(other, folder / OTHER, options, f"{other.manifest.source}: "))
    except KeyboardInterrupt:
        return _interrupted(options, folder)
    except FolderError as error:
        raise click.UsageError(str(error)) from None
    return _result(options, folder, runs, condition)


def _condition(options: SimulateOptions) -> Condition | None:
    """What must not hold, if anything. Raises ``click.UsageError``, also for figures that the run will not have."""
    if options.fail_if is None:
        return None
    try:
        condition = parse_condition(options.fail_if)
    except ConditionError as error:
        raise click.UsageError(f"--fail-if: {error}") from None
    figures = {each.figure.partition(".")[0] for each in comparisons(condition)}
    if "cost" in figures and options.price is None:
        raise click.UsageError("--fail-if: there are no costs without prices. Add --price prompt=X,completion=Y.")
    if "flake" in figures and options.repeat == 1:
        raise click.UsageError("--fail-if: nothing is flaky that is held once. Add --repeat 3.")
    return condition


def _run(plan: Plan, path: Path, options: SimulateOptions, label: str) -> _Held:
    """Hold what is lacking in a folder. Raises ``FolderError``, ``KeyboardInterrupt``."""
    resume = options.resume is not None and (not label or (path / MANIFEST).exists())
    with RunFolder(path, plan.manifest, resume=resume) as folder:
        done = {conversation.index for conversation in folder.done}
        todo = [case for case in plan.cases if case.index not in done]
        if done and todo:
            _say(options, f"{label}{len(done):,} conversations are done, {len(todo):,} are to be held.")
        line = ProgressLine(sys.stderr, len(plan.cases), len(done), shown=not options.quiet)

        def notice(progress: Progress) -> None:
            line.update(progress.kept, progress.succeeded)

        try:
            progress = asyncio.run(
                hold_all(todo, plan.terms, folder.keep, concurrency=options.concurrency, notice=notice)
            )
        finally:
            line.close()
    return _Held(plan, read_run(path), progress.stopped or str(progress.error or ""), progress.error)


# ---------------------------------------------------------------------- what came of it


def _interrupted(options: SimulateOptions, folder: Path) -> int:
    try:
        kept = f"{len(read_run(folder).conversations):,} of {options.n * options.repeat:,} conversations are saved. "
    except FolderError:
        kept = ""  # it was interrupted before anything was written
    _say(options, f"Interrupted. {kept}Go on with:\n  {resume_command(options, folder)}", always=True)
    return INTERRUPTED


def _result(options: SimulateOptions, folder: Path, runs: Sequence[_Held], condition: Condition | None) -> int:
    from autograph.simulation.compare import compare
    from autograph.simulation.summary import summarise

    first = runs[0]
    code = _stopped(options, folder, runs)
    if not first.saved.conversations:
        return code
    bot = first.plan.terms.bot
    summary = summarise(first.saved.conversations, first.saved.manifest, nodes=bot.nodes)
    comparison = None
    if len(runs) > 1 and runs[1].saved.conversations:  # the older version is A, so that B - A is what was gained
        old, new = runs[1].saved, first.saved
        names = _names(old.manifest.source, new.manifest.source)
        comparison = compare(old.conversations, new.conversations, old.manifest, new.manifest, names=names)
    verdict = fail_if(condition, summary) if condition is not None else None
    if options.html:
        _write_page(options.html, runs, summary, comparison)
    if options.as_json:
        data = {"folder": str(folder), "complete": not any(run.lacking for run in runs)}
        data |= {"manifest": first.saved.manifest.to_dict(), "summary": summary.to_dict()}
        data |= {"comparison": comparison.to_dict() if comparison else None}
        click.echo(json_line(data | {"fail_if": verdict.to_dict() if verdict else None}))
    else:
        _print(options, summary, comparison)
    if verdict is not None:
        _say(options, verdict.text, always=verdict.fails or verdict.lacks_figures)
    return code or (FOUND if verdict is not None and verdict.fails else GOOD)


def _names(old: str, new: str) -> tuple[str, str]:
    """What the versions are called: their files, in short where that tells them apart."""
    short = (Path(old).name, Path(new).name)
    return short if short[0] != short[1] else (old, new) if old != new else ("A", "B")


def _print(options: SimulateOptions, summary: Summary, comparison: Comparison | None) -> None:
    from autograph.simulation.compare_text import render_comparison
    from autograph.simulation.summary_text import render_text

    page = page_of(sys.stdout, no_colour=options.no_colour)
    texts = [render_text(summary, width=page.width, style=page.style)]
    if comparison is not None:
        texts.append(render_comparison(comparison, width=page.width, style=page.style))
    click.echo("\n\n".join(text.rstrip("\n") for text in texts), color=page.style.colour)


def _write_page(path: str, runs: Sequence[_Held], summary: Summary, comparison: Comparison | None) -> None:
    from autograph.simulation.page import write_page

    saved = runs[0].saved
    others = runs[1].saved.conversations if len(runs) > 1 else ()
    text = write_page(
        summary,
        saved.conversations,
        saved.manifest,
        runs[0].plan.terms.bot,
        comparison,
        others=others,
    )
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.UsageError(f"--html: {path} cannot be written ({error.strerror or error}).") from None


def _stopped(options: SimulateOptions, folder: Path, runs: Sequence[_Held]) -> int:
    """Say why a run did not go to its end; the exit code that this means."""
    for run in runs:
        if run.stopped:
            held = f"{len(run.saved.conversations):,} of {len(run.plan.cases):,} conversations are saved."
            why = run.stopped if run.error is None else f"the model cannot be asked: {run.stopped}"
            text = f"Stopped: {why.rstrip('.')}. {held} Go on with:\n  {resume_command(options, folder)}"
            _say(options, text, always=True)
            return UNREACHABLE if run.error is not None else GOOD
    by_models = [talk.error is not None and talk.error.kind == "ModelError" for talk in runs[0].saved.conversations]
    return UNREACHABLE if by_models and all(by_models) else GOOD


def _once(options: SimulateOptions) -> Callable[[str], None]:
    """Tells a line the first time it comes: each program asks anew which model there is."""
    said: set[str] = set()

    def notify(line: str) -> None:
        if line not in said:
            said.add(line)
            _say(options, line)

    return notify


def _say(options: SimulateOptions, text: str, *, always: bool = False) -> None:
    """Lines on stderr, unless ``--quiet``."""
    if options.quiet and not always:
        return
    page = page_of(sys.stderr, no_colour=options.no_colour)
    lines = [part for line in text.split("\n") for part in (wrap(line, page.width) if sys.stderr.isatty() else [line])]
    click.echo(page.style.dim("\n".join(lines)), err=True, color=page.style.colour)
