"""How much of a program have the tests seen? What there is to cover, and what of it is missing, with its cell.

What counts:

- **nodes**: every node of the program, also one to which no way leads: it counts as missing.
- **transitions**: every item of every ``transitions`` cell, also the only one of its node; one to a group is covered
  when any of its variants was entered (the variants count as nodes), and a ``$name`` one with ``allowed_targets``
  counts once for each of them. Every interjection is one transition more, whatever node it was taken from. The end of
  a node without transitions, calls, and the way of an unclear answer to a node of its own count nothing.
- **answers**: every choice of every question of a node with several transitions. Unclear answers count nothing.
- **conditions**: the ``boolean_condition`` of each lettered variant, seen true and seen false. That of the last variant
  need not be seen false, since nothing is left to go to then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograph.errors import Location
from autograph.interpreter.traffic import QUIT, RETURN, Traffic
from autograph.vocabulary import letter

if TYPE_CHECKING:
    from autograph.program import NodeSpec, Program

__all__ = ["KINDS", "Coverage", "Item", "Share", "coverage_of"]

KINDS = ("nodes", "transitions", "answers", "conditions")
"""What is covered, in the order of reports."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to cover: its kind, its node, what it is (for people), its cell, and how often it was seen."""

    kind: str
    node: str
    text: str
    location: Location
    count: int


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many were covered."""

    covered: int
    total: int

    @property
    def percent(self) -> float:
        """From 0 to 100; of nothing, all is covered."""
        return 100.0 if not self.total else 100.0 * self.covered / self.total

    @property
    def shown(self) -> str:
        """The percentage in whole numbers, rounded down, so that 100 means all."""
        return f"{int(self.percent)} %"


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one program: everything that there is to cover, in the order of the sheet."""

    file: str | None
    sheet: str | None
    fingerprint: str
    items: tuple[Item, ...]
    traffic: Traffic

    def share(self, kind: str) -> Share:
        """How much of a kind was covered."""
        items = [item for item in self.items if item.kind == kind]
        return Share(sum(1 for item in items if item.count), len(items))

    @property
    def missing(self) -> tuple[Item, ...]:
        """What was not covered."""
        return tuple(item for item in self.items if not item.count)

    @property
    def name(self) -> str:
        """The program's file, and its sheet if that has a name."""
        file = self.file or "the program"
        return f"{file}#{self.sheet}" if self.sheet else file


def coverage_of(program: Program, traffic: Traffic) -> Coverage:
    """What of ``program`` was covered by ``traffic``."""
    at = _Items(program, traffic)
    items = tuple(item for node in program.nodes.values() for item in at.of(node))
    return Coverage(program.file, program.sheet, program.fingerprint, items, traffic)


class _Items:
    """Everything that there is to cover at a node."""

    __slots__ = ("_interjections", "_program", "_taken", "_traffic")

    def __init__(self, program: Program, traffic: Traffic) -> None:
        self._program = program
        self._traffic = traffic
        self._taken: dict[tuple[str, int], dict[str, int]] = {}
        for (name, index, target), count in traffic.transitions.items():
            self._taken.setdefault((name, index), {})[target] = count
        self._interjections: dict[str, int] = {}
        for (_, target), count in traffic.interjections.items():
            self._interjections[target] = self._interjections.get(target, 0) + count

    def of(self, node: NodeSpec) -> Iterator[Item]:
        """The items of a node, in the order of ``KINDS``."""
        yield Item("nodes", node.name, node.name, node.location("name"), self._traffic.nodes.get(node.name, 0))
        yield from self._transitions(node)
        if node.condition_interjection is not None:
            where = node.location("condition_interjection")
            count = self._interjections.get(node.name, 0)
            yield Item("transitions", node.name, f"interjection → {node.name}", where, count)
        if len(node.transitions) > 1:
            yield from self._answers(node)
        if node.boolean_condition is not None:
            yield from self._conditions(node)

    def _transitions(self, node: NodeSpec) -> Iterator[Item]:
        where = node.location("transitions")
        for index, transition in enumerate(node.transitions):
            taken = self._taken.get((node.name, index), {})
            if transition.kind == "dynamic" and node.allowed_targets:
                met = [(self._allowed(node, target), n) for target, n in taken.items()]
                for allowed in node.allowed_targets:
                    text = f"{node.name} → {transition.text} = {allowed}"
                    yield Item("transitions", node.name, text, where, sum(n for to, n in met if to == allowed))
            else:
                text = f"{node.name} → {transition.text}{self._choice(node, index)}"
                yield Item("transitions", node.name, text, where, sum(taken.values()))

    def _allowed(self, node: NodeSpec, target: str) -> str:
        """The allowed target that led to this node: its name, else its group, else the way back."""
        if target in node.allowed_targets or target in (QUIT, RETURN):
            return target
        for allowed in node.allowed_targets:
            prefix, _, suffix = allowed.rpartition(".")
            group = self._program.groups.get(prefix)
            if group is not None and target in (group.lettered if suffix == "*" else group.numbered):
                return allowed
        return "resume"

    def _choice(self, node: NodeSpec, index: int) -> str:
        """Which of several ways with the same target it is."""
        same = [t.text for t in node.transitions].count(node.transitions[index].text) > 1
        return f" ({letter(index)})" if same else ""

    def _answers(self, node: NodeSpec) -> Iterator[Item]:
        for index, choice in enumerate(node.choices):
            count = self._traffic.answers.get((node.name, index), 0)
            where = node.location(f"transition_choice_{letter(index).lower()}")
            yield Item("answers", node.name, f'{node.name}: {letter(index)} "{choice.source}"', where, count)

    def _conditions(self, node: NodeSpec) -> Iterator[Item]:
        group = next((g.lettered for g in self._program.groups.values() if node.name in g.lettered), ())
        source = node.row.get("boolean_condition")
        for held in (True, False):
            if group and (held or node.name != group[-1]):
                count = self._traffic.conditions.get((node.name, held), 0)
                text = f"{node.name}: {source} is {str(held).lower()}"
                yield Item("conditions", node.name, text, node.location("boolean_condition"), count)
