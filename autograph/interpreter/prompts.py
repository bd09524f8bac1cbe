"""What does the chatbot see? System prompt, the visible turns, and the last message.

Source: section 9 of ``docs/language.md``. Messages before the last are the same from turn to turn
while prompt and scope stay, so that a provider's prompt cache hits; history that does not fit the
budget is dropped in blocks, for the same reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from math import ceil
from typing import TYPE_CHECKING

from autograph.config import AutographConfig
from autograph.memory.turns import Turn, oldest_first, tokens
from autograph.models.base import Message, Model

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.run import Run

__all__ = ["classifier_context", "generation_messages", "instruction_role", "last_messages"]

_TOKEN = re.compile(r"<(last_response|agent_name|user_name|instruction)>")

THOUGHTS_SHOWN = 8
"""How many thoughts the classifier sees at most beside the spoken turns of its context."""


def fill(template: str, *, last_response: str, instruction: str, config: AutographConfig) -> str:
    """Put the parts of a last message together, in one pass: what is filled in is not looked at again."""
    parts = {
        "last_response": last_response,
        "instruction": instruction,
        "agent_name": config.agent_name,
        "user_name": config.user_name,
    }
    return _TOKEN.sub(lambda match: parts[match[1]], template).strip()


def instruction_role(config: AutographConfig, model: Model) -> str:
    """The role of the message that holds the instruction. ``auto`` asks the model."""
    if config.instruction_role != "auto":
        return config.instruction_role
    role: str = getattr(model, "instruction_role", "user")
    return role


def last_messages(
    node: Node, instruction: str, user: str | None, role: str, config: AutographConfig
) -> tuple[tuple[str, str], ...]:
    """The end of the prompt as pairs of role and text: user text and instruction, in one message or two."""
    if not instruction and user:
        return (("user", user),)
    template = node.spec.instruction_template or config.instruction_template
    if role == "user":
        return (("user", fill(template, last_response=user or "", instruction=instruction, config=config)),)
    alone = fill(template, last_response="", instruction=instruction, config=config)
    said = (("user", user),) if user else ()
    return (*said, (role, alone))


def generation_messages(
    run: Run, node: Node, last: tuple[tuple[str, str], ...], reply_start: str
) -> tuple[tuple[Message, ...], int | None]:
    """All messages of a request, and how many turns were kept if some were dropped."""
    level = run.memory.top
    if reply_start:
        opening = fill(run.config.reply_start_template, last_response="", instruction="", config=run.config)
        role, text = last[-1]
        last = (*last[:-1], (role, f"{text}\n\n{opening} {reply_start}".strip()))
    room = run.config.max_prompt_tokens - tokens(level.prompt)
    budget = room - sum(tokens(text) for _, text in last)
    turns, dropped = visible_turns(level.turn, node.spec.conv_scope, budget, room)
    messages = [Message("system", level.prompt)] if level.prompt else []
    for turn in turns:
        messages.extend(Message(role, text) for role, text in turn.shown)
        messages.append(Message("assistant", turn.agent))
    messages.extend(Message(role, text) for role, text in last)
    return tuple(messages), len(turns) if dropped else None


def visible_turns(newest: Turn | None, scope: tuple[str, ...], budget: int, room: int) -> tuple[list[Turn], bool]:
    """The turns that fit into ``budget`` tokens, oldest first, and whether older ones were dropped.

    ``room`` is what the system prompt leaves for turns and last message together. The cut moves in blocks
    of a quarter of it. Nothing older than the cut is looked at.
    """
    if newest is None:
        return [], False
    if scope:
        return _of_categories(newest, scope, budget, room)
    cut = _cut(newest.size, budget, room)
    if cut == 0:
        return oldest_first(newest), False
    kept: list[Turn] = []
    turn: Turn | None = newest
    while turn is not None and (turn.previous.size if turn.previous else 0) >= cut:
        kept.append(turn)
        turn = turn.previous
    kept.reverse()
    return kept, True


def _cut(total: int, budget: int, room: int) -> int:
    """How many tokens of the oldest history to drop.

    The blocks must not change with the last message, or the cut would move each turn; only where that
    message leaves little are they finer, since a whole one might be all there is.
    """
    if total <= budget:
        return 0
    block = max(room // 4 if budget >= room // 2 else budget // 4, 1)
    return ceil((total - max(budget, 0)) / block) * block


def _of_categories(newest: Turn, scope: tuple[str, ...], budget: int, room: int) -> tuple[list[Turn], bool]:
    heads = [head for name in dict.fromkeys(scope) if (head := _head(newest, name)) is not None]
    total = sum(head.category_size for head in heads)
    cut = _cut(total, budget, room)
    kept: list[Turn] = []
    left = total
    for turn in merge(*map(_same_category, heads), key=lambda turn: -turn.index):
        left -= _own_size(turn)
        if left < cut:
            break
        kept.append(turn)
    kept.reverse()
    return kept, cut > 0


def _head(newest: Turn, category: str) -> Turn | None:
    if newest.category == category:
        return newest
    return (newest.heads or {}).get(category)


def _same_category(newest: Turn) -> Iterator[Turn]:
    turn: Turn | None = newest
    while turn is not None:
        yield turn
        before = turn.previous
        turn = None if before is None else _head(before, turn.category)


def _own_size(turn: Turn) -> int:
    return turn.size - (turn.previous.size if turn.previous else 0)


def classifier_context(run: Run, turns: int) -> tuple[Message, ...]:
    """The last ``turns`` spoken replies with everything said and thought after them, oldest first."""
    found: list[Message] = []
    if run.memory.pending:
        found.append(Message("user", run.memory.pending))
    turn = run.memory.top.turn
    spoken = thoughts = 0
    while turn is not None and spoken < turns and thoughts < THOUGHTS_SHOWN:
        found.append(Message("assistant", turn.agent))
        if turn.spoke:
            spoken += 1
        else:
            thoughts += 1
        if turn.user and spoken < turns:
            found.append(Message("user", turn.user))
        turn = turn.previous
    found.reverse()
    return tuple(found)
