"""How is a chat told, turn by turn? For the file of the conversation, and for a test that is cut out of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograph.cli.session import Session
from autograph.cli.style import Page
from autograph.errors import AutographError

if TYPE_CHECKING:
    from autograph.testing.told import Told, ToldTurn

__all__ = ["story_of", "write_test"]


def story_of(session: Session) -> Mapping[str, Any] | None:
    """The conversation as JSON data: ``variables``, ``config`` and ``turns``. None if its beginning is not known."""
    from autograph.testing.told import turn_to_dict

    turns = [turn_to_dict(turn) for turn in _turns(session)]
    if session.first.current is None:
        variables, config = _storable(session.beginning), _storable(session.settings)
        return {"variables": variables, "config": config, "turns": turns}
    if session.story is None:
        return None
    return {**session.story, "turns": [*session.story["turns"], *turns]}


def _turns(session: Session) -> Iterator[ToldTurn]:
    """The turns since the beginning, or since the conversation was loaded."""
    from autograph.testing.told import told_turn

    for step in session.history:
        last = step.memory.last_turn
        yield told_turn(step.attempt.said, step.attempt.node, step.reply, last.events if last is not None else ())


def _storable(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that JSON can hold."""
    found = {}
    for name, value in values.items():
        try:
            found[name] = json.loads(json.dumps(value, allow_nan=False))
        except (TypeError, ValueError):  # a module, a date: they are given anew by who needs them
            continue
    return found


# ---------------------------------------------------------------------- a test


def write_test(session: Session, path: str, page: Page) -> str:
    """Write the conversation so far as a test, behind those that are in the file; what is to be told then.

    Raises ``AutographError``.
    """
    from autograph.testing.cut import cut_told
    from autograph.testing.cut_file import add_to_file

    target = Path(path).expanduser()
    program = _program(session)
    if not target.name.lower().endswith((".chat.yaml", ".chat.yml")):
        raise AutographError(f"{path} must end in .chat.yaml, as files of tests do")
    cut = cut_told(_told(session), program, f"{session.name} {len(session.history)}", "Cut from a chat with /test.")
    written = add_to_file(cut, target)
    notes = "\n".join(f"{page.style.warning('note:')} {note}" for note in cut.notes[1:])
    return f"Wrote the test {written.name!r} to {path}." + (f"\n{notes}" if notes else "")


def _program(session: Session) -> Path:
    if session.bot.trust != "own":
        raise AutographError("a stranger's program is not run as a test, where nothing would lock it in")
    program = Path(session.source)
    if "://" in session.source:
        raise AutographError("the program is a link. Save it as a file, and chat with that")
    return program


def _told(session: Session) -> Told:
    """The conversation so far; what came before it was loaded is told by its file, or by its memory."""
    from autograph.testing.bots import load_bot
    from autograph.testing.told import Told
    from autograph.testing.told_file import told_of_story
    from autograph.testing.told_memory import told_of_memory

    turns = tuple(_turns(session))
    if session.first.current is None:
        return Told(turns, session.source, session.memory, (session.beginning,), _storable(session.settings))
    if session.story is not None:
        before = told_of_story(session.story, session.source, session.memory)
    else:
        before = told_of_memory(session.first, load_bot(session.source), session.source)
    return Told((*before.turns, *turns), session.source, session.memory, before.beginnings, before.config)
