"""How does one conversation of a scenario go? Until the program ends, or the user, or the steps do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from autograph.errors import ModelError, RunError
from autograph.evaluation.scenarios.bots import Context, ScenarioBot
from autograph.evaluation.scenarios.scenario import Goal, Scenario
from autograph.memory import MemoryObject

if TYPE_CHECKING:
    from autograph.evaluation.scenarios.users import User

__all__ = ["Ending", "Talk", "beginning", "talk"]

Ending = Literal["program", "user", "limit", "error"]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation that has ended.

    ``exchanges``: what the user said ("" where the program opens) and what the program replied. ``steps``: how often
    the user spoke and was answered. ``success``: whether the goal is reached; ``note`` says why not, where that
    needs to be said. ``words``, ``tokens``: those of the largest prompt that the program's model was sent.
    """

    exchanges: tuple[tuple[str, str], ...]
    steps: int
    ended: Ending
    success: bool
    note: str
    words: int
    tokens: int
    memory: MemoryObject


def beginning(bot: ScenarioBot, scenario: Scenario, seed: int, before: MemoryObject | None) -> MemoryObject:
    """The memory that a conversation begins with: a fresh one, or what ``before`` knows; with the scenario's variables.

    ``before`` is left as it is. One that stands inside of a function hands on its variables only, since nobody would
    return from there.
    """
    variables = dict(scenario.variables)
    if before is None:
        memory = bot.start(variables)
    elif len(before.stack) > 1:
        memory = bot.start({**_storable(before), **variables})
    else:
        memory = MemoryObject.from_dict(before.to_dict())
        memory.finished = False
        for name, value in variables.items():
            memory.top.assign(name, value)
    memory.seed = seed
    return memory


def _storable(memory: MemoryObject) -> Mapping[str, Any]:
    return dict(MemoryObject.from_dict(memory.to_dict()).stack[0].variables)


async def talk(bot: ScenarioBot, scenario: Scenario, user: User, memory: MemoryObject, limit: int, seed: int) -> Talk:
    """Hold the conversation; the user speaks at most ``limit`` times, and a program that fails ends it.

    Raises ``ModelError``.
    """
    context = Context(seed)
    bot.context.set(context)
    course = _Course(bot, scenario, memory, context)
    try:
        ended = await course.hold(user, limit)
        note = ""
    except ModelError as error:
        error.add_note(f'asked in the scenario "{scenario.name}"')
        raise
    except RunError as error:
        ended, note = "error", f"{type(error).__name__}: {error}"
    return course.result(ended, note)


class _Course:
    """How far a conversation has come."""

    def __init__(self, bot: ScenarioBot, scenario: Scenario, memory: MemoryObject, context: Context) -> None:
        self._bot, self._scenario, self._memory, self._context = bot, scenario, memory, context
        self._enter = scenario.start or (bot.program.start if memory.current is not None else None)
        self._entered_before = memory.entered
        self._exchanges: list[tuple[str, str]] = []
        self._steps = 0

    async def hold(self, user: User, limit: int) -> Ending:
        """Talk to the end; what ended it. Raises ``RunError``, ``ModelError``."""
        reply = ""
        if self._scenario.first == "program":
            reply = await self._turn("")
        while not self._memory.finished:
            if self._steps >= limit:
                return "limit"
            said = await user.say(reply)
            if said is None:
                return "user"
            reply = await self._turn(said)
            self._steps += 1
        return "program"

    async def _turn(self, text: str) -> str:
        options = {} if self._enter is None else {"set_state": self._enter}
        reply, self._memory = await self._bot.areply(text, self._memory, **options)
        self._enter = None
        self._exchanges.append((text, reply))
        return reply

    def result(self, ended: Ending, note: str) -> Talk:
        """The conversation, and whether its goal is reached."""
        memory, replies = self._memory, [reply for _, reply in self._exchanges]
        facts = {
            "finished": memory.finished,
            "steps": self._steps,
            "turns": len(replies),
            "reply": replies[-1] if replies else "",
            "replies": replies,
            "last_node": memory.current,
            "path": memory.trajectory[self._entered_before :],
            "ended": ended,
        }
        success = False
        if ended != "error":
            success, note = Goal(self._scenario.goal).reached(memory.variables, facts)
        return Talk(
            tuple(self._exchanges), self._steps, ended, success, note, self._context.words, self._context.tokens, memory
        )  # fmt: skip
