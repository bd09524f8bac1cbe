"""What is a scenario? A simulated user who wants something, a goal on the state in the end, and a limit of steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from autograph.errors import Location, RunError
from autograph.evaluation.fault import DataError, Fault
from autograph.language.statements import StatementInterpreter

__all__ = ["FACTS", "MOST_STEPS", "Goal", "Persona", "ProgramUser", "Scenario", "Script", "UserSpec"]

MOST_STEPS = 20
"""The limit of steps where a scenario names none."""

FACTS = ("finished", "steps", "turns", "reply", "replies", "last_node", "path", "ended")
"""What a goal may use beside the program's variables."""

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Script:
    """A user who says these texts, one after the other, whatever the program says; then there is nothing more."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramUser:
    """A user who is another program; its replies are what the user says."""

    path: Path


@dataclass(frozen=True, slots=True)
class Persona:
    """A user played by a model. ``goal``: what this person wants, in words."""

    goal: str
    name: str = "a user of this chatbot"
    traits: str = ""


UserSpec = Script | ProgramUser | Persona


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario.

    ``kind`` is its type, for the tables. ``goal`` is an expression over the program's variables in the end and
    ``FACTS``. ``steps``: how often the user may speak; ``reference``: a program that shows how many steps it takes
    (None: ``MOST_STEPS``). ``variables`` are set before; ``start`` is the node to begin at (None: as the program
    begins); ``first`` is who speaks first. ``location`` is where it is written.
    """

    name: str
    user: UserSpec
    kind: str = "other"
    goal: str = "finished"
    steps: int | None = None
    reference: Path | None = None
    variables: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    start: str | None = None
    first: Literal["program", "user"] = "program"
    location: Location = field(default=Location(), compare=False)


class Goal:
    """A goal, compiled. Raises ``DataError`` for a text that is no expression."""

    def __init__(self, expression: str, location: Location = Location()) -> None:
        self.expression = expression
        self._interpreter = StatementInterpreter()
        try:
            self._interpreter.sandbox.expression(expression)
        except RunError as error:
            message = f'the goal "{expression}" is no expression: {error.message.rstrip(".")}.'
            raise DataError([Fault(location, message, 'Write for example finished and day == "Monday".')]) from None

    def reached(self, variables: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[bool, str]:
        """Whether it is reached, and why that could not be told (then it is not). Facts win over variables."""
        try:
            return bool(self._interpreter.execute_expression(self.expression, {**variables, **facts})), ""
        except RunError as error:
            return False, f"the goal cannot be told: {error.message.rstrip('.')}"
