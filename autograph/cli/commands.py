"""What can be typed beside talking? The list of slash commands, and what a line means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from autograph.cli.breaking import break_at, delete, step
from autograph.cli.exits import USAGE, exit_code
from autograph.cli.keeping import load, read_again, save, test, use_model
from autograph.cli.looking import show_prompt, show_stack, show_trace, show_variables, show_why
from autograph.cli.outcome import CommandError, Outcome, ended_text
from autograph.cli.render import error_text
from autograph.cli.session import Session
from autograph.cli.style import Page, safe
from autograph.cli.talking import goto, leave, reset, retry, undo
from autograph.cli.wrap import table
from autograph.errors import AutographError, did_you_mean

__all__ = ["COMMANDS", "Command", "Say", "interpret", "run_line"]


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


def _help(session: Session, argument: str, page: Page) -> Outcome:
    rows = [(f"{c.name} {c.arguments}".rstrip(), c.summary) for c in COMMANDS.values()]
    rows.append(("//text", "say a text that begins with /"))
    return Outcome("\n".join(table(rows, page.width)))


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        command.name: command
        for command in (
            Command("/help", "", "this list", _help),
            Command("/undo", "[n]", "take back the last turn, or the last n", undo),
            Command("/retry", "", "take the last turn again, or the one that failed", retry),
            Command("/trace", "[n]", "what happened in the last turn, or the last n", show_trace),
            Command("/why", "", "which questions were asked, and what was answered", show_why),
            Command("/vars", "[name]", "the variables, or one of them in full", show_variables),
            Command("/stack", "", "the function calls under way", show_stack),
            Command("/prompt", "", "what the model was last asked", show_prompt),
            Command("/break", "[NODE [if EXPR]]", "stop turns at a node; alone: list the breakpoints", break_at),
            Command("/delete", "N", "delete a breakpoint", delete),
            Command("/step", "", "stop the next turn at its first node", step),
            Command("/save", "FILE", "write the conversation to a file", save),
            Command("/test", "FILE", "write the conversation so far as a test", test),
            Command("/load", "FILE", "go on with a conversation from a file", load),
            Command("/goto", "NODE", "enter a node, whatever the transitions say", goto),
            Command("/reload", "", "read the program again and go on", read_again),
            Command("/reset", "", "begin anew", reset),
            Command("/model", "[NAME]", "the model in use, or another one", use_model),
            Command("/quit", "", "leave (also Ctrl-D)", leave),
        )
    }
)
