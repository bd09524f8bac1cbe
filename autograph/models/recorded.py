"""A model whose answers come from a recording: the same conversation, without asking again.

A recording is found by what was asked, whole: the same request has the same answer, however often and by however many
conversations it is asked. So the order in which conversations take place does not matter, and a run that is played
back goes as the one that was recorded. This holds while recording, too: what was recorded is not asked again, and of
two answers to one request that come at the same time the first one holds for both.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Model, Question, Reply
from autograph.models.recordings import MODES, Mode, Notify, Recordings
from autograph.models.recordings_answers import Answers
from autograph.models.recordings_file import Header
from autograph.models.recordings_live import ask, ask_now, end_of
from autograph.models.recordings_nearest import difference, nearest
from autograph.models.recordings_request import Record, key_of, rendered
from autograph.models.redaction import strike
from autograph.models.scripted import pieces

__all__ = ["MODES", "Mode", "RecordedModel", "Recordings", "recording_model"]


class RecordedModel:
    """Plays back the answers in ``path``, found by what was asked.

    ``mode`` is ``"none"`` (never ask: a request without recording is an error), ``"new"`` (ask ``model`` what is not
    recorded, and record it) or ``"all"`` (ask everything again; the new answers take the place of the old ones).
    ``classifier`` is asked the questions, if not ``model``. Keys and passwords are struck out before anything is
    stored. ``notify`` is told in a line what is worth knowing, by default on stderr. ``within`` are the recordings of a
    run to which this belongs.

    In a ``with`` statement, or with ``close``, the mode ``all`` drops at the end what was not asked again.

    Raises ``ModelError`` for a request that is not recorded, with the difference to the nearest one that is, and for a
    file that cannot be read or written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        model: Model | None = None,
        mode: Mode = "none",
        *,
        classifier: Model | None = None,
        notify: Notify | None = None,
        within: Recordings | None = None,
    ) -> None:
        self._recordings = within or Recordings(mode, notify)
        self.path = Path(path)
        self.mode = mode
        if mode != "none" and model is None:
            raise ModelError(f'To record with the mode "{mode}" a `model` to ask is needed.')
        self._model = model
        self._classifier = classifier or model
        self._file = self._recordings.file(path)
        self._header = self._head()

    def _head(self) -> Header:
        """What the file is to say of the model that writes texts; in the mode ``none``, what it says."""
        if self.mode == "none" or self._model is None:
            return self._file.header
        before = sorted({record.model for record in self._file.records.values()})
        live = dict.fromkeys(strike(_describe(model)) for model in (self._model, self._classifier))
        strangers = [name for name in live if name not in before]
        if self.mode == "new" and before and strangers:
            self._recordings.notify(
                f"{self.path} was recorded with {' and '.join(before)}. What is missing is asked of "
                f"{' and '.join(strangers)} now; record with the mode all to ask for everything anew."
            )
        return {"model": next(iter(live)), "instruction_role": _role(self._model)}

    @property
    def describe(self) -> str:
        """The model in a few words."""
        named = self._header.get("model")
        return f"recording {self.path.name}" + (f" of {named}" if named else "")

    @property
    def instruction_role(self) -> str:
        """That of the model that is or was recorded, so that the requests are the same."""
        return str(self._header.get("instruction_role", "user"))

    def close(self) -> None:
        """End a run that went well: with the mode ``all``, drop what was not asked again."""
        if self.mode == "all":
            self._file.prune()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.close()

    # ------------------------------------------------------------------ asking

    def generate(self, request: GenerateRequest) -> Reply:
        """The recorded reply, or a new one."""
        asked = rendered(request)
        reply = self._reply(request, asked)
        if reply is None:
            reply = self._kept(request, asked, ask_now(self._live(request), "generate", request))
        return reply

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The recorded answers, or new ones."""
        answers = Answers(self, questions)
        if answers.missing:
            answers.take(ask_now(self._live(questions[0]), "choose", answers.missing))
        return answers.settled()

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers. Who asks the same at the same time waits for the answer."""
        asked = rendered(request)
        while (reply := self._reply(request, asked)) is None:
            with self._file.under_way.claim(key_of(asked)) as others:
                if others is None:
                    return self._kept(request, asked, await ask(self._live(request), "generate", request))
            await end_of(others)
        return reply

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        while (answers := Answers(self, questions)).missing:
            with self._file.under_way.claim(key_of(rendered(answers.missing[0]))) as others:
                if others is None:
                    answers.take(await ask(self._live(questions[0]), "choose", answers.missing))
                    break
            await end_of(others)
        return answers.settled()

    def stream(self, request: GenerateRequest) -> Iterator[str | Reply]:
        """``generate`` in a few pieces, always the same ones, then the ``Reply``."""
        reply = self.generate(request)
        yield from pieces(reply.text)
        yield reply

    async def astream(self, request: GenerateRequest) -> AsyncIterator[str | Reply]:
        """``stream`` for asynchronous drivers."""
        reply = await self.agenerate(request)
        for piece in pieces(reply.text):
            yield piece
        yield reply

    # ------------------------------------------------------------------ the recording

    def _live(self, request: GenerateRequest | Question) -> Model:
        live = self._model if isinstance(request, GenerateRequest) else self._classifier
        assert live is not None  # the constructor sees to it, for every mode that asks
        return live

    def _reply(self, request: GenerateRequest, asked: dict[str, Any]) -> Reply | None:
        record = self.recorded(request, asked)
        if record is None:
            return None
        assert isinstance(record.answer, Reply)  # the key has the kind in it
        return record.answer

    def recorded(self, request: GenerateRequest | Question, asked: dict[str, Any]) -> Record | None:
        """The recording of a request. Raises ``ModelError`` if there must be one and is none."""
        key = key_of(asked)
        found = self._file.find(key)
        if found is None and self.mode == "none":
            raise ModelError(self._missing(request.node, asked))
        if found is None:
            self._file.refresh()
            found = self._file.find(key)
        return found

    def _kept(self, request: GenerateRequest, asked: dict[str, Any], reply: Reply) -> Reply:
        kept = self.keep(request, asked, reply)
        assert isinstance(kept, Reply)
        return kept

    def keep(
        self, request: GenerateRequest | Question, asked: dict[str, Any], answer: Reply | Choice
    ) -> Reply | Choice:
        """Record an answer; the answer that holds: this one, unless another one came first."""
        record = Record(request.node, _describe(self._live(request)), asked, answer)
        earlier = self._file.keep(record, self._header)
        return answer if earlier is None else earlier.answer

    def _missing(self, node: str, asked: dict[str, Any]) -> str:
        said = f'{self.path}: nothing is recorded for this request of node "{node}".'
        remedy = "Record it with --record new (or the mode `new`), which asks the model."
        near = nearest(asked, node, self._file.records.values())
        if near is None:
            what = "text" if asked["kind"] == "generate" else "question"
            return f"{said} There is no recording of a {what} at all. {remedy}"
        lines = difference(near.request, asked)
        return "\n".join([f'{said} The nearest one (node "{near.node}") differs:', *lines, remedy])


def recording_model(
    spec: str | os.PathLike[str],
    live_model: Model | None = None,
    mode: Mode = "none",
    *,
    classifier: Model | None = None,
    notify: Notify | None = None,
) -> RecordedModel:
    """The model that plays back ``spec``, a file or ``recorded:FILE``, and records what ``live_model`` answers.

    Arguments as of ``RecordedModel``; it serves as chatbot and as classifier. Raises ``ModelError``.
    """
    path = os.fspath(spec)
    if path.lower().startswith("recorded:"):
        path = path.partition(":")[2].strip()
    if not path:
        raise ModelError("A recording needs the name of its file: recorded:FILE.")
    return RecordedModel(path, live_model, mode, classifier=classifier, notify=notify)


def _describe(model: Any) -> str:
    return str(getattr(model, "describe", None) or type(model).__name__)


def _role(model: Any) -> str:
    return str(getattr(model, "instruction_role", "user"))
