"""``autograph eval train``: count the words of a task for the baseline of word overlap. Nothing else is trained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from autograph.cli.eval_options import (
    SETTINGS,
    EvalOptions,
    making,
    output_options,
    read_settings,
    read_teachers,
    task_options,
)

__all__ = ["train"]

_EPILOG = """\b
Examples:
  autograph eval train -t questions -mf words
  autograph eval train -t talks.txt -mf words -o history_size=2 --validate
  autograph eval run -t questions -mf words
"""


@click.command("train", epilog=_EPILOG, context_settings=SETTINGS)
@task_options("train:ordered")
@click.option("-m", "--model", default="ir_baseline", show_default=True, metavar="MODEL", help="What is trained.")
@click.option("-mf", "--model-file", required=True, metavar="FILE", help="The words go to FILE.dict, options to "
              "FILE.opt.")  # fmt: skip
@click.option("-n", "--num-examples", "n", type=click.IntRange(1), metavar="N", help="Only the first N of each task.")
@click.option("--dict-lower", is_flag=True, help="Count words in lower case. Else words with capitals in the data are "
              "taken for unknown, as in ParlAI.")  # fmt: skip
@click.option("--validate", is_flag=True, help="Then measure on the part valid, as autograph eval run does.")
@click.option("--seed", type=int, metavar="N", help="For tasks that are made up by chance.")
@output_options("What was counted, as JSON.")
@click.pass_context
def train(context: click.Context, /, **given: Any) -> None:
    """Build the dictionary of ir_baseline from the training data of tasks: how often does each word occur?

    A program is not trained, and neither are the other models: a program is changed by changing its cells.
    """
    dict_lower, validate = given.pop("dict_lower"), given.pop("validate")
    options = EvalOptions(**given)
    context.exit(making(options, lambda: _train(options, dict_lower, validate)))


def _train(options: EvalOptions, dict_lower: bool, validate: bool) -> int:
    from autograph.evaluation.parlai.ir_baseline import IrBaselineAgent

    _refuse_others(options.model or "")
    base = (options.model_file or "").removesuffix(".dict").removesuffix(".opt")
    kept = {"model": "ir_baseline", "task": options.tasks, "dict_lower": dict_lower, **_of_model(options)}
    agent = IrBaselineAgent(kept)
    examples = _count(options, agent)
    try:
        file = agent.save(base)
        Path(f"{base}.opt").write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise click.UsageError(f"-mf: {base}.dict cannot be written: {error.strerror or error}.") from error
    if options.as_json:
        click.echo(json.dumps({"file": str(file), "examples": examples, "words": len(agent.dictionary)}))
    else:
        click.echo(f"{file}: {len(agent.dictionary):,} words of {examples:,} examples.")
    return _validate(options, base) if validate else 0


def _refuse_others(model: str) -> None:
    from autograph.evaluation.parlai.named_agents import BUILT_IN, is_program

    if model == "ir_baseline":
        return
    if is_program(model):
        raise click.UsageError(
            f"{model} is a program, and programs are not trained: change its cells, and measure with "
            "autograph eval run. Only ir_baseline learns here: it counts words."
        )
    if model in BUILT_IN:
        raise click.UsageError(f"{model} has nothing to learn. Only ir_baseline has: it counts words.")
    raise click.UsageError(
        f"{model} cannot be trained here: models that are trained (seq2seq, memory networks, DrQA) are not offered. "
        "Only ir_baseline learns: it counts words."
    )


def _of_model(options: EvalOptions) -> dict[str, Any]:
    known = ("length_penalty", "history_size", "label_candidates_file")
    return {name: value for name, value in read_settings(options).items() if name in known}


def _count(options: EvalOptions, agent: Any) -> int:
    """Count the words of all examples, each once, whatever the order of the datatype."""
    from itertools import islice

    datatype = options.datatype
    if datatype.startswith("train") and "ordered" not in datatype:
        datatype += ":ordered"
    counted = 0
    for teacher in read_teachers(options, datatype):
        for example in islice(teacher, options.n):
            agent.dictionary.add_message({**example, "labels": example.get("labels", example.get("eval_labels"))})
            counted += 1
    return counted


def _validate(options: EvalOptions, base: str) -> int:
    from autograph.cli.eval_running import RunFiles, evaluate_run

    if not options.as_json:
        click.echo("")
    return evaluate_run(
        replace(options, model=None, model_file=base, datatype="valid", n=None), RunFiles(), None, False
    )
