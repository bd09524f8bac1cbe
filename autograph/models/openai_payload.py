"""What is sent to, and read from, a Chat Completions server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import ModelError
from autograph.models.base import GenerateRequest, Message, Question, Reply, Usage
from autograph.models.openai_errors import Peer
from autograph.models.questions import answer_schema, question_messages

__all__ = ["OPTIONAL", "Settings", "StreamReader", "reply_of", "text_of", "usage_of"]

OPTIONAL = frozenset(
    {
        "logprobs",
        "max_completion_tokens",
        "max_tokens",
        "prompt_cache_key",
        "reasoning_effort",
        "response_format",
        "seed",
        "stream_options",
        "temperature",
        "top_logprobs",
    }
)
"""Parameters that are left out when a server refuses them."""

QUESTION_TOKENS = 4096
"""Room for the answer to a question: generous, since reasoning tokens count."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How requests are made; see ``OpenAIModel`` for the meaning of each."""

    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    question_effort: str | None = None
    logprobs: bool = False
    prompt_cache_key: str | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def for_text(self, request: GenerateRequest, refused: set[str], *, stream: bool) -> dict[str, Any]:
        """The payload for a text, without what the server has refused."""
        payload = self._common(request.messages, refused)
        payload |= {"temperature": self.temperature, "reasoning_effort": self.reasoning_effort, "seed": request.seed}
        payload["max_completion_tokens"] = request.max_tokens or self.max_tokens
        if stream:
            payload |= {"stream": True, "stream_options": {"include_usage": True}}
        return _accepted(payload, refused)

    def for_questions(
        self, questions: Sequence[Question], refused: set[str], after: Sequence[Message] = ()
    ) -> dict[str, Any]:
        """The payload for the questions of one moment; ``after`` follows the prompt on a second try."""
        as_json = "response_format" not in refused
        messages = [*question_messages(questions, as_json=as_json), *after]
        payload = self._common(messages, refused)
        payload |= {"temperature": self.temperature, "reasoning_effort": self.question_effort or self.reasoning_effort}
        payload |= {"max_completion_tokens": QUESTION_TOKENS, "seed": questions[0].seed}
        payload["response_format"] = answer_schema(questions)
        if self.logprobs:
            payload |= {"logprobs": True, "top_logprobs": 20}
        return _accepted(payload, refused)

    def _common(self, messages: Sequence[Message], refused: set[str]) -> dict[str, Any]:
        shown = _without_developer(messages) if "developer" in refused else messages
        return {
            "model": self.model,
            "messages": [message.to_dict() for message in shown],
            "prompt_cache_key": self.prompt_cache_key,
            "extra_body": dict(self.extra_body) or None,
        }


def _accepted(payload: dict[str, Any], refused: set[str]) -> dict[str, Any]:
    if "max_completion_tokens" in refused:
        payload["max_tokens"] = payload.pop("max_completion_tokens")
    if "logprobs" in refused or "top_logprobs" in refused:
        payload.pop("logprobs", None)
        payload.pop("top_logprobs", None)
    return {name: value for name, value in payload.items() if value is not None and name not in refused}


def _without_developer(messages: Sequence[Message]) -> list[Message]:
    """Developer messages as the system message, or as the end of the user's message before them."""
    result: list[Message] = []
    for message in messages:
        if message.role != "developer":
            result.append(message)
        elif not result:
            result.append(Message("system", message.content))
        elif result[-1].role == "user":
            result[-1] = Message("user", f"{result[-1].content}\n\n{message.content}")
        else:
            result.append(Message("user", message.content))
    return result


def usage_of(completion: Any) -> Usage | None:
    """The tokens that an answer cost, or ``None`` if the server does not tell."""
    usage = getattr(completion, "usage", None)
    if usage is None:
        return None
    prompt_details = getattr(usage, "prompt_tokens_details", None)
    completion_details = getattr(usage, "completion_tokens_details", None)
    return Usage(
        prompt=getattr(usage, "prompt_tokens", 0) or 0,
        completion=getattr(usage, "completion_tokens", 0) or 0,
        cached=getattr(prompt_details, "cached_tokens", 0) or 0,
        reasoning=getattr(completion_details, "reasoning_tokens", 0) or 0,
    )


def text_of(completion: Any, peer: Peer) -> str:
    """The text of an answer, ``""`` if it is empty. Raises ``ModelError`` if it was withheld or is malformed."""
    choices = getattr(completion, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    if message is None:
        raise ModelError(
            f"{peer.where} sent an answer that is no chat completion. "
            "Say it again; if it stays so, check that the base URL is that of an OpenAI-compatible API.",
            retryable=True,
        )
    text = message.content if isinstance(message.content, str) else ""
    _check(text, getattr(choices[0], "finish_reason", None), getattr(message, "refusal", None), peer)
    return text


def reply_of(completion: Any, peer: Peer) -> Reply:
    """The reply in an answer. Raises ``ModelError`` if there is no text in it."""
    text = text_of(completion, peer)
    if not text.strip():
        raise _empty(peer)
    return Reply(text, usage_of(completion), getattr(completion, "model", None) or peer.model)


class StreamReader:
    """Collects the chunks of a streamed answer."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._parts: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._usage: Usage | None = None
        self._model = peer.model

    def feed(self, chunk: Any) -> str:
        """The text that a chunk adds, often ``""``."""
        self._usage = usage_of(chunk) or self._usage
        self._model = getattr(chunk, "model", None) or self._model
        choices = getattr(chunk, "choices", None)
        if not choices:
            return ""
        self._finish = choices[0].finish_reason or self._finish
        delta = choices[0].delta
        if refusal := getattr(delta, "refusal", None):
            self._refusal.append(refusal)
        piece = getattr(delta, "content", None)
        if not isinstance(piece, str):
            return ""
        self._parts.append(piece)
        return piece

    def finish(self) -> Reply:
        """The whole reply. Raises ``ModelError`` if the stream was cut off, empty or withheld."""
        text = "".join(self._parts)
        if self._finish is None:
            raise ModelError(
                f"The answer of {self._peer.where} was cut off after {len(text)} characters. Say it again.",
                retryable=True,
            )
        _check(text, self._finish, "".join(self._refusal) or None, self._peer)
        if not text.strip():
            raise _empty(self._peer)
        return Reply(text, self._usage, self._model)


def _check(text: str, finish: str | None, refusal: str | None, peer: Peer) -> None:
    if finish == "content_filter":
        raise ModelError(
            f'The content filter of {peer.where} stopped the answer of "{peer.model}". Say it differently.'
        )
    if text.strip():
        return
    if refusal:
        raise ModelError(f'The model "{peer.model}" refused to answer: {refusal}')
    if finish == "length":
        raise ModelError(
            f'The model "{peer.model}" used up its tokens before it wrote a word (reasoning tokens count). '
            "Raise `max_response_tokens` or lower `reasoning_effort`."
        )


def _empty(peer: Peer) -> ModelError:
    return ModelError(f'The model "{peer.model}" at {peer.where} sent an empty answer. Say it again.', retryable=True)
