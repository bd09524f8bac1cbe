"""What does a locked worker do? It compiles one program, and runs its turns as the parent asks, until the pipe ends.

Several turns may be under way: each is a generator, which waits here while the parent asks a model. A call of a host
function in the midst of a statement keeps the worker waiting for its answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from autograph.errors import AutographError, StatementError, StorageError
from autograph.interpreter import turns
from autograph.interpreter.effects import Call, Choose, Effect, Generate
from autograph.locked.alarm import AlarmWatchdog
from autograph.locked.data import choice_of, question_data, reply_of, request_data
from autograph.locked.errors import error_data, error_of, unexpected
from autograph.locked.frames import pack, read_frame
from autograph.locked.given import answer_of, containers
from autograph.locked.hosts import stand_ins
from autograph.locked.kept import KeptHere
from autograph.locked.lock import READS, WRITES
from autograph.locked.log import Known, log_data
from autograph.locked.remote import RemoteBot
from autograph.locked.rows import config_of, rows_of
from autograph.memory import MemoryObject
from autograph.memory.codec import decode_values, encode_values
from autograph.memory.stored import to_dict

__all__ = ["Pipe", "serve"]

Frame = dict[str, Any]

_KEPT_BYTES = 4 << 20
"""JSON text of the memories that are kept; in memory they take some ten times as much."""


class Aborted(BaseException):
    """The parent wants no more of the turn that waits for an answer; no program and no guard catches it."""


class Pipe:
    """The two ends of the pipes to the parent."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.received = 0

    def send(self, frame: Frame) -> int:
        """Send a frame; its size. Raises ``FrameError`` if it is too long."""
        data = memoryview(pack(frame, self._most))
        size = len(data)
        while data:
            data = data[os.write(WRITES, data) :]
        return size

    def receive(self) -> Frame:
        """The next frame; the process ends with the pipe. ``received`` is its size."""
        self.received = 0
        frame = read_frame(self._read, self._most)
        if frame is None:
            os._exit(0)
        return frame

    def _read(self, length: int) -> bytes:
        part = os.read(READS, length)
        self.received += len(part)
        return part


def serve(pipe: Pipe) -> None:
    """Serve the parent. Never returns; what goes wrong is said in a frame, or ends the process."""
    server = _Server(pipe)
    while True:
        frame = pipe.receive()
        try:
            server.sent(pipe.send(server.answer(frame)))
        except Exception as error:  # the answer could not be sent: too long, or too much memory
            pipe.send({"is": "failed", "error": unexpected(error)})


class _Turn:
    """A turn under way."""

    def __init__(self, begun: turns.Begun, frame: Frame, since: MemoryObject | None, size: int) -> None:
        self.run, self.loop = begun
        self.frame = frame
        self.number: int = frame["turn"]
        self.since = since
        self.size = size
        self.known = Known()
        self.thrown: dict[int, tuple[AutographError, int]] = {}
        self.given: list[Any] = []
        self._told = 0

    def failure(self, frame: Frame) -> AutographError:
        """The parent's error, as it is raised here; its number is kept, so that the parent finds its own again."""
        error = error_of(frame["error"])
        self.thrown[id(error)] = (error, frame["number"])
        return error

    def log(self, final: bool) -> Frame | None:
        """What the log has since it was last told of. Before the end only listeners want to know."""
        if not (final or self.frame["listens"]):
            return None
        entries = self.run.log[self._told :]
        self._told += len(entries)
        return log_data(entries, self.known)


class _Server:
    """The program, and the turns under way."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._bot: RemoteBot | None = None
        self._turns: dict[int, _Turn] = {}
        self._now: _Turn | None = None
        self._kept = KeptHere(_KEPT_BYTES)
        self._fresh: _Turn | None = None
        self._alarm = AlarmWatchdog()

    def answer(self, frame: Frame) -> Frame:
        """What is to be said to a frame of the parent."""
        what = frame["do"]
        if what == "program":
            return self._compile(frame)
        if what == "abort":
            turn = self._turns.pop(frame["turn"], None)
            if turn is not None:
                turn.loop.close()
            return {"is": "aborted"}
        if what == "answer":  # what was asked was answered too late: the turn is gone
            return {"is": "aborted"}
        if what == "result":
            return self._advance(self._turns[frame["turn"]], frame)
        try:
            turn = self._begin(what, frame)
        except AutographError as error:
            return {"is": "failed", "error": error_data(error)}
        return {"is": "missing"} if turn is None else self._advance(turn, frame)

    def sent(self, size: int) -> None:
        """The answer was sent, and had this size; the memory that a turn has made can be kept."""
        turn, self._fresh = self._fresh, None
        if turn is not None:
            self._kept.put(turn.number, turn.run.memory, turn.size + size)

    # ------------------------------------------------------------------ the program

    def _compile(self, frame: Frame) -> Frame:
        try:
            bot = RemoteBot(config_of(frame["config"]), stand_ins(frame["hosts"], self._call), self._role)
            bot.load_rows(rows_of(frame["rows"]))
        except AutographError as error:
            return {"is": "problem", "text": str(error)}
        except Exception as error:
            return {"is": "problem", "text": unexpected(error)["message"]}
        bot.program.sandbox.watchdog = self._alarm
        self._bot = bot
        return {"is": "compiled"}

    # ------------------------------------------------------------------ turns

    def _begin(self, what: str, frame: Frame) -> _Turn | None:
        """Begin a turn; None if it goes on from a memory that is no longer kept."""
        bot, options = self._bot, {"timeout": frame["timeout"], "clock": self._clock}
        assert bot is not None
        memory, size = None, 0
        if frame["kept"] is not None:
            found = self._kept.get(frame["kept"])
            if found is None:
                return None
            memory, size = found
        elif frame["memory"] is not None:
            memory, size = MemoryObject.from_dict(frame["memory"]), self._pipe.received
        if what == "turn":
            begun = turns.begin_turn(bot, frame["text"], memory, frame["node"], options)
        elif what == "call":
            (args,) = decode_values([frame["args"]])
            begun = turns.begin_call(bot, frame["entry"], args, memory, frame["scope"], options)
        else:
            assert memory is not None
            begun = turns.begin_simulation(bot, memory, frame["seed"], options)
        turn = self._turns[frame["turn"]] = _Turn(begun, frame, memory, size)
        return turn

    def _advance(self, turn: _Turn, frame: Frame) -> Frame:
        """Go on with a turn until it wants something of the outer world, or has ended."""
        self._now = turn
        try:
            effect = self._resume(turn, frame)
        except StopIteration:
            del self._turns[turn.number]
            return self._done(turn)
        except Aborted:
            del self._turns[turn.number]
            return {"is": "aborted"}
        except AutographError as error:
            del self._turns[turn.number]
            number = turn.thrown.get(id(error), (None, None))[1]
            return {"is": "failed", "error": error_data(error), "number": number, "log": turn.log(False)}
        except Exception as error:
            del self._turns[turn.number]
            return {"is": "failed", "error": unexpected(error), "log": turn.log(False)}
        finally:
            self._now = None
        return {**self._wanted(turn, effect), "log": turn.log(False)}

    def _resume(self, turn: _Turn, frame: Frame) -> Effect:
        if "error" in frame:
            return turn.loop.throw(turn.failure(frame))
        kind = frame.get("kind")
        value: Any = None
        if kind == "reply":
            value = reply_of(frame["reply"])
            turn.known.add(value)
        elif kind == "choices":
            value = [choice_of(choice) for choice in frame["choices"]]
            turn.known.add(*(choice for choice in value if choice is not None))
        elif kind == "value":
            value = answer_of(frame, turn.given)
        return turn.loop.send(value)

    def _wanted(self, turn: _Turn, effect: Effect) -> Frame:
        """An effect as a frame."""
        if isinstance(effect, Generate):
            turn.known.add(effect.request)
            model: Any = effect.model
            request = request_data(effect.request)
            return {"is": "generate", "request": request, "model": model.name, "streams": effect.streams}
        if isinstance(effect, Choose):
            turn.known.add(*effect.questions)
            model = effect.model
            return {"is": "choose", "questions": [question_data(q) for q in effect.questions], "model": model.name}
        assert isinstance(effect, Call)
        positional, keywords = list(effect.positional), dict(effect.keywords)
        turn.given = containers([*positional, *keywords.values()])
        args = encode_values([positional, keywords])
        return {"is": "await", "name": effect.name, "args": args, "timeout": effect.timeout}

    def _done(self, turn: _Turn) -> Frame:
        """The outcome of a turn as a frame."""
        run = turn.run
        outcome: Frame = {"is": "done", "speaker": run.speaker, "log": turn.log(True)}
        outcome["result"] = encode_values([run.result])[0]
        outcome["reply"] = run.reply
        if turn.frame["do"] != "simulate":
            run.memory.seal(None, "", None, (), None)
            outcome["memory"] = to_dict(run.memory, turn.since)
            self._fresh = turn
        return outcome

    # ------------------------------------------------------------------ asking in the midst of a statement

    def _call(self, name: str, positional: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """Have a host function called by the parent."""
        given = containers([*positional, *keywords.values()])
        try:
            args = encode_values([list(positional), dict(keywords)], ["the arguments", "the arguments"])
        except StorageError as error:
            raise StatementError(f"{name}() cannot be called from a locked worker: {error.message}") from None
        return answer_of(self._ask({"what": "call", "name": name, "args": args}), given)

    def _role(self, model: str) -> str:
        return str(self._ask({"what": "role", "model": model})["value"])

    def _clock(self) -> Any:
        return decode_values([self._ask({"what": "clock"})["value"]])[0]

    def _ask(self, question: Frame) -> Frame:
        turn = self._now
        assert turn is not None
        self._pipe.send({"is": "ask", **question, "log": turn.log(False)})
        frame = self._pipe.receive()
        if frame["do"] == "abort":
            raise Aborted
        if "error" in frame:
            raise turn.failure(frame)
        if "failed" in frame:
            raise _exception(**frame["failed"])
        return frame


def _exception(kind: str, text: str) -> Exception:
    """An exception of the parent by its name and words, which is all that programs are told of it."""
    make: Callable[..., Exception] = type(kind if kind.isidentifier() else "Exception", (Exception,), {})
    return make(text)
