"""How do requests, replies, questions and choices look as JSON data? Each is checked field by field when read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple
from typing import Any

from autograph.models.base import Choice, GenerateRequest, Message, Question, Reply, Usage

__all__ = [
    "Malformed", "choice_data", "choice_of", "items", "mapping", "number", "optional", "question_data", "question_of",
    "reply_data", "reply_of", "request_data", "request_of", "seconds", "text", "texts", "whole",
]  # fmt: skip

Check = Callable[[Any], Any]


class Malformed(Exception):
    """The other side sent what it never sends: it is broken, or no longer obeys."""


def _of(kinds: tuple[type, ...], what: str) -> Check:
    def check(value: Any) -> Any:
        if type(value) not in kinds:
            raise Malformed(f"{what} is expected, not {type(value).__name__}")
        return value

    return check


text: Check = _of((str,), "a text")
whole: Check = _of((int,), "a whole number")
number: Check = _of((int, float), "a number")
_LONGEST = 1e9


def seconds(value: Any) -> Any:
    """``value``, if it is a time that can be waited for. Raises ``Malformed``."""
    if not -_LONGEST <= number(value) <= _LONGEST:  # neither does NaN lie between them
        raise Malformed("a number of seconds is expected")
    return value


truth: Check = _of((bool,), "true or false")
mapping: Check = _of((dict,), "a mapping")


def items(value: Any, count: int | None = None) -> list[Any]:
    """``value``, if it is a list (of ``count`` items). Raises ``Malformed``."""
    if type(value) is not list or (count is not None and len(value) != count):
        raise Malformed("a list is expected" if count is None else f"a list of {count} items is expected")
    return value


def optional(check: Check) -> Check:
    """``check``, or None."""
    return lambda value: None if value is None else check(value)


def _tuple_of(check: Check) -> Check:
    return lambda value: tuple([check(item) for item in items(value)])


texts: Check = _tuple_of(text)


def _message(value: Any) -> Message:
    role, content = items(value, 2)
    return Message(text(role), text(content))


def _one_of(*words: str) -> Check:
    def check(value: Any) -> Any:
        if value not in words:
            raise Malformed(f"one of {', '.join(words)} is expected")
        return value

    return check


def usage_data(usage: Usage | None) -> list[int] | None:
    """Its numbers in order."""
    return None if usage is None else list(astuple(usage))


def usage_of(value: Any) -> Usage | None:
    """The usage that ``usage_data`` describes. Raises ``Malformed``."""
    numbers = optional(_tuple_of(whole))(value)
    if numbers is None:
        return None
    if len(numbers) != 5:
        raise Malformed("a usage has five numbers")
    return Usage(*numbers)


_REQUEST: Mapping[str, Check] = {
    "node": text,
    "messages": _tuple_of(_message),
    "purpose": _one_of("chat", "thought", "user"),
    "instruction": text,
    "user_text": optional(text),
    "suffix": text,
    "max_tokens": optional(whole),
    "timeout": optional(seconds),
    "seed": optional(whole),
}
_QUESTION: Mapping[str, Check] = {
    "node": text,
    "question": text,
    "choices": texts,
    "question_prompt": text,
    "context": _tuple_of(_message),
    "purpose": _one_of("transition", "interjection"),
    "passes_on": optional(whole),
    "unclear_decides": truth,
    "timeout": optional(seconds),
    "seed": optional(whole),
}
_REPLY: Mapping[str, Check] = {"text": text, "usage": usage_of, "model": optional(text)}
_CHOICE: Mapping[str, Check] = {
    "index": optional(whole),
    "confidence": optional(number),
    "text": text,
    "usage": usage_of,
    "probabilities": optional(_tuple_of(number)),
}


def _data(value: Any, checks: Mapping[str, Check]) -> dict[str, Any]:
    return {name: _plain(getattr(value, name)) for name in checks}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Message):
        return [value.role, value.content]
    return usage_data(value) if isinstance(value, Usage) else value


def _read(value: Any, checks: Mapping[str, Check]) -> dict[str, Any]:
    if type(value) is not dict or value.keys() != checks.keys():
        raise Malformed(f"a mapping of {', '.join(checks)} is expected")
    return {name: check(value[name]) for name, check in checks.items()}


def request_data(request: GenerateRequest) -> dict[str, Any]:
    """The request as JSON data."""
    return _data(request, _REQUEST)


def request_of(value: Any) -> GenerateRequest:
    """The request that ``request_data`` describes. Raises ``Malformed``."""
    return GenerateRequest(**_read(value, _REQUEST))


def question_data(question: Question) -> dict[str, Any]:
    """The question as JSON data."""
    return _data(question, _QUESTION)


def question_of(value: Any) -> Question:
    """The question that ``question_data`` describes. Raises ``Malformed``."""
    return Question(**_read(value, _QUESTION))


def reply_data(reply: Reply) -> dict[str, Any]:
    """The reply as JSON data."""
    return _data(reply, _REPLY)


def reply_of(value: Any) -> Reply:
    """The reply that ``reply_data`` describes. Raises ``Malformed``."""
    return Reply(**_read(value, _REPLY))


def choice_data(choice: Choice | None) -> dict[str, Any] | None:
    """The choice as JSON data; None where a question was left open."""
    return None if choice is None else _data(choice, _CHOICE)


def choice_of(value: Any) -> Choice | None:
    """The choice that ``choice_data`` describes. Raises ``Malformed``."""
    return None if value is None else Choice(**_read(value, _CHOICE))
