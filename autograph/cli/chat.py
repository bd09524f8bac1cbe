"""What can be asked for with ``autograph chat``? The options; ``holding`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import click

from autograph.cli.program_options import trust_options
from autograph.version import __version__

__all__ = ["ChatOptions", "chat"]

_EPILOG = """\b
Examples:
  autograph chat quiz.csv
  autograph chat clinic.xlsx#intake --model openai:gpt-5-mini --trace
  autograph chat quiz.yaml --watch --var name=Ada --var age:=36
  printf 'hi\\nyes\\n' | autograph chat quiz.csv --json

\b
Within the chat, /help lists the commands; Ctrl-C stops an answer, Ctrl-D leaves.
Exit codes: 0 good, 2 usage, 65 bad program, 69 model unreachable, 70 error while running, 130 Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """The options of the command line, as click gives them."""

    file: str
    model: str | None
    classifier: str | None
    config: tuple[str, ...]
    variables: tuple[str, ...]
    start: str | None
    seed: int | None
    script: str | None
    load: str | None
    save: str | None
    watch: bool
    trace: bool
    as_json: bool
    no_colour: bool
    no_stream: bool
    untrusted: bool | None
    hosts: tuple[str, ...]
    allow: tuple[str, ...]
    debug: bool
    breaks: tuple[str, ...]
    record: Literal["none", "new", "all"] | None
    recording: str | None


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file")
@click.option("--model", metavar="NAME", help="Who writes texts: openai:MODEL, openai:MODEL@URL, local, local:PATH, "
              "offline, scripted:FILE, recorded:FILE. Without it: the program's own, else auto.")  # fmt: skip
@click.option("--classifier", metavar="NAME", help="Who answers questions, if not the same model.")
@click.option("--recording", metavar="FILE", help="Take the models' answers from a recording.")
@click.option("--record", type=click.Choice(["none", "new", "all"]), help="What to ask the models for and record: "
              "nothing (the default), what the recording lacks, or everything anew.")  # fmt: skip
@click.option("--config", multiple=True, metavar="KEY=VALUE|FILE", help="A setting that wins over the program's own, "
              "or a YAML or JSON file of settings. May be repeated.")  # fmt: skip
@click.option("--var", "variables", multiple=True, metavar="NAME=TEXT", help="A variable to begin with; NAME:=JSON for "
              "a number, a list and so on. May be repeated.")  # fmt: skip
@click.option("--start", metavar="NODE", help="Begin at this node.")
@click.option("--seed", type=int, metavar="N", help="Passed to models that take one.")
@click.option("--script", metavar="FILE", help="Say the lines of a file (- for stdin), one a turn; # begins a comment.")
@click.option("--load", metavar="FILE", help="Go on with a saved conversation.")
@click.option("--save", metavar="FILE", help="Write the conversation to a file after each turn.")
@click.option("--watch", is_flag=True, help="Read the program again whenever its file changes.")
@click.option("--trace", is_flag=True, help="Show node, action, tokens and time after each turn.")
@click.option("--debug", is_flag=True, help="Stop turns at breakpoints, debug_checkpoint() and errors, to look around.")
@click.option("--break", "breaks", multiple=True, metavar="NODE", help="A breakpoint: NODE, or 'NODE if EXPR'. Implies "
              "--debug. May be repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object a turn: reply, node, finished, trace.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.option("--no-stream", is_flag=True, help="Show each reply when it is whole.")
@trust_options
@click.version_option(__version__, prog_name="autograph")
@click.pass_context
def chat(context: click.Context, /, **options: Any) -> None:
    """Talk to the program in FILE.

    FILE is a sheet or a structured file (.csv .tsv .xlsx .yaml .json), FILE#SHEET for one sheet of a workbook,
    or the link of a shared Google Sheet. With a pipe instead of a terminal, each line of input is one turn and
    only replies are printed.
    """
    from autograph.cli.holding import hold
    from autograph.cli.report import report
    from autograph.errors import AutographError

    chosen = ChatOptions(**options)
    try:
        code = hold(chosen)
    except AutographError as error:
        code = report(error, as_json=chosen.as_json, no_colour=chosen.no_colour)
    context.exit(code)
