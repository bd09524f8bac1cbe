"""How does the host shorten what a model is asked? The ``trimmer`` of a bot, applied to requests for a text.

A trimmer gets the messages of a request as dicts with ``role`` and ``content``, and gives those that are to be sent.
The last message holds the instruction, and is sent as it was, whatever the trimmer makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from inspect import iscoroutinefunction
from typing import Any

from autograph.errors import AutographError, RunError
from autograph.interpreter.events import TRIMMED
from autograph.models.base import GenerateRequest, Message

__all__ = ["Trimmer", "trimmed", "trimmer_of"]

Trimmer = Callable[[list[dict[str, str]]], Iterable[Mapping[str, Any]]]


def trimmer_of(given: Any) -> Trimmer | None:
    """A trimmer as a function: the method ``trim_messages`` of an object, or a function itself.

    Raises ``AutographError`` for anything else, an ``async`` one too: a request does not wait for it.
    """
    if given is None:
        return None
    found: Any = getattr(given, "trim_messages", given)
    if not callable(found) or iscoroutinefunction(found):
        raise AutographError(
            f"the trimmer is {given!r:.80}; it must have a method trim_messages(messages) that is not async, or be "
            "such a function. autograph.dialogue.trimming has two."
        )
    return found  # type: ignore[no-any-return]


def trimmed(
    request: GenerateRequest, trimmer: Trimmer | None, append: Callable[[tuple[Any, ...]], object]
) -> GenerateRequest:
    """The request with the messages that the trimmer leaves; ``append`` is told how many turns they show.

    Raises ``RunError`` if the trimmer fails, or gives what are no messages.
    """
    if trimmer is None or not request.messages:
        return request
    before = request.messages
    try:
        given = [_message(item) for item in trimmer([message.to_dict() for message in before])]
    except AutographError:
        raise
    except Exception as error:
        raise RunError(f"the trimmer failed: {type(error).__name__}: {error}", node=request.node) from error
    messages = _with_last(given, before)
    turns = _turns(messages)
    if turns < _turns(before):
        append((TRIMMED, request.node, turns))
    return replace(request, messages=messages)


def _message(item: Mapping[str, Any]) -> Message:
    role, content = item["role"], item["content"]
    if not isinstance(role, str) or not isinstance(content, str):
        raise TypeError(f"a message needs a role and a content that are texts, not {item!r:.80}")
    return Message(role, content)


def _with_last(given: list[Message], before: tuple[Message, ...]) -> tuple[Message, ...]:
    """``given`` with the last message as it was; what the trimmer has cut it to goes."""
    last = before[-1]
    if given and given[-1] == last:
        return tuple(given)
    if given and given[-1].role == last.role and given[-1] not in before:
        given = given[:-1]
    return (*given, last)


def _turns(messages: Iterable[Message]) -> int:
    return sum(message.role == "assistant" for message in messages)
