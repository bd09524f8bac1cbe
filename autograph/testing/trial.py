"""Do the tests of a program notice a fault? One mutant is loaded and tested, until the first test that fails.

Tests that never come near the mutant's node cannot notice it and are left out; of the others, those that go through
few nodes come first, since they look most closely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from autograph.errors import AutographError, ProgramError
from autograph.interpreter.events import Entered, Interrupted
from autograph.interpreter.loading import read_source
from autograph.testing.bots import Bots, BotUnderTest
from autograph.testing.discover import load_suite
from autograph.testing.mutants import Mutant, mutants_of, mutated
from autograph.testing.result import CaseResult, Failure
from autograph.testing.run import run_case

if TYPE_CHECKING:
    from autograph.tables import Rows
    from autograph.testing.case import Case, Suite

__all__ = ["Footprint", "MutationError", "Trial", "Workbench"]

_TIMEOUT = 30.0  # seconds a turn of a mutant may take; a healthy one takes a hundredth of that
_SEEN_FROM_AFAR = frozenset({"condition_interjection", "example_interjection"})
"""Cells of a node that tell in other nodes: interjections are offered after every chat node."""


class MutationError(AutographError):
    """The mutation check cannot be made."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """Where a test of the unchanged program went: the suite and the case by number, and the nodes it depends on."""

    suite: int
    case: int
    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a mutant: ``verdict`` is ``killed`` (by ``test``, ``why`` says how it failed), ``survived`` or
    ``unloadable``."""

    verdict: str
    test: str = ""
    why: str = ""


class MutantBots(Bots):
    """The bots of rows that stand in no file, for each configuration that a test asks for."""

    def __init__(self, rows: Rows, modules: Mapping[str, Any]) -> None:
        super().__init__()
        self._rows, self._modules = rows, modules
        self._made: dict[str, BotUnderTest] = {}

    def get(self, program: Any, config: Mapping[str, Any] | None = None, *, live: bool = False) -> BotUnderTest:
        """The bot with this configuration, whatever the program's file says. Raises ``ProgramError``."""
        key = repr(sorted((config or {}).items()))
        if key not in self._made:
            bot = BotUnderTest(config or None, modules=dict(self._modules))
            bot.load_rows(self._rows)
            self._made[key] = bot
        return self._made[key]


class Workbench:
    """A program, its files of tests, and its mutants. Raises ``SuiteError`` and ``ProgramError``."""

    def __init__(self, files: Sequence[str]) -> None:
        self.suites = [load_suite(file) for file in files]
        self.program = str(self.suites[0].program)
        source = read_source(self.program)
        self.rows, self._modules = source.rows, source.modules

    def check(self) -> None:
        """Run the tests without any mutant. Raises ``MutationError`` if one fails, since it would kill every mutant."""
        _ = self.footprints

    @cached_property
    def mutants(self) -> dict[str, Mutant]:
        """All mutants by their ids, in the order of the program."""
        return {mutant.id: mutant for mutant in mutants_of(self.rows)}

    @cached_property
    def footprints(self) -> list[Footprint]:
        """Where each test goes as long as the program is unchanged, nearest first. Raises ``MutationError``."""
        bots = self.bots()
        groups = _groups(bots)
        found: list[Footprint] = []
        for number, suite in enumerate(self.suites):
            for position, case in enumerate(suite.cases):
                result = run_case(suite, case, bots=bots)
                if result.failures:
                    message = (
                        f'{suite.where(case.line)}: the test "{case.name}" fails without any change of the program.'
                    )
                    raise MutationError(f"{message} Make it pass before you look for faults that it would notice.")
                if not result.skipped:
                    nodes = _nodes(result)
                    beside = frozenset[str]().union(*(groups.get(node, frozenset()) for node in nodes))
                    found.append(Footprint(number, position, nodes | beside))
        return sorted(found, key=lambda one: (len(one.nodes), one.suite, one.case))

    def bots(self, mutant: Mutant | None = None) -> MutantBots:
        """The bots of the program, or of one of its mutants."""
        return MutantBots(self.rows if mutant is None else mutated(self.rows, mutant), self._modules)

    def case(self, footprint: Footprint) -> tuple[Suite, Case]:
        """The test that left a footprint."""
        suite = self.suites[footprint.suite]
        return suite, suite.cases[footprint.case]

    def trial(self, mutant: Mutant) -> Trial:
        """Test a mutant."""
        bots = self.bots(mutant)
        try:
            bots.get(self.program)
        except ProgramError as error:
            return Trial("unloadable", why=str(error))
        name = present_name(mutant.node)
        for footprint in self.footprints:
            if mutant.field in _SEEN_FROM_AFAR or name in footprint.nodes:
                suite, case = self.case(footprint)
                result = run_case(suite, case, bots=bots, timeout=_TIMEOUT)
                if result.failures:
                    return Trial("killed", case.name, _words(result.failures[0]))
        return Trial("survived")


def _words(failure: Failure) -> str:
    """How a test failed, in one line."""
    where = f"turn {failure.turn}, " if failure.turn else ""
    return f"{where}{failure.what}: {failure.got}"


def present_name(text: str) -> str:
    """A node's name as conversations know it: ``f()`` for ``f(a, b)``."""
    from autograph.language.names import parse_name

    return parse_name(text).name


def _groups(bots: MutantBots) -> dict[str, frozenset[str]]:
    """Each variant with its group: what one of them says decides whether another is entered."""
    groups = bots.get("").program.groups.values()
    return {name: frozenset(group.lettered) for group in groups for name in group.lettered}


def _nodes(result: CaseResult) -> frozenset[str]:
    """The nodes that were entered or stood at."""
    found: set[str] = set()
    for turn in result.turns:
        found.update(turn.path)
        found.update(event.node for event in turn.events if isinstance(event, Entered))
        found.update(event.target for event in turn.events if isinstance(event, Interrupted))
    return frozenset(found)
