"""What does a typed line lead to? A text, a turn, or the end; and what several commands need."""

from __future__ import annotations

from dataclasses import dataclass

from autograph.cli.session import LiveTurn, Session
from autograph.cli.style import Page, safe
from autograph.cli.wrap import wrap
from autograph.errors import AutographError
from autograph.memory import MemoryObject
from autograph.memory.turns import iterate

__all__ = ["CommandError", "Outcome", "ended_text", "standing", "turn_count"]


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


def ended_text(page: Page) -> str:
    """What is said at the end of a conversation."""
    return page.style.dim("The conversation has ended. /undo takes back the last turn, /reset begins anew.")


def standing(session: Session, page: Page) -> str:
    """Where the conversation stands now, with the bot's last words, to be put behind a sentence."""
    if session.fresh:
        return " The conversation has not begun."
    words = _last_words(session.memory)
    said = "\n\n" + "\n".join(wrap(safe(words), page.width)) if words else ""
    return f" The conversation stands at {session.memory.current}.{said}"


def _last_words(memory: MemoryObject) -> str:
    if memory.last_turn is not None and memory.last_turn.agent_reply:
        return memory.last_turn.agent_reply
    for level in reversed(memory.stack):
        for turn in iterate(level.turn):
            if turn.spoke:
                return turn.agent
    return ""


def turn_count(argument: str, default: int) -> int:
    """The number of turns that a command was given. Raises ``CommandError``."""
    if not argument:
        return default
    if not argument.isdecimal() or len(argument) > 9 or int(argument) < 1:
        raise CommandError(f'"{safe(argument)}" is no number of turns.')
    return int(argument)
