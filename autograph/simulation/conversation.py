"""How does one conversation go? The program opens, the user speaks, until one of them ends or nothing moves on.

Ends, in the order in which they are looked for after each turn: the program has finished; the user has said its last
words; the same exchange went round and round (``stuck``); too many turns (``limit``). An error of the program or of a
model ends it as ``failed``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from autograph.errors import AutographError, ModelError, RunError
from autograph.interpreter.events import ENTERED
from autograph.interpreter.traffic import Tally
from autograph.interpreter.walked import Walk
from autograph.memory.codec import encode_values
from autograph.models.base import Usage
from autograph.models.limited import BudgetError
from autograph.models.prices import cost_of
from autograph.simulation.cast import Books, CastBot
from autograph.simulation.record import NOTHING, Conversation, Ending, Failure, Measured, Outcome, Taken
from autograph.simulation.success import SuccessTest
from autograph.simulation.users import MakeUser, Said

if TYPE_CHECKING:
    from autograph.memory import MemoryObject
    from autograph.simulation.personas import Persona

__all__ = ["LONGEST_CYCLE", "Case", "Terms", "converse", "goes_round"]

LONGEST_CYCLE = 4
"""Turns; a longer round is not taken for one."""

_PAUSES = (1.0, 4.0)
"""Seconds to wait before a turn is tried again whose model could not be reached."""


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation that is to be held; see ``Conversation`` for its fields."""

    index: int
    case: int
    round: int
    seed: int
    persona: Persona | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """How conversations are held.

    ``stuck_after``: how often the same exchange must follow itself. ``success``: the test of those without a
    persona's own. ``variables``: what a conversation begins with. ``sleep`` waits between tries (seconds).
    """

    bot: CastBot
    make_user: MakeUser
    success: SuccessTest
    persona_success: Mapping[str, SuccessTest] = field(default_factory=dict)
    max_turns: int = 30
    stuck_after: int = 3
    variables: Mapping[str, Any] = field(default_factory=dict)
    prices: Mapping[str, float] | None = None
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep


@dataclass(slots=True)
class _Course:
    """How far a conversation has come; ``said`` is what the program has not replied to yet."""

    memory: MemoryObject
    books: Books
    said: str = ""
    turns: list[Taken] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    noted: Usage = NOTHING
    noted_user: Usage = NOTHING


@dataclass(frozen=True, slots=True)
class _End:
    outcome: Outcome
    reason: str
    ended_by: Ending = ""
    error: Failure | None = None
    cause: AutographError | None = None


async def converse(case: Case, terms: Terms) -> tuple[Conversation, Measured, AutographError | None]:
    """Hold one conversation: its record, how long it took, and the error that ended it.

    Raises ``BudgetError`` when no further request may be made; the conversation is then worth nothing.
    """
    began = monotonic()
    memory = terms.bot.start(terms.variables)
    memory.seed = case.seed
    course = _Course(memory, Books(case.seed))
    terms.bot.stage.books.set(course.books)
    try:
        end = await _hold(case, terms, course)
    except BudgetError:
        raise
    except AutographError as error:
        node = error.node if isinstance(error, RunError) else None
        failure = Failure(type(error).__name__, str(error), node or course.memory.current, course.said)
        end = _End("failed", f"{failure.kind}: {failure.message}", "", failure, error)
    measured = Measured(case.index, monotonic() - began, tuple(course.times))
    return _record(case, terms, course, end), measured, end.cause


async def _hold(case: Case, terms: Terms, course: _Course) -> _End:
    persona = case.persona
    user = terms.make_user(persona, case.seed)
    limit = persona.max_turns if persona and persona.max_turns else terms.max_turns
    opening = persona.opening if persona else None
    said = Said(opening or "")
    while True:
        await _turn(terms, course, said)
        if course.memory.finished:
            return _End("finished", "the program ended", "program")
        if said.ends:
            return _End("finished", "the user ended", "user")
        cycle = goes_round(course.turns, terms.stuck_after)
        if cycle:
            what = "the same exchange" if cycle == 1 else f"the same {cycle} exchanges"
            return _End(
                "stuck", f'{what} came {terms.stuck_after} times in a row, last at node "{course.memory.current}"'
            )
        if len(course.turns) >= limit:
            return _End("limit", f"no end within {limit} turns")
        await asyncio.sleep(0)  # where no model is waited for, this is when Ctrl-C is heard
        memory, reply = course.memory, course.turns[-1].reply
        said = await _tried(terms, lambda memory=memory, reply=reply: user.say(reply, memory))  # type: ignore[misc]
        if said.text is None:
            return _End("finished", "the user ended", "user")


async def _turn(terms: Terms, course: _Course, said: Said) -> None:
    """One turn of the program, put down in the course."""
    before, bot, text = course.memory, terms.bot, said.text or ""
    course.said = text
    began = monotonic()
    reply, after = await _tried(terms, lambda: bot.areply(text, before))
    course.times.append(monotonic() - began)
    course.said = ""
    last = after.last_turn
    path = [entry[1] for entry in last.events.entries if entry[0] == ENTERED]
    books = course.books
    course.turns.append(
        Taken(
            text,
            reply,
            after.current,
            tuple(path),
            _difference(books.program, course.noted),
            said.target,
            _difference(books.user, course.noted_user),
        )
    )
    course.noted, course.noted_user = books.program, books.user
    course.path += path
    walk = Walk(bot.program, before, course.tally)
    for event in last.events:
        walk.go(event)
    walk.close(after.finished)
    course.memory = after


async def _tried(terms: Terms, make: Callable[[], Awaitable[Any]]) -> Any:
    """What ``make`` gives; a model that may be reachable in a moment is asked again."""
    for pause in _PAUSES:
        try:
            return await make()
        except ModelError as error:
            if not error.retryable:
                raise
        await terms.sleep(pause)
    return await make()


def goes_round(turns: Sequence[Taken], times: int) -> int:
    """The length of the round in which a conversation goes, 0 if it does not.

    It does if its last ``length`` exchanges — what the user said, the reply, the node — came ``times`` times in a
    row, for a length of at most ``LONGEST_CYCLE``.
    """
    for length in range(1, LONGEST_CYCLE + 1):
        needed = length * times
        if len(turns) < needed:
            return 0
        recent = turns[-needed:]
        if all(_same(recent[place], recent[place + length]) for place in range(needed - length - 1, -1, -1)):
            return length
    return 0


def _same(one: Taken, other: Taken) -> bool:
    return one.user == other.user and one.reply == other.reply and one.node == other.node


def _difference(now: Usage, before: Usage) -> Usage:
    if now is before:
        return NOTHING
    return Usage(
        now.prompt - before.prompt,
        now.completion - before.completion,
        now.cached - before.cached,
        now.reasoning - before.reasoning,
        now.requests - before.requests,
    )


def _record(case: Case, terms: Terms, course: _Course, end: _End) -> Conversation:
    memory, books = course.memory, course.books
    variables = _variables(memory)
    facts = {
        "finished": end.outcome == "finished",
        "turns": len(course.turns),
        "last_node": memory.current,
        "path": list(course.path),
        "outcome": end.outcome,
        "replies": [turn.reply for turn in course.turns],
    }
    own = terms.persona_success.get(case.persona.name) if case.persona else None
    success, remark = (own or terms.success)(variables, facts)
    reason = f"{end.reason}; {remark}" if remark else end.reason
    usage = books.program + books.user
    return Conversation(
        index=case.index,
        case=case.case,
        round=case.round,
        seed=case.seed,
        persona=case.persona.name if case.persona else None,
        outcome=end.outcome,
        success=success,
        reason=reason,
        turns=tuple(course.turns),
        path=tuple(course.path),
        last_node=memory.current,
        ended_by=end.ended_by,
        error=end.error,
        usage=books.program,
        user_usage=books.user,
        cost=None if terms.prices is None else round(cost_of(usage, terms.prices), 9),
        traffic=course.tally.frozen().to_dict(),
        variables=dict(zip(variables, encode_values(list(variables.values()), list(variables)), strict=True)),
    )


def _variables(memory: MemoryObject) -> dict[str, Any]:
    """The variables at the end: those of the whole conversation, and over them what is visible where it stands."""
    found: dict[str, Any] = {}
    for level in (memory.stack[0], memory.stack[-1]):
        found.update(level.visible_items())
    return dict(sorted(found.items()))
