"""Commands of the chat that say where turns stop: ``/break /delete /step``."""

from __future__ import annotations

from autograph.cli.debug_commands import breakpoints_text
from autograph.cli.outcome import CommandError, Outcome
from autograph.cli.session import Session
from autograph.cli.stepping import read_breakpoint
from autograph.cli.style import Page, safe
from autograph.errors import RunError
from autograph.interpreter.debugging import NOT_TRUSTED

__all__ = ["break_at", "delete", "refuse_untrusted", "set_breakpoint", "step"]


def set_breakpoint(session: Session, text: str) -> None:
    """Stop where ``NODE if EXPR`` says. Raises ``RunError``."""
    refuse_untrusted(session)
    session.stepper.add(*read_breakpoint(session.bot, text))


def refuse_untrusted(session: Session) -> None:
    """Raise ``RunError`` if the program cannot be debugged."""
    if session.bot.trust != "own":
        raise RunError(NOT_TRUSTED)


def break_at(session: Session, argument: str, page: Page) -> Outcome:
    """Stop at a node, or list the breakpoints."""
    if argument:
        set_breakpoint(session, argument)
    return Outcome(breakpoints_text(session.stepper.breakpoints, session.bot, page))


def delete(session: Session, argument: str, page: Page) -> Outcome:
    """Delete a breakpoint."""
    if not argument.isdecimal() or not session.stepper.remove(int(argument)):
        raise CommandError(f'There is no breakpoint "{safe(argument)}".')
    return Outcome(breakpoints_text(session.stepper.breakpoints, session.bot, page))


def step(session: Session, argument: str, page: Page) -> Outcome:
    """Let the next turn stop at its first node."""
    refuse_untrusted(session)
    session.stepper.go("step")
    return Outcome("The next turn stops at the first node that it enters.")
