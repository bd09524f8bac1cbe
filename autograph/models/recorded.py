"""A model whose answers come from a recording: the same conversation, without asking again."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Model, Question, Reply, Usage
from autograph.models.scripted import pieces

__all__ = ["RecordedModel"]

_SECRET = re.compile(r"\b(?:sk|pk|rk|ghp|xox[bp])[-_][A-Za-z0-9_-]{12,}|(?<=Bearer )[A-Za-z0-9._~+/=-]{12,}")
_SECRET_VARIABLE = re.compile(r"(API_KEY|TOKEN|SECRET|PASSWORD)$")


class RecordedModel:
    """Plays back the answers in ``path`` (one JSON object a line), found by what was asked.

    ``mode`` is ``"none"`` (never ask: a request without recording is an error), ``"new"`` (ask
    ``model`` what is not recorded, and record it) or ``"all"`` (ask everything again and replace
    the recording). Keys and passwords (what looks like one, and the values of environment
    variables named like one) are struck out before anything is stored.

    Raises ``ModelError`` for a request that is not recorded, with the difference to the nearest
    one that is, and for a file that cannot be read.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        model: Model | None = None,
        mode: Literal["none", "new", "all"] = "none",
    ) -> None:
        if mode not in ("none", "new", "all"):
            raise ModelError(f'A recording has the mode "none", "new" or "all", not {mode!r}.')
        if mode != "none" and model is None:
            raise ModelError(f'To record with the mode "{mode}" a `model` to ask is needed.')
        self.path = Path(path)
        self.mode = mode
        self._model = model
        self._lock = Lock()
        self._fresh = mode == "all"
        self._recordings: dict[str, dict[str, Any]] = {} if mode == "all" else _read(self.path, mode == "new")

    @property
    def describe(self) -> str:
        """The model in a few words."""
        return f"recording {self.path.name}"

    @property
    def instruction_role(self) -> str:
        """That of the model that is recorded, so that the requests are the same."""
        return str(getattr(self._model, "instruction_role", "user"))

    def generate(self, request: GenerateRequest) -> Reply:
        """The recorded reply, or a new one."""
        reply = self._replayed(request)
        return reply if reply is not None else self._kept(request, self._asked().generate(request))

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The recorded answers, or new ones."""
        choices = self._replayed_choices(questions)
        return choices if choices is not None else self._kept_choices(questions, self._asked().choose(questions))

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        reply = self._replayed(request)
        if reply is not None:
            return reply
        return self._kept(request, await _awaited(self._asked(), "generate", request))

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        choices = self._replayed_choices(questions)
        if choices is not None:
            return choices
        return self._kept_choices(questions, await _awaited(self._asked(), "choose", questions))

    def stream(self, request: GenerateRequest) -> Iterator[str | Reply]:
        """``generate`` in a few pieces, then the ``Reply``."""
        reply = self.generate(request)
        yield from pieces(reply.text)
        yield reply

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        """``stream`` for asynchronous drivers."""
        reply = await self.agenerate(request)
        for piece in pieces(reply.text):
            yield piece
        yield reply

    def _asked(self) -> Model:
        assert self._model is not None  # the constructor sees to it, for every mode that asks
        return self._model

    def _replayed(self, request: GenerateRequest) -> Reply | None:
        recording = self._found(request)
        if recording is None:
            return None
        answer = recording["answer"]
        return Reply(answer["text"], _usage(answer.get("usage")), answer.get("model"))

    def _replayed_choices(self, questions: Sequence[Question]) -> list[Choice | None] | None:
        choices: list[Choice | None] = [None] * len(questions)
        for position, question in enumerate(questions):
            recording = self._found(question)
            if recording is None:
                return None
            answer = recording["answer"]
            likely = answer.get("probabilities")
            choice = Choice(
                answer["index"],
                answer.get("confidence"),
                answer.get("text", ""),
                _usage(answer.get("usage")),
                tuple(likely) if likely else None,
            )
            choices[position] = choice
            if question.purpose == "interjection" and question.decides(choice):
                break
        return choices

    def _found(self, request: GenerateRequest | Question) -> dict[str, Any] | None:
        if self.mode == "all":
            return None
        asked = _rendered(request)
        with self._lock:
            recording = self._recordings.get(_key(asked))
            if recording is None and self.mode == "none":
                raise ModelError(self._missing(request, asked))
        return recording

    def _kept(self, request: GenerateRequest, reply: Reply) -> Reply:
        self._record(request, asdict(reply))
        return reply

    def _kept_choices(self, questions: Sequence[Question], choices: list[Choice | None]) -> list[Choice | None]:
        for question, choice in zip(questions, choices, strict=True):
            if choice is not None:
                self._record(question, asdict(choice))
        return choices

    def _record(self, request: GenerateRequest | Question, answer: dict[str, Any]) -> None:
        asked = _rendered(request)
        answer["text"] = _struck(answer["text"])
        key = _key(asked)
        recording = {"key": key, "node": request.node, "request": asked, "answer": answer}
        with self._lock:
            self._recordings[key] = recording
            mode, self._fresh = "w" if self._fresh else "a", False
            try:
                with self.path.open(mode, encoding="utf-8", newline="\n") as file:
                    file.write(json.dumps(recording, ensure_ascii=False) + "\n")
            except OSError as error:
                raise ModelError(f"The recording {self.path} cannot be written: {error.strerror or error}.") from error

    def _missing(self, request: GenerateRequest | Question, asked: dict[str, Any]) -> str:
        said = f'{self.path}: nothing is recorded for this request of node "{request.node}".'
        wanted = _lines(asked)
        others = [r for r in self._recordings.values() if r["request"]["kind"] == asked["kind"]]
        if not others:
            return f"{said} There is no recording of its kind ({asked['kind']}). Record again with the mode `new`."
        matcher = difflib.SequenceMatcher(b=wanted, autojunk=False)

        def likeness(recording: dict[str, Any]) -> float:
            matcher.set_seq1(_lines(recording["request"]))
            return matcher.ratio()

        nearest = max(others, key=likeness)
        changes = difflib.unified_diff(_lines(nearest["request"]), wanted, "recorded", "asked now", n=0, lineterm="")
        shown = [line if len(line) <= 160 else line[:159] + "…" for line in changes if not line.startswith("@@")][:14]
        return "\n".join([f'{said} The nearest one (node "{nearest["node"]}") differs:', *shown])


def _rendered(request: GenerateRequest | Question) -> dict[str, Any]:
    """All of a request that an answer depends on, without secrets."""
    if isinstance(request, GenerateRequest):
        rendered: dict[str, Any] = {
            "kind": "generate",
            "messages": [message.to_dict() for message in request.messages],
            "max_tokens": request.max_tokens,
            "seed": request.seed,
        }
    else:
        rendered = {
            "kind": "choose",
            "question_prompt": request.question_prompt,
            "context": [message.to_dict() for message in request.context],
            "question": request.question,
            "choices": list(request.choices),
            "seed": request.seed,
        }
    cleaned: dict[str, Any] = _walk(rendered, _struck)
    return cleaned


def _walk(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _walk(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [_walk(item, change) for item in value]
    return value


def _struck(text: str) -> str:
    for name, value in os.environ.items():
        if len(value) >= 8 and _SECRET_VARIABLE.search(name):
            text = text.replace(value, "***")
    return _SECRET.sub("***", text)


def _key(rendered: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(rendered, sort_keys=True).encode()).hexdigest()[:32]


def _lines(rendered: dict[str, Any]) -> list[str]:
    return json.dumps(rendered, ensure_ascii=False, indent=1).replace("\\n", "\n").splitlines()


def _usage(fields: dict[str, int] | None) -> Usage | None:
    return Usage(**fields) if fields else None


async def _awaited(model: Any, name: str, argument: Any) -> Any:
    """The model's asynchronous method, or its synchronous one in a thread."""
    if hasattr(model, f"a{name}"):
        return await getattr(model, f"a{name}")(argument)
    import asyncio

    return await asyncio.to_thread(getattr(model, name), argument)


def _read(path: Path, may_be_absent: bool) -> dict[str, dict[str, Any]]:
    if may_be_absent and not path.exists():
        return {}
    recordings = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise ModelError(f"The recording {path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise ModelError(f"The recording {path} is no UTF-8 text: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            recording = json.loads(line)
            recordings[recording["key"]] = {name: recording[name] for name in ("key", "node", "request", "answer")}
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{path}, line {number}: this is no recording ({error}). Record again.") from error
    return recordings
