"""``autograph new``: write the starter program as a workbook, a CSV table or a YAML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from autograph.tables import Rows

__all__ = ["new"]

_FORMS = ("csv", "xlsx", "yaml")

_EPILOG = """\b
Examples:
  autograph new cafe.xlsx
  autograph new cafe.yaml --force
"""


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
def new(file: Path, force: bool) -> None:
    """Write a small program to begin with to FILE (.xlsx, .csv or .yaml).

    The workbook has drop-down lists and explains its columns. The settings of a .csv go to a file NAME.config.yaml
    beside it.
    """
    from autograph.program.write import files_there, form_of, write_rows

    if form_of(file) not in _FORMS:
        raise click.UsageError(f"{file} must end in .xlsx, .csv, .yaml, .yml: the ending says which format to write.")
    try:
        there = [str(path) for path in files_there(file)]
        if there and not force:
            verb = "are" if len(there) > 1 else "is"
            raise click.UsageError(f"{' and '.join(there)} {verb} there already. Choose another name, or --force.")
        written = write_rows(_starter(form_of(file) != "yaml"), file)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {' and '.join(map(str, written))}. Try it: autograph chat {_quoted(str(file))}")


def _starter(table: bool) -> Rows:
    """The starter's rows; a table lists its columns in an order of their own."""
    from autograph.cli.starter import COLUMNS, CONFIG, ROWS, used_fields
    from autograph.tables import read_rows

    columns = {"columns": list(COLUMNS)} if table else {}
    return read_rows({"config": CONFIG, **columns, "nodes": [used_fields(row) for row in ROWS]})


def _quoted(name: str) -> str:
    from shlex import quote

    return quote(name)
