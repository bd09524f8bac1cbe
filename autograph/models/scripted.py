"""A model that answers from a script: for tests, demonstrations and conversation files."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any

from autograph.errors import ModelError
from autograph.models.answers import match_label, match_letter
from autograph.models.base import Choice, GenerateRequest, Question, Reply, letter

__all__ = ["ScriptedModel", "choice_of", "pieces"]


class ScriptedModel:
    """Gives out ``replies`` for texts and ``answers`` for questions, in order.

    An answer is a letter (``"B"``), a label, a number counted from 0, or a pair of one of these
    and a confidence (``["B", 0.4]``). A label wins over a letter. An answer that is no choice
    comes through as unclear (``Choice.index`` is ``None``). Once an interjection's answer decides
    the route, nothing is taken from the script for the questions after it.

    ``requests`` lists what was asked: ``GenerateRequest`` and ``Question`` objects (``.kind`` is
    ``"generate"`` or ``"choose"``). ``ModelError`` is raised when the script has run out.
    """

    describe = "scripted"

    def __init__(self, replies: Iterable[str] = (), answers: Iterable[Any] = ()) -> None:
        self._replies: deque[str] = deque(str(reply) for reply in replies)
        self._answers: deque[Any] = deque(answers)
        self._given = {"replies": len(self._replies), "answers": len(self._answers)}
        self._lock = Lock()
        self.requests: list[GenerateRequest | Question] = []

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> ScriptedModel:
        """The script in a YAML or JSON file with the keys ``replies`` and ``answers``.

        Raises ``ModelError`` if the file cannot be read or holds something else.
        """
        texts, typed = _read(Path(path))
        for key in ("replies", "answers"):
            if not isinstance(texts.get(key) or [], list):
                raise ModelError(f"{path}: `{key}` must be a list.")
        if unknown := set(texts) - {"replies", "answers"}:
            raise ModelError(f"{path}: unknown key {sorted(unknown)[0]!r}; a script has `replies` and `answers`.")
        replies = texts.get("replies") or []
        for reply in replies:
            if not isinstance(reply, str):
                raise ModelError(f"{path}: each entry of `replies` must be a text, not {reply!r}.")
        return cls(replies, typed.get("answers") or [])

    @property
    def left(self) -> tuple[int, int]:
        """How many replies and how many answers have not been used."""
        return len(self._replies), len(self._answers)

    def generate(self, request: GenerateRequest) -> Reply:
        """The next reply. Raises ``ModelError`` when there is none."""
        with self._lock:
            self.requests.append(request)
            if not self._replies:
                raise self._ran_out(request)
            return Reply(self._replies.popleft(), model="scripted")

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The next answers, one for each question until one decides. Raises ``ModelError``."""
        choices: list[Choice | None] = [None] * len(questions)
        with self._lock:
            for position, question in enumerate(questions):
                self.requests.append(question)
                if not self._answers:
                    raise self._ran_out(question)
                choice = choice_of(self._answers.popleft(), question)
                choices[position] = choice
                if question.purpose == "interjection" and question.decides(choice):
                    break
        return choices

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        return self.generate(request)

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        return self.choose(questions)

    def stream(self, request: GenerateRequest) -> Iterator[str | Reply]:
        """The next reply in a few pieces, then the ``Reply``."""
        reply = self.generate(request)
        yield from pieces(reply.text)
        yield reply

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        """``stream`` for asynchronous drivers."""
        for piece in self.stream(request):
            yield piece

    def _ran_out(self, request: GenerateRequest | Question) -> ModelError:
        what = "replies" if isinstance(request, GenerateRequest) else "answers"
        count = self._given[what]
        had = f"It had {count} {what if count != 1 else {'replies': 'reply', 'answers': 'answer'}[what]}."
        if isinstance(request, Question):
            asked = f'node "{request.node}" asked {request.question!r} with the choices {_lettered(request.choices)}'
        else:
            last = request.messages[-1].content if request.messages else ""
            asked = f'node "{request.node}" asked for a {request.purpose} text with the last message {last!r}'
        return ModelError(f"The script of the model has run out of {what}: {asked}. {had} Add one to `{what}`.")


def pieces(text: str, count: int = 4) -> list[str]:
    """``text`` cut between words into at most ``count`` pieces."""
    words = re.findall(r"\s*\S+\s*", text) or ([text] if text else [])
    size = -(-len(words) // count) or 1
    return ["".join(words[start : start + size]) for start in range(0, len(words), size)]


def choice_of(answer: Any, question: Question) -> Choice:
    """The choice that an entry of a script means; its ``index`` is None if it is no choice."""
    confidence: float | None = None
    if isinstance(answer, (list, tuple)) and len(answer) == 2:
        answer, confidence = answer[0], float(answer[1])
    index: int | None = None
    if isinstance(answer, int) and not isinstance(answer, bool):
        index = answer if 0 <= answer < len(question.choices) else None
    elif isinstance(answer, str):
        index = match_label(answer, question.choices)
        if index is None:
            index = match_letter(answer, question.choices)
    return Choice(index, confidence, str(answer))


def _lettered(choices: Sequence[str]) -> str:
    return ", ".join(f"{letter(index)}. {choice}" for index, choice in enumerate(choices))


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The file's mapping twice: every scalar as text, and with numbers as numbers."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Numbers are numbers; `yes`, `no`, dates and null stay text."""

    numbers = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag in numbers]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    try:
        source = path.read_text("utf-8-sig").replace("\t", " ")  # JSON may be indented with tabs, YAML may not
        texts, typed = yaml.load(source, yaml.BaseLoader), yaml.load(source, Loader)
    except OSError as error:
        raise ModelError(f"The script {path} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        # The text itself is not shown: a program may name any file, also one that is nobody's business.
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise ModelError(f"The script {path}{where}: this is no valid YAML or JSON.") from None
    if not isinstance(texts, dict):
        raise ModelError(f"The script {path} must be a mapping with the keys `replies` and `answers`.")
    return texts, typed
