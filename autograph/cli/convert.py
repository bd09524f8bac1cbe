"""``autograph convert``: a program from one file format into another, with nothing lost."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograph.cli.exits import GOOD

if TYPE_CHECKING:
    from autograph.tables import Rows

__all__ = ["convert"]

_EPILOG = """\b
Examples:
  autograph convert quiz.csv quiz.xlsx
  autograph convert clinic.xlsx#intake intake.yaml
  autograph convert 'https://docs.google.com/spreadsheets/d/1AbC/edit#gid=0' quiz.csv
  autograph convert quiz.xlsx - --to yaml
"""
_FORMS = ("csv", "xlsx", "yaml", "json")


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--to", "form", type=click.Choice(_FORMS), help="The format, where OUT is - (the standard output).")
@click.option("--force", is_flag=True, help="Replace files that are there, settings beside a .csv included.")
@click.option("--json", "as_json", is_flag=True, help="Say what was written, or what is wrong, as JSON.")
def convert(source: str, target: str, form: str | None, force: bool, as_json: bool) -> int:
    """Write the program in IN to OUT, which ends in .csv, .xlsx, .yaml or .json.

    The program stays the same: rows, columns and their order, notes, comments and settings. What OUT cannot hold is
    refused, and so is a file that is there already. The settings of a .csv go to a file NAME.config.yaml beside it;
    other sheets of a workbook stay when OUT is a workbook, too. A program with mistakes can be converted as it is.
    """
    from autograph.cli.report import report
    from autograph.errors import AutographError

    try:
        if target == "-":
            _to_stdout(source, form)
        else:
            _to_file(source, _checked(Path(target), form, force), as_json)
    except AutographError as error:
        return report(error, as_json=as_json)
    return GOOD


def _checked(path: Path, form: str | None, force: bool) -> Path:
    """The file to be written, if its name tells the format and nothing is there."""
    from autograph.program.write import SUFFIXES, files_there, form_of

    if form_of(path) is None:
        raise click.UsageError(f"{path} must end in {', '.join(SUFFIXES)}: the ending says which format to write.")
    if form is not None and form != form_of(path):
        raise click.UsageError(f"{path} is no name of a {form} file. Leave --to out, or give another name.")
    there = [str(file) for file in files_there(path)]
    if there and not force:
        verb = "are" if len(there) > 1 else "is"
        raise click.UsageError(f"{' and '.join(there)} {verb} there already. Choose another name, or --force.")
    return path


def _to_file(source: str, path: Path, as_json: bool) -> None:
    from autograph.program.write import form_of, read_for_writing, workbook_of, write_rows

    rows = read_for_writing(source)
    kept = workbook_of(rows)
    _warn(rows, kept if form_of(path) != "xlsx" else None)
    try:
        written = [str(file) for file in write_rows(rows, path, kept)]
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
    if as_json:
        from autograph.cli.problems import problem_data
        from autograph.cli.render import json_line

        found = [problem_data(problem) for problem in rows.problems]
        click.echo(json_line({"written": written, "rows": len(rows), "problems": found}))
    else:
        count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
        click.echo(f"Wrote {' and '.join(written)} ({count}).")


def _to_stdout(source: str, form: str | None) -> None:
    from autograph.errors import Location
    from autograph.program.write import read_for_writing, rendered, workbook_of
    from autograph.tables.rows import refused

    if form is None:
        raise click.UsageError(f"OUT is the standard output: say the format with --to ({', '.join(_FORMS)}).")
    if form == "xlsx" and sys.stdout.isatty():
        raise click.UsageError("a workbook is no text for a terminal: give a file, or redirect the output.")
    rows = read_for_writing(source)
    kept = workbook_of(rows)
    _warn(rows, kept if form != "xlsx" else None)
    first, *beside = rendered(rows, form, f"program.{form}", kept).values()
    if beside:
        message = "the program has settings, and a text table has no place for them on the standard output."
        raise refused("not-writable", message, Location(rows.file), "Give a file, or another format than csv.")
    sys.stdout.flush()
    sys.stdout.buffer.write(first)
    sys.stdout.buffer.flush()


def _warn(rows: Rows, left: bytes | None) -> None:
    """Say on stderr what is doubtful in the source, and which sheets of a workbook are not written."""
    from autograph.cli.problems import warning_lines
    from autograph.cli.style import page_of
    from autograph.program.write.workbook_file import other_sheets

    for line in warning_lines(rows.problems, page_of(sys.stderr), most=20):
        click.echo(line, err=True)
    others = other_sheets(left, rows.sheet or "") if left is not None else ()
    if others:
        titles = ", ".join(f'"{title}"' for title in others)
        click.echo(f"warning: the other sheets of the workbook are not written: {titles}.", err=True)
