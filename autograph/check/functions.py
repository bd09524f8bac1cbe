"""Which functions have a path that never returns?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autograph.check.graph import Graph, path_names
from autograph.check.reach import trapped_nodes
from autograph.check.subject import Subject
from autograph.check.walks import ANY_CALL, ANYWHERE, ENDS, QUITS, RESUMES, RETURNS
from autograph.errors import Problem

__all__ = ["endless_recursion", "never_returns"]

_COMES_BACK = RETURNS | ENDS | QUITS | ANYWHERE


def never_returns(subject: Subject) -> Iterator[Problem]:
    """Functions with a node from which no return can be reached any more."""
    graph = subject.graph
    trapped = trapped_nodes(subject)
    told: set[int] = set()
    for entry, spec in enumerate(graph.specs):
        if not spec.callable or entry == graph.start or entry not in subject.known_nodes:
            continue
        region = graph.reached([entry], hub=False)
        around = graph.reached([entry])  # interjections may bring it back
        goals = [i for i in around if graph.leaves[i] & _COMES_BACK]
        lost = region - graph.leading_to(goals, around, hub=True) - trapped - told
        lost = {i for i in lost if not graph.leaves[i] & RESUMES}
        if not lost:
            continue
        told |= lost
        first = next(number for number in graph.walk(entry) if number in lost)
        path = path_names(graph, graph.path(entry, first))
        message = f'the function "{spec.name}" never returns once it has come to "{graph.specs[first].name}" ({path})'
        hint = "Let a node after it have the transition return."
        yield subject.note("never-returns", graph.specs[first], "transitions", message, hint)


def endless_recursion(subject: Subject) -> Iterator[Problem]:
    """Functions that on every path call themselves, directly or not, before they can return."""
    graph = subject.graph
    functions = [i for i, spec in enumerate(graph.specs) if spec.callable]
    regions = {entry: graph.reached([entry], hub=False) for entry in functions}
    returning = _returning(graph, regions)
    stuck = {f for f in functions if f not in returning and f in subject.known_nodes}
    for entry in sorted(stuck):
        if not any(graph.leaves[i] & _COMES_BACK for i in regions[entry]):
            continue  # it never returns, whomever it calls; that is said elsewhere
        call = _first_stuck_call(graph, entry, stuck)
        if call is None or not _calls_back(graph, entry, stuck):
            continue
        spec = graph.specs[entry]
        path = path_names(graph, graph.path(entry, call))
        message = f'the function "{spec.name}" calls itself without end: every path to its return makes the call again'
        hint = f"Let a condition decide whether it is called again ({path} always leads there)."
        yield subject.note("endless-recursion", graph.specs[call], "instruction", message, hint)


def _returning(graph: Graph, regions: Mapping[int, set[int]]) -> set[int]:
    """The functions that can return."""
    callers: dict[int, set[int]] = {}
    for entry, nodes in regions.items():
        for number in nodes:
            for callee in graph.calls[number]:
                callers.setdefault(callee, set()).add(entry)
    returning: set[int] = set()
    waiting = list(regions)
    while waiting:
        entry = waiting.pop()
        if entry not in returning and _can_return(graph, entry, returning):
            returning.add(entry)
            waiting.extend(callers.get(entry, ()))
    return returning


def _can_return(graph: Graph, entry: int, returning: set[int]) -> bool:
    """Whether there is a path to a return on which every call returns."""
    seen = {entry}
    waiting = [entry]
    while waiting:
        number = waiting.pop()
        skips = bool(graph.specs[number].required_revisit) if number != graph.hub else False
        calls = graph.calls[number]
        if calls and not skips and not graph.leaves[number] & ANY_CALL and not all(c in returning for c in calls):
            continue
        if graph.leaves[number] & (_COMES_BACK | RESUMES):
            return True
        for other in graph.successors(number):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return False


def _first_stuck_call(graph: Graph, entry: int, stuck: set[int]) -> int | None:
    nodes = (number for number in graph.walk(entry) if any(c in stuck for c in graph.calls[number]))
    return next(nodes, None)


def _calls_back(graph: Graph, entry: int, stuck: set[int]) -> bool:
    """Whether ``entry`` is in a circle of calls of functions that cannot return."""
    seen: set[int] = set()
    waiting = [entry]
    while waiting:
        for number in graph.reached([waiting.pop()], hub=False):
            for callee in graph.calls[number]:
                if callee == entry:
                    return True
                if callee in stuck and callee not in seen:
                    seen.add(callee)
                    waiting.append(callee)
    return False
