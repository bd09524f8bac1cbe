"""What can be asked for with ``autograph simulate``? The options; ``simulating`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from autograph.cli.program_options import program_options

__all__ = ["SimulateOptions", "simulate"]

_EPILOG = """\b
Examples:
  autograph simulate clinic.yaml --n 200
  autograph simulate clinic.yaml --n 500 --seed 7 --model openai:gpt-5-mini --rate 500 --budget 2M
  autograph simulate clinic.yaml --personas people.yaml --user-model openai:gpt-5-mini --success "slot != None"
  autograph simulate clinic.yaml --n 300 --fail-if "success < 0.9" --html report.html
  autograph simulate new.yaml --n 300 --compare old.yaml
  autograph simulate clinic.yaml --resume simulations/clinic-2026-05-04-0

\b
Exit codes: 0 good, 1 --fail-if is shown to hold, 2 usage, 65 bad program, 69 model unreachable,
70 error while running, 130 Ctrl-C (what has ended is saved; go on with --resume).
"""


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """The options of the command line, as click gives them."""

    program: str
    n: int
    personas: str | None
    user: str | None
    user_model: str | None
    model: str | None
    classifier: str | None
    seed: int
    max_turns: int
    stuck_after: int
    repeat: int
    success: str
    concurrency: int
    rate: float | None
    budget: str | None
    price: str | None
    record: str | None
    recording: str | None
    out: str | None
    resume: str | None
    compare: str | None
    fail_if: str | None
    html: str | None
    as_json: bool
    quiet: bool
    no_colour: bool
    variables: tuple[str, ...]
    config: tuple[str, ...]
    hosts: tuple[str, ...]
    allow: tuple[str, ...]
    untrusted: bool | None


_ABOVE_0 = click.IntRange(1)


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("program")
@click.option("--n", type=_ABOVE_0, default=100, show_default=True, metavar="N", help="How many conversations.")
@click.option("--user", metavar="KIND", help="Who the user is: sheet (the program's own user instructions and "
              "probabilities), model (a person with a goal, played by a model), or the file of another program. "
              "Without it: model with --personas, else sheet.")  # fmt: skip
@click.option("--personas", metavar="FILE", help="YAML list of the people who come: name, goal, traits, instructions, "
              "success, weight, max_turns, opening.")  # fmt: skip
@click.option("--user-model", metavar="NAME", help="Who plays the user, if not the program's model.")
@click.option("--model", metavar="NAME", help="Who writes texts, as in autograph chat: openai:MODEL, offline, "
              "recorded:FILE … Without it: the program's own, else auto.")  # fmt: skip
@click.option("--classifier", metavar="NAME", help="Who answers questions, if not the same model.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Each conversation's seed comes from "
              "it: that of its user's choices, of the program's random numbers and of its requests.")  # fmt: skip
@click.option("--repeat", type=_ABOVE_0, default=1, show_default=True, metavar="K", help="Hold each conversation K "
              "times with one seed: what differs is the flake rate.")  # fmt: skip
@click.option("--max-turns", type=_ABOVE_0, default=30, show_default=True, metavar="N", help="Turns after which a "
              "conversation is over the limit.")  # fmt: skip
@click.option("--stuck-after", type=click.IntRange(2), default=3, show_default=True, metavar="K", help="It is stuck "
              "when the same exchange (or round of up to 4) came K times in a row.")  # fmt: skip
@click.option("--success", metavar="EXPR", default="finished", show_default=True, help="When it is a success: "
              "an expression over the variables at the end, and finished, turns, last_node, path, outcome, "
              "replies.")  # fmt: skip
@click.option("--concurrency", type=_ABOVE_0, default=200, show_default=True, metavar="N", help="Conversations at a "
              "time.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(0, min_open=True), metavar="N", help="At most N model requests a minute.")
@click.option("--budget", metavar="TOKENS|cost=X", help="Stop when so many tokens (500k, 2M) or so much money (cost=5, "
              "needs --price) are used up; go on with --resume.")  # fmt: skip
@click.option("--price", metavar="prompt=X,completion=Y", help="Prices per million tokens; also cached=Z.")
@click.option("--recording", metavar="FILE", help="Take the models' answers from a recording.")
@click.option("--record", type=click.Choice(["none", "new", "all"]), help="What to ask the models for: nothing, what "
              "the recording lacks, or everything anew.")  # fmt: skip
@click.option("--out", metavar="FOLDER", help="Where the run is kept. Without it: simulations/NAME-DATE-SEED.")
@click.option("--resume", metavar="FOLDER", help="Go on with the run in FOLDER; options that are left out are those it "
              "was begun with.")  # fmt: skip
@click.option("--compare", metavar="PROGRAM", help="Hold the same conversations with an older version, too, and "
              "compare them pair by pair.")  # fmt: skip
@click.option("--fail-if", metavar="CONDITION", help='Exit with 1 if it is shown to hold, such as "success < 0.9": the '
              "whole confidence interval counts.")  # fmt: skip
@click.option("--html", metavar="FILE", help="Write the report as a page, with plots and the graph with its traffic.")
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.option("--var", "variables", multiple=True, metavar="NAME=TEXT", help="A variable to begin with; NAME:=JSON for "
              "a number, a list and so on. May be repeated.")  # fmt: skip
@program_options
@click.pass_context
def simulate(context: click.Context, /, **options: Any) -> None:
    """Hold many conversations of PROGRAM with simulated users, and say how they went.

    Every conversation is saved as soon as it has ended, so that a run that was stopped goes on with --resume. With a
    seed and a model that answers the same each time (offline, a recording) the result is the same each time.
    """
    from autograph.cli.report import report
    from autograph.cli.resuming import completed
    from autograph.cli.simulating import simulate_all
    from autograph.errors import AutographError

    given = {name for name in options if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT}
    chosen = SimulateOptions(**options)
    try:
        code = simulate_all(completed(chosen, given))
    except AutographError as error:
        code = report(error, as_json=chosen.as_json, no_colour=chosen.no_colour)
    context.exit(code)
