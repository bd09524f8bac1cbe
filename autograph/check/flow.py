"""Which variables are set where? A flow analysis over the graph, one for each way in which a level can begin.

Sets of variables are whole numbers used as bits. For every node it finds what **some** path to it sets (``may``) and
what **every** path sets (``must``). A variable, once set, stays set on its level, so both only need a walk forwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from autograph.check.facts import Facts, all_reads
from autograph.check.graph import Graph
from autograph.check.walks import ANY_CALL, BARRED, ENDS, RETURNS, Region
from autograph.config import AutographConfig

__all__ = ["PROMPT", "Context", "Flow"]

PROMPT = "@prompt"
"""Stands for the system prompt among the variables."""

_PROMPTS = frozenset(("set_prompt", "append_prompt"))


@dataclass(slots=True)
class Context:
    """A level as it can begin: ``kind`` is ``base``, ``local``, ``normal`` (global calls too) or ``host``.

    ``caller``: a node that calls it so. ``may`` and ``must``: for each position of the region what is set when the
    node is entered, ``left_may`` and ``left_must`` when it is left; ``ends_may`` and ``ends_must``: when the level
    returns. ``used_by``: contexts that call it by a global call.
    """

    kind: str
    region: Region
    caller: int = -1
    entry_may: int = 0
    entry_must: int = 0
    may: list[int] = field(default_factory=list)
    must: list[int] = field(default_factory=list)
    left_may: list[int] = field(default_factory=list)
    left_must: list[int] = field(default_factory=list)
    ends_may: int = 0
    ends_must: int = -1
    used_by: set[int] = field(default_factory=set)

    @property
    def loose(self) -> bool:
        """Whether too little is known for more than names that are set nowhere."""
        return self.region.loose or self.kind == "host"


class Flow:
    """The analysis of a program. ``contexts`` holds one for each way in which a level can begin.

    ``given``: variables that are set before the program begins. ``wild``: nodes with an error; every word
    in their instruction counts as a variable that they set and read.
    """

    def __init__(self, graph: Graph, facts: list[Facts], given: Iterable[str], wild: frozenset[int]) -> None:
        self.graph = graph
        self.facts = facts
        self.wild = wild
        self.bits: dict[str, int] = {PROMPT: 1}
        self.given = self.mask(given)
        if graph.program.config.default_prompt != AutographConfig.default_prompt:
            self.given |= 1
        self.everything = 0
        self.contexts: list[Context] = []
        self._regions: dict[tuple[int, bool], Region] = {}
        self._of: dict[tuple[int, str], int] = {}
        for names in facts:
            for read in all_reads(names):
                self.bit(read.name)
        self.sets = [self._sets(number) for number in range(len(graph.specs))]
        self.set_anywhere = self._set_anywhere()
        self._run()

    # ------------------------------------------------------------------ sets of names

    def bit(self, name: str) -> int:
        """The bit of a variable."""
        return self.bits.setdefault(name, 1 << len(self.bits))

    def mask(self, names: Iterable[str]) -> int:
        """The bits of several variables."""
        found = 0
        for name in names:
            found |= self.bit(name)
        return found

    def words(self, text: str) -> int:
        """The variables that some cell reads and whose names stand in ``text``, a cell that has an error."""
        found = 0
        for word in re.findall(r"\w+", text):
            found |= self.bits.get(word, 0)
        return found

    def names(self, mask: int) -> list[str]:
        """The variables of a set."""
        return [name for name, bit in self.bits.items() if bit & mask]

    def _sets(self, number: int) -> int:
        spec = self.graph.specs[number]
        if number in self.wild:
            return self.words(spec.instruction)
        found = self.mask(self.facts[number].sets)
        return found | 1 if spec.action.name in _PROMPTS else found

    def parameters(self, number: int) -> int:
        """The parameters of a callable node."""
        return self.mask(p.name for p in self.graph.specs[number].parameters or ())

    def _set_anywhere(self) -> int:
        found = self.given
        for number, sets in enumerate(self.sets):
            found |= sets | self.parameters(number)
        return found

    # ------------------------------------------------------------------ contexts

    def _run(self) -> None:
        graph = self.graph
        self.everything = (1 << len(self.bits)) - 1
        waiting: list[int] = []
        self._context(graph.start, "base", self.given | self.parameters(graph.start), -1, waiting)
        self._settle(waiting)
        by_variable = any(leaves & ANY_CALL for leaves in graph.leaves)
        while entries := sorted(self._uncalled()):
            self._host_calls(entries if by_variable else entries[:1], waiting)
            self._settle(waiting)

    def _uncalled(self) -> set[int]:
        called = {entry for entry, _ in self._of}
        return {i for i, spec in enumerate(self.graph.specs) if spec.callable and i not in called}

    def _host_calls(self, entries: Iterable[int], waiting: list[int]) -> None:
        """Functions that only the host, or a variable, calls: what they find set is not known."""
        for number in entries:
            self._context(number, "host", self.set_anywhere | 1, -1, waiting)

    def _settle(self, waiting: list[int]) -> None:
        while waiting:
            self._solve(waiting.pop(), waiting)

    def _context(self, entry: int, kind: str, env: int, caller: int, waiting: list[int]) -> int:
        """The context of a call, begun or widened by what its caller has set."""
        known = self._of.get((entry, kind))
        if known is None:
            region = self._region(entry, kind == "base")
            context = Context(kind, region, caller, env, env)
            self._of[entry, kind] = known = len(self.contexts)
            self.contexts.append(context)
            waiting.append(known)
            return known
        context = self.contexts[known]
        may, must = context.entry_may | env, context.entry_must & env
        if (may, must) != (context.entry_may, context.entry_must):
            context.entry_may, context.entry_must = may, must
            if known not in waiting:
                waiting.append(known)
        return known

    def _region(self, entry: int, hub: bool) -> Region:
        if (entry, hub) not in self._regions:
            self._regions[entry, hub] = self.graph.region(entry, hub=hub)
        return self._regions[entry, hub]

    def _solve(self, number: int, waiting: list[int]) -> None:
        """Walk over a region until nothing changes; begin or widen the contexts of what it calls."""
        context, graph = self.contexts[number], self.graph
        region = context.region
        order, before = region.order, region.before
        count = len(order)
        extra = self._from_interjections(context)
        out_may, out_must = [0] * count, [self.everything] * count
        context.left_may, context.left_must = out_may, out_must
        context.may, context.must = [0] * count, [self.everything] * count
        changed = True
        while changed:
            changed = False
            for place, node in enumerate(order):
                may, must = (context.entry_may, context.entry_must) if place == 0 else (extra, -1)
                for source, companion in before[place]:
                    may |= out_may[source]
                    if companion >= 0:
                        must &= out_must[source] | out_must[companion]
                    elif companion != BARRED:
                        must &= out_must[source]
                must &= self.everything
                context.may[place], context.must[place] = may, must
                may, must = self._passed(number, node, may, must, waiting)
                if may != out_may[place] or must != out_must[place]:
                    out_may[place], out_must[place] = may, must
                    changed = True
        ends = [p for p, node in enumerate(order) if graph.leaves[node] & (RETURNS | ENDS)]
        self._ended(context, [(out_may[p], out_must[p]) for p in ends], waiting)

    def _from_interjections(self, context: Context) -> int:
        """What interjections may set inside a function: their nodes are no part of its region."""
        if context.kind == "base" or self.graph.hub is None:
            return 0
        if not any(self.graph.interrupted[node] for node in context.region.order):
            return 0
        found = 0
        for node in self.graph.reached(self.graph.next[self.graph.hub]):
            found |= self.sets[node] if node != self.graph.hub else 0
        return found

    def _passed(self, context: int, node: int, may: int, must: int, waiting: list[int]) -> tuple[int, int]:
        """What is set when a node is left."""
        if node == self.graph.hub:
            return may, must
        spec = self.graph.specs[node]
        for callee in self.graph.calls[node]:
            if spec.action.scope == "local":
                env = self.parameters(callee) | (self.given & 1)
                self._context(callee, "local", env, node, waiting)
                continue
            env = self.parameters(callee)
            called = self._widened(callee, may | env, must | env, node, waiting)
            if spec.action.scope == "global":
                called.used_by.add(context)
                may |= called.ends_may
                must |= called.ends_must & self.everything if not spec.required_revisit else 0
        return may | self.sets[node], must | self.sets[node]

    def _widened(self, callee: int, may: int, must: int, node: int, waiting: list[int]) -> Context:
        number = self._context(callee, "normal", must, node, waiting)
        context = self.contexts[number]
        if context.entry_may | may != context.entry_may:
            context.entry_may |= may
            if number not in waiting:
                waiting.append(number)
        return context

    def _ended(self, context: Context, ends: list[tuple[int, int]], waiting: list[int]) -> None:
        may, must = 0, -1
        for some, every in ends:
            may, must = may | some, must & every
        if (may, must) != (context.ends_may, context.ends_must):
            context.ends_may, context.ends_must = may, must
            waiting.extend(user for user in context.used_by if user not in waiting)
