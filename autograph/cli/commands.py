"""What can be typed beside talking? The slash commands, as functions from a session to what is to be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from autograph.cli.exits import USAGE, exit_code
from autograph.cli.render import (
    choices_text,
    error_text,
    full_value,
    messages_text,
    reloaded_text,
    stack_text,
    variables_text,
)
from autograph.cli.saved import read_conversation, write_conversation
from autograph.cli.session import LiveTurn, Session
from autograph.cli.style import Page, safe
from autograph.cli.traced import trace_text
from autograph.cli.wrap import table, wrap
from autograph.errors import AutographError, RunError, did_you_mean

__all__ = ["COMMANDS", "Command", "CommandError", "Outcome", "Say", "interpret", "reload", "run_line"]


class CommandError(Exception):
    """A command was typed wrongly."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a typed line leads to: a text to show, a turn to run, or the end.

    ``code`` is not 0 where the command failed: the exit code of a script that ends here.
    """

    text: str = ""
    turn: LiveTurn | None = None
    leave: bool = False
    code: int = 0
    error: AutographError | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command: its name, its arguments as shown, what it does, and how."""

    name: str
    arguments: str
    summary: str
    run: Callable[[Session, str, Page], Outcome]


@dataclass(frozen=True, slots=True)
class Say:
    """A line that is meant for the program."""

    text: str


def interpret(line: str) -> Say | tuple[str, str] | None:
    """What a line means: a text to say, a command with its argument, or nothing (a blank line).

    ``//text`` says ``/text``.
    """
    if not line.strip():
        return None
    if line.startswith("//"):
        return Say(line[1:])
    if line.startswith("/"):
        name, _, argument = line.strip().partition(" ")
        return name, argument.strip()
    return Say(line)


def run_line(session: Session, line: str, page: Page) -> Outcome:
    """Do what a line asks for. Nothing is shown and no turn is run here."""
    meant = interpret(line)
    if meant is None:
        return Outcome()
    if isinstance(meant, Say):
        if session.finished:
            return Outcome(ended_text(page), code=USAGE)
        return Outcome(turn=session.say(meant.text))
    name, argument = meant
    command = COMMANDS.get(name)
    if command is None:
        hint = did_you_mean(name, COMMANDS) if len(name) > 1 else ""
        return Outcome(f"There is no command {safe(name)}. {hint or '/help lists them all.'}", code=USAGE)
    try:
        return command.run(session, argument, page)
    except CommandError as error:
        return Outcome(f"{error} Write {command.name} {command.arguments}".rstrip() + ".", code=USAGE)
    except AutographError as error:
        return Outcome(error_text(error, page), code=exit_code(error), error=error)


def ended_text(page: Page) -> str:
    """What is said at the end of a conversation."""
    return page.style.dim("The conversation has ended. /undo takes back the last turn, /reset begins anew.")


def reload(session: Session, page: Page) -> Outcome:
    """Read the program again; if that fails, say why and that the old one stays."""
    try:
        found = session.reload()
    except AutographError as error:
        kept = page.style.dim("The program stays as it was.")
        return Outcome(f"{error_text(error, page)}\n{kept}", code=exit_code(error), error=error)
    return Outcome(reloaded_text(session.name, found, session.bot.problems, page))


# ---------------------------------------------------------------------- talking


def _help(session: Session, argument: str, page: Page) -> Outcome:
    rows = [(f"{c.name} {c.arguments}".rstrip(), c.summary) for c in COMMANDS.values()]
    rows.append(("//text", "say a text that begins with /"))
    return Outcome("\n".join(table(rows, page.width)))


def _undo(session: Session, argument: str, page: Page) -> Outcome:
    wanted = _number(argument, 1)
    taken = session.undo(wanted)
    if not taken:
        return Outcome("There is nothing to take back.", code=USAGE)
    count = "the last turn" if taken == 1 else f"{taken} turns"
    short = "" if taken == wanted else ", which is all there were"
    return Outcome(f"Took back {count}{short}.{_standing(session, page)}")


def _standing(session: Session, page: Page) -> str:
    """Where the conversation stands now, with the bot's last words, to be put behind a sentence."""
    last = session.memory.last_turn
    if session.fresh:
        return " The conversation has not begun."
    words = last.agent_reply if last and last.agent_reply else ""
    said = "\n" + "\n".join(wrap(safe(words), page.width)) if words else ""
    return f" It stands at {session.memory.current}.{said}"


def _retry(session: Session, argument: str, page: Page) -> Outcome:
    return Outcome(turn=session.retry())


def _goto(session: Session, argument: str, page: Page) -> Outcome:
    if not argument:
        raise CommandError("Where to?")
    if session.finished:
        return Outcome(ended_text(page), code=USAGE)
    return Outcome(turn=session.goto(argument))


def _reset(session: Session, argument: str, page: Page) -> Outcome:
    return Outcome(turn=session.reset())


def _quit(session: Session, argument: str, page: Page) -> Outcome:
    return Outcome(leave=True)


# ---------------------------------------------------------------------- looking


def _trace(session: Session, argument: str, page: Page) -> Outcome:
    count = _number(argument, 1)
    steps = list(enumerate(session.history, 1))[-count:]
    return Outcome(trace_text(steps, page) if steps else "No turn was taken yet.")


def _why(session: Session, argument: str, page: Page) -> Outcome:
    if not session.history:
        return Outcome("No turn was taken yet.")
    last = session.history[-1].memory.last_turn
    events = last.trace if last else []
    asked = [event for event in events if event.kind == "asked"]
    if asked:
        return Outcome("\n".join(choices_text(event, page) for event in asked))
    path = [event.node for event in events if event.kind == "entered"]
    text = f"No question was asked in the last turn: there was one way to go ({' → '.join(path)})."
    return Outcome("\n".join(wrap(text, page.width)))


def _vars(session: Session, argument: str, page: Page) -> Outcome:
    variables = session.memory.variables
    if not argument:
        return Outcome(variables_text(variables, page))
    name = argument.removeprefix("$")
    if name not in variables:
        hint = did_you_mean(name, variables)
        return Outcome(f'The variable "{safe(name)}" is not defined here. {hint}'.rstrip(), code=USAGE)
    return Outcome(full_value(name, variables[name], page))


def _stack(session: Session, argument: str, page: Page) -> Outcome:
    return Outcome(stack_text(session.memory.stack, page))


def _prompt(session: Session, argument: str, page: Page) -> Outcome:
    request: Any = None
    for step in reversed(session.history):
        last = step.memory.last_turn
        texts = [event for event in (last.trace if last else []) if event.kind == "generated"]
        if texts:
            request = texts[-1].request
            break
    if request is not None:
        head = page.style.dim(f"The last request to the model, at {request.node} ({request.purpose}):")
        return Outcome(f"{head}\n{messages_text(request.messages, page)}")
    prompt = session.memory.top.prompt if session.memory.stack else session.bot.config.default_prompt
    head = page.style.dim("No text was asked of the model yet. The system prompt:")
    return Outcome("\n".join([head, *(f"  {line}" for line in wrap(safe(prompt), page.width - 2))]))


# ---------------------------------------------------------------------- keeping and changing


def _save(session: Session, argument: str, page: Page) -> Outcome:
    if not argument:
        raise CommandError("Where to?")
    write_conversation(argument, session.memory, session.source)
    return Outcome(f"Saved the conversation to {argument}.")


def _load(session: Session, argument: str, page: Page) -> Outcome:
    if not argument:
        raise CommandError("From where?")
    return Outcome(load_text(session, argument, page))


def load_text(session: Session, path: str, page: Page) -> str:
    """Go on with a saved conversation, and say where it stands. Raises ``RunError``."""
    saved = read_conversation(path)
    session.adopt(saved.memory)
    lines = [f"Loaded {path}.{_standing(session, page)}"]
    if saved.program and saved.program != session.source:
        lines.insert(0, page.style.warning("note:") + f" it was held with {saved.program}, not {session.source}.")
    if session.memory.finished:
        lines.append(page.style.dim("It has ended; /reset begins anew."))
    elif not session.fresh:
        turns = session.memory.stack[-1].turns
        lines.extend(wrap(safe(turns[-1].agent), page.width) if turns else [])
    return "\n".join(lines)


def _model(session: Session, argument: str, page: Page) -> Outcome:
    if argument:
        session.use_model(argument)
    return Outcome(f"The model is {session.model_name}.")


def _reload(session: Session, argument: str, page: Page) -> Outcome:
    return reload(session, page)


def _number(argument: str, default: int) -> int:
    if not argument:
        return default
    if not argument.isdecimal() or int(argument) < 1:
        raise CommandError(f'"{safe(argument)}" is no number of turns.')
    return int(argument)


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        command.name: command
        for command in (
            Command("/help", "", "this list", _help),
            Command("/undo", "[n]", "take back the last turn, or the last n", _undo),
            Command("/retry", "", "take the last turn again, or the one that failed", _retry),
            Command("/trace", "[n]", "what happened in the last turn, or the last n", _trace),
            Command("/why", "", "which questions were asked, and what was answered", _why),
            Command("/vars", "[name]", "the variables, or one of them in full", _vars),
            Command("/stack", "", "the function calls under way", _stack),
            Command("/prompt", "", "what the model was last asked", _prompt),
            Command("/save", "FILE", "write the conversation to a file", _save),
            Command("/load", "FILE", "go on with a conversation from a file", _load),
            Command("/goto", "NODE", "enter a node, whatever the transitions say", _goto),
            Command("/reload", "", "read the program again and go on", _reload),
            Command("/reset", "", "begin anew", _reset),
            Command("/model", "[NAME]", "the model in use, or another one", _model),
            Command("/quit", "", "leave (also Ctrl-D)", _quit),
        )
    }
)
