"""Commands that keep conversations and change the program: ``/save /load /model /reload``."""

from __future__ import annotations

from autograph.cli.exits import exit_code
from autograph.cli.outcome import CommandError, Outcome, standing
from autograph.cli.render import error_text, reloaded_text
from autograph.cli.saved import read_conversation, write_conversation
from autograph.cli.session import Session
from autograph.cli.style import Page
from autograph.cli.telling import story_of, write_test
from autograph.errors import AutographError

__all__ = ["load", "load_text", "read_again", "reload", "save", "test", "use_model"]


def save(session: Session, argument: str, page: Page) -> Outcome:
    """Write the conversation to a file."""
    if not argument:
        raise CommandError("Where to?")
    write_conversation(argument, session.memory, session.source, story_of(session))
    return Outcome(f"Saved the conversation to {argument}.")


def test(session: Session, argument: str, page: Page) -> Outcome:
    """Write the conversation so far as a test."""
    if not argument:
        raise CommandError("Where to?")
    return Outcome(write_test(session, argument, page))


def load(session: Session, argument: str, page: Page) -> Outcome:
    """Go on with the conversation in a file."""
    if not argument:
        raise CommandError("From where?")
    return Outcome(load_text(session, argument, page))


def load_text(session: Session, path: str, page: Page) -> str:
    """Go on with a saved conversation, and say where it stands. Raises ``RunError``."""
    saved = read_conversation(path)
    session.adopt(saved.memory, saved.story)
    lines = [f"Loaded {path}.{standing(session, page)}"]
    if saved.program and saved.program != session.source:
        lines.insert(0, page.style.warning("note:") + f" it was held with {saved.program}, not {session.source}.")
    if session.memory.finished:
        lines.append(page.style.dim("It has ended; /reset begins anew."))
    return "\n".join(lines)


def use_model(session: Session, argument: str, page: Page) -> Outcome:
    """Name the model in use, or go on with another one."""
    if argument:
        session.use_model(argument)
    return Outcome(f"The model is {session.model_name}.")


def read_again(session: Session, argument: str, page: Page) -> Outcome:
    """Read the program again."""
    return reload(session, page)


def reload(session: Session, page: Page) -> Outcome:
    """Read the program again; if that fails, say why and that the old one stays."""
    try:
        found = session.reload()
    except AutographError as error:
        kept = page.style.dim("The program stays as it was.")
        return Outcome(f"{error_text(error, page)}\n{kept}", code=exit_code(error), error=error)
    return Outcome(reloaded_text(session.name, found, session.bot.problems, page))
