"""How does a program come to stand at a node, so that a user can answer it there? Without talking up to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograph.errors import ModelError, RunError
from autograph.interpreter.bot import Autograph
from autograph.memory import MemoryObject
from autograph.memory.turns import Turn, add_turn
from autograph.program import NodeSpec

__all__ = ["Stage", "Standing", "Unreached"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory in which the user answers now.

    ``enter`` is None where the node has spoken; a node that does not speak asks when it is entered, with the user's
    text in hand, and is named here. ``said`` is what the program said last.
    """

    memory: MemoryObject
    enter: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Unreached:
    """Why a node could not be entered."""

    reason: str


class Stage:
    """Puts one program's conversations at its nodes; the same node with the same variables only once.

    The program opens first (its first turn, without a user), so that the variables and prompts of its beginning are
    there. Then the variables given are set, and the node is entered whatever the transitions say. A function is
    entered by a node that calls it. ``bot`` has the models that write what stands before a saying.
    """

    def __init__(self, bot: Autograph) -> None:
        self._bot = bot
        self._opening: MemoryObject | None = None
        self._standings: dict[tuple[str, str, str], Standing | Unreached] = {}

    def stand(self, node: str, before: str = "", variables: Mapping[str, Any] | None = None) -> Standing | Unreached:
        """The memory in which ``node`` waits for the user's text; why there is none, if there is none.

        ``before`` is what the program said last, instead of what the node says; with it a node is reached even if its
        own text cannot be made. Raises ``ModelError``.
        """
        key = (node, before, repr(sorted((variables or {}).items())))
        if key not in self._standings:
            spec = self._bot.program.nodes[node]
            enter = self._speaking if spec.action.speaks else self._asking
            self._standings[key] = enter(spec, before, dict(variables or {}))
        return self._standings[key]

    # ------------------------------------------------------------------ the beginning

    def _opened(self, variables: Mapping[str, Any]) -> MemoryObject:
        """A memory of its own, behind the program's opening, with the variables set."""
        if self._opening is None:
            self._opening = self._open()
        memory = MemoryObject.from_dict(self._opening.to_dict())
        for name, value in variables.items():
            memory.top.assign(name, value)
        return memory

    def _open(self) -> MemoryObject:
        try:
            _, memory = self._bot.reply()
        except RunError:  # for instance for want of a host's variables, which a table of sayings can give
            return self._bot.start()
        return self._bot.start() if memory.finished else memory

    # ------------------------------------------------------------------ the two kinds of nodes

    def _speaking(self, spec: NodeSpec, before: str, variables: dict[str, Any]) -> Standing | Unreached:
        entered = self._entered(spec, variables)
        if isinstance(entered, Unreached) and before:
            entered = self._opened(variables)
            entered.top.last_state = spec.name
            entered.top.turn = self._said(entered.top.turn, spec, before)
        elif isinstance(entered, Unreached):
            return entered
        elif before:
            entered = MemoryObject.from_dict(entered.to_dict())
            turn = entered.top.turn
            entered.top.turn = self._said(turn.previous if turn else None, spec, before)
        return Standing(entered, None, _last_words(entered))

    def _asking(self, spec: NodeSpec, before: str, variables: dict[str, Any]) -> Standing | Unreached:
        if spec.callable:
            return Unreached("it is a function that does not speak. Name a node inside of it.")
        memory = self._opened(variables)
        if before:
            memory.top.turn = self._said(memory.top.turn, spec, before)
        return Standing(memory, spec.name, _last_words(memory))

    def _said(self, previous: Turn | None, spec: NodeSpec, text: str) -> Turn:
        by_category = self._bot.program.uses_conv_scope
        return add_turn(previous, spec.name, None, text, (), spec.state_category, by_category=by_category)

    def _entered(self, spec: NodeSpec, variables: dict[str, Any]) -> MemoryObject | Unreached:
        """The memory after the node has spoken. Of several ways in, the first that works."""
        first: Unreached | None = None
        for name in self._callers(spec) if spec.callable else [spec.name]:
            try:
                _, memory = self._bot.reply("", self._opened(variables), set_state=name)
            except RunError as error:
                first = first or Unreached(_reason(error, name))
                continue
            except ModelError as error:
                error.add_note(f'asked on the way to node "{spec.name}"')
                raise
            if memory.finished:
                first = first or Unreached("the conversation ends there, so nobody answers.")
            elif memory.current != spec.name:
                first = first or Unreached(f'entering "{name}" leads on to "{memory.current}".')
            else:
                return memory
        return first or Unreached("it is a function that no node calls.")

    def _callers(self, spec: NodeSpec) -> list[str]:
        nodes = self._bot.program.nodes.values()
        calling = [n for n in nodes if n.plan and any(call.function == spec.name for call in n.plan.calls)]
        return [node.name for node in calling if not node.callable]


def _reason(error: RunError, entered: str) -> str:
    where = f'node "{error.node}": ' if error.node and error.node != entered else ""
    return f"{where}{error.message.rstrip('.')}. Give what it needs in the column variables, or its text in before."


def _last_words(memory: MemoryObject) -> str:
    turn = memory.top.turn
    while turn is not None and not turn.spoke:
        turn = turn.previous
    return turn.agent if turn else ""
