"""What is looked at? A program with its graph and data flow, each found out when a check first asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from autograph.check.facts import Facts, facts_of
from autograph.check.flow import Flow
from autograph.check.graph import Graph, broken_transitions
from autograph.check.modes import remembering_groups
from autograph.check.walks import ANY_CALL, ANYWHERE
from autograph.errors import Location, Problem
from autograph.problems import problem
from autograph.program import NodeSpec, Program
from autograph.tables import Rows

__all__ = ["Subject"]

_LOST_ROWS = frozenset(
    ("missing-name", "duplicate-node", "bad-name", "reserved-name", "literal-variant", "bad-default", "name-taken")
)


class Subject:
    """A program to be checked, perhaps with errors: ``problems`` are those of loading.

    ``rows`` are the cells it was made of. ``incomplete``: a row is missing because of an error, so that what seems
    to be unused may well be used.
    """

    def __init__(self, program: Program, rows: Rows, problems: Iterable[Problem] = ()) -> None:
        self.program = program
        self.rows = rows
        self.problems = list(problems)
        errors = [found for found in self.problems if found.severity == "error"]
        self.incomplete = any(found.kind in _LOST_ROWS for found in errors)
        self._errors = errors

    @cached_property
    def graph(self) -> Graph:
        """Where the program can go."""
        graph = Graph(self.program, self.problems)
        graph.guard(remembering_groups(self.program, self.facts))
        return graph

    @cached_property
    def facts(self) -> list[Facts]:
        """What each node reads and sets."""
        return facts_of(self.program)

    @cached_property
    def wild(self) -> frozenset[int]:
        """The nodes whose instruction has an error, so that nobody knows what they read and set."""
        if not self._errors:
            return frozenset()
        graph = self.graph
        found = set()
        by_row = {(spec.row.row, spec.location("name").line): i for i, spec in enumerate(graph.specs)}
        by_line = {line: i for i, spec in enumerate(graph.specs) for line in spec.row.lines.values()}
        for error in self._errors:
            where = error.location
            number = by_row.get((where.row, where.line), by_line.get(where.line or -1))
            if number is not None and error.kind != "unknown-target":
                found.add(number)
        return frozenset(found)

    @cached_property
    def flow(self) -> Flow:
        """Which variables are set where. ``n == 3`` where ``n = 3`` was meant counts as setting n: it is said once."""
        from autograph.check.expressions import compared_name, lost_values

        for number, tree in lost_values(self):
            name = compared_name(tree)
            if name:
                found = self.facts[number]
                found.first[:] = [read for read in found.first if read.name != name]
                found.sets.append(name)
        return Flow(self.graph, self.facts, self.program.config.variables, self.wild)

    @cached_property
    def unset(self) -> list[tuple[str, Problem]]:
        """The variables that are read where they may not be set, with what is to be said."""
        from autograph.check.unset import find_unset

        return list(find_unset(self))

    @cached_property
    def live(self) -> set[int]:
        """The nodes that a conversation can come to, by transitions, interjections and calls."""
        graph = self.graph
        found = graph.reached([graph.start], calls=True)
        while True:
            more: set[int] = set()
            if self._any(found, ANYWHERE):
                more.update(i for i, spec in enumerate(graph.specs) if not spec.callable)
            if self._any(found, ANY_CALL) or graph.specs[graph.start].callable:
                more.update(i for i, spec in enumerate(graph.specs) if spec.callable)
            if more <= found:
                return found
            found = graph.reached(found | more, calls=True)

    @cached_property
    def uncalled(self) -> list[int]:
        """The functions that nothing calls which a conversation can come to; those they call themselves left out."""
        graph = self.graph
        left = [i for i, spec in enumerate(graph.specs) if spec.callable and i not in self.live]
        by_others: set[int] = set()
        for i in left:
            by_others.update(j for j in graph.reached([i], calls=True) if j != i and i not in by_others)
        return [i for i in left if i not in by_others]

    @cached_property
    def known_nodes(self) -> set[int]:
        """The live nodes and those behind functions that only the host may call."""
        return self.graph.reached(self.live | set(self.uncalled), calls=True)

    @cached_property
    def base(self) -> set[int]:
        """The nodes that can be entered outside of functions."""
        return self.graph.reached([self.graph.start])

    @cached_property
    def in_functions(self) -> set[int]:
        """The nodes that can be entered inside a function."""
        functions = [i for i, spec in enumerate(self.graph.specs) if spec.callable]
        return self.graph.reached(functions)

    def _any(self, numbers: Iterable[int], flag: int) -> bool:
        return any(self.graph.leaves[number] & flag for number in numbers)

    @cached_property
    def broken(self) -> set[str]:
        """Names of nodes of which an error leaves open where they lead."""
        return broken_transitions(self.program, self.problems)

    def note(self, kind: str, spec: NodeSpec, field: str, message: str, hint: str = "") -> Problem:
        """A problem of one of the node's cells."""
        return problem(kind, message, spec.location(field), hint)

    def whole(self) -> Location:
        """The address of the program as a whole."""
        return Location(self.program.file, self.program.sheet)
