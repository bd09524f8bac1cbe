"""``autograph eval display-data`` and ``display-model``: what is asked, and what is answered."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from autograph.cli.eval_options import (
    SETTINGS,
    EvalOptions,
    agent_options,
    making,
    model_options,
    output_options,
    read_agent,
    read_teachers,
    task_options,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from autograph.cli.style import Page
    from autograph.evaluation.parlai.message import Message

__all__ = ["display_data", "display_model"]

_DATA_EPILOG = """\b
Examples:
  autograph eval display-data -t stories
  autograph eval display-data -t talks.txt -n 3 --verbose
  autograph eval display-data -t "#qa" -dt valid --json
"""
_MODEL_EPILOG = """\b
Examples:
  autograph eval display-model -t questions -m ir_baseline
  autograph eval display-model -t talks.txt -m programs/tutor.csv --chatbot offline
"""

_NUMBER = click.option("-n", "--num-examples", "n", type=click.IntRange(1), default=10, show_default=True, metavar="N",
                       help="How many examples.")  # fmt: skip
_VERBOSE = click.option("-v", "--verbose", is_flag=True, help="Every field of every message.")


@click.command("display-data", epilog=_DATA_EPILOG, context_settings=SETTINGS)
@task_options("train:ordered")
@_NUMBER
@_VERBOSE
@output_options("Each example as a JSON object, one a line.")
@click.option("--seed", type=int, metavar="N", help="For tasks that are made up by chance.")
@click.pass_context
def display_data(context: click.Context, /, **given: Any) -> None:
    """Show the examples of tasks: what is asked, and the right answers."""
    options = EvalOptions(**given)
    context.exit(making(options, lambda: _show_data(options)))


@click.command("display-model", epilog=_MODEL_EPILOG, context_settings=SETTINGS)
@task_options("valid")
@model_options()
@_NUMBER
@_VERBOSE
@agent_options()
@output_options("Each example and its answer as a JSON object, one a line.")
@click.pass_context
def display_model(context: click.Context, /, **given: Any) -> None:
    """Show what an agent answers to the examples of tasks."""
    options = EvalOptions(**given)
    context.exit(making(options, lambda: _show_model(options)))


# ---------------------------------------------------------------------- data


def _show_data(options: EvalOptions) -> int:
    from itertools import islice

    datatype = options.datatype
    if "train" in datatype and "ordered" not in datatype:
        datatype += ":ordered"  # else examples would be drawn at random, and some never shown
    teachers = read_teachers(options, datatype)
    page = _page(options)
    begins = True
    for asked in islice(_in_turn(teachers), options.n):
        if options.as_json:
            _json(asked)
        elif options.verbose:
            click.echo(_every_field([asked], page) + "\n~~", color=page.style.colour)
        else:
            click.echo("\n".join(_lines(asked, page, begins)), color=page.style.colour)
        begins = bool(asked.get("episode_done"))
    episodes, examples = sum(t.num_episodes() for t in teachers), sum(t.num_examples() for t in teachers)
    click.echo(f"{examples:,} examples in {episodes:,} dialogues.", err=True)
    return 0


def _in_turn(teachers: Sequence[Any]) -> Iterator[Message]:
    from autograph.evaluation.parlai.teachers import MultiTaskTeacher

    return iter(teachers[0] if len(teachers) == 1 else MultiTaskTeacher(teachers, datatype="valid"))


def _lines(asked: Mapping[str, Any], page: Page, begins: bool) -> list[str]:
    from autograph.cli.style import safe

    style = page.style
    lines = [style.bold(f"- - - {safe(str(asked.get('id', '?')))} - - -")] if begins else []
    lines += safe(str(asked.get("text", "(no text)"))).split("\n")
    return [*lines, f"   {style.chosen(safe(_labels(asked)))}"]


def _labels(asked: Mapping[str, Any]) -> str:
    from autograph.evaluation.parlai.agent import labels_of

    labels = labels_of(asked)
    return "|".join(map(str, labels)) if labels is not None else "(no labels)"


def _every_field(acts: Sequence[Mapping[str, Any]], page: Page) -> str:
    from autograph.cli.style import safe
    from autograph.evaluation.metric import Metric

    blocks = []
    for act in acts:
        lines = [page.style.bold(safe(str(act.get("id", "?"))))]
        for name, value in act.items():
            if name == "id":
                continue
            if name == "metrics" and value:
                value = {key: each.value() if isinstance(each, Metric) else each for key, each in value.items()}
            lines.append(f"  {page.style.dim(name)}: {safe(str(value))}")
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def _json(asked: Mapping[str, Any]) -> None:
    from autograph.cli.render import json_line

    click.echo(json_line({name: list(v) if isinstance(v, (set, tuple)) else v for name, v in asked.items()}))


def _page(options: EvalOptions) -> Page:
    from autograph.cli.style import page_of

    return page_of(sys.stdout, no_colour=options.no_colour)


# ---------------------------------------------------------------------- answers


def _show_model(options: EvalOptions) -> int:
    from autograph.cli.style import safe
    from autograph.evaluation.parlai.worlds import DialogPartnerWorld, MultiWorld, World

    agent = read_agent(options)
    worlds = [DialogPartnerWorld([teacher, agent]) for teacher in read_teachers(options)]
    world: World = worlds[0] if len(worlds) == 1 else MultiWorld(worlds, datatype=options.datatype, seed=options.seed)
    page, begins = _page(options), True
    with world:
        for _ in range(options.n or 0):
            world.parley()
            asked, answer = world.get_acts()
            if options.as_json:
                _json({"asked": dict(asked), "answer": _plain(answer)})
            elif options.verbose:
                click.echo(_every_field([asked, answer], page) + "\n~~", color=page.style.colour)
            else:
                *lines, labels = _lines(asked, page, begins)
                said = safe(str(answer["text"])) if answer.get("text") is not None else page.style.dim("(silent)")
                lines += [f"    labels: {labels.strip()}", f"     model: {said}"]
                click.echo("\n".join(lines), color=page.style.colour)
            begins = bool(asked.get("episode_done"))
            if begins and len(worlds) > 1:
                agent.reset()  # the next dialogue may be another task's
            if world.epoch_done():
                click.echo("That were all examples.", err=True)
                break
    return 0


def _plain(answer: Mapping[str, Any]) -> dict[str, Any]:
    from autograph.evaluation.metric import Metric

    metrics = {n: m.value() if isinstance(m, Metric) else m for n, m in (answer.get("metrics") or {}).items()}
    return {**answer, **({"metrics": metrics} if metrics else {})}
