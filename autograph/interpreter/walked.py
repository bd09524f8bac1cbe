"""Which transition led from here to there? A walk along the events of one turn, which ``traffic`` counts.

The order of events is that of ``loop.py``: a node is entered; it may call, and be entered again after the return;
it has a value; it may ask; then the next one is entered, or the turn is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.interpreter.events import Asked, Called, Entered, Event, Interrupted, Returned, Value
from autograph.interpreter.traffic import QUIT, RETURN, Tally, Traffic, up
from autograph.language.names import parse_target
from autograph.memory import MemoryObject
from autograph.program import NodeSpec, Program, Transition
from autograph.vocabulary import ACTIONS

__all__ = ["Walk"]

_YES_NO = ("Yes", "No")
_STATEMENT_VALUE = "_last_variable_output"


class Walk:
    """Where the walk stands: ``at`` a node, of which it is known whether it is being left, and how."""

    __slots__ = ("_asked", "_at", "_begun", "_earlier", "_known", "_left", "_program", "_tally", "_way")

    def __init__(self, program: Program, before: MemoryObject | None, tally: Tally | None = None) -> None:
        """``tally``: where the counts go (None: into a new one), so that many turns may be counted together."""
        current = before.current if before is not None else None
        current = program.renamed.get(current or "", current)
        self._program = program
        self._tally = Tally() if tally is None else tally
        self._at: NodeSpec | None = program.nodes.get(current or "")
        self._begun = False  # whether anything was entered or called in this turn
        self._left = False  # whether the node gave a value or asked
        self._way = ""  # "call", "return" or "interjection", where no listed transition leads to the next node
        self._asked: tuple[int | None] | None = None  # the transition that the node's own question chose
        self._earlier: Mapping[str, Any] = before.top.scope if before is not None and before.stack else {}
        self._known: dict[str, Any] = {}  # what variables of the level hold by now

    def go(self, event: Event) -> None:
        """One event further."""
        if isinstance(event, Entered):
            self._enter(event.node)
        elif isinstance(event, Value):
            self._left = True
            self._learn(event)
        elif isinstance(event, Asked):
            self._left = True
            if event.question.purpose == "transition":
                self._answer(event)
        elif isinstance(event, Interrupted):
            up(self._tally.interjections, (event.node, event.target))
            self._way = "interjection"
        elif isinstance(event, Called):
            self._call(event)
        elif isinstance(event, Returned):
            self._take(RETURN)
            self._way = RETURN
            self._forget()

    def end(self, finished: bool) -> Traffic:
        """The counts, when the turn is over; ``finished``: the conversation, too, so the last node was left."""
        self.close(finished)
        return self._tally.frozen()

    def close(self, finished: bool) -> None:
        """The turn is over."""
        if finished and not self._way:
            self._take(QUIT)

    # ------------------------------------------------------------------ events

    def _enter(self, name: str) -> None:
        tally = self._tally
        up(tally.nodes, name)
        if self._at is None or not (self._begun or self._left or self._is_custom_way(name)):
            up(tally.starts, name)
        else:
            up(tally.edges, (self._at.name, name))
            if not self._way:
                self._take(name)
        self._at = self._program.nodes.get(name)
        self._begun, self._left, self._way, self._asked = True, False, "", None

    def _is_custom_way(self, name: str) -> bool:
        """Whether a custom node that speaks may lead there: it may have no value, which all others have."""
        at = self._at
        return at is not None and at.action.name not in ACTIONS and any(self._leads(t, name) for t in at.transitions)

    def _call(self, event: Called) -> None:
        callee = self._program.nodes.get(event.function)
        if callee is None or not callee.callable:
            return  # a function of the host
        if not self._begun and not self._left:
            self._at = None  # nobody in the program calls: apply_fn does
        self._begun, self._way = True, "call"
        self._forget()

    def _answer(self, event: Asked) -> None:
        node, choice = self._program.nodes[event.node], event.choice
        least, confidence = node.min_confidence, choice.confidence
        too_low = least is not None and confidence is not None and confidence < least
        if choice.index is None or too_low:
            up(self._tally.answers, (event.node, None))
            self._asked = (node.unclear_index,)
            return
        index = choice.index if event.question.choices != _YES_NO else _yes_or_no(node, choice.index, event.target)
        up(self._tally.answers, (event.node, index))
        self._asked = (index,)

    # ------------------------------------------------------------------ transitions

    def _take(self, target: str) -> None:
        """Count the transition with which the present node is left for ``target``."""
        if self._at is None:
            return
        transition = self._transition(self._at, target)
        if transition is None:
            return
        index, taken = transition
        up(self._tally.transitions, (self._at.name, index, target))
        prefix = self._group(taken, target)
        if prefix is not None:
            self._conditions(prefix, target)

    def _transition(self, node: NodeSpec, target: str) -> tuple[int, Transition] | None:
        """The listed transition that was taken; None if it is none (an unclear answer, the end)."""
        index = 0
        if self._asked is not None:
            if self._asked[0] is None:
                return None
            index = self._asked[0]
        elif len(node.transitions) > 1:  # a custom node that chose by itself
            index = next((i for i, t in enumerate(node.transitions) if self._leads(t, target)), -1)
        return (index, node.transitions[index]) if 0 <= index < len(node.transitions) else None

    def _leads(self, transition: Transition, target: str) -> bool:
        group = self._program.groups.get(transition.target)
        match transition.kind:
            case "node":
                return transition.target == target
            case "group_n":
                return group is not None and target in group.numbered
            case "group_star":
                return group is not None and target in group.lettered
            case "quit" | "return" as kind:
                return target == kind
        return True

    def _group(self, transition: Transition, target: str) -> str | None:
        """The prefix of the lettered group that was chosen from."""
        if transition.kind == "dynamic":
            value = self._known.get(transition.target, self._earlier.get(transition.target))
            found = parse_target(value) if isinstance(value, str) else None
            kind, prefix = (found.kind, found.name) if found else ("", "")
        else:
            kind, prefix = transition.kind, transition.target
        group = self._program.groups.get(prefix)
        return prefix if kind == "group_star" and group is not None and target in group.lettered else None

    def _conditions(self, prefix: str, taken: str) -> None:
        """The variants are tried in order: those before the one that was taken did not hold."""
        for name in self._program.groups[prefix].lettered:
            if self._program.nodes[name].boolean_condition is not None:
                up(self._tally.conditions, (name, name == taken))
            if name == taken:
                return

    # ------------------------------------------------------------------ variables, for $name

    def _learn(self, event: Value) -> None:
        node = self._program.nodes.get(event.node)
        for statement in node.statements if node is not None else ():
            for name in statement.targets or (statement.target,):
                self._known[name or ""] = None
        if event.variable is not None:
            self._known[event.variable] = event.value
        self._known[_STATEMENT_VALUE] = event.value

    def _forget(self) -> None:
        """On another level other values hold, which are not known."""
        self._known, self._earlier = {}, {}


def _yes_or_no(node: NodeSpec, index: int, target: str) -> int:
    """The transition of an answer to a question that was asked as Yes or No, whatever the order of its choices."""
    words = [(choice.literal or "").strip().lower() for choice in node.choices]
    if words[0] == "yes" or words[1] == "no":
        return index
    if words[0] == "no" or words[1] == "yes":
        return 1 - index
    texts = [transition.text for transition in node.transitions]  # the choices came from variables
    return texts.index(target) if texts[0] != texts[1] and target in texts else index
