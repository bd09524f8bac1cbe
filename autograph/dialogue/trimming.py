"""How is a history shortened to a number of tokens? As pydialogue does it, or strictly.

By default the result is pydialogue's, message for message, with what is questionable about it: the mark of a cut is not
counted, a cut may go through a word, only one system message is kept, and it is kept even if it alone is too long.
``strict=True`` mends these, see ``dialogue.trim_strictly``.

A trimmer is also what ``autograph.load(…, trimmer=…)`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, Protocol

from autograph.dialogue.trim_strictly import MARK, trim_strictly

__all__ = ["ChatTrimmer", "ChatTrimmerBase", "Tokenizer"]

Message = Mapping[str, Any]


class Tokenizer(Protocol):
    """Whatever turns a text into tokens and back."""

    def encode(self, text: str, **options: Any) -> Any: ...

    def decode(self, tokens: Any) -> str: ...


class ChatTrimmerBase:
    """Shortens a history by an estimate: a token is ``chars_per_token`` characters.

    ``max_input_tokens``: what the result may cost. ``per_message_overhead``: tokens that a message costs beside its
    text. ``strict``: never above the budget, whole words, nothing lost that belongs together.
    """

    def __init__(
        self,
        max_input_tokens: int,
        chars_per_token: float = 4,
        per_message_overhead: int = 4,
        *,
        strict: bool = False,
    ) -> None:
        self.max_input_tokens = max_input_tokens
        self.chars_per_token = chars_per_token
        self.per_message_overhead = per_message_overhead
        self.strict = strict

    def count_tokens(self, text: str) -> int:
        """How many tokens a text is estimated to have."""
        return ceil(len(text) / self.chars_per_token)

    def trim_messages(self, messages: Sequence[Message], preserve_system: bool = True) -> list[Message]:
        """The newest messages that fit, after the system message; what is not cut is the same object.

        The oldest of them may be cut: its end is kept. ``preserve_system``: whether the system message is kept,
        whatever it costs. Raises ``ValueError`` if ``strict`` and what must be kept does not fit.
        """
        limits = (preserve_system, self.max_input_tokens, self.per_message_overhead)
        if self.strict:
            return trim_strictly(messages, *limits, self.count_tokens)
        return _trim(messages, *limits, self.count_tokens, self._end)

    def _end(self, text: str, tokens: int) -> str:
        return text[-ceil(tokens * self.chars_per_token) :]


class ChatTrimmer:
    """Shortens a history by the tokens of a tokenizer, which needs ``encode`` and ``decode``.

    ``encode_kwargs``: what else ``encode`` is given, such as ``{"add_special_tokens": False}``. The rest is as in
    ``ChatTrimmerBase``.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        max_input_tokens: int,
        encode_kwargs: Mapping[str, Any] | None = None,
        per_message_overhead: int = 6,
        *,
        strict: bool = False,
    ) -> None:
        self.tokenizer = tokenizer
        self.max_input_tokens = max_input_tokens
        self.encode_kwargs = {} if encode_kwargs is None else encode_kwargs
        self.per_message_overhead = per_message_overhead
        self.strict = strict

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self.encode_text(text))

    def encode_text(self, text: str) -> Any:
        """The tokens of a text."""
        return self.tokenizer.encode(text, **self.encode_kwargs)

    def decode_text(self, tokens: Any) -> str:
        """The text of tokens."""
        return self.tokenizer.decode(tokens)

    def trim_messages(self, messages: Sequence[Message], preserve_system: bool = True) -> list[Message]:
        """As ``ChatTrimmerBase.trim_messages``."""
        limits = (preserve_system, self.max_input_tokens, self.per_message_overhead)
        if self.strict:
            return trim_strictly(messages, *limits, self.count_tokens)
        return _trim(messages, *limits, self.count_tokens, self._end)

    def _end(self, text: str, tokens: int) -> str:
        return self.decode_text(self.encode_text(text)[-tokens:])


def _trim(
    messages: Sequence[Message],
    preserve_system: bool,
    budget: int,
    overhead: int,
    count: Callable[[str], int],
    end: Callable[[str, int], str],
) -> list[Message]:
    """As pydialogue trims: from the newest message back to the first that does not fit, of which the end is kept."""
    kept: list[Message] = []
    head = [messages[0]] if preserve_system and messages and messages[0]["role"] == "system" else []
    used = sum(count(message["content"]) + overhead for message in head)  # upwards, as there: fractions are rounded
    for message in reversed(messages[len(head) :]):
        cost = count(message["content"]) + overhead
        if used + cost > budget:
            left = budget - used - overhead
            if left > 0:
                text = MARK + end(message["content"], left)
                kept.append({"role": message["role"], "content": text})
            break
        kept.append(message)
        used += cost
    return head + kept[::-1]
