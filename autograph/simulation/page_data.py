"""What does the page's script know? The conversations as compact JSON that can do no harm within a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from autograph.simulation.record import Conversation
from autograph.simulation.summary import badness

__all__ = ["embedded", "page_data"]

_LONGEST = 2000
"""Characters of the variables that are shown of a conversation."""


def page_data(talks: Sequence[Conversation], others: Sequence[Conversation], drawn: Sequence[str]) -> dict[str, Any]:
    """All conversations, worst first; ``others``: those of another version with the same users.

    Nodes are told by their number in ``nodes``. ``drawn``: the nodes in the order of the drawing.
    """
    numbers: dict[str, int] = {}

    def number(name: str | None) -> int:
        return -1 if name is None else numbers.setdefault(name, len(numbers))

    ranks = {each.index: rank for rank, each in enumerate(sorted(talks, key=badness))}
    found = [{**_talk(each, number), "rank": ranks[each.index]} for each in talks]
    partners = {f"{each.case}.{each.round}": _talk(each, number) for each in others}
    return {"talks": found, "partners": partners, "drawn": list(drawn), "nodes": list(numbers)}


def _talk(each: Conversation, number: Callable[[str | None], int]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "i": each.index,
        "case": each.case,
        "round": each.round,
        "seed": each.seed,
        "persona": each.persona,
        "end": each.outcome,
        "good": each.success,
        "by": each.ended_by,
        "why": each.reason,
        "last": number(each.last_node),
        "cost": each.cost,
        "calls": each.usage.requests,
        "turns": [[turn.user, turn.reply, [number(name) for name in turn.path], turn.target] for turn in each.turns],
    }
    if each.error:
        data["error"] = [each.error.kind, each.error.message]
        if each.error.said:
            data["said"] = each.error.said
    if each.variables:
        text = json.dumps(dict(each.variables), ensure_ascii=False, indent=1, default=str)
        data["vars"] = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return data


def embedded(data: Any) -> str:
    """JSON within a script element: nothing in it can end the element or open a comment."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
