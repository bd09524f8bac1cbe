"""What a model is: requests, replies and choices.

A model is any object with ``generate(request) -> Reply`` and
``choose(questions) -> list[Choice | None]``. Twins ``agenerate`` and ``achoose`` are used by the
asynchronous drivers when present; ``stream(request)`` (an iterator of text pieces) and
``astream(request)`` by the streaming ones.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from autograph.vocabulary import letter

__all__ = ["AsyncModel", "Choice", "GenerateRequest", "Message", "Model", "Question", "Reply", "Usage", "letter"]

Role = Literal["system", "developer", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: str
    content: str

    def to_dict(self) -> dict[str, str]:
        """The message in the form of the OpenAI API."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Usage:
    """What a request cost, in tokens. ``cached`` is part of ``prompt``, ``reasoning`` of ``completion``."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0
    requests: int = 1

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.cached + other.cached,
            self.reasoning + other.reasoning,
            self.requests + other.requests,
        )


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """A text is wanted: the reply of a chat node, a thought, or what a simulated user says.

    ``instruction`` is the node's rendered instruction, which is also inside the last message: a
    model without understanding (``offline``) works from it. ``user_text`` is what the user said
    last and this node answers, or ``None``. ``suffix`` is the text that will be put at the end of
    the reply. ``timeout`` is in seconds.
    """

    kind: ClassVar[str] = "generate"
    node: str
    messages: tuple[Message, ...]
    purpose: Literal["chat", "thought", "user"] = "chat"
    instruction: str = ""
    user_text: str | None = None
    suffix: str = ""
    max_tokens: int | None = None
    timeout: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A multiple-choice question about the conversation.

    ``context`` are the last turns as messages; ``choices`` the labels in order (at most 26 have
    letters; see ``letter``). ``purpose`` is ``"transition"`` or ``"interjection"``. When several
    questions of one moment are asked together, an answer to an earlier one may decide the route:
    ``passes_on`` is the index of the only choice that does not (None: every answer decides) and
    ``unclear_decides`` says whether an unclear answer does.
    """

    kind: ClassVar[str] = "choose"
    node: str
    question: str
    choices: tuple[str, ...]
    question_prompt: str = ""
    context: tuple[Message, ...] = ()
    purpose: Literal["transition", "interjection"] = "transition"
    passes_on: int | None = None
    unclear_decides: bool = True
    timeout: float | None = None
    seed: int | None = None

    def decides(self, choice: Choice) -> bool:
        """Whether ``choice`` settles the route, so that later questions need no answer."""
        if choice.index is None:
            return self.unclear_decides
        return choice.index != self.passes_on


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's text; ``usage`` if the model counts tokens."""

    text: str
    usage: Usage | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A model's answer to a question.

    ``index`` counts from 0 and is ``None`` when the answer ``text`` is no choice (unclear).
    ``confidence`` is between 0 and 1, or ``None`` when the model gives none; ``probabilities``
    has one number per choice if known.
    """

    index: int | None
    confidence: float | None = None
    text: str = ""
    usage: Usage | None = None
    probabilities: tuple[float, ...] | None = None


@runtime_checkable
class Model(Protocol):
    """The two methods every model has."""

    def generate(self, request: GenerateRequest) -> Reply:
        """Write a text. Raises ``ModelError``."""

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """Answer questions of one moment, one answer each.

        After a question whose answer decides the route the later answers may be ``None``.
        Raises ``ModelError``.
        """


class AsyncModel(Protocol):
    """The optional twins for asynchronous drivers."""

    async def agenerate(self, request: GenerateRequest) -> Reply: ...

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]: ...

    def stream(self, request: GenerateRequest) -> Iterator[Any]: ...

    def astream(self, request: GenerateRequest) -> AsyncIterator[Any]: ...
