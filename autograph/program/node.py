"""What is a node? Its source text, and what the loader made of it: typed, parsed, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograph.errors import Location
from autograph.language.calls import CallPlan
from autograph.language.names import Parameter
from autograph.tables import Row
from autograph.vocabulary import Action

if TYPE_CHECKING:
    from autograph.language.sandbox import Statement
    from autograph.language.text import Template

__all__ = ["Group", "NodeSpec", "Transition"]


@dataclass(frozen=True, slots=True)
class Transition:
    """One target of a node, parsed.

    ``kind`` is ``node``, ``group_n``, ``group_star``, ``return`` (with ``expression`` if it gives a
    value), ``quit``, ``resume`` or ``dynamic``; ``target`` the node's or variable's name or the
    group's prefix; ``text`` the item as written.
    """

    kind: str
    target: str
    text: str
    expression: Statement | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The variants of a prefix, in order: ``p.1``, ``p.2`` … and ``p.a``, ``p.b`` …"""

    prefix: str
    numbered: tuple[str, ...] = ()
    lettered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class NodeSpec:
    """A node as loaded.

    ``row`` holds the source text and the addresses. ``assign`` is the variable that takes the
    value; ``text`` the rest of the instruction, ``statements`` that of a ``python_function``,
    ``plan`` that of a call. ``parameters`` is None unless the node is callable.
    """

    name: str
    action: Action
    row: Row
    instruction: str
    parameters: tuple[Parameter, ...] | None = None
    assign: str | None = None
    text: Template | None = None
    statements: tuple[Statement, ...] = ()
    plan: CallPlan | None = None
    transitions: tuple[Transition, ...] = ()
    question: Template | None = None
    choices: tuple[Template, ...] = ()
    question_prompt: Template | None = None
    transition_context: int | None = None
    on_unclear: str = "error"
    unclear_index: int | None = None
    min_confidence: float | None = None
    boolean_condition: Statement | None = None
    condition_interjection: Template | None = None
    example_interjection: Template | None = None
    user_interjection: Template | None = None
    probability_interjection: float | None = None
    user_instructions: Mapping[int, Template] | None = None
    transition_probs: tuple[float, ...] = ()
    state_category: str = ""
    conv_scope: tuple[str, ...] = ()
    prerequisite_states: tuple[str, ...] = ()
    blocking_states: tuple[str, ...] = ()
    up_weight_states: tuple[str, ...] = ()
    down_weight_states: tuple[str, ...] = ()
    required_revisit: tuple[str, ...] = ()
    allowed_targets: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()
    instruction_template: str = ""
    reply_start: Template | None = None
    model: str = ""

    @property
    def callable(self) -> bool:
        """Whether graph calls may enter this node."""
        return self.parameters is not None

    def location(self, field: str = "instruction") -> Location:
        """The address of one of the node's cells."""
        return self.row.cell(field)

    def __repr__(self) -> str:
        return f"<node {self.name!r} ({self.action.name})>"
