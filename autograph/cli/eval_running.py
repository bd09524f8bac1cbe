"""How is ``autograph eval run`` done? Ask, measure, compare, write, show."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from autograph.cli.eval_options import EvalOptions, metric_names, read_agent, read_teachers
from autograph.cli.eval_tables import comparison_text, examined_text
from autograph.cli.exits import GOOD
from autograph.cli.progress import ProgressLine
from autograph.cli.render import json_line
from autograph.cli.style import page_of
from autograph.cli.writing import refuse_picture, refuse_unwritable
from autograph.evaluation.metrics import values
from autograph.evaluation.parlai.datatypes import Datatype
from autograph.evaluation.parlai.examined_model import Examined, Example, examine, limited
from autograph.evaluation.parlai.example_files import examples_text, save_world_logs
from autograph.evaluation.parlai.paired_models import PairedMetric, paired_metrics

__all__ = ["RunFiles", "evaluate_run"]


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What is written besides the report on the terminal."""

    report_filename: str | None = None
    examples: Path | None = None
    world_logs: Path | None = None
    plot: Path | None = None


def evaluate_run(options: EvalOptions, files: RunFiles, compare: str | None, micro: bool) -> int:
    """Do what the options say; the exit code. Raises ``click.UsageError``, ``AutographError``, ``ValueError``."""
    _refuse_odd(options, files)
    models = [_examined(options, None, micro)]
    if compare is not None:
        models.append(_examined(options, compare, micro))
    pairs = paired_metrics(*models) if compare is not None else ()
    _write_all(options, files, models)
    if options.as_json:
        data = models[0].to_dict()
        if compare is not None:
            data |= {"compared": models[1].to_dict(), "pairs": [pair.to_dict() for pair in pairs]}
        click.echo(json_line(data))
    else:
        _show(options, models, pairs)
    return GOOD


def _refuse_odd(options: EvalOptions, files: RunFiles) -> None:
    if Datatype(options.datatype).training:
        raise click.UsageError(
            f"-dt {options.datatype} is for learning: it goes on for ever, or shows agents the answers. "
            "To measure on the training set, use -dt train:evalmode."
        )
    if files.examples is not None and files.examples.suffix not in (".csv", ".json", ".jsonl"):
        raise click.UsageError(f"--examples: {files.examples} must end in .csv, .json or .jsonl.")
    if (files.report_filename or "").startswith(".") and not options.model_file:
        raise click.UsageError(f"--report-filename {files.report_filename} is put behind a -mf FILE; there is none.")
    refuse_unwritable("--report-filename", _report_path(options, files))
    refuse_unwritable("--examples", files.examples)
    refuse_unwritable("--world-logs", files.world_logs)
    refuse_picture("--plot", files.plot)


def _report_path(options: EvalOptions, files: RunFiles) -> Path | None:
    """Where the report goes: what begins with a dot is put behind the name of the model file."""
    name = files.report_filename
    if not name:
        return None
    return Path(f"{options.model_file}{name}" if name.startswith(".") else name)


def _examined(options: EvalOptions, spec: str | None, micro: bool) -> Examined:
    """Let an agent answer; its name is the one it was called by."""
    teachers = read_teachers(options)
    agent = read_agent(options, spec)
    name = spec or options.model or options.model_file or agent.id
    line = ProgressLine(
        sys.stderr, limited(teachers, options.n), shown=not (options.quiet or options.as_json), word="right"
    )
    done = right = 0

    def notice(example: Example) -> None:
        nonlocal done, right
        done += 1
        right += bool("accuracy" in example.metrics and example.metrics["accuracy"].value())
        line.update(done, right)

    try:
        found = examine(agent, teachers, at_once=options.batchsize, most=options.n, micro=micro, each=notice)
    finally:
        line.close()
        agent.shutdown()
    return Examined(name, found.tasks, micro)


# ---------------------------------------------------------------------- what comes of it


def _write_all(options: EvalOptions, files: RunFiles, models: Sequence[Examined]) -> None:
    opt = _opt(options)
    if (path := _report_path(options, files)) is not None:
        data = {"opt": opt, "report": values(models[0].report())}
        _written(path, json_line({**models[0].to_dict(), **data}) + "\n")
    if files.examples is not None:
        _written(files.examples, examples_text(models[0].examples, files.examples.suffix))
    if files.world_logs is not None:
        try:
            written = save_world_logs(models[0], files.world_logs, opt)
        except OSError as error:
            raise click.UsageError(f"{files.world_logs} cannot be written: {error.strerror or error}.") from error
        click.echo(f"Wrote {', '.join(map(str, written))}.", err=True)
    if files.plot is not None:
        from autograph.evaluation.parlai.model_plot import plot_models

        plot_models(models, _drawn(options, models), files.plot)
        click.echo(f"Wrote {files.plot}.", err=True)


def _opt(options: EvalOptions) -> dict[str, Any]:
    """The options that say what was measured, as they stand in files."""
    given: Mapping[str, Any] = asdict(options)
    left_out = ("as_json", "no_colour", "quiet", "verbose", "folders")
    return {"task": options.tasks, **{name: value for name, value in given.items() if value and name not in left_out}}


def _drawn(options: EvalOptions, models: Sequence[Examined]) -> list[str]:
    """The metrics of the plot: those in the table that have intervals."""
    return [name for name in _columns(options, models[0]) if name in models[0].intervals()]


def _columns(options: EvalOptions, model: Examined) -> list[str]:
    """The metrics of the table: with a list of names those, else what was measured without precision and recall."""
    found = sorted({name for result in model.tasks for name in result.report} - {"exs"}, key=_natural)
    words = [word.strip() for word in options.metrics.split(",")]
    if "all" in words:
        return found
    wanted = metric_names(options.metrics)
    known = {"accuracy", "precision", "recall", "f1"} | {name for name in found if name.startswith(("bleu-", "hits@"))}
    hits = "default" in words or "hits" in words
    return [
        name
        for name in found
        if name in wanted
        or name.rpartition("-")[0] in wanted
        or (name not in known and "distinct" not in name)
        or (hits and name.startswith("hits@"))
    ]


def _natural(name: str) -> tuple[str, int]:
    """``hits@5`` comes before ``hits@10``."""
    head, _, number = name.partition("@")
    return head, int(number) if number.isdecimal() else 0


def _show(options: EvalOptions, models: Sequence[Examined], pairs: Sequence[PairedMetric]) -> None:
    page = page_of(sys.stdout, no_colour=options.no_colour)
    blocks = [examined_text(model, _columns(options, model), options.datatype, page) for model in models]
    if len(models) > 1:
        shown = [pair for pair in pairs if pair.metric in _columns(options, models[0])]
        blocks.append(comparison_text(models[0].model, models[1].model, shown, page))
    click.echo("\n\n".join(blocks), color=page.style.colour)


def _written(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {path}.", err=True)
