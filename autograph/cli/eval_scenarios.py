"""What can be asked for with ``autograph eval scenarios``? The options; ``scenario_eval`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from autograph.cli.program_options import program_options

__all__ = ["ScenarioOptions", "scenarios"]

_EPILOG = """\b
Examples:
  autograph eval scenarios clinic.scenarios.yaml -m clinic.yaml
  autograph eval scenarios clinic.scenarios.yaml -m old.yaml -m new.yaml --repeat 5 --plot clinic.png
  autograph eval scenarios clinic.scenarios.csv -m clinic.yaml --model openai:gpt-5-mini --out results.json
  autograph eval scenarios clinic.scenarios.yaml -m clinic.yaml --fail-under 0.9

\b
Exit codes: 0 good, 1 below --fail-under, 2 usage, 65 bad program or file of scenarios, 69 model unreachable,
70 run error, 130 Ctrl-C (with --out what has ended is saved; go on with --resume).
"""


@dataclass(frozen=True, slots=True)
class ScenarioOptions:
    """The options of the command line, as click gives them."""

    file: Path
    programs: tuple[str, ...]
    model: str | None
    classifier: str | None
    user_model: str | None
    seed: int
    repeat: int
    shuffle: bool
    warm_up: int
    continuous: bool
    at_once: int | None
    fail_under: float | None
    sure: bool
    out: Path | None
    resume: bool
    plot: Path | None
    config: tuple[str, ...]
    hosts: tuple[str, ...]
    allow: tuple[str, ...]
    untrusted: bool | None
    every: bool
    as_json: bool
    no_colour: bool


_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file", type=_FILE)
@click.option("-m", "--program", "programs", multiple=True, required=True, metavar="PROGRAM", help="The program that "
              "is evaluated. May be repeated, to compare programs in the same conversations.")  # fmt: skip
@click.option("--model", metavar="NAME", help="Who writes the programs' texts. Without it: as each program says.")
@click.option("--classifier", metavar="NAME", help="Who answers their questions. Without it: the model.")
@click.option("--user-model", metavar="NAME", help="Who plays the personas. Without it: auto.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of all that is drawn.")
@click.option("--repeat", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Each scenario so "
              "often, with another seed.")  # fmt: skip
@click.option("--shuffle", is_flag=True, help="In an order drawn by the seed, not in that of the file.")
@click.option("--warm-up", type=click.IntRange(0), default=0, metavar="N", help="The first N conversations count for "
              "nothing, but the others know of them.")  # fmt: skip
@click.option("--continuous", is_flag=True, help="Each conversation goes on with the memory of the one before. Without "
              "it: each begins afresh.")  # fmt: skip
@click.option("--at-once", type=click.IntRange(1), metavar="N", help="How many conversations are held at a time. "
              "Without it: 8, or 1 where a model is scripted.")  # fmt: skip
@click.option("--fail-under", type=click.FloatRange(0, 1), metavar="SHARE", help="Exit code 1 if the accuracy of a "
              "program is below.")  # fmt: skip
@click.option("--sure", is_flag=True, help="With --fail-under: only if the whole interval is below.")
@click.option("--out", type=_FILE, metavar="FILE.json", help="Keep the results in a file.")
@click.option("--resume", is_flag=True, help="With --out: hold only what the file has not got from the same run.")
@click.option("--plot", type=_FILE, metavar="FILE.png", help="Draw the accuracy and the context over time (.png .svg "
              ".pdf; needs the extra eval).")  # fmt: skip
@program_options
@click.option("--all", "every", is_flag=True, help="Show every conversation that went wrong, not only the first ones.")
@click.option("--json", "as_json", is_flag=True, help="The whole result as one JSON object.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.pass_context
def scenarios(context: click.Context, /, **options: Any) -> None:
    """Let simulated users talk to a program, and count how often the goals of the scenarios in FILE are reached.

    A scenario is a user (texts, another program, or a persona played by a model), a goal on the state in the end, and a
    limit of steps. FILE is YAML, JSON lines or a table. Every program meets the same users with the same seeds.
    """
    from autograph.cli.scenario_eval import evaluate

    context.exit(evaluate(ScenarioOptions(**options)))
