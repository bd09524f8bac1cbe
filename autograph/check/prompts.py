"""Which nodes ask the model without a prompt?"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.check.subject import Subject
from autograph.errors import Problem

__all__ = ["missing_prompt"]

_ASKS_MODEL = frozenset(("chat", "chat_suffix", "thought", "thought_qa"))


def missing_prompt(subject: Subject) -> Iterator[Problem]:
    """Nodes that ask the model although no path to them sets a system prompt: the first one of each level."""
    flow, graph = subject.flow, subject.graph
    told: set[int] = set()
    for context in flow.contexts:
        if context.kind == "host" or context.region.entry in told:
            continue
        bare = [
            number
            for place, number in enumerate(context.region.order)
            if number != graph.hub
            and graph.specs[number].action.name in _ASKS_MODEL
            and not context.may[place] & 1
            and number not in subject.wild
        ]
        if not bare:
            continue
        told.add(context.region.entry)
        spec = graph.specs[min(bare)]
        if context.kind == "local":
            function = graph.specs[context.region.entry].name
            message = (
                f'in the local function "{function}" nothing sets the prompt with which "{spec.name}" asks the model'
            )
            hint = "Begin it with a set_prompt node, set default_prompt, or call it with the action function."
        else:
            message = f'no prompt is set when "{spec.name}" asks the model: it does not know who it is'
            hint = "Begin with a set_prompt node, or set default_prompt in the configuration."
        yield subject.note("missing-prompt", spec, "instruction", message, hint)
