"""What is the state of a chat, and what can be done with it? A conversation with its past; no input or output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from time import monotonic
from typing import TYPE_CHECKING, Any

from autograph.cli.recipe import Recipe
from autograph.cli.stepping import Stepper
from autograph.errors import RunError, did_you_mean

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.loading import Source
    from autograph.memory import MemoryObject

__all__ = ["Attempt", "LiveTurn", "Reloaded", "Session", "Step"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a turn starts from: the memory, the user's text, and the node to enter instead of going on.

    ``kept`` is how many steps of the history stay before it.
    """

    memory: MemoryObject
    text: str
    node: str | None
    kept: int

    @property
    def said(self) -> str | None:
        """What the user said; None where he was not asked: the program opened, or was sent to a node."""
        return None if not self.text and (self.node is not None or self.memory.current is None) else self.text


@dataclass(frozen=True, slots=True)
class Step:
    """A turn that was taken: from where, the reply, the memory after it, and how long it took."""

    attempt: Attempt
    reply: str
    memory: MemoryObject
    seconds: float


@dataclass(frozen=True, slots=True)
class Reloaded:
    """What has changed since the program was last read: names of nodes."""

    nodes: int
    added: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]


class LiveTurn:
    """A turn under way: iterate over the pieces of the reply.

    After the last piece the session has the turn, and ``step`` describes it. A turn that raises or is
    left before its end changes nothing but what ``retry`` says again.
    """

    def __init__(self, session: Session, attempt: Attempt) -> None:
        self._session = session
        self.attempt = attempt
        self.step: Step | None = None

    def __iter__(self) -> Iterator[str]:
        session, attempt = self._session, self.attempt
        session.unfinished = attempt
        begun = monotonic()
        options = {"debug": session.debug} if session.debug is not None and session.stepper.active else {}
        if session.streams:
            source = session.bot.stream(attempt.text, attempt.memory, set_state=attempt.node, **options)
            try:
                yield from source
            finally:
                source.close()
            reply, memory = source.reply, source.memory
        else:
            reply, memory = session.bot.reply(attempt.text, attempt.memory, set_state=attempt.node, **options)
            if reply:
                yield reply
        self.step = Step(attempt, reply, memory, monotonic() - begun)
        session.commit(self.step)


class Session:
    """A chat with a program: the bot, the conversation, and the turns that led to it.

    ``bot`` is loaded at once. ``variables`` are set before each beginning. ``streams`` says whether replies
    come piece by piece. ``debug`` is called where a turn may stop, while ``stepper`` says that one may.
    Raises ``ProgramError``, ``RunError`` (a bad variable), ``ModelError``.
    """

    def __init__(
        self,
        recipe: Recipe,
        *,
        variables: Mapping[str, Any] | None = None,
        start: str | None = None,
        streams: bool = True,
    ) -> None:
        self._recipe = recipe
        self._read: Source = recipe.read()
        self.bot: Autograph = recipe.make(self._read)
        self._variables = dict(variables or {})
        self._start = self._node(start) if start else None
        self.streams = streams
        self.stepper = Stepper()
        self.debug: Callable[[Any], object] | None = None
        self.history: list[Step] = []
        self.unfinished: Attempt | None = None
        self.story: Mapping[str, Any] | None = None
        self._first: MemoryObject = self.bot.start(self._variables)

    # ------------------------------------------------------------------ reading

    @property
    def memory(self) -> MemoryObject:
        """The conversation as it stands."""
        return self.history[-1].memory if self.history else self._first

    @property
    def finished(self) -> bool:
        """Whether the conversation has ended."""
        return self.memory.finished

    @property
    def fresh(self) -> bool:
        """Whether nothing was said yet."""
        return self.memory.current is None

    @property
    def first(self) -> MemoryObject:
        """The memory from which the history goes on: a fresh one, or a conversation that was loaded."""
        return self._first

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that were given beside the program's own, without models."""
        config = self._recipe.config
        return {name: getattr(config, name) for name in sorted(config.given - {"chatbot", "classifier"})}

    @property
    def beginning(self) -> dict[str, Any]:
        """The variables that are set before each beginning."""
        return dict(self._variables)

    @property
    def name(self) -> str:
        """The program's name: that of its file, without the folder and the ending."""
        source = str(self._recipe.source)
        if "://" in source:
            return source
        path, _, sheet = source.partition("#")
        return f"{PurePath(path).stem}{' · ' + sheet if sheet else ''}"

    @property
    def source(self) -> str:
        """Where the program was read from."""
        return str(self._recipe.source)

    @property
    def model_name(self) -> str:
        """The models in use, in a few words."""
        chatbot, classifier = _describe(self.bot.model), _describe(self.bot.classifier)
        return chatbot if chatbot == classifier else f"{chatbot}, questions: {classifier}"

    # ------------------------------------------------------------------ turns

    def open(self) -> LiveTurn:
        """The program's opening."""
        return LiveTurn(self, Attempt(self.memory, "", self._start, len(self.history)))

    def say(self, text: str) -> LiveTurn:
        """A turn with the user's text; the first one of a conversation may begin it."""
        node = self._start if self.fresh else None
        return LiveTurn(self, Attempt(self.memory, text, node, len(self.history)))

    def goto(self, name: str) -> LiveTurn:
        """Enter a node, whatever the transitions say. Raises ``RunError`` if it cannot be entered."""
        return LiveTurn(self, Attempt(self.memory, "", self._node(name), len(self.history)))

    def retry(self) -> LiveTurn:
        """The turn that failed or was stopped, else the last one, once more from where it began."""
        if self.unfinished is not None:
            return LiveTurn(self, self.unfinished)
        if not self.history:
            raise RunError("there is no turn yet to be tried again")
        return LiveTurn(self, self.history[-1].attempt)

    def reset(self) -> LiveTurn:
        """Begin anew, with the variables of the beginning."""
        return LiveTurn(self, Attempt(self.bot.start(self._variables), "", self._start, 0))

    def commit(self, step: Step) -> None:
        """Make ``step`` the newest turn."""
        if step.attempt.kept == 0:
            self._first = step.attempt.memory
        self.history = [*self.history[: step.attempt.kept], step]
        self.unfinished = None

    def undo(self, count: int = 1) -> int:
        """Take back turns, as many as asked for and possible; how many. The opening stays."""
        first = self.history[0].attempt if self.history else None
        opening = first is not None and first.memory.current is None and not first.text
        possible = len(self.history) - opening
        taken = min(count, possible)
        if taken > 0:
            self.history = self.history[:-taken]
            self.unfinished = None
        return max(taken, 0)

    def adopt(self, memory: MemoryObject, story: Mapping[str, Any] | None = None) -> None:
        """Go on with a stored conversation, told by ``story`` if that is known.

        Raises ``RunError`` if it does not fit the program.
        """
        gone = self._gone(self.bot, memory)
        if gone is not None:
            hint = did_you_mean(gone, self.bot.nodes)
            raise RunError(
                f'the conversation stands at the node "{gone}", which is not in {self.name}. {hint}'.rstrip()
            )
        self._first = memory
        self.story = story
        self.history = []
        self.unfinished = None

    # ------------------------------------------------------------------ the program

    def reload(self) -> Reloaded:
        """Read the program again and go on with it.

        Raises ``ProgramError`` if it has errors, ``RunError`` if the node at which the conversation stands is
        gone; the program then stays as it was.
        """
        read = self._recipe.read()
        bot = self._recipe.make(read)
        gone = None if self.fresh else self._gone(bot, self.memory)
        if gone is not None:
            raise RunError(
                f'the node "{gone}", at which the conversation stands, is no longer in the program. '
                'Name it in the field "formerly" of the node that replaces it, or /undo and /reload.'
            )
        before, after = _texts(self.bot), _texts(bot)
        self.bot, self._read = bot, read
        if self.fresh:
            self._first = bot.start(self._variables)
        return Reloaded(
            len(after),
            tuple(name for name in after if name not in before),
            tuple(name for name in before if name not in after),
            tuple(name for name in after if name in before and before[name] != after[name]),
        )

    def use_model(self, spec: str) -> None:
        """Go on with another model. Raises ``ModelError`` if ``spec`` means none."""
        recipe = self._recipe.with_model(spec)
        self.bot = recipe.make(self._read)
        self._recipe = recipe

    def _node(self, name: str) -> str:
        """The node of this name. Raises ``RunError``."""
        nodes = self.bot.nodes
        if name not in nodes:
            known = [known for known, node in nodes.items() if not node.spec.callable]
            raise RunError(f'there is no node "{name}". {did_you_mean(name, known)}'.rstrip())
        if nodes[name].spec.callable:
            raise RunError(f'"{name}" is a function: it is entered by calls only')
        return name

    @staticmethod
    def _gone(bot: Autograph, memory: MemoryObject) -> str | None:
        """A node at which ``memory`` stands that ``bot`` does not have."""
        known = {*bot.nodes, *bot.program.renamed}
        standing = (level.last_state for level in memory.stack)
        return next((name for name in standing if name is not None and name not in known), None)


def _texts(bot: Autograph) -> dict[str, dict[str, str]]:
    return {name: {k: v for k, v in node.spec.row.fields.items() if v} for name, node in bot.nodes.items()}


def _describe(model: Any) -> str:
    return str(getattr(model, "describe", None) or type(model).__name__)
