"""How can a conversation be held again? Its turns are taken once more, along the nodes that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import AutographError
from autograph.interpreter.bot import Autograph
from autograph.memory import MemoryObject
from autograph.testing.bots import Desk, at_desk
from autograph.testing.case import Script
from autograph.testing.guide import Astray, Guide
from autograph.testing.same import same
from autograph.testing.told import Told, ToldTurn
from autograph.testing.told_memory import likely_says

__all__ = ["Retraced", "RetracedTurn", "retrace"]

_MOST_TRIES = 300
"""How many answers are tried in a turn for each text that the user may have said."""


@dataclass(frozen=True, slots=True)
class RetracedTurn:
    """A turn as it was taken again: the memories around it, and the script with which it went so.

    ``says`` and ``replies`` may be ``guessed``: what they are is not known. ``same`` is false if the reply is not the
    one that is known.
    """

    says: str | None
    entry: str | None
    script: Script
    reply: str
    path: tuple[str, ...]
    before: MemoryObject
    after: MemoryObject
    guessed_says: bool = False
    guessed_texts: bool = False
    same: bool = True


@dataclass(frozen=True, slots=True)
class Retraced:
    """The turns that could be taken again, and the variables that the conversation began with.

    ``told`` turns were known; ``why`` says what stopped the next one, if that is an error. ``left_out`` were taken, but
    are no part of this.
    """

    turns: tuple[RetracedTurn, ...]
    variables: Mapping[str, Any] = field(default_factory=dict)
    told: int = 0
    why: str = ""
    left_out: int = 0

    @property
    def whole(self) -> bool:
        """Whether no turn is missing."""
        return len(self.turns) == self.told


def retrace(told: Told, bot: Autograph) -> Retraced:
    """Hold a conversation again, with the variables with which it goes furthest. ``bot`` is a bot under test."""
    best: Retraced | None = None
    for variables in told.beginnings:
        found = _from(told, bot, variables)
        if best is None or len(found.turns) > len(best.turns):
            best = found
        if best.whole:
            break
    assert best is not None  # there is at least one beginning
    return best


def _from(told: Told, bot: Autograph, variables: Mapping[str, Any]) -> Retraced:
    done: list[RetracedTurn] = []
    try:
        memory = bot.start(variables)
    except AutographError as error:
        return Retraced((), variables, len(told.turns), str(error))
    why = ""
    final = {} if told.memory is None else told.memory.variables
    for number, turn in enumerate(told.turns):
        entry = turn.entry
        if number == 0 and entry is None and turn.path and turn.path[0] != bot.program.start:
            entry = turn.path[0]
        attempt = _Attempt(bot, memory, turn, final)
        found = attempt.take(_candidates(turn, told.memory, first=number == 0), entry)
        if found is None and told.jumps and entry is None and turn.path and number:
            found = attempt.take((None,), turn.path[0])
        if found is None:
            why = attempt.why
            break
        done.append(found)
        memory = found.after
    return Retraced(tuple(done), variables, len(told.turns), why)


def _candidates(turn: ToldTurn, memory: MemoryObject | None, *, first: bool) -> Sequence[str | None]:
    if turn.certain:
        return turn.says
    guesses: list[str | None] = list(turn.says)
    guesses += [None] if first and None not in guesses else []
    return [*guesses, *(text for text in likely_says(memory) if text not in guesses)]


class _Attempt:
    """The attempts at one turn; ``why`` is what went wrong in the last of them, if it was an error."""

    def __init__(self, bot: Autograph, memory: MemoryObject, turn: ToldTurn, final: Mapping[str, Any]) -> None:
        self._bot, self._memory, self._turn, self._final = bot, memory, turn, final
        self.why = ""

    def take(self, says: Sequence[str | None], entry: str | None) -> RetracedTurn | None:
        """The turn along the way, with the text that agrees best with reply and variables that are known."""
        best: RetracedTurn | None = None
        most = (False, -1)
        for text in says:
            found = self._say(text, entry)
            if found is None:
                continue
            if len(says) == 1:
                return found
            worth = (found.same, self._agreement(found.after))
            if worth > most:
                best, most = found, worth
        return best

    def _agreement(self, after: MemoryObject) -> int:
        """How many of the variables already have the value that they have at the end."""
        final, now = self._final, after.variables
        return sum(name in now and same(value, now[name]) for name, value in final.items())

    def _say(self, says: str | None, entry: str | None) -> RetracedTurn | None:
        tried: list[int] | None = []
        for _ in range(_MOST_TRIES):
            assert tried is not None
            guide = Guide(self._bot, self._turn, tried)
            found = self._go(guide, says, entry)
            if found is not None:
                return found
            tried = guide.next_try()
            if tried is None:
                break
        return None

    def _go(self, guide: Guide, says: str | None, entry: str | None) -> RetracedTurn | None:
        try:
            with at_desk(Desk(guide)):
                reply, after = self._bot.reply(says or "", self._memory, set_state=entry, on_event=guide.listen)
        except Astray:
            return None
        except AutographError as error:
            self.why = str(error)
            return None
        if not guide.arrived:
            return None
        turn = self._turn
        return RetracedTurn(
            says,
            entry,
            Script(tuple(guide.replies), tuple(guide.answers)),
            reply,
            turn.path,
            self._memory,
            after,
            guessed_says=not turn.certain,
            guessed_texts=guide.guessed,
            same=turn.reply is None or turn.reply == reply,
        )
