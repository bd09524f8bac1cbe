"""Where, with whom and why? The conversations of a run by node, path, persona and bad end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from autograph.evaluation.intervals import mean_interval
from autograph.interpreter.traffic import Traffic, merged
from autograph.simulation.counting import mean_of_cases, rate_of
from autograph.simulation.figures import NodeFigures, PathFigures, PersonaFigures, Rate, Trouble
from autograph.simulation.record import Conversation

__all__ = ["all_nodes", "all_paths", "all_personas", "all_traffic", "all_troubles", "folded"]

MOST_PATHS = 12
"""How many of the most common paths are named."""

_VARYING = re.compile(r'"[^"]*"|\'[^\']*\'|\d+')


def all_traffic(talks: Sequence[Conversation]) -> Traffic:
    """The ways that all conversations took, together."""
    return merged(Traffic.from_dict(each.traffic) for each in talks)


def all_nodes(talks: Sequence[Conversation]) -> tuple[NodeFigures, ...]:
    """Every node that was entered, those where most conversations broke off first."""
    entries = Counter(name for each in talks for name in each.path)
    within: dict[str, list[Conversation]] = {}
    for each in talks:
        for name in dict.fromkeys((*each.path, *_last(each))):
            within.setdefault(name, []).append(each)
    found = (_node(name, entries[name], inside, talks) for name, inside in within.items())
    return tuple(sorted(found, key=lambda each: (-each.dropped.count, -each.reached.count, each.name)))


def _last(talk: Conversation) -> tuple[str, ...]:
    return () if talk.last_node is None else (talk.last_node,)


def _node(name: str, entries: int, inside: Sequence[Conversation], talks: Sequence[Conversation]) -> NodeFigures:
    names = {id(each) for each in inside}
    return NodeFigures(
        name=name,
        entries=entries,
        reached=rate_of(talks, lambda each: id(each) in names),
        dropped=rate_of(inside, lambda each: each.outcome != "finished" and each.last_node == name),
    )


def folded(path: Sequence[str]) -> tuple[str, ...]:
    """The path with every run of one node as one."""
    return tuple(name for name, _ in groupby(path))


def all_paths(talks: Sequence[Conversation]) -> tuple[tuple[PathFigures, ...], int]:
    """The most common paths, and how many different ones there are."""
    by_path: dict[tuple[str, ...], list[Conversation]] = {}
    for each in talks:
        by_path.setdefault(folded(each.path), []).append(each)
    common = sorted(by_path.items(), key=lambda item: (-len(item[1]), item[1][0].index))[:MOST_PATHS]
    return tuple(
        PathFigures(
            path=path,
            count=len(same),
            share=len(same) / len(talks),
            succeeded=sum(1 for each in same if each.success is True),
            example=same[0].index,
        )
        for path, same in common
    ), len(by_path)


def all_personas(
    talks: Sequence[Conversation], success: Callable[[Sequence[Conversation]], Rate]
) -> tuple[PersonaFigures, ...]:
    """How it went with each persona, in the order in which they first talked; () if there were none."""
    groups: dict[str | None, list[Conversation]] = {}
    for each in talks:
        groups.setdefault(each.persona, []).append(each)
    if not groups.keys() - {None}:
        return ()
    return tuple(
        PersonaFigures(
            persona=persona,
            n=len(same),
            success=success(same),
            finished=rate_of(same, lambda each: each.outcome == "finished"),
            failed=rate_of(same, lambda each: each.outcome == "failed"),
            turns=mean_interval(mean_of_cases(same, lambda each: len(each.turns))),
            cost=None
            if any(each.cost is None for each in same)
            else mean_interval(mean_of_cases(same, lambda each: each.cost or 0.0)),
        )
        for persona, same in groups.items()
    )


def all_troubles(talks: Sequence[Conversation]) -> tuple[Trouble, ...]:
    """What went wrong, the most common first. Sentences that differ in numbers and quoted texts only are the same."""
    groups: dict[tuple[str, str, str, str | None], list[tuple[str, Conversation]]] = {}
    for each in talks:
        if each.outcome == "finished":
            continue
        kind, message, node = (
            (each.error.kind, each.error.message, each.error.node or each.last_node)
            if each.error
            else ("", each.reason, each.last_node)
        )
        groups.setdefault((each.outcome, kind, _VARYING.sub("…", message), node), []).append((message, each))
    found = (
        Trouble(outcome, kind, same[0][0], node, len(same), same[0][1].index)
        for (outcome, kind, _, node), same in groups.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.count, each.example)))
