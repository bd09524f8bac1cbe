"""Commands that move the conversation: ``/undo /retry /goto /reset /quit``."""

from __future__ import annotations

from autograph.cli.exits import USAGE
from autograph.cli.outcome import CommandError, Outcome, ended_text, standing, turn_count
from autograph.cli.session import Session
from autograph.cli.style import Page

__all__ = ["goto", "leave", "reset", "retry", "undo"]


def undo(session: Session, argument: str, page: Page) -> Outcome:
    """Take back turns, and say where the conversation stands then."""
    wanted = turn_count(argument, 1)
    taken = session.undo(wanted)
    if not taken:
        return Outcome("There is nothing to take back.", code=USAGE)
    count = "the last turn" if taken == 1 else f"{taken} turns"
    short = "" if taken == wanted else ", which is all there were"
    return Outcome(f"Took back {count}{short}.{standing(session, page)}")


def retry(session: Session, argument: str, page: Page) -> Outcome:
    """The last turn again, or the one that failed."""
    return Outcome(turn=session.retry())


def goto(session: Session, argument: str, page: Page) -> Outcome:
    """Enter the node that is named."""
    if not argument:
        raise CommandError("Where to?")
    if session.finished:
        return Outcome(ended_text(page), code=USAGE)
    return Outcome(turn=session.goto(argument))


def reset(session: Session, argument: str, page: Page) -> Outcome:
    """Begin anew."""
    return Outcome(turn=session.reset())


def leave(session: Session, argument: str, page: Page) -> Outcome:
    """End the chat."""
    return Outcome(leave=True)
