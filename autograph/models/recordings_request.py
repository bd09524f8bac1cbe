"""What is recorded? A request as JSON data without secrets, its key, and the answer to it, to and from JSON data."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from autograph.models.base import Choice, GenerateRequest, Question, Reply, Usage, letter
from autograph.models.redaction import strike_all

__all__ = ["Answer", "Record", "key_of", "lines_of", "record_of", "rendered"]

Answer = Reply | Choice

_COUNTS = frozenset(field.name for field in fields(Usage))


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded answer: which node asked which model, and what (``rendered``)."""

    node: str
    model: str
    request: dict[str, Any]
    answer: Answer

    @property
    def kind(self) -> str:
        """``generate`` or ``choose``."""
        return str(self.request["kind"])

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON data without secrets."""
        answer = {name: value for name, value in asdict(self.answer).items() if value is not None}
        data: dict[str, Any] = strike_all({"node": self.node, "model": self.model, "answer": answer})
        return {"node": data["node"], "model": data["model"], "request": self.request, "answer": data["answer"]}


def record_of(data: Any) -> Record:
    """The record that ``to_dict`` described. Raises ``ValueError`` that says what is wrong."""
    if not isinstance(data, dict) or not data.keys() >= {"node", "model", "request", "answer"}:
        raise ValueError("a recording has node, model, request and answer")
    request, answer = data["request"], data["answer"]
    if not isinstance(request, dict) or not isinstance(answer, dict):
        raise ValueError("request and answer must be mappings")
    if request.get("kind") not in ("generate", "choose"):
        raise ValueError(f"the request is of the kind {request.get('kind')!r}; it must be generate or choose")
    for message in request.get("messages" if request["kind"] == "generate" else "context") or ():
        if not isinstance(message, dict) or not message.keys() >= {"role", "content"}:
            raise ValueError("each message of the request has role and content")
    made = _reply if request["kind"] == "generate" else _choice
    return Record(str(data["node"]), str(data["model"]), request, made(answer))


def _reply(answer: dict[str, Any]) -> Reply:
    if not isinstance(answer.get("text"), str):
        raise ValueError("the answer has no text")
    return Reply(answer["text"], _usage(answer.get("usage")), answer.get("model"))


def _choice(answer: dict[str, Any]) -> Choice:
    index, likely = answer.get("index"), answer.get("probabilities")
    if not (index is None or (isinstance(index, int) and not isinstance(index, bool) and index >= 0)):
        raise ValueError(f"the answer's index is {index!r}; it must be a number from 0")
    text = str(answer.get("text", ""))
    return Choice(index, answer.get("confidence"), text, _usage(answer.get("usage")), tuple(likely) if likely else None)


def _usage(counts: Any) -> Usage | None:
    if counts is None:
        return None
    if not isinstance(counts, dict) or not counts.keys() <= _COUNTS:
        raise ValueError(f"usage counts {', '.join(sorted(_COUNTS))}")
    return Usage(**{name: int(count) for name, count in counts.items()})


def rendered(request: GenerateRequest | Question) -> dict[str, Any]:
    """All of a request that an answer depends on, and nothing else, without secrets.

    The node's name and the time-out are left out. Of ``instruction``, ``user_text`` and ``suffix`` only what the
    messages do not show is kept.
    """
    if isinstance(request, GenerateRequest):
        data: dict[str, Any] = {"kind": "generate", "messages": [message.to_dict() for message in request.messages]}
        shown = [message.content for message in request.messages]
        for name in ("instruction", "user_text", "suffix"):
            text = getattr(request, name)
            if text and not any(text in content for content in shown):
                data[name] = text
        more = {"max_tokens": request.max_tokens, "seed": request.seed}
        if request.purpose != "chat":
            more["purpose"] = request.purpose  # type: ignore[assignment]
    else:
        data = {
            "kind": "choose",
            "question_prompt": request.question_prompt,
            "context": [message.to_dict() for message in request.context],
            "question": request.question,
            "choices": list(request.choices),
        }
        more = {"seed": request.seed}
        if request.purpose != "transition":
            more |= {"purpose": request.purpose, "passes_on": request.passes_on}  # type: ignore[dict-item]
    data |= {name: value for name, value in more.items() if value is not None}
    cleaned: dict[str, Any] = strike_all(data)
    return cleaned


def key_of(request: dict[str, Any]) -> str:
    """By what a recording is found: the hash of a rendered request."""
    text = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def lines_of(request: dict[str, Any]) -> list[str]:
    """A rendered request for a reader, line by line."""
    lines: list[str] = []
    for name, value in request.items():
        if name in ("messages", "context"):
            for message in value:
                lines += f"{message['role']}: {message['content']}".split("\n")
        elif name == "choices":
            lines += [f"choice {letter(index)}: {choice}" for index, choice in enumerate(value)]
        elif name != "kind":
            lines += f"{name}: {value}".split("\n")
    return lines
