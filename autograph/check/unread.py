"""Which variables are set although nobody reads them, and which texts assign although they look like prose?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograph.check.facts import Facts, all_reads
from autograph.check.flow import Flow
from autograph.check.subject import Subject
from autograph.check.walks import ANYWHERE, ENDS, RETURNS
from autograph.errors import Problem
from autograph.program import NodeSpec

__all__ = ["unread_variables", "value_is_used"]


def unread_variables(subject: Subject) -> Iterator[Problem]:
    """Variables that are set and never read, and text that assigns although it looks like prose."""
    flow, graph = subject.flow, subject.graph
    reads = _read_where(subject)
    told_elsewhere = _told_elsewhere(subject)
    told: set[str] = set(subject.program.config.variables) | {"_"}
    for number, spec in enumerate(graph.specs):
        if number not in subject.known_nodes or number in subject.wild:
            continue
        for targets in flow.facts[number].together:
            if any(flow.bits[name] & reads[number] for name in targets) or told.intersection(targets):
                continue
            if value_is_used(subject, number) and targets == flow.facts[number].together[-1]:
                continue
            name = targets[0]
            told.update(targets)
            if name in told_elsewhere:
                continue
            yield _unread(subject, spec, name)


def _unread(subject: Subject, spec: NodeSpec, name: str) -> Problem:
    if _looks_like_prose(spec):
        message = f'this text assigns to the variable "{name}", which nobody reads; only what follows the = is used'
        return subject.note("accidental-assignment", spec, "instruction", message, "Write \\= if it is meant as text.")
    message = f'the variable "{name}" is set but never read'
    if spec.action.instruction == "statement" or spec.action.instruction == "call":
        hint = "Use it, leave it out, or list it in the setting variables if the host reads it."
    else:
        hint = "Use it, write \\= if it is meant as text, or list it in the setting variables if the host reads it."
    return subject.note("unread-variable", spec, "instruction", message, hint)


def _looks_like_prose(spec: NodeSpec) -> bool:
    """Whether an assignment was perhaps not meant: ``Total = price + tax``, or a fixed text with a name before it."""
    if spec.action.instruction not in ("model", "text"):
        return False
    fixed = spec.action.instruction == "text" and spec.action.name != "thought_exact"
    return re.match(r"\s*[A-Z]" if not fixed else r"", spec.instruction) is not None


def value_is_used(subject: Subject, number: int) -> bool:
    """Whether a node's value is what a function returns, so that its name is only for the reader."""
    graph = subject.graph
    seen = {number}
    waiting = [number]
    while waiting:
        current = waiting.pop()
        if graph.leaves[current] & (RETURNS | ENDS | ANYWHERE) and number in subject.in_functions:
            return True
        for other in graph.next[current]:
            if other not in seen and graph.specs[other].action.name == "transition":
                seen.add(other)
                waiting.append(other)
    return False


def _read_where(subject: Subject) -> list[int]:
    """For each node the variables that are read somewhere on the levels which see what the node sets."""
    flow, graph = subject.flow, subject.graph
    group = _grouped(flow)
    by_group: dict[int, int] = {}
    everywhere = 0
    reads = [_mask(flow, facts) | (flow.sets[i] if i in subject.wild else 0) for i, facts in enumerate(flow.facts)]
    seen: list[set[int]] = [set() for _ in graph.specs]
    for index, context in enumerate(flow.contexts):
        for number in context.region.order:
            if number != graph.hub:
                seen[number].add(group[index])
                by_group[group[index]] = by_group.get(group[index], 0) | reads[number]
    free = graph.reached(graph.next[graph.hub]) if graph.hub is not None else set()
    for number, groups in enumerate(seen):
        if not groups or number in free:
            everywhere |= reads[number]
    anywhere = everywhere
    for mask in by_group.values():
        anywhere |= mask
    result = []
    for number, groups in enumerate(seen):
        mask = anywhere if number in free or not groups else everywhere
        for which in groups:
            mask |= by_group[which]
        result.append(mask)
    return result


def _mask(flow: Flow, facts: Facts) -> int:
    return flow.mask(read.name for read in all_reads(facts))


def _grouped(flow: Flow) -> list[int]:
    """The contexts that see each other's variables, by the number of one of them."""
    group = list(range(len(flow.contexts)))

    def root(index: int) -> int:
        while group[index] != index:
            group[index] = group[group[index]]
            index = group[index]
        return index

    entries = {(c.region.entry, c.kind): i for i, c in enumerate(flow.contexts)}
    for index, context in enumerate(flow.contexts):
        if context.kind == "host":
            group[root(index)] = root(0)
        for number in context.region.order:
            if number != flow.graph.hub and flow.graph.specs[number].action.scope not in (None, "local"):
                for callee in flow.graph.calls[number]:
                    other = entries.get((callee, "normal"))
                    if other is not None:
                        group[root(other)] = root(index)
    return [root(index) for index in range(len(group))]


def _told_elsewhere(subject: Subject) -> set[str]:
    """Variables that are read where they are not set, or under another name: that is said where they are read."""
    partners = set()
    for name, found in subject.unset:
        partners.add(found.hint.split('"')[1] if found.kind == "misspelt-variable" else name)
    return partners
