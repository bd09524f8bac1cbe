"""Which loops go round for ever although they have a way out? Those in which nothing changes what is decided by."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from autograph.check.graph import path_names
from autograph.check.reach import pausing_functions, trapped_nodes
from autograph.check.subject import Subject
from autograph.check.walks import ANYWHERE
from autograph.errors import Problem
from autograph.program import NodeSpec

__all__ = ["unchanging_loops"]

# fmt: off
_PURE = frozenset((
    "int", "float", "complex", "bool", "str", "bytes", "list", "tuple", "dict", "set", "frozenset", "range", "sum",
    "pow", "abs", "max", "min", "len", "ord", "chr", "round", "reversed", "sorted", "enumerate", "map", "filter", "zip",
    "any", "all", "divmod", "isinstance", "type", "hex", "format",
))
# fmt: on
_THINKS = frozenset(("thought", "thought_qa"))


def unchanging_loops(subject: Subject) -> Iterator[Problem]:
    """Loops without a user's turn whose ways out are decided by what nothing in them changes."""
    graph = subject.graph
    pausing = pausing_functions(graph)
    trapped = trapped_nodes(subject)
    silent = [
        i for i in subject.known_nodes - trapped
        if i != graph.hub and not graph.speaks[i] and not any(c in pausing for c in graph.calls[i])
    ]  # fmt: skip
    for part in graph.cycles(silent):
        found = _Loop(subject, part).decided_by()
        if found is None:
            continue
        spec = graph.specs[part[0]]
        names = path_names(graph, graph.a_cycle(part))
        if found:
            what = " and ".join(sorted(found)[:3])
            message = f"the loop {names} never ends once it is gone into: nothing in it changes {what}"
            hint = f"Change {what} in the loop, or let the user speak in it."
        else:
            message = f"the loop {names} asks the same question for ever: no node in it speaks to the user"
            hint = "Let a node of the loop speak to the user, so that the answer can change."
        yield subject.note("unchanging-loop", spec, "transitions", message, hint)


class _Loop:
    def __init__(self, subject: Subject, part: list[int]) -> None:
        self.subject = subject
        self.graph = subject.graph
        self.part = part
        self.inside = set(part)

    def decided_by(self) -> set[str] | None:
        """The variables that decide, which the loop never changes; None if something may change. Empty: a question."""
        if any(self._is_open(number) for number in self.part):
            return None
        changed = self._changed()
        if changed is None:
            return None
        deciding: set[str] = set()
        for number in self.part:
            spec = self.graph.specs[number]
            reads = self._reads(number, spec)
            if reads is None or reads & changed:
                return None
            deciding |= reads
        return deciding

    def _is_open(self, number: int) -> bool:
        """Whether a node brings in something that is not to be foreseen: the model, a variable, earlier visits."""
        spec = self.graph.specs[number]
        kinds = {transition.kind for transition in spec.transitions}
        return (
            number in self.subject.wild
            or bool(self.graph.leaves[number] & ANYWHERE)
            or spec.action.name in _THINKS
            or spec.action.instruction == "call"
            or spec.action.name not in _KNOWN
            or bool(kinds & {"group_n", "dynamic"})
        )

    def _changed(self) -> set[str] | None:
        """The variables that the loop sets; None if it may change values in place."""
        changed: set[str] = set()
        for number in self.part:
            spec = self.graph.specs[number]
            changed.update(self.subject.facts[number].sets)
            if any(statement.mutates for statement in spec.statements):
                return None
        return changed

    def _reads(self, number: int, spec: NodeSpec) -> set[str] | None:
        """What decides where the loop goes on from a node; None if that may change by itself."""
        reads: set[str] = set()
        if len(spec.transitions) > 1:
            texts = ("transition_question", "question_prompt")
            reads.update(r.name for r in self.subject.facts[number].then if r.field in texts or "choice" in r.field)
        for transition in spec.transitions:
            if transition.kind == "group_star":
                group = self.subject.program.groups.get(transition.target)
                conditions = self._conditions(group.lettered if group else ())
                if conditions is None:
                    return None
                reads |= conditions
        return reads

    def _conditions(self, names: Iterable[str]) -> set[str] | None:
        specs = [self.subject.program.nodes[name] for name in names]
        if all(spec.boolean_condition is None for spec in specs):
            return None  # by score, which visits may change
        reads: set[str] = set()
        for spec in specs:
            condition = spec.boolean_condition
            if condition is None:
                continue
            changing = condition.mutates or condition.needs - {"_last_user_reply"}
            if changing or not _is_pure(condition.source, self.subject):
                return None
            reads |= condition.reads
        return reads


_KNOWN = frozenset(
    ("thought_exact", "python_function", "set_prompt", "append_prompt", "set_user_prompt", "append_user_prompt",
     "transition")
)  # fmt: skip


def _is_pure(source: str, subject: Subject) -> bool:
    """Whether an expression gives the same as long as its variables do: no chance, no clock, no host."""
    if "(" not in source:
        return True
    modules = subject.program.sandbox.names - _PURE
    for tree in subject.program.sandbox.parse(source):
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in modules and node.id != "math":
                return False
    return True
