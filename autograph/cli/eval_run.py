"""``autograph eval run``: how well does an agent answer the questions of tasks, and better than another one?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from autograph.cli.eval_options import (
    SETTINGS,
    EvalOptions,
    agent_options,
    making,
    model_options,
    output_options,
    task_options,
)

__all__ = ["run"]

_EPILOG = """\b
Examples:
  autograph eval run -t talks.txt -m programs/tutor.csv
  autograph eval run -t fromfile:parlaiformat:fromfile_datapath=talks.txt -m programs/tutor.csv -bs 8
  autograph eval run -t talks.txt -m new.csv --compare old.csv --plot models.png
  autograph eval run -t questions,stories -m ir_baseline -mf words --metrics all --json

\b
Exit codes: 0 good, 2 usage, 65 bad program or data, 69 model unreachable, 70 run error.
"""

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("run", epilog=_EPILOG, context_settings=SETTINGS)
@task_options("valid")
@model_options()
@click.option("--compare", metavar="MODEL", help="Let another one answer the same examples, and compare pair by pair.")
@click.option("-n", "--num-examples", "n", type=click.IntRange(1), metavar="N", help="Only the first N of each task.")
@click.option("-bs", "--batchsize", type=click.IntRange(1), default=1, show_default=True, metavar="N",
              help="How many dialogues are held at the same time.")  # fmt: skip
@click.option("--metrics", default="default", show_default=True, metavar="NAME,…", help="all, default, bleu, distinct, "
              "or names such as f1,bleu-1,hits@5.")  # fmt: skip
@click.option("--tokenize", type=click.Choice(["word", "char"]), default="word", show_default=True, help="What F1 and "
              "BLEU count; char: each Chinese character.")  # fmt: skip
@click.option("-micro", "--aggregate-micro", "micro", is_flag=True, help="Over several tasks each example counts "
              "alike, not each task.")  # fmt: skip
@click.option("--hide-labels", is_flag=True, help="Do not show agents the right answers.")
@click.option("-rf", "--report-filename", metavar="FILE", help="Write the report as JSON; .NAME is put behind the "
              "name of the model file.")  # fmt: skip
@click.option("--examples", type=_FILE, metavar="FILE", help="Write every answer with its figures (.csv, .json, "
              ".jsonl).")  # fmt: skip
@click.option("--world-logs", type=_FILE, metavar="FILE.jsonl", help="Write the dialogues as conversations.")
@click.option("--plot", type=_FILE, metavar="FILE", help="Draw the figures (.png, .svg).")
@agent_options()
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
@output_options("The report as one JSON object.")
@click.pass_context
def run(context: click.Context, /, **given: Any) -> None:
    """Let an agent answer all examples of tasks, and measure its answers as ParlAI does."""
    from autograph.cli.eval_running import RunFiles, evaluate_run

    files = RunFiles(**{name: given.pop(name) for name in ("report_filename", "examples", "world_logs", "plot")})
    compare, micro = given.pop("compare"), given.pop("micro")
    options = EvalOptions(**given)
    context.exit(making(options, lambda: evaluate_run(options, files, compare, micro)))
