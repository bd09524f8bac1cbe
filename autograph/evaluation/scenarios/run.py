"""How do programs do in the same scenarios? Conversations with the same users and seeds for each program."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from autograph.evaluation.many import AT_ONCE, Count, in_order
from autograph.evaluation.scenarios.bots import Context, ScenarioBot, scenario_bot
from autograph.evaluation.scenarios.result import Held
from autograph.evaluation.scenarios.scenario import MOST_STEPS, ProgramUser, Scenario, Script
from autograph.evaluation.scenarios.talk import Talk, beginning, talk
from autograph.evaluation.scenarios.users import AnsweringProgram, PlayedPersona, Reciter, User
from autograph.memory import MemoryObject
from autograph.models.base import Model

__all__ = ["Round", "Rounds", "Terms", "digest_of_run", "rounds_of", "run_scenarios", "seed_of"]

Keep = Callable[[Held, MemoryObject | None], object]
"""Is given each conversation when it has ended, and the memory with which a run that is not forgetful goes on."""


@dataclass(frozen=True, slots=True)
class Round:
    """One conversation that is to be held: its number, its scenario, and the seed of both sides."""

    index: int
    scenario: Scenario
    seed: int


@dataclass(frozen=True, slots=True)
class Rounds:
    """The conversations of an evaluation, the same for every program; those of ``warm_up`` count for nothing."""

    warm_up: tuple[Round, ...]
    counted: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """How conversations are held.

    ``forgetful``: each begins with what the warm-up left; else each goes on with the memory of the one before.
    ``user_model`` plays personas. ``load`` makes the programs of users and references from their paths.
    """

    forgetful: bool = True
    user_model: Model | None = None
    at_once: int = AT_ONCE
    load: Callable[[Path], ScenarioBot] = scenario_bot
    _bots: dict[Path, ScenarioBot] = field(default_factory=dict, repr=False, compare=False)
    _limits: dict[int, int | None] = field(default_factory=dict, repr=False, compare=False)

    def bot_of(self, path: Path) -> ScenarioBot:
        """The program in a file, loaded once. Raises ``ProgramError``."""
        if path not in self._bots:
            self._bots[path] = self.load(path)
        return self._bots[path]

    def user_of(self, round_: Round) -> User:
        """The user of a conversation, made anew. Raises ``ProgramError``."""
        spec = round_.scenario.user
        if isinstance(spec, Script):
            return Reciter(spec.texts)
        if isinstance(spec, ProgramUser):
            bot = self.bot_of(spec.path)
            bot.context.set(Context(round_.seed))
            return AnsweringProgram(bot, round_.seed)
        if self.user_model is None:
            from autograph.models.resolve import resolve_model

            return PlayedPersona(resolve_model("auto"), spec, round_.seed)
        return PlayedPersona(self.user_model, spec, round_.seed)

    async def limit_of(self, round_: Round) -> int | None:
        """How often the user may speak; None if the reference does not reach the goal. Raises ``ModelError``."""
        scenario = round_.scenario
        if scenario.reference is None:
            return scenario.steps or MOST_STEPS
        if round_.index not in self._limits:
            bot = self.bot_of(scenario.reference)
            memory = beginning(bot, replace(scenario, start=None), round_.seed, None)
            shown = await talk(
                bot, replace(scenario, start=None), self.user_of(round_), memory, MOST_STEPS, round_.seed
            )
            self._limits[round_.index] = max(1, shown.steps) if shown.success else None
        return self._limits[round_.index]


def seed_of(seed: int, index: int) -> int:
    """The seed of a conversation: it depends on nothing but the run's seed and the conversation's number; 31 bits."""
    return int.from_bytes(sha256(f"{seed} {index}".encode()).digest()[:4], "big") >> 1


def rounds_of(
    scenarios: Sequence[Scenario], seed: int = 0, repeat: int = 1, warm_up: int = 0, shuffle: bool = False
) -> Rounds:
    """The conversations of an evaluation: each scenario ``repeat`` times, in the file's order or shuffled by the seed.

    The first ``warm_up`` of them (at most all but one) only warm up.
    """
    order = [scenario for _ in range(repeat) for scenario in scenarios]
    if shuffle:
        Random(f"{seed} order").shuffle(order)
    found = [Round(index, scenario, seed_of(seed, index)) for index, scenario in enumerate(order)]
    first = min(warm_up, len(found) - 1)
    return Rounds(tuple(found[:first]), tuple(found[first:]))


def run_scenarios(
    bot: ScenarioBot,
    rounds: Rounds,
    terms: Terms,
    *,
    done: Mapping[int, Held] | None = None,
    memory: MemoryObject | None = None,
    keep: Keep = lambda held, memory: None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Held, ...]:
    """Hold the conversations with one program; what came of each, in order.

    ``done`` are those that were held before, by their numbers, and ``memory`` what the last of them left (for a run
    that is not forgetful). Raises ``ModelError``, ``ProgramError``; what was kept by then stays.
    """
    before = dict(done or {})
    to_hold = [round_ for round_ in rounds.counted if round_.index not in before]
    count = Count(progress, len(rounds.counted))
    for _ in before:
        count.one()
    if memory is None:
        memory = _warmed(bot, rounds.warm_up if to_hold else (), terms)
    line = _Line(bot, terms, keep, memory)
    at_once = terms.at_once if terms.forgetful else 1
    held = in_order([line.job(round_) for round_ in to_hold], at_once, count)
    return tuple(sorted((*before.values(), *held), key=lambda each: each.index))


def _warmed(bot: ScenarioBot, rounds: Sequence[Round], terms: Terms) -> MemoryObject | None:
    line = _Line(bot, replace(terms, forgetful=False), lambda held, memory: None, None)
    in_order([line.job(round_) for round_ in rounds], 1, Count(None, 0))
    return line.memory


class _Line:
    """The conversations with one program. ``memory`` is what the next one begins with."""

    def __init__(self, bot: ScenarioBot, terms: Terms, keep: Keep, memory: MemoryObject | None) -> None:
        self._bot, self._terms, self._keep, self.memory = bot, terms, keep, memory

    def job(self, round_: Round) -> Callable[[], Awaitable[Held]]:
        """What holds a conversation when it is called."""
        return lambda: self._hold(round_)

    async def _hold(self, round_: Round) -> Held:
        limit = await self._terms.limit_of(round_)
        scenario = round_.scenario
        if limit is None:
            reason = f"the reference {scenario.reference and scenario.reference.name} does not reach the goal"
            held = Held(round_.index, scenario.name, scenario.kind, round_.seed, None, 0, 0, note=reason)
            self._keep(held, self.memory)
            return held
        user = self._terms.user_of(round_)
        memory = beginning(self._bot, scenario, round_.seed, self.memory)
        ended = await talk(self._bot, scenario, user, memory, limit, round_.seed)
        if not self._terms.forgetful and ended.ended != "error":
            self.memory = ended.memory
        held = _held(round_, limit, ended)
        self._keep(held, self.memory)
        return held


def _held(round_: Round, limit: int, ended: Talk) -> Held:
    scenario = round_.scenario
    return Held(
        round_.index, scenario.name, scenario.kind, round_.seed, ended.success, ended.steps, limit, ended.ended,
        ended.words, ended.tokens, ended.exchanges, ended.note,
    )  # fmt: skip


def digest_of_run(*parts: Any) -> str:
    """A short digest that tells runs apart, 16 hexadecimal digits."""
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
