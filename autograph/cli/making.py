"""How are sayings made up on the command line? Asked of a model, and kept beside the program for people to edit."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from autograph.cli.confusion import not_asked_lines
from autograph.cli.eval_transitions import TransitionOptions
from autograph.cli.exits import GOOD
from autograph.cli.options import read_model
from autograph.cli.render import json_line
from autograph.cli.style import page_of
from autograph.evaluation.understanding.examined import Programs
from autograph.evaluation.understanding.generate_sayings import Generated, generate_sayings
from autograph.evaluation.understanding.sayings import Saying
from autograph.evaluation.understanding.write_sayings import append_sayings, write_sayings

__all__ = ["generated", "notify", "own_file", "write"]


def own_file(options: TransitionOptions) -> Path:
    """``NAME.sayings.csv`` beside the program; in this folder for a link."""
    if "://" in options.file:
        return Path("program.sayings.csv")
    path = Path(options.file.partition("#")[0])
    return path.with_name(f"{path.stem}.sayings.csv")


def notify(line: str) -> None:
    """A line beside the results."""
    click.echo(line, err=True)


def generated(programs: Programs, present: Sequence[Saying], options: TransitionOptions) -> Generated:
    """The sayings that are missing, with notes on stderr of what the sheet does not say."""
    assert options.generate is not None
    user = read_model(options.user_model or "auto", "user", notify)
    made = generate_sayings(
        programs.staged, user, options.generate, present=present, seed=options.seed or 0, at_once=options.at_once
    )
    for node, key in made.from_label:
        line = f"note: {node}, {key}: the sheet has no instruction for the user, so its choice was one."
        click.echo(line, err=True)
    page = page_of(sys.stderr, no_colour=options.no_colour)
    for line in not_asked_lines(made.left_out, page):
        click.echo(line, err=True, color=page.style.colour)
    return made


def write(target: Path, made: Generated, options: TransitionOptions) -> int:
    """Keep what was made up; the exit code. Raises ``DataError``, ``click.UsageError``."""
    try:
        if options.force:
            write_sayings(target, made.sayings)
        else:
            append_sayings(target, made.sayings)
    except OSError as error:
        raise click.UsageError(f"{target} cannot be written: {error.strerror or error}.") from error
    count = len(made.sayings)
    if options.as_json:
        click.echo(json_line({"file": str(target), "sayings": count}))
    else:
        click.echo(
            f"Wrote {count} saying{'' if count == 1 else 's'} to {target}. Read them, and change what nobody says."
        )
    return GOOD
