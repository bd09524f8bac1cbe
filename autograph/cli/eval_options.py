"""What do the commands of ``autograph eval`` about tasks and agents have in common? Options, and what they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from autograph.cli.program_options import program_options
from autograph.errors import AutographError

if TYPE_CHECKING:
    from autograph.evaluation.parlai.teachers import Teacher

__all__ = [
    "SETTINGS",
    "EvalOptions",
    "agent_options",
    "making",
    "model_options",
    "output_options",
    "read_agent",
    "read_teachers",
    "task_options",
]

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

Function = TypeVar("Function", bound=Callable[..., Any])

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, exists=True, path_type=Path)
_TEXTS = ("fixed_response", "cant_answer_message")
"""Options that are texts, whatever they look like."""
_DATA = ("fromfile_datapath", "fromfile_datapath2", "jsonfile_datapath", "rows_datapath")


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The options of the command line, as click gives them; each command has some of them."""

    tasks: str = ""
    datatype: str = "valid"
    n: int | None = None
    batchsize: int = 1
    settings: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    fromfile_datapath: str | None = None
    fromfile_datapath2: str | None = None
    jsonfile_datapath: str | None = None
    rows_datapath: str | None = None
    metrics: str = "default"
    tokenize: str = "word"
    hide_labels: bool = False
    model: str | None = None
    model_file: str | None = None
    opening: str = "answer"
    keep_going: bool = False
    chatbot: str | None = None
    classifier: str | None = None
    seed: int | None = None
    config: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    untrusted: bool | None = None
    verbose: bool = False
    as_json: bool = False
    quiet: bool = False
    no_colour: bool = False


# ---------------------------------------------------------------------- groups of options


def _all(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    def add(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def task_options(datatype: str, *, needed: bool = True) -> Callable[[Function], Function]:
    """``-t`` and what goes with it; ``datatype`` is that without ``-dt``."""
    unless: dict[str, Any] = {"required": True} if needed else {"default": ""}
    return _all(
        click.option("-t", "--task", "tasks", **unless, metavar="TASK,…",
                     help="Tasks by name or file, #TAG, or fromfile:parlaiformat:fromfile_datapath=FILE."),
        click.option("-dt", "--datatype", default=datatype, show_default=True, metavar="PART",
                     help="train, train:ordered, train:evalmode, valid, test …"),
        click.option("--fromfile-datapath", metavar="FILE", help="The file of the task fromfile."),
        click.option("--fromfile-datapath2", metavar="FILE", hidden=True),
        click.option("--jsonfile-datapath", metavar="FILE", help="The file of the task jsonfile (conversations)."),
        click.option("--rows-datapath", metavar="FILE", help="The table of the task rows."),
        click.option("--tasks", "folders", type=_FOLDER, multiple=True, metavar="FOLDER", help="Where further tasks "
                     "are, each in a folder of its own. May be repeated."),
        click.option("-o", "--option", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the task or "
                     "the model. May be repeated."),
    )  # fmt: skip


def model_options() -> Callable[[Function], Function]:
    """``-m`` and ``-mf``."""
    return _all(
        click.option("-m", "--model", metavar="MODEL", help="Who answers: a program (programs/tutor.csv), "
                     "repeat_label, repeat_query, fixed_response, random_candidate, ir_baseline, "
                     "remote:tcp://HOST:PORT, module:Class."),
        click.option("-mf", "--model-file", metavar="FILE", help="What autograph eval train wrote."),
    )  # fmt: skip


def agent_options() -> Callable[[Function], Function]:
    """How a program, or any agent, is set up."""
    return _all(
        click.option("--opening", type=click.Choice(["answer", "skip"]), default="answer", show_default=True,
                     help="A program's first words: are they the answer to the first text, or does it open before?"),
        click.option("--keep-going", is_flag=True, help="A program's turn that fails is silence; else it ends all."),
        click.option("--chatbot", metavar="NAME", help="Which language model writes a program's texts."),
        click.option("--classifier", metavar="NAME", help="Which language model answers its questions."),
        click.option("--seed", type=int, metavar="N", help="For whatever is left to chance."),
        program_options,
    )  # fmt: skip


def output_options(json: str) -> Callable[[Function], Function]:
    """``--json`` and ``--no-color``."""
    return _all(
        click.option("--json", "as_json", is_flag=True, help=json),
        click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR)."),
    )


# ---------------------------------------------------------------------- what they make


def making(options: EvalOptions, work: Callable[[], int]) -> int:
    """Do the work; an error is shown, and its exit code returned. Raises ``click.UsageError`` for wrong values."""
    from autograph.evaluation.fault import DataError

    try:
        return work()
    except DataError as error:
        from autograph.cli.report import report_faults

        return report_faults(error, as_json=options.as_json, no_colour=options.no_colour)
    except AutographError as error:
        from autograph.cli.report import report

        return report(error, as_json=options.as_json, no_colour=options.no_colour)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def read_settings(options: EvalOptions) -> dict[str, Any]:
    """The options of tasks and models by name. Raises ``click.UsageError``."""
    from autograph.evaluation.parlai.task_spec import flag_value

    found: dict[str, Any] = {}
    for setting in options.settings:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            raise click.UsageError(f'--option: "{setting}" is no option. Write key=value, such as history_size=2.')
        name = key.strip().replace("-", "_")
        found[name] = value if name in _TEXTS else flag_value(value)
    for name in _DATA:
        if getattr(options, name):
            found[name] = getattr(options, name)
    if options.seed is not None:
        found["seed"] = options.seed
    return found


def read_teachers(options: EvalOptions, datatype: str = "") -> Sequence[Teacher]:
    """The teachers of the tasks. Raises ``DataError``, ``ValueError``, ``click.UsageError``."""
    from autograph.evaluation.parlai.tasks import teachers_for

    measure = {"tokenize": options.tokenize, "metrics": metric_names(options.metrics)}
    given = {**read_settings(options), **measure, "hide_labels": options.hide_labels}
    teachers: Sequence[Teacher] = teachers_for(
        options.tasks, datatype=datatype or options.datatype, options=given, folders=options.folders
    )
    return teachers


_GROUPS = {
    "default": ("accuracy", "f1", "bleu-4"),
    "bleu": ("bleu-1", "bleu-2", "bleu-3", "bleu-4"),
    "distinct": ("interdistinct", "intradistinct"),
}
_SINGLE = ("accuracy", "precision", "recall", "f1", "hits", *(f"hits@{k}" for k in (1, 5, 10, 100)), *_GROUPS["bleu"])


def metric_names(text: str) -> tuple[str, ...]:
    """The metrics of ``--metrics``, those that are always there among them. Raises ``click.UsageError``."""
    from autograph.errors import did_you_mean

    found: list[str] = []
    for name in [part.strip() for part in text.split(",") if part.strip()]:
        if name == "all":
            found += [each for group in _GROUPS.values() for each in group]
        elif name in _GROUPS:
            found += _GROUPS[name]
        elif name in _SINGLE:
            found.append(name)
        elif name.startswith(("interdistinct", "intradistinct")):
            found.append(name.partition("-")[0])
        else:
            known = ("all", *_GROUPS, *_SINGLE)
            hint = did_you_mean(name, known) or f"There are {', '.join(known)}."
            raise click.UsageError(f'--metrics: there is no metric "{name}". {hint}')
    return tuple(dict.fromkeys(found))


def read_agent(options: EvalOptions, spec: str | None = None) -> Any:
    """The agent of ``-m`` or ``-mf``, or of another name. Raises ``click.UsageError``, ``AutographError``."""
    from autograph.evaluation.parlai.named_agents import agent_of, is_program, model_file_options

    given = read_settings(options)
    if spec is None:
        if options.model_file:
            given = {**model_file_options(options.model_file), **given}
        spec = options.model or given.get("model")
    if not spec:
        raise click.UsageError("who answers? Name a program or another model with -m, for instance -m ir_baseline.")
    given |= {"opening": options.opening, "errors": "silence" if options.keep_going else "raise"}
    return agent_of(spec, given, **(_program(options) if is_program(spec) else {}))


def _program(options: EvalOptions) -> dict[str, Any]:
    """How programs are loaded."""
    from autograph.cli.options import read_config, read_hosts, read_model

    def notify(text: str) -> None:
        click.echo(text, err=True)

    return {
        "model": read_model(options.chatbot, "chatbot", notify),
        "classifier": read_model(options.classifier, "classifier", notify),
        "config": read_config(options.config, options.seed),
        "modules": read_hosts(options.hosts),
        "allow": [name.strip() for names in options.allow for name in names.split(",") if name.strip()] or None,
        "trust": None if options.untrusted is None else ("untrusted" if options.untrusted else "own"),
        "notify": notify,
    }
