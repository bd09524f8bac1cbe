"""How does ``autograph test --from-conversation`` go? A saved conversation becomes a test, on stdout or in a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograph.cli.exits import GOOD
from autograph.cli.report import report
from autograph.cli.style import page_of
from autograph.errors import AutographError

if TYPE_CHECKING:
    from autograph.cli.test import TestOptions
    from autograph.testing.cut import Cut

__all__ = ["run_cut"]


def run_cut(options: TestOptions) -> int:
    """Cut the test out of the conversation, and write it; the exit code. Raises ``click.UsageError``."""
    from autograph.testing.cut import cut_file

    conversation, out = options.from_conversation, options.output
    assert conversation is not None  # else this is not called
    if not conversation.is_file():
        raise click.UsageError(f"--from-conversation: there is no file {conversation}.")
    if options.paths:
        raise click.UsageError("--from-conversation makes a test, and runs no others: leave the paths out.")
    if out is not None:
        _check_output(out, options)
    try:
        cut = cut_file(conversation, options.program)
        if out is None:
            click.echo(cut.text(), nl=False)
            return GOOD
        name = _write(cut, out, options)
    except AutographError as error:
        return report(error, as_json=options.as_json, no_colour=options.no_colour)
    page = page_of(sys.stderr, no_colour=options.no_colour)
    for note in cut.notes[1:]:
        click.echo(f"{page.style.warning('note:')} {note}", err=True, color=page.style.colour)
    click.echo(f"Wrote the test {name!r} to {out}. Run it: autograph test {out}", err=True)
    return GOOD


def _check_output(out: Path, options: TestOptions) -> None:
    if not out.name.lower().endswith((".chat.yaml", ".chat.yml")):
        raise click.UsageError(f"-o: {out} must end in .chat.yaml, as files of tests do.")
    if out.exists() and not (options.force or options.append):
        raise click.UsageError(f"{out} exists. Add --append to put the test behind its others, or --force.")


def _write(cut: Cut, out: Path, options: TestOptions) -> str:
    """Write the test; its name in the file. Raises ``AutographError``, ``click.UsageError``."""
    from autograph.testing.cut_file import add_to_file

    if options.append or not out.exists():
        return add_to_file(cut, out).name
    try:
        out.write_text(cut.text(out), "utf-8", newline="\n")
    except OSError as error:
        raise click.UsageError(f"-o: {out} cannot be written: {error.strerror or error}.") from error
    return cut.case.name
