"""Which variables does each node read and set, in which cell, and when? Found once, for all checks of the data flow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograph.language.template import Expression, Name, OptionalPart, Part, Template
from autograph.program import NodeSpec, Program
from autograph.vocabulary import RESERVED_VARIABLES, choice_index

if TYPE_CHECKING:
    from autograph.language.sandbox import Statement

__all__ = ["Facts", "Read", "facts_of"]


@dataclass(frozen=True, slots=True)
class Read:
    """A variable that a cell reads. ``optional``: in an optional part, so it may be missing. ``code``: not text."""

    name: str
    field: str
    optional: bool = False
    code: bool = False


@dataclass(slots=True)
class Facts:
    """What a node reads before its value is assigned (``first``) and after (``then``), and what it assigns.

    ``asked``: what the condition of a variant reads, at the nodes that lead to it. ``together``: targets of one
    unpacking, of which it is enough that one is read.
    """

    first: list[Read] = field(default_factory=list)
    then: list[Read] = field(default_factory=list)
    asked: list[Read] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    together: list[tuple[str, ...]] = field(default_factory=list)


class _Reader:
    def __init__(self, program: Program) -> None:
        # A name of the sandbox is a variable only where the program sets it; it is no unset one in any case.
        self.known = frozenset(program.sandbox.names) | RESERVED_VARIABLES

    def node(self, spec: NodeSpec) -> Facts:
        found = Facts()
        if spec.text is not None:
            self.template(found.first, spec.text, "instruction")
        elif spec.statements:
            self.statements(found, spec.statements)
        elif spec.plan is not None:
            for call in spec.plan.calls:
                self.code(found.first, call.arguments, "instruction")
                if call.dynamic is not None:
                    self.add(found.first, call.dynamic, "instruction", code=True)
            self.code(found.first, spec.plan.result, "instruction")
        target = spec.assign or (spec.plan.target if spec.plan is not None else None)
        if target is not None:
            found.sets.append(target)
            found.together.append((target,))
        if spec.reply_start is not None:
            self.template(found.first, spec.reply_start, "reply_start")
        self._after(found, spec)
        return found

    def _after(self, found: Facts, spec: NodeSpec) -> None:
        then = found.then
        for transition in spec.transitions:
            if transition.kind == "dynamic":
                self.add(then, transition.target, "transitions", code=True)
            elif transition.expression is not None:
                self.code(then, transition.expression, "transitions")
        if spec.question is not None:
            self.template(then, spec.question, "transition_question")
        if spec.choices:
            self._choices(then, spec)
        if spec.question_prompt is not None:
            self.template(then, spec.question_prompt, "question_prompt")
        if spec.condition_interjection is not None:
            self._interjection(found, spec)
        if spec.boolean_condition is not None:
            self.code(found.asked, spec.boolean_condition, "boolean_condition")
        for index, text in (spec.user_instructions or {}).items():
            self.template(then, text, f"user_instruction_transition_{chr(ord('a') + index)}", optional=True)

    def _choices(self, then: list[Read], spec: NodeSpec) -> None:
        if all(choice.literal is not None for choice in spec.choices):
            return
        columns = sorted((found[1], name) for name in spec.row.fields if (found := choice_index(name)))
        names = [name for _, name in columns if name.startswith("transition_choice") and spec.row.fields[name]]
        for name, choice in zip(names, spec.choices, strict=False):
            self.template(then, choice, name)

    def _interjection(self, found: Facts, spec: NodeSpec) -> None:
        for name in ("condition_interjection", "example_interjection", "user_interjection"):
            text = getattr(spec, name)
            if text is not None:
                self.template(found.asked, text, name, optional=name == "user_interjection")

    def statements(self, found: Facts, statements: Iterable[Statement]) -> None:
        for statement in statements:
            before = set(found.sets)
            reads: list[Read] = []
            self.code(reads, statement, "instruction")
            found.first.extend(read for read in reads if read.name not in before)
            found.then.extend(read for read in reads if read.name in before)
            targets = statement.targets or ((statement.target,) if statement.target is not None else ())
            found.sets.extend(targets)
            if targets:
                found.together.append(tuple(targets))

    def code(self, reads: list[Read], statement: Any, cell: str, *, optional: bool = False) -> None:
        for name in sorted(getattr(statement, "reads", ())):
            self.add(reads, name, cell, optional=optional, code=True)

    def add(self, reads: list[Read], name: str, cell: str, *, optional: bool = False, code: bool = False) -> None:
        if name not in self.known and not name.startswith("@"):
            reads.append(Read(name, cell, optional, code))

    def template(self, reads: list[Read], text: Template, cell: str, *, optional: bool = False) -> None:
        if text.literal is None:
            self._parts(reads, text.parts, cell, optional)

    def _parts(self, reads: list[Read], parts: Iterable[Part], cell: str, optional: bool) -> None:
        for part in parts:
            if isinstance(part, Name):
                self.add(reads, part.name, cell, optional=optional)
            elif isinstance(part, Expression):
                self.code(reads, part.compiled, cell, optional=optional)
            elif isinstance(part, OptionalPart):
                self._parts(reads, part.parts, cell, True)


def facts_of(program: Program) -> list[Facts]:
    """The facts of every node, in row order."""
    reader = _Reader(program)
    return [reader.node(spec) for spec in program.nodes.values()]


def all_reads(facts: Facts) -> Iterator[Read]:
    """Every variable that the cells of a node read."""
    yield from facts.first
    yield from facts.then
    yield from facts.asked
