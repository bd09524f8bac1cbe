"""How does a command end that met an error? The error on the right stream, and the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from autograph.cli.exits import BAD_PROGRAM, exit_code
from autograph.cli.problems import problem_data
from autograph.cli.render import error_data, error_text, json_line
from autograph.cli.style import page_of, safe
from autograph.errors import AutographError, ProgramError

if TYPE_CHECKING:
    from autograph.evaluation.fault import DataError

__all__ = ["report", "report_faults"]


def report(error: AutographError, *, as_json: bool = False, no_colour: bool = False) -> int:
    """Show an error that ends a command: readable on stderr, or as JSON on stdout; the exit code."""
    if as_json and isinstance(error, ProgramError):
        click.echo(json_line({"problems": [problem_data(found) for found in error.problems]}))
    elif as_json:
        click.echo(json_line({"error": error_data(error)}))
    else:
        page = page_of(sys.stderr, no_colour=no_colour)
        click.echo(error_text(error, page), err=True, color=page.style.colour)
    return exit_code(error)


def report_faults(error: DataError, *, as_json: bool = False, no_colour: bool = False) -> int:
    """Show all that is wrong with the data of an evaluation, a line each, or as JSON on stdout; the exit code."""
    if as_json:
        click.echo(json_line({"faults": [fault.to_dict() for fault in error.faults]}))
        return BAD_PROGRAM
    page = page_of(sys.stderr, no_colour=no_colour)
    for fault in error.faults:
        click.echo(f"{page.style.error('error:')} {safe(str(fault))}", err=True, color=page.style.colour)
    return BAD_PROGRAM
