"""What can be asked for with ``autograph check``? The options; ``checking`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

__all__ = ["CheckOptions", "check"]

_EPILOG = """\b
Examples:
  autograph check clinic.xlsx
  autograph check programs/*.csv --strict --json
  autograph check clinic.xlsx --mark clinic-marked.xlsx
  autograph check new.csv --against old.csv --conversations saved/
  autograph check --explain AG104

\b
Exit codes: 0 nothing found (warnings do not count without --strict), 1 something found, 2 usage,
65 a file is no table of nodes.
"""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of the command line, as click gives them."""

    files: tuple[str, ...]
    as_json: bool
    sarif: bool
    strict: bool
    disable: tuple[str, ...]
    explain: str | None
    mark: Path | None
    against: str | None
    conversations: Path | None
    functions: tuple[str, ...]
    hosts: tuple[str, ...]
    config: tuple[str, ...]
    no_colour: bool


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="All problems as one JSON object.")
@click.option("--sarif", is_flag=True, help="All problems as SARIF 2.1.0, as code hosts show them.")
@click.option("--strict", is_flag=True, help="Warnings count, too: exit code 1.")
@click.option("--disable", multiple=True, metavar="CODE", help="Leave warnings out, such as AG404. May be repeated.")
@click.option("--explain", metavar="CODE", help="Say what a code means, with an example, and end.")
@click.option("--mark", metavar="OUT.xlsx", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the program as a workbook with the cells coloured and the messages as comments.")  # fmt: skip
@click.option("--against", metavar="OLD", help="The program with which stored conversations were held.")
@click.option("--conversations", metavar="DIR", type=click.Path(exists=True, path_type=Path),
              help="Stored conversations (a folder or file): which would not survive the change from OLD?")  # fmt: skip
@click.option("--function", "functions", multiple=True, metavar="NAME",
              help="A function that the host provides (modules=). May be repeated.")  # fmt: skip
@click.option("--host", "hosts", multiple=True, metavar="FILE.py", help="A Python file with host functions for the "
              "program. It is run. May be repeated.")  # fmt: skip
@click.option("--config", multiple=True, metavar="KEY=VALUE|FILE", help="A setting that wins over the program's own, "
              "or a YAML or JSON file of settings. May be repeated.")  # fmt: skip
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.pass_context
def check(context: click.Context, /, **options: Any) -> None:
    """Say what is wrong or doubtful with the programs in FILE..., without running them.

    FILE is a sheet or a structured file (.csv .tsv .xlsx .yaml .json), FILE#SHEET for one sheet of a workbook, the link
    of a shared Google Sheet, or - for the standard input. (A .py file is run, to see the nodes that it sets.)
    """
    from autograph.cli.checking import run_check

    context.exit(run_check(CheckOptions(**options)))
