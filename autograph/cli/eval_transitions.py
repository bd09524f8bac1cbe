"""What can be asked for with ``autograph eval transitions``? The options; ``classifying`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from autograph.cli.program_options import program_options

__all__ = ["TransitionOptions", "transitions"]

_EPILOG = """\b
Examples:
  autograph eval transitions clinic.yaml --model offline
  autograph eval transitions clinic.yaml --model offline --model openai:gpt-5-mini
  autograph eval transitions clinic.yaml --generate 8 --user-model openai:gpt-5-mini --write
  autograph eval transitions clinic.yaml --model offline --fail-under 0.9
  autograph eval transitions questions.jsonl --model local

\b
Exit codes: 0 good, 1 below --fail-under, 2 usage, 65 bad program or table, 69 model unreachable, 70 run error.
"""


@dataclass(frozen=True, slots=True)
class TransitionOptions:
    """The options of the command line, as click gives them."""

    file: str
    models: tuple[str, ...]
    sayings: Path | None
    chatbot: str | None
    nodes: tuple[str, ...]
    generate: int | None
    user_model: str | None
    write: bool
    force: bool
    fail_under: float | None
    sure: bool
    at_once: int
    seed: int | None
    config: tuple[str, ...]
    hosts: tuple[str, ...]
    allow: tuple[str, ...]
    untrusted: bool | None
    out: Path | None
    html: Path | None
    every: bool
    as_json: bool
    no_colour: bool


_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file")
@click.option("--model", "models", multiple=True, metavar="NAME", help="Who answers the questions: openai:MODEL, "
              "openai:MODEL@URL, local, local:PATH, offline, recorded:FILE, scripted:FILE. May be repeated, to "
              "compare. Without it: as the program says, else auto.")  # fmt: skip
@click.option("--sayings", type=_FILE, metavar="FILE", help="What users say (.csv .tsv .xlsx .jsonl). Without it: "
              "NAME.sayings.csv beside the program, or the sheet sayings of its workbook.")  # fmt: skip
@click.option("--chatbot", metavar="NAME", help="Who writes what a chat node says before the user answers. Without it: "
              "offline, which is the same for all models.")  # fmt: skip
@click.option("--only", "nodes", multiple=True, metavar="NODE", help="Only what is said at this node. May be repeated.")
@click.option("--generate", type=click.IntRange(1), metavar="K", help="Let a model make up sayings, until there are K "
              "for each choice.")  # fmt: skip
@click.option("--user-model", metavar="NAME", help="With --generate: who speaks as the user. Without it: auto.")
@click.option("--write", is_flag=True, help="With --generate: keep what is new in NAME.sayings.csv, behind the rows "
              "that are there, and classify nothing.")  # fmt: skip
@click.option("--force", is_flag=True, help="With --write: begin the file anew.")
@click.option("--fail-under", type=click.FloatRange(0, 1), metavar="SHARE", help="Exit code 1 if the accuracy of a "
              "model is below, or if something could not be asked.")  # fmt: skip
@click.option("--sure", is_flag=True, help="With --fail-under: only if the whole interval is below.")
@click.option("--at-once", type=click.IntRange(1), default=8, show_default=True, metavar="N", help="How many requests "
              "are under way at a time.")  # fmt: skip
@click.option("--seed", type=int, metavar="N", help="Passed to models that take one; draws the nodes of --generate.")
@program_options
@click.option("--out", type=_FILE, metavar="FILE.json", help="Write the whole result to a file.")
@click.option("--html", type=_FILE, metavar="FILE.html", help="Write the tables as a page.")
@click.option(
    "--all", "every", is_flag=True, help="Show every saying that went wrong, not only the first of each table."
)
@click.option("--json", "as_json", is_flag=True, help="The whole result as one JSON object.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.pass_context
def transitions(context: click.Context, /, **options: Any) -> None:
    """Put what users say to the questions of the program in FILE, and count how often it is understood.

    The program stands at the node, the saying is the user's next text, and the question is asked as in a conversation,
    interjections first. FILE may also be a labelled set of questions (.jsonl), which needs no program.
    """
    from autograph.cli.classifying import classify

    context.exit(classify(TransitionOptions(**options)))
