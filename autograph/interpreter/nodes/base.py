"""What every node can do: the three methods that the loop calls, and where custom actions begin."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, ClassVar

from autograph.errors import Location
from autograph.interpreter.process import END
from autograph.memory import UNSET, MemoryObject
from autograph.memory.trajectory import ENTERED
from autograph.models.base import Model
from autograph.program import NodeSpec, Transition
from autograph.vocabulary import Action

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.effects import Effect
    from autograph.interpreter.run import Run
    from autograph.language.sandbox import Statement

__all__ = ["PASS_ON", "Node", "is_quick"]

PASS_ON = UNSET
"""What ``get_variable_output`` returns to leave the previous value as it is."""


def is_quick(statement: Statement) -> bool:
    """Whether ``eval(statement.code, scope)`` is all that a statement takes."""
    return statement.plain and not (statement.needs or statement.mutates or statement.targets)


class Node:
    """A node at work. Subclasses override some of the three methods.

    Each may do its work at once, or be a generator that yields effects. Set ``enters`` to False if
    ``apply_instruction`` does nothing, ``asks`` to True if ``get_variable_output`` is a generator.
    A custom action names itself in the class attribute ``action``.
    """

    action: ClassVar[Action | None] = None
    enters: ClassVar[bool] = True
    asks: ClassVar[bool] = False

    __slots__ = ("assign", "bot", "entered", "name", "only_transition", "quick_condition", "speaks", "spec", "static")

    def __init__(self, spec: NodeSpec, bot: Autograph) -> None:
        self.spec = spec
        self.bot = bot
        self.name = spec.name
        self.entered = (ENTERED, spec.name)
        self.speaks = spec.action.speaks
        self.assign = spec.assign
        self.only_transition: Transition = spec.transitions[0] if spec.transitions else END
        asks = len(spec.transitions) > 1 or (self.speaks and bool(bot.program.interjections))
        self.static: Transition | None = None if asks else self.only_transition
        condition = spec.boolean_condition
        self.quick_condition = condition.code if condition is not None and is_quick(condition) else None

    # ------------------------------------------------------------------ the three methods

    def apply_instruction(self, run: Run) -> Any:
        """Do what the node is for, on entering it. A node that is returned is entered next, as a call."""

    def get_variable_output(self, run: Run) -> Any:
        """The node's value, when it is left."""
        return run.value

    def apply_transition(self, run: Run) -> Transition | Generator[Effect, Any, Transition]:
        """The transition that is taken, as it stands in the program."""
        if self.static is not None:
            return self.static
        from autograph.interpreter.questions import choose_transition

        return choose_transition(run, self)

    # ------------------------------------------------------------------ for everybody

    def reply(self, user_reply: str = "", memory_object: MemoryObject | None = None) -> tuple[str, MemoryObject]:
        """Enter this node next: ``bot.reply(user_reply, memory_object, set_state=name)``."""
        return self.bot.reply(user_reply, memory_object, set_state=self.name)

    def model(self, run: Run, role: str) -> Model:
        """The model that this node asks: its own, or the program's for the role."""
        if self.spec.model:
            return self.bot.model_of(self.spec.model)
        return self.bot.model if role == "chatbot" else self.bot.classifier

    def location(self, field: str = "instruction") -> Location:
        """The address of one of the node's cells."""
        return self.spec.location(field)

    @property
    def waits_for_nothing(self) -> bool:
        """Whether the conversation ends after this node on the base level: no transition, or only ``quit``."""
        return self.only_transition is END or (len(self.spec.transitions) == 1 and self.only_transition.kind == "quit")

    @property
    def instruction(self) -> str:
        """The source text of the instruction."""
        return self.spec.instruction

    @property
    def transitions(self) -> list[str]:
        """The transitions as written."""
        return [transition.text for transition in self.spec.transitions]

    @property
    def fields(self) -> dict[str, str]:
        """All filled-in fields as text."""
        return {name: text for name, text in self.spec.row.fields.items() if text}

    def __repr__(self) -> str:
        return repr(self.spec)
