"""How is ``autograph eval transitions`` run? Read, generate or classify, show; the exit code says if it was enough."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from autograph.cli.confusion import evaluation_text, verdict_lines
from autograph.cli.eval_transitions import TransitionOptions
from autograph.cli.exits import FOUND, GOOD
from autograph.cli.making import generated, notify, own_file, write
from autograph.cli.options import read_config, read_hosts, read_model
from autograph.cli.render import json_line
from autograph.cli.report import report, report_faults
from autograph.cli.style import page_of
from autograph.errors import AutographError
from autograph.evaluation.fault import DataError
from autograph.evaluation.manifest import Manifest, digest_of, manifest
from autograph.evaluation.understanding.answered import evaluate_labelled
from autograph.evaluation.understanding.asked import node_named
from autograph.evaluation.understanding.examined import Programs, describe
from autograph.evaluation.understanding.labelled import is_labelled, read_labelled
from autograph.evaluation.understanding.result import Evaluation
from autograph.evaluation.understanding.sayings import Saying, read_sayings, sayings_beside
from autograph.evaluation.understanding.transitions import evaluate_sayings

__all__ = ["classify"]


def classify(options: TransitionOptions) -> int:
    """Do what the options say; the exit code. Raises ``click.UsageError``."""
    _refuse_odd(options)
    try:
        if options.file.lower().endswith((".jsonl", ".ndjson")):
            return _show(_labelled(options), options)
        return _program(options)
    except DataError as error:
        return report_faults(error, as_json=options.as_json, no_colour=options.no_colour)
    except AutographError as error:
        return report(error, as_json=options.as_json, no_colour=options.no_colour)


def _refuse_odd(options: TransitionOptions) -> None:
    for name, given, needed in (
        ("--user-model", options.user_model is not None, options.generate is not None),
        ("--write", options.write, options.generate is not None),
    ):
        if given and not needed:
            raise click.UsageError(f"{name} goes with --generate K.")
    if options.force and not options.write:
        raise click.UsageError("--force goes with --write: it begins the file anew.")
    if options.sure and options.fail_under is None:
        raise click.UsageError("--sure goes with --fail-under SHARE.")


# ---------------------------------------------------------------------- what is classified


@dataclass(frozen=True, slots=True)
class _Result:
    """An evaluation, what it is about, and a title for people."""

    evaluation: Evaluation
    manifest: Manifest
    title: str


def _labelled(options: TransitionOptions) -> _Result:
    path = Path(options.file)
    for name, given in (("--sayings", options.sayings), ("--generate", options.generate), ("--only", options.nodes)):
        if given:
            raise click.UsageError(f"{name} needs a program; {options.file} is a set of questions.")
    if not is_labelled(path):
        raise click.UsageError(f"{path} holds sayings. Name their program, and --sayings {path}.")
    items = read_labelled(path)
    models = _models(options) or {"auto": read_model("auto", "classifier", notify)}
    evaluation = evaluate_labelled(items, models, at_once=options.at_once, progress=_progress(options))
    digest = digest_of(path)
    return _Result(evaluation, manifest(str(path), digest, digest, list(models)), f"{path} · {len(items)} questions")


def _program(options: TransitionOptions) -> int:
    programs = Programs(
        options.file,
        chatbot=read_model(options.chatbot, "chatbot", notify),
        config=read_config(options.config, options.seed),
        modules=read_hosts(options.hosts),
        trust=None if options.untrusted is None else ("untrusted" if options.untrusted else "own"),
        allow=[name.strip() for names in options.allow for name in names.split(",") if name.strip()] or None,
    )
    path = options.sayings or sayings_beside(Path(options.file.partition("#")[0]))
    if options.generate is None:
        if path is None:
            raise click.UsageError(_no_sayings(options))
        return _show(_evaluated(programs, _only(read_sayings(path), programs, options), path, options), options)
    present = () if path is None or options.force or not path.exists() else read_sayings(path)
    made = generated(programs, present, options)
    if options.write:
        return write(path or own_file(options), made, options)
    sayings = _only((*present, *made.sayings), programs, options)
    return _show(_evaluated(programs, sayings, path if present else None, options), options)


def _no_sayings(options: TransitionOptions) -> str:
    name = own_file(options).name
    return (
        f"there are no sayings for {options.file}: write them to {name} (node, choice, say), "
        "name a file with --sayings, or let a model make them up with --generate K."
    )


def _only(sayings: Sequence[Saying], programs: Programs, options: TransitionOptions) -> Sequence[Saying]:
    if not options.nodes:
        return sayings
    program = programs.staged.program
    wanted = {name: node_named(program, name) for name in options.nodes}
    for name, node in wanted.items():
        if node is None:
            raise click.UsageError(f'--only: there is no node "{name}" in the program.')
    kept = [saying for saying in sayings if node_named(program, saying.node) in wanted.values()]
    if not kept:
        raise click.UsageError(f"--only: there are no sayings for {', '.join(options.nodes)}.")
    return kept


def _evaluated(programs: Programs, sayings: Sequence[Saying], path: Path | None, options: TransitionOptions) -> _Result:
    models = _models(options) or {describe(programs.with_classifier(None).classifier): None}
    evaluation = evaluate_sayings(programs, sayings, models, at_once=options.at_once, progress=_progress(options))
    used = {"chatbot": options.chatbot or "offline", "seed": options.seed, "nodes": list(options.nodes)}
    used["generated"] = options.generate
    fingerprint = programs.staged.program.fingerprint
    about = manifest(options.file, fingerprint, digest_of(path) if path else "generated", list(models), used)
    count = "1 saying" if len(sayings) == 1 else f"{len(sayings)} sayings"
    title = " · ".join([options.file, *([str(path)] if path else []), count])
    return _Result(evaluation, about, title)


def _models(options: TransitionOptions) -> dict[str, Any]:
    return {name: read_model(name, "classifier", notify) for name in options.models}


def _progress(options: TransitionOptions) -> Callable[[int, int], object] | None:
    """Shows how far it is, where somebody is looking."""
    if options.as_json or not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        click.echo(f"\r{done} of {total}" if done < total else "\r" + " " * 24 + "\r", err=True, nl=False)

    return show


# ---------------------------------------------------------------------- showing


def _show(result: _Result, options: TransitionOptions) -> int:
    evaluation = result.evaluation
    page = page_of(sys.stdout, no_colour=options.no_colour)
    data = {"manifest": result.manifest.to_dict(), **evaluation.to_dict(), "fail_under": options.fail_under}
    if options.out is not None:
        _written(options.out, json_line(data) + "\n")
    if options.html is not None:
        from autograph.evaluation.understanding.transitions_page import transitions_page

        _written(options.html, transitions_page(evaluation, result.manifest, result.title))
    if options.as_json:
        click.echo(json_line(data))
    else:
        text = evaluation_text(evaluation, result.title, page, every=options.every)
        click.echo(text, color=page.style.colour)
    if options.fail_under is None:
        return GOOD
    failed = [v for v in evaluation.verdicts if _too_low(v.accuracy, options.fail_under, options.sure)]
    if not options.as_json:
        lines = verdict_lines(evaluation, options.fail_under, page)
        click.echo("\n" + "\n".join(lines), color=page.style.colour)
    return FOUND if failed or evaluation.not_asked else GOOD


def _too_low(accuracy: Any, limit: float, sure: bool) -> bool:
    """Whether an accuracy is below the limit; of no sayings at all it is never enough."""
    return bool(accuracy.below(limit)) if sure else not accuracy.value >= limit


def _written(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {path}.", err=True)
