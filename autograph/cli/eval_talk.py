"""``autograph eval interactive`` and ``self-chat``: a person talks to an agent, or two agents to each other."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
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
    from autograph.cli.style import Page

__all__ = ["interactive", "self_chat"]

_INTERACTIVE_EPILOG = """\b
Examples:
  autograph eval interactive -m programs/tutor.csv --opening skip
  autograph eval interactive -m remote:tcp://127.0.0.1:5555 --world-logs talks.jsonl
"""
_SELF_CHAT_EPILOG = """\b
Examples:
  autograph eval self-chat -m programs/tutor.csv --chatbot offline -n 3 --outfile talks.jsonl
  autograph eval self-chat -m new.csv --partner old.csv --selfchat-max-turns 10
  autograph eval self-chat -m repeat_query --seed-messages-from-task -t questions
"""

_FILE = click.Path(dir_okay=False, path_type=Path)
_LOGS = click.option("--world-logs", "--outfile", "logs", type=_FILE, metavar="FILE.jsonl",
                     help="Write the dialogues as conversations.")  # fmt: skip

Episodes = list[list[Sequence[Mapping[str, Any]]]]


@click.command("interactive", epilog=_INTERACTIVE_EPILOG, context_settings=SETTINGS)
@model_options()
@click.option("-o", "--option", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the model. May be "
              "repeated.")  # fmt: skip
@click.option("--candidates", type=_FILE, metavar="FILE", help="What agents that choose may choose from, one a line.")
@_LOGS
@agent_options()
@output_options("Each answer as a JSON object, one a line.")
@click.pass_context
def interactive(context: click.Context, /, **given: Any) -> None:
    """Talk to an agent. [DONE] begins another dialogue, [EXIT] or the end of the input ends.

    With --opening skip a program speaks first, and is heard.
    """
    logs, candidates = given.pop("logs"), given.pop("candidates")
    options = EvalOptions(**given)
    context.exit(making(options, lambda: _talk(options, logs, candidates)))


@click.command("self-chat", epilog=_SELF_CHAT_EPILOG, context_settings=SETTINGS)
@model_options()
@click.option("--partner", metavar="MODEL", help="Who the other one is. Without it: the same once more.")
@click.option("-n", "--num-self-chats", "n", type=click.IntRange(1), default=1, show_default=True, metavar="N",
              help="How many dialogues.")  # fmt: skip
@click.option("--selfchat-max-turns", "turns", type=click.IntRange(1), default=6, show_default=True, metavar="N",
              help="After how many rounds a dialogue ends; what they are told first is one.")  # fmt: skip
@click.option("--context", default="Hi!", show_default=True, metavar="TEXT", help="What the first is told first; an "
              "empty text: nothing.")  # fmt: skip
@click.option("--seed-messages-from-task", "from_task", is_flag=True, help="Begin with a first text of the task -t.")
@click.option("--seed-messages-from-file", "from_file", type=_FILE, metavar="FILE", help="Begin with a line of FILE.")
@task_options("valid", needed=False)
@_LOGS
@agent_options()
@output_options("Each dialogue as a JSON object, one a line.")
@click.pass_context
def self_chat(context: click.Context, /, **given: Any) -> None:
    """Let two agents talk to each other, and show or keep what they say."""
    names = ("partner", "turns", "context", "from_task", "from_file", "logs")
    own = {name: given.pop(name) for name in names}
    options = EvalOptions(**given)
    context.exit(making(options, lambda: _self_chat(options, **own)))


# ---------------------------------------------------------------------- a person and an agent


def _talk(options: EvalOptions, logs: Path | None, candidates: Path | None) -> int:
    from autograph.evaluation.parlai.ir_baseline import candidates_of
    from autograph.evaluation.parlai.person import DONE, EXIT, PersonAgent
    from autograph.evaluation.parlai.program_agent import ProgramAgent
    from autograph.evaluation.parlai.talk_worlds import InteractiveWorld

    agent = read_agent(options)
    page = _page(options)
    shows = sys.stdin.isatty() and not options.as_json
    offered = [line for line in candidates_of(str(candidates)) if line] if candidates else None
    person = PersonAgent(
        read=input, show=lambda act: _said(act, options, page), prompt="you: " if shows else "", candidates=offered
    )
    if shows:
        click.echo(page.style.dim(f"{DONE} begins another dialogue, {EXIT} ends."), err=True, color=page.style.colour)
    opens = options.opening == "skip" and isinstance(agent, ProgramAgent)
    world = InteractiveWorld([person, agent], opens=opens)
    episodes: Episodes = [[]]
    with world:
        while not world.epoch_done():
            world.parley()
            acts = [act for act in world.get_acts() if "text" in act]
            if acts:
                episodes[-1].append(acts)
            if world.episode_done():
                episodes.append([])
                if not world.epoch_done() and not options.as_json:
                    click.echo(page.style.dim("- - -"), color=page.style.colour)
    _save(logs, episodes, options, self_chat=False)
    return 0


def _said(act: Mapping[str, Any], options: EvalOptions, page: Page) -> None:
    from autograph.cli.render import json_line
    from autograph.cli.style import safe

    if options.as_json:
        click.echo(json_line(dict(act)))
        return
    text = safe(str(act["text"])) if act.get("text") is not None else page.style.dim("(silent)")
    click.echo(f"{page.style.bold(safe(str(act.get('id', '?'))))}: {text}", color=page.style.colour)


# ---------------------------------------------------------------------- two agents


def _self_chat(
    options: EvalOptions,
    partner: str | None,
    turns: int,
    context: str,
    from_task: bool,
    from_file: Path | None,
    logs: Path | None,
) -> int:
    from autograph.cli.render import json_line
    from autograph.evaluation.parlai.talk_worlds import CONTEXT, SelfChatWorld

    first = read_agent(options)
    second = read_agent(options, partner) if partner else first.share()
    first.id, second.id = f"{first.id}_1", f"{second.id}_2"
    world = SelfChatWorld(
        [first, second],
        max_turns=turns,
        contexts=(context, "") if context else None,
        openers=_openers(options, from_task, from_file),
        seed=options.seed if options.seed is not None else 42,
    )
    page = _page(options)
    episodes: Episodes = []
    with world:
        for _ in range(options.n or 1):
            rounds: list[Sequence[Mapping[str, Any]]] = []
            while not rounds or not world.episode_done():
                world.parley()
                rounds.append(list(world.get_acts()))
                for act in world.get_acts():
                    if not options.as_json and act.get("text"):
                        _said(act, options, page)
            episodes.append(rounds)
            if options.as_json:
                said = [act for acts in rounds for act in acts if act.get("id") != CONTEXT]
                click.echo(json_line({"dialog": said}))
            else:
                click.echo(page.style.dim("- - -"), color=page.style.colour)
    _save(logs, episodes, options, self_chat=True)
    return 0


def _openers(options: EvalOptions, from_task: bool, from_file: Path | None) -> Sequence[str]:
    """First texts to begin with, each once."""
    if from_file is not None:
        from autograph.evaluation.parlai.ir_baseline import candidates_of

        return [line.strip() for line in candidates_of(str(from_file)) if line.strip()]
    if not from_task:
        return ()
    if not options.tasks:
        raise click.UsageError("--seed-messages-from-task needs a task: add -t TASK.")
    found: dict[str, None] = {}
    for teacher in read_teachers(options):
        begins = True
        for asked in teacher:
            if begins and asked.get("text"):
                found[str(asked["text"])] = None
            begins = bool(asked.get("episode_done"))
    return list(found)


# ---------------------------------------------------------------------- both


def _save(logs: Path | None, episodes: Episodes, options: EvalOptions, *, self_chat: bool) -> None:
    if logs is None:
        return
    from autograph.evaluation.parlai.conversation_format import save_conversations

    opt = {"model": options.model or options.model_file, "task": options.tasks or "interactive"}
    try:
        written = save_conversations([rounds for rounds in episodes if rounds], logs, opt, self_chat=self_chat)
    except OSError as error:
        raise click.UsageError(f"{logs} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Wrote {written}.", err=True)


def _page(options: EvalOptions) -> Page:
    from autograph.cli.style import page_of

    return page_of(sys.stdout, no_colour=options.no_colour)
