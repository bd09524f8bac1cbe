"""Which nodes can never be reached, which functions are never called, and from which nodes is there no way on?"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.check.graph import Graph, path_names
from autograph.check.subject import Subject
from autograph.check.walks import LEAVES, RETURNS
from autograph.errors import Problem

__all__ = ["resume_without_interruption", "returns_outside", "traps", "uncalled_functions", "unreachable"]


def unreachable(subject: Subject) -> Iterator[Problem]:
    """Nodes that no conversation can come to."""
    if subject.incomplete:
        return
    graph = subject.graph
    leads: dict[int, int] = {}
    missing = [i for i in range(len(graph.specs)) if i not in subject.known_nodes]
    for number in missing:
        for other in (*graph.successors(number), *graph.calls[number]):
            if other != number:
                leads.setdefault(other, number)
    for number in missing:
        spec = graph.specs[number]
        if spec.callable or not spec.row.get("action"):
            continue  # a row without an action is wrong already: perhaps it is only a heading
        if number in leads and leads[number] != graph.hub:
            before = graph.specs[leads[number]].name
            message = f'"{spec.name}" can never be reached: only "{before}" leads to it, which cannot be reached either'
            hint = f'Let a node that can be reached lead to "{before}" or to "{spec.name}".'
        elif number == 0:
            start = graph.specs[graph.start].name
            message = f'"{spec.name}" can never be reached: the conversation begins at "{start}"'
            hint = f'Set start_state to "{spec.name}" if it should begin there, or let a node lead to it.'
        else:
            message = f'"{spec.name}" can never be reached: no transition leads to it'
            hint = f"Name it in the transitions of the node before it{_by_group(spec.name)}, or delete the row."
        yield subject.note("unreachable-node", spec, "name", message, hint)


def _by_group(name: str) -> str:
    prefix, dot, suffix = name.rpartition(".")
    if dot and suffix.isdigit():
        return f" ({prefix}.n if it is one of several)"
    return f" ({prefix}.* if it is one of several)" if dot and len(suffix) == 1 else ""


def uncalled_functions(subject: Subject) -> Iterator[Problem]:
    """Functions that no node calls."""
    if subject.incomplete:
        return
    for number in subject.uncalled:
        spec = subject.graph.specs[number]
        message = f'the function "{spec.name}" is never called'
        hint = f'Call it from a node with the action local_function ("x = {spec.name[:-1]}…)"), or delete it.'
        yield subject.note("function-not-called", spec, "name", message, hint)


def traps(subject: Subject) -> Iterator[Problem]:
    """Nodes from which neither the user, nor a return, nor the end is ever reached."""
    graph = subject.graph
    trapped = trapped_nodes(subject)
    cycles = graph.cycles(trapped)
    in_cycle = {number for part in cycles for number in part}
    for part in cycles:
        spec = graph.specs[part[0]]
        names = path_names(graph, graph.a_cycle(part))
        message = f"the loop {names} never ends: no node in it speaks to the user, and none leads out of it"
        hint = "Let one of its nodes speak, or give one a transition that leads out."
        yield subject.note("endless-loop", spec, "transitions", message, hint)
    entered = {other for i in subject.known_nodes - trapped for other in graph.successors(i)}
    entered.update([graph.start], (i for i in trapped if i < len(graph.specs) and graph.specs[i].callable))
    for number in sorted(trapped & entered - in_cycle):
        spec = graph.specs[number]
        message = f'from "{spec.name}" neither the user, nor a return, nor the end can be reached'
        cycle = next((part for part in cycles if graph.path(number, part[0])), None)
        path = path_names(graph, graph.path(number, cycle[0])) if cycle else ""
        message += f": it leads into an endless loop ({path})" if path else ""
        yield subject.note("trap", spec, "transitions", message, "Give it a transition that leads on.")


def trapped_nodes(subject: Subject) -> set[int]:
    """The nodes from which nothing that ends a turn can be reached."""
    graph = subject.graph
    pausing = pausing_functions(graph)
    nodes = {i for i in subject.known_nodes if i != graph.hub}
    goals = [
        i for i in nodes if graph.speaks[i] or graph.leaves[i] & LEAVES or any(c in pausing for c in graph.calls[i])
    ]
    return nodes - graph.leading_to(goals, nodes)


def pausing_functions(graph: Graph) -> set[int]:
    """The functions in which the user may be spoken to, or the conversation may end."""
    inside = {i: graph.reached([i], hub=False) for i, spec in enumerate(graph.specs) if spec.callable}
    quits = LEAVES & ~RETURNS & ~4
    found = {i for i, nodes in inside.items() if any(graph.speaks[n] or graph.leaves[n] & quits for n in nodes)}
    grown = True
    while grown:
        more = {i for i, nodes in inside.items() if any(c in found for n in nodes for c in graph.calls[n])} - found
        found |= more
        grown = bool(more)
    return found


def returns_outside(subject: Subject) -> Iterator[Problem]:
    """``return`` at nodes that are entered outside of functions."""
    graph = subject.graph
    if graph.specs[graph.start].callable:
        return
    for number in sorted(subject.base):
        if number == graph.hub or not graph.leaves[number] & RETURNS:
            continue
        spec = graph.specs[number]
        written = [transition.text for transition in spec.transitions if transition.kind == "return"]
        if not written:
            continue
        path = path_names(graph, graph.path(graph.start, number))
        if number in subject.in_functions:
            path = path_names(graph, graph.path(graph.start, number, open_only=True))
            if not path:
                continue
            message = f'"{written[0]}" fails where "{spec.name}" is entered outside of a function ({path})'
            hint = "Use a node of its own for each of the two, or quit if the conversation is over."
            yield subject.note("return-perhaps-outside", spec, "transitions", message, hint)
        else:
            begins = f'the conversation begins at "{spec.name}"'
            reached = begins if number == graph.start else f'"{spec.name}" is reached by {path}'
            message = f'"{written[0]}" stands outside of any function: {reached}'
            hint = "Write quit to end the conversation, or the name of the next node."
            yield subject.note("return-outside-function", spec, "transitions", message, hint)


def resume_without_interruption(subject: Subject) -> Iterator[Problem]:
    """``resume`` at nodes that no interjection leads to."""
    graph = subject.graph
    after = graph.reached(graph.next[graph.hub]) if graph.hub is not None else set()
    for number in sorted(subject.known_nodes - after):
        if number == graph.hub:
            continue
        spec = graph.specs[number]
        if any(transition.kind == "resume" for transition in spec.transitions):
            message = f'"resume" can only follow an interjection, and no interjection leads to "{spec.name}"'
            hint = "Name the node to go to, or give an interjection node its condition_interjection."
            yield subject.note("resume-without-interruption", spec, "transitions", message, hint)
