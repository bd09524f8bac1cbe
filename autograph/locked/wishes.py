"""What does a locked worker want for its turn, and may it have it?

It can ask the models of the bot and of the program's nodes, and the functions that the host has given, each a limited
number of times, and nothing else. Whatever it says is checked before it is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from autograph.errors import AutographError, LimitError, StatementError, StorageError
from autograph.interpreter.effects import Call, Choose, Effect, Generate
from autograph.interpreter.run import Run
from autograph.interpreter.trimmers import trimmed
from autograph.locked import data as read
from autograph.locked.data import Malformed
from autograph.locked.errors import add_address, error_data, error_of
from autograph.locked.given import answer_data, containers
from autograph.locked.hosts import HostFunction
from autograph.locked.log import Known, log_of
from autograph.memory import MemoryObject
from autograph.memory.codec import decode_values, encode_values
from autograph.memory.stored import from_dict
from autograph.models.base import Model
from autograph.values import to_plain

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.locked.engine import LockedTurns

__all__ = ["Frame", "Wishes"]

Frame = dict[str, Any]
Granted = tuple[Effect | None, Frame | None]
"""An effect to be performed, or an answer to be given at once; neither when the turn has ended."""


class Wishes:
    """What the worker says in one turn, and what it is told. The desk ``run`` gets the outcome.

    ``begin`` describes the turn, ``memory`` is what it goes on from.
    """

    def __init__(
        self, engine: LockedTurns, bot: Autograph, run: Run, begin: Frame, memory: MemoryObject | None
    ) -> None:
        self._engine = engine
        self._bot = bot
        self._run = run
        self._known = Known()
        self._first = begin
        self._memory = _with_heads(memory)
        self._whole = False
        self._begun = len(run.log)
        self._thrown: list[AutographError] = []
        self._requests = self._calls = 0
        self._awaited: tuple[list[Any], list[Any], list[Any]] | None = None

    def begin(self, kept: int | None) -> Frame:
        """The first frame of the turn. ``kept`` is the number under which the worker has the memory, if it has."""
        if kept is not None:
            return {**self._first, "kept": kept, "memory": None}
        self._whole = True
        return {**self._first, "kept": None, "memory": None if self._memory is None else self._memory.to_dict()}

    def consider(self, frame: Frame) -> Granted:
        """What follows from a frame. Raises ``Malformed``, or the error with which the turn has ended."""
        entries = [] if frame.get("log") is None else log_of(frame["log"], self._known)
        self._take(entries)
        wanted = _WANTED.get(read.text(frame.get("is")))
        if wanted is None:
            raise Malformed("it says what it never says")
        return wanted(self, frame)

    def _take(self, entries: list[tuple[Any, ...]]) -> None:
        """Append to the log. What the beginning has left there comes again, and takes its place."""
        if entries and self._begun:
            self._run.log[: self._begun] = entries[: self._begun]
            entries = entries[self._begun :]
            self._begun = 0
        for entry in entries:
            self._run.append(entry)

    def _done(self, frame: Frame) -> tuple[None, None]:
        run = self._run
        run.reply = read.optional(read.text)(frame.get("reply"))
        run.speaker = read.optional(read.text)(frame.get("speaker"))
        (run.result,) = _decoded(decode_values, [frame.get("result")])
        if self._first["do"] != "simulate":
            run.memory = _decoded(lambda data: from_dict(data, self._memory), frame.get("memory"))
        return None, None

    def _missing(self, frame: Frame) -> tuple[None, Frame]:
        """The worker has forgotten the memory, which is then sent whole."""
        if self._whole:
            raise Malformed("it misses what it was not to have")
        return None, self.begin(None)

    def _failed(self, frame: Frame) -> tuple[None, None]:
        number = frame.get("number")
        if number is None:
            raise error_of(frame.get("error"))
        if type(number) is not int or not 0 <= number < len(self._thrown):
            raise Malformed("an error comes from nowhere")
        error = self._thrown[number]
        add_address(error, read.mapping(frame.get("error")))
        raise error

    def _generate(self, frame: Frame) -> Granted:
        request = read.request_of(frame.get("request"))
        try:
            request = trimmed(request, self._bot.trimmer, self._run.append)
        except AutographError as error:
            return None, self.failure(error)
        finally:
            self._known.add(request)
        return self._with_model(frame, lambda model: Generate(request, model, frame.get("streams") is True))

    def _choose(self, frame: Frame) -> Granted:
        questions = tuple(read.question_of(question) for question in read.items(frame.get("questions")))
        self._known.add(*questions)
        return self._with_model(frame, lambda model: Choose(questions, model))

    def _with_model(self, frame: Frame, effect: Callable[[Model], Effect]) -> Granted:
        self._count_request()
        try:
            return effect(self._model(frame.get("model"))), None
        except AutographError as error:
            return None, self.failure(error)

    def _model(self, name: Any) -> Model:
        """The model of this name: one of the bot's, or one that a node of the program names."""
        if name in ("chatbot", "classifier"):
            model: Model = self._bot.model if name == "chatbot" else self._bot.classifier
            return model
        spec = read.text(name).removeprefix("node:")
        if not spec or all(node.model != spec for node in self._bot.program.nodes.values()):
            raise Malformed("it asks a model that is not the program's")
        return self._bot.model_of(spec)

    def _count_request(self) -> None:
        self._requests += 1
        if self._requests > self._engine.limits.requests:
            raise LimitError(
                f"the turn needs more than {self._engine.limits.requests:,} requests, and the program is not trusted. "
                "Let it ask less, or allow more requests."
            )

    def _await(self, frame: Frame) -> tuple[Effect, None]:
        self._count_request()
        found = self._function(frame.get("name"), awaited=True)
        positional, keywords = _arguments(frame.get("args"))
        self._awaited = ([positional, keywords], frame["args"], containers([*positional, *keywords.values()]))
        named = found.keywords(tuple(positional), keywords, self._run.context)
        timeout = read.optional(read.seconds)(frame.get("timeout"))
        return Call(found.name, found.function, tuple(positional), named, timeout), None

    def _function(self, name: Any, awaited: bool) -> HostFunction:
        found = self._engine.functions.get(read.text(name))
        if found is None or found.awaited is not awaited:
            raise Malformed(f"it calls the function {str(name)[:40]!r}, which it was not given")
        return found

    # ------------------------------------------------------------------ what the worker is told

    def result(self, effect: Effect, value: Any) -> Frame:
        """The result of an effect."""
        if isinstance(effect, Generate):
            self._known.add(value)
            self._run.add_usage(value.usage)
            return {"do": "result", "kind": "reply", "reply": read.reply_data(value)}
        if isinstance(effect, Choose):
            made = [choice for choice in value if choice is not None]
            self._known.add(*made)
            for choice in made:
                self._run.add_usage(choice.usage)
            return {"do": "result", "kind": "choices", "choices": [read.choice_data(choice) for choice in value]}
        assert isinstance(effect, Call)
        assert self._awaited is not None
        arguments, before, given = self._awaited
        return {"do": "result", "kind": "value", **_value(effect.name, value, given, before, arguments)}

    def failure(self, error: AutographError) -> Frame:
        """An error of the outer world; the worker raises it where it waits."""
        self._thrown.append(error)
        return {"do": "result", "error": error_data(error), "number": len(self._thrown) - 1}

    def _ask(self, frame: Frame) -> tuple[None, Frame]:
        """Answer what a statement asks for."""
        answer = _QUESTIONS.get(read.text(frame.get("what")))
        if answer is None:
            raise Malformed("it asks what it never asks")
        try:
            return None, {"do": "answer", **answer(self, frame)}
        except AutographError as error:
            return None, self.failure(error)

    def _role(self, frame: Frame) -> Frame:
        return {"value": str(getattr(self._model(frame.get("model")), "instruction_role", "user"))}

    def _clock(self, frame: Frame) -> Frame:
        return {"value": encode_values([self._run.clock()])[0]}

    def _call(self, frame: Frame) -> Frame:
        """Call a function of the host for a statement."""
        self._calls += 1
        if self._calls > self._engine.limits.calls:
            raise LimitError(f"the turn calls functions of the host more than {self._engine.limits.calls:,} times.")
        found = self._function(frame.get("name"), awaited=False)
        positional, keywords = _arguments(frame.get("args"))
        given = containers([*positional, *keywords.values()])
        named = found.keywords(tuple(positional), keywords, self._run.context)
        try:
            value = found.function(*positional, **named)
        except AutographError:
            raise
        except Exception as error:
            return {"failed": {"kind": type(error).__name__, "text": str(error)}}
        return _value(found.name, value, given, frame["args"], [positional, keywords])


_WANTED: Mapping[str, Callable[[Wishes, Frame], Granted]] = {
    "done": Wishes._done,
    "failed": Wishes._failed,
    "missing": Wishes._missing,
    "generate": Wishes._generate,
    "choose": Wishes._choose,
    "await": Wishes._await,
    "ask": Wishes._ask,
}
_QUESTIONS: Mapping[str, Callable[[Wishes, Frame], Frame]] = {
    "call": Wishes._call,
    "role": Wishes._role,
    "clock": Wishes._clock,
}


def _with_heads(memory: MemoryObject | None) -> MemoryObject | None:
    """``memory`` with turns that know their categories, since turns that are read are added to them."""
    if memory is None or all(level.turn is None or level.turn.heads is not None for level in memory.stack):
        return memory
    return MemoryObject.from_dict(memory.to_dict())


def _decoded(how: Callable[[Any], Any], data: Any) -> Any:
    """What ``how`` makes of data of the worker. Raises ``Malformed`` if that cannot be done."""
    try:
        return how(data)
    except Exception as error:  # whatever wrong data may lead to
        raise Malformed(f"{type(error).__name__}: {error}") from None


def _arguments(data: Any) -> tuple[list[Any], dict[str, Any]]:
    positional, keywords = _decoded(decode_values, read.items(data, 2))
    if type(positional) is not list or type(keywords) is not dict or not all(map(str.isidentifier, keywords)):
        raise Malformed("the arguments of a call are a list and a mapping")
    return positional, keywords


def _value(name: str, value: Any, given: list[Any], before: list[Any], arguments: list[Any]) -> Frame:
    """What a host function returned, as it crosses. Raises ``StatementError`` for what cannot."""
    try:
        return answer_data(to_plain(value), given, before, arguments)
    except StorageError as error:
        raise StatementError(f"{name}() returned what cannot cross to a locked worker: {error.message}") from None
