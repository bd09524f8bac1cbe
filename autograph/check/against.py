"""Would a stored conversation survive that its program is edited, and if not, why?

The memory is looked at with the eyes of the new program: does it have the nodes at which the levels stand, do these
still make the calls that are under way, are the variables there that are read from here on, and do the visits still
count? What was amiss with the old program already is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograph.check.facts import Facts, Read, facts_of
from autograph.check.graph import Graph, path_names
from autograph.errors import Location, Problem, did_you_mean
from autograph.memory import Level, MemoryObject
from autograph.problems import problem
from autograph.program import NodeSpec, Program

__all__ = ["Edit", "lost_in"]


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two programs, with what is asked of it."""

    program: Program
    graph: Graph
    facts: list[Facts]

    def name(self, name: str) -> str:
        """A stored name as this program has it: earlier names count."""
        return self.program.renamed.get(name, name)

    def spec(self, name: str) -> NodeSpec | None:
        return self.program.nodes.get(self.name(name))


def _side(program: Program) -> _Side:
    return _Side(program, Graph(program), facts_of(program))


class Edit:
    """The change from one program to another; ``lost`` looks at one conversation after the other."""

    def __init__(self, old: Program, new: Program) -> None:
        self.old = _side(old)
        self.new = _side(new)

    def lost(self, memory: MemoryObject, file: str) -> Iterator[Problem]:
        """What of a conversation held with the old program the new one would not find any more."""
        if memory.finished or not memory.stack:
            return
        where = Location(file)
        lost = list(self._nodes(memory, where))
        yield from lost
        if not lost:
            yield from self._calls(memory, where)
            yield from self._variables(memory, where)
        yield from self._visits(memory, where)

    # ------------------------------------------------------------------ nodes and calls

    def _nodes(self, memory: MemoryObject, where: Location) -> Iterator[Problem]:
        for level in memory.stack:
            name = level.last_state
            if name and self.new.spec(name) is None and self._was_there(name):
                top = level is memory.stack[-1]
                what = "stands at" if top else "is inside a call of"
                message = f'the conversation {what} "{name}", which the new program does not have'
                yield problem("lost-node", message, where, self._formerly(name))
            for left in dict.fromkeys(level.interruptions):
                if self.new.spec(left) is None and self._was_there(left):
                    message = f'the conversation would resume at "{left}", which the new program does not have'
                    yield problem("lost-node", message, where, self._formerly(left))

    def _was_there(self, name: str) -> bool:
        return self.old.spec(name) is not None

    def _formerly(self, name: str) -> str:
        """The remedy: the node that has taken the place of one, if it can be told."""
        before = self.old.spec(name)
        if before is not None:
            taken = set(self.old.program.nodes)
            cells = _content(before)
            same = [s.name for s in self.new.program.nodes.values() if s.name not in taken and _content(s) == cells]
            if same:
                return f'It seems to be "{same[0]}" now: write formerly: {name} there.'
        near = did_you_mean(name, [n for n in self.new.program.nodes if n not in self.old.program.nodes])
        return f"{near} Write formerly: {name} at the node that takes its place.".strip()

    def _calls(self, memory: MemoryObject, where: Location) -> Iterator[Problem]:
        for level, above in zip(memory.stack, memory.stack[1:], strict=False):
            name = level.last_state or ""
            spec = self.new.spec(name)
            if spec is None:
                continue
            if spec.plan is None or level.calls_done >= len(spec.plan.calls):
                message = f'the conversation is inside a call that "{spec.name}" makes, which no longer makes it'
                hint = "Keep the calling node as it was until such conversations have ended."
                yield problem("lost-call", message, where, hint)
                continue
            function = spec.plan.calls[level.calls_done].function
            callee = self.new.spec(function) if function else None
            missing = [p.name for p in callee.parameters or () if p.name not in above.scope] if callee else []
            if missing and callee is not None:
                message = f'the call of "{callee.name}" under way has no "{missing[0]}", a parameter that is new'
                hint = "Keep the parameters as they were until such conversations have ended."
                yield problem("lost-variable", message, where, hint)

    # ------------------------------------------------------------------ variables

    def _variables(self, memory: MemoryObject, where: Location) -> Iterator[Problem]:
        for depth, level in enumerate(memory.stack):
            name = level.last_state
            if not name:
                continue
            already = {read.name for _, read, _ in self._unset(self.old, name, level)}
            told: set[str] = set()
            for spec, read, path in self._unset(self.new, name, level):
                if read.name in already or read.name in told:
                    continue
                told.add(read.name)
                setter = next((s.name for s, f in zip(self.new.graph.specs, self.new.facts, strict=True)
                               if read.name in f.sets), "")  # fmt: skip
                shown = path_names(self.new.graph, path)
                there = "" if depth == len(memory.stack) - 1 else " after the call that is under way"
                message = f'"{spec.name}" reads {read.name}, which this conversation does not have{there} ({shown})'
                hint = f'"{setter}" sets it, but the conversation is past it. ' if setter else ""
                hint += f"Write ?{{…${read.name}…}}, or set it on the way."
                yield problem("lost-variable", message, where, hint)

    def _unset(self, side: _Side, name: str, level: Level) -> Iterator[tuple[NodeSpec, Read, list[int]]]:
        """The reads that are met from a node on, on the same level, while nothing has set their variable."""
        graph = side.graph
        start = graph.index.get(side.name(name))
        if start is None:
            return
        known = {variable for variable, _ in level.visible_items()} | set(side.program.config.variables)
        came = graph.walk(start)
        set_before: dict[int, set[str]] = {start: set(known)}
        for number, before in came.items():
            names = set_before.setdefault(number, set(set_before[before]) if before >= 0 else set(known))
            if number == graph.hub:
                continue
            spec, facts = graph.specs[number], side.facts[number]
            if number != start:
                for read in (*facts.asked, *facts.first):
                    if not read.optional and read.name not in names:
                        yield spec, read, graph.back(came, number)
            names.update(facts.sets, self._by_calls(side, spec))
            for read in facts.then:
                if not read.optional and read.name not in names:
                    yield spec, read, graph.back(came, number)

    @staticmethod
    def _by_calls(side: _Side, spec: NodeSpec) -> set[str]:
        """What the calls of a global function may set."""
        if spec.action.scope != "global" or spec.plan is None:
            return set()
        entries = [side.graph.index[c.function] for c in spec.plan.calls if c.function in side.graph.index]
        return {name for i in side.graph.reached(entries) if i != side.graph.hub for name in side.facts[i].sets}

    # ------------------------------------------------------------------ visits

    def _visits(self, memory: MemoryObject, where: Location) -> Iterator[Problem]:
        for name in dict.fromkeys(memory.trajectory):
            if self.new.spec(name) is not None or not self._was_there(name):
                continue
            use = self._counted(self.old.program, name)
            if use:
                message = f'the conversation has visited "{name}", which {use} counts and the new program does not have'
                yield problem("lost-visit", message, where, self._formerly(name))

    @staticmethod
    def _counted(program: Program, name: str) -> str:
        """What looks at the visits of a node."""
        prefix, _, suffix = name.rpartition(".")
        group = program.groups.get(prefix)
        if suffix.isdigit() and group is not None and len(group.numbered) > 1:
            return f"{prefix}.n"
        for spec in program.nodes.values():
            lists = (*spec.prerequisite_states, *spec.blocking_states, *spec.up_weight_states, *spec.down_weight_states)
            if name in lists or name in spec.required_revisit:
                return f'"{spec.name}"'
            if any(f"visits({mark}{name}{mark})" in text for text in spec.row.fields.values() for mark in "'\""):
                return f'visits() in "{spec.name}"'
        return ""


def _content(spec: NodeSpec) -> tuple[tuple[str, str], ...]:
    """What a node is beside its name and its remarks."""
    ignored = ("name", "notes", "formerly", "transitions")
    return tuple(sorted((field, text) for field, text in spec.row.fields.items() if text and field not in ignored))


def lost_in(memory: MemoryObject, old: Program, new: Program, file: str = "") -> list[Problem]:
    """What of one conversation would be lost; see ``Edit``."""
    return list(Edit(old, new).lost(memory, file))
