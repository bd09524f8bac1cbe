"""How is a history shortened so that the budget holds and nothing is torn apart?

- Whatever is given out, the mark of a cut included, is within the budget.
- All system and developer messages at the beginning are kept.
- A cut is made between words, and the message keeps its other keys.
- What calls tools and what the tools answer stay together, or go together.
- A shortened history begins with a user's message; only of such a one the end may be kept, and of the newest message.
- Contents may be lists of parts. Of those the texts are counted and cut; any other part costs ``PART_TOKENS``.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["MARK", "PART_TOKENS", "trim_strictly"]

MARK = "[...] "
"""What stands before the end of a message whose beginning was cut off."""

PART_TOKENS = 85
"""What a part that is no text costs; a small picture costs as much with OpenAI's models."""

Message = Mapping[str, Any]
Count = Callable[[str], int]

_WORD = re.compile(r"\S+")
_HEAD_ROLES = ("system", "developer")


def trim_strictly(
    messages: Sequence[Message], preserve_system: bool, budget: int, overhead: int, count: Count
) -> list[Message]:
    """The newest messages that fit into ``budget`` tokens, after the system messages.

    Raises ``ValueError`` if the system messages leave no room for a part of the newest message.
    """
    head = _head(messages) if preserve_system else 0
    left = budget - sum(_cost(message, overhead, count) for message in messages[:head])
    kept: list[Message] = []
    for unit in reversed(_units(messages[head:])):
        cost = sum(_cost(message, overhead, count) for message in unit)
        if cost <= left:
            kept[:0] = unit
            left -= cost
            continue
        if not kept or unit[0]["role"] == "user":
            kept[:0] = _shortened(unit, left - overhead, count)
        if not kept:
            raise ValueError(
                f"{budget} tokens leave no room for the newest message: the system messages take "
                f"{budget - left}. Allow more tokens, or shorten the system messages."
            )
        return [*messages[:head], *_from_user(kept)]
    if left < 0:
        raise ValueError(f"the system messages alone take {budget - left} tokens, and {budget} are allowed.")
    return list(messages)


def _head(messages: Sequence[Message]) -> int:
    """How many messages stand at the beginning that are no part of the conversation."""
    for number, message in enumerate(messages):
        if message["role"] not in _HEAD_ROLES:
            return number
    return len(messages)


def _units(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages in groups that stay together: what calls tools, with the answers of the tools."""
    units: list[list[Message]] = []
    for message in messages:
        if message["role"] in ("tool", "function") and units:
            units[-1].append(message)
        else:
            units.append([message])
    return units


def _from_user(kept: list[Message]) -> list[Message]:
    """``kept`` from its first user's message on; all of it if there is none."""
    for number, message in enumerate(kept):
        if message["role"] == "user":
            return kept[number:]
    return kept


# ---------------------------------------------------------------------- what it costs


def _cost(message: Message, overhead: int, count: Count) -> int:
    tokens = overhead + sum(count(part) if isinstance(part, str) else PART_TOKENS for part in _parts(message))
    for call in ("tool_calls", "function_call"):
        if message.get(call):
            tokens += count(json.dumps(message[call], ensure_ascii=False, default=str))
    return tokens


def _parts(message: Message) -> Iterator[Any]:
    """The texts of a message, and its other parts as they are."""
    content = message.get("content")
    if isinstance(content, str):
        yield content
    elif content is not None:
        for part in content:
            text = part.get("text") if isinstance(part, Mapping) else part
            yield text if isinstance(text, str) else part


# ---------------------------------------------------------------------- what is cut


def _shortened(unit: list[Message], room: int, count: Count) -> list[Message]:
    """The end of a message that takes at most ``room`` tokens, its overhead not counted; nothing if there is none."""
    message = unit[0]
    if len(unit) > 1 or message.get("tool_calls") or message.get("function_call"):
        return []
    content = message.get("content")
    if isinstance(content, str):
        end = _end_of(content, room, count)
        return [{**message, "content": end}] if end else []
    kept: list[Any] = []
    for part in reversed(content or []):
        text = part.get("text") if isinstance(part, Mapping) else part
        cost = count(text) if isinstance(text, str) else PART_TOKENS
        if cost <= room:
            kept.insert(0, part)
            room -= cost
            continue
        end = _end_of(text, room, count) if isinstance(text, str) else ""
        if end:
            kept.insert(0, {**part, "text": end} if isinstance(part, Mapping) else end)
        break
    return [{**message, "content": kept}] if kept else []


def _end_of(text: str, room: int, count: Count) -> str:
    """The longest end of ``text`` that begins with a word and takes ``room`` tokens at most, with the mark before it.

    If not even the last word fits, the end of that word; nothing if there is no room for the mark and a character.
    """
    starts = [match.start() for match in _WORD.finditer(text)]
    for places in (starts, range(starts[-1] + 1, len(text.rstrip()))) if starts else ():
        fits = _first_that_fits(text, places, room, count)
        if fits is not None:
            return MARK + text[fits:]
    return ""


def _first_that_fits(text: str, places: Sequence[int], room: int, count: Count) -> int | None:
    """The first of ``places`` from which on the text fits; found by halves, since a shorter text costs less."""
    number = bisect_left(places, -room, key=lambda place: -count(MARK + text[place:]))
    for place in places[number:]:  # a tokenizer may count a shorter text a little higher
        if count(MARK + text[place:]) <= room:
            return place
    return None
