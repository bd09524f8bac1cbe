"""The desk at which one turn is worked on: the forked memory, the log, limits and models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from random import Random, SystemRandom
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograph.errors import LimitError, RunError, StatementError
from autograph.interpreter.events import PRINTED, to_event
from autograph.language.sandbox.budget import Turn, begin_turn
from autograph.language.sandbox.tables import charge_table, is_table
from autograph.language.sandbox.texts import text
from autograph.memory import UNSET, Level, MemoryObject
from autograph.memory.trajectory import ENTERED
from autograph.models.base import Usage
from autograph.values import SCALARS, check_storable

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.debugging import Paused, Watcher
    from autograph.interpreter.nodes import Node
    from autograph.language.sandbox import Statement
    from autograph.language.text import Template

__all__ = ["OPTIONS", "Run"]

OPTIONS = ("context", "timeout", "on_event", "clock", "debug")
"""What a turn may be given beside the text and the memory."""


class Run:
    """Everything that a turn works with.

    ``floor`` is the number of levels below the entry call of ``apply_fn`` (0 in ``reply``).
    ``append`` writes to the log and tells a listener. ``reply`` is what was said, ``result`` the
    value of ``apply_fn``'s call. ``clock`` tells programs the time; it is looked at once a turn.
    ``turn`` is what the statements may still use up. ``watcher`` lets the turn wait for whoever debugs it.
    """

    __slots__ = (
        "_printed",
        "append",
        "bot",
        "clock",
        "config",
        "context",
        "deadline",
        "floor",
        "log",
        "memory",
        "moment",
        "nodes",
        "program",
        "random",
        "reply",
        "result",
        "speaker",
        "turn",
        "usage",
        "value",
        "watcher",
    )

    def __init__(
        self,
        bot: Autograph,
        memory: MemoryObject,
        *,
        context: Any = None,
        timeout: float | None = None,
        on_event: Callable[[Any], object] | None = None,
        clock: Callable[[], datetime] = datetime.now,
        debug: Callable[[Paused], object] | None = None,
    ) -> None:
        self.bot = bot
        self.program = program = bot.program
        self.nodes: Mapping[str, Node] = bot.node_table
        self.config = program.config
        self.log: list[tuple[Any, ...]] = []
        self.append: Callable[[tuple[Any, ...]], object] = self.log.append
        if on_event is not None:
            self._listen(on_event)
        self.context = context
        sandbox = program.sandbox
        self.turn: Turn = begin_turn(sandbox.limits)
        self.memory = memory.fork(sandbox.builtins, self.log, self.turn)
        self.deadline = None if timeout is None else monotonic() + timeout
        self.floor = 0
        self.reply: str | None = None
        self.speaker: str | None = None
        self.result: Any = None
        self.value: Any = None
        self.usage: Usage | None = None
        self.clock = clock
        self.moment: datetime | None = None
        self.random: Random | None = None
        self._printed = (0, "")
        self.watcher: Watcher | None = None
        if debug is not None:
            from autograph.interpreter.debugging import Watcher

            self.watcher = Watcher(self, debug)

    def _listen(self, on_event: Callable[[Any], object]) -> None:
        write = self.log.append

        def append(entry: tuple[Any, ...]) -> None:
            write(entry)
            on_event(to_event(entry))

        self.append = append

    def _print(self, text: str) -> None:
        seen, name = self._printed  # how far the log was looked at, and the newest node so far
        for place in range(len(self.log) - 1, seen - 1, -1):
            if self.log[place][0] is ENTERED:
                name = self.log[place][1]
                break
        self._printed = (len(self.log), name)
        self.append((PRINTED, name, text))

    @property
    def path(self) -> list[str]:
        """The names of the nodes entered in this turn."""
        return [entry[1] for entry in self.log if entry[0] is ENTERED]

    # ------------------------------------------------------------------ statements and text

    def execute(self, statement: Statement, level: Level) -> Any:
        """The value of a statement in a level; whatever it needs beside the variables is lent to the scope.

        What is lent is this turn's and is taken back: a memory holds no context, and no value twice.
        """
        if statement.mutates or (self.watcher is not None and "checkpoint" in statement.needs):
            self.memory.unshare()  # before anything is lent, which would not be copied
        scope, turn = level.scope, self.turn
        turn.left -= _STATEMENT
        if turn.left < 0:
            turn.refuse()
        if statement.needs:
            self._provide(statement.needs, level)
        elif statement.plain:
            return statement.run(scope)
        scope["@print"] = self._print
        scope["@context"] = self.context
        try:
            return statement.run(scope)
        finally:
            for name in (*statement.needs, "@visits", "@random", "@clock", "@checkpoint", "@print", "@context"):
                scope.pop(name, None)

    def bind(self, statement: Statement, level: Level, value: Any) -> None:
        """Assign a statement's value to its targets."""
        if statement.target is not None:
            level.assign(statement.target, value)
        elif statement.targets is not None:
            for name, part in zip(statement.targets, value, strict=True):
                level.assign(name, part)

    def checked(self, value: Any, what: str) -> Any:
        """``value``, if it can be stored; else ``StatementError`` with the path of what cannot."""
        if type(value) not in SCALARS:
            try:
                looked = check_storable(value, what)
            except ValueError as error:
                raise StatementError(str(error)) from None
            if looked > 64:
                self.turn.charge(looked >> 4)
                if is_table(value):
                    charge_table(self.turn, value)
        return value

    def text_of(self, value: Any) -> str:
        """``str(value)`` within the bounds of the sandbox."""
        return text(self.turn, value)

    def _provide(self, needs: frozenset[str], level: Level) -> None:
        scope = level.scope
        for name in needs:
            if name in _LENT:
                scope[f"@{name}"] = _LENT[name](self)
                continue
            value = self.reserved(name, level)
            if value is UNSET:
                scope.pop(name, None)
            else:
                scope[name] = value

    def _visits(self, node: str) -> int:
        return self.memory.visits(self.program.present_name(str(node)))

    def _random(self) -> Random:
        """The generator of the turn: the same memory and the same text give the same draws."""
        if self.random is None:
            memory = self.memory
            if memory.seed is None:
                memory.seed = SystemRandom().getrandbits(53) if self.config.seed is None else self.config.seed
            self.random = Random(f"{memory.seed} {memory.entered} {memory.texts} {memory.last_user_reply}")
        return self.random

    def _now(self) -> datetime:
        """When the turn's statements first asked: one moment for all of them."""
        if self.moment is None:
            self.moment = self.clock()
        return self.moment

    def reserved(self, name: str, level: Level) -> Any:
        """The value of a reserved variable; UNSET if it has none yet."""
        if name == "_last_variable_output":
            return level.output
        if name == "_last_user_reply":
            text = self.memory.last_user_reply
            return UNSET if text is None else text
        previous = self.memory.previous_node
        return UNSET if previous is None else previous

    def render(self, template: Template, node: Node, field: str = "instruction") -> tuple[str, bool]:
        """The text of a template, and whether an optional part was filled in. Errors name the cell."""
        if template.literal is not None:
            return template.literal, False
        from autograph.language.text import UndefinedName

        level = self.memory.stack[-1]
        scope = level.scope

        def lookup(name: str) -> Any:
            if name[0] == "_":
                value = self.reserved(name, level)
                if value is UNSET:
                    raise KeyError(name)
                return value
            return scope[name]

        def evaluate(statement: Any) -> Any:
            return self.execute(statement, level)

        turn, size = self.turn, 0

        def shown(value: Any) -> str:
            nonlocal size
            part = text(turn, value)
            size += len(part)
            turn.check_length(size)
            return part

        try:
            turn.charge(template.source.count("$") * 2)
            found, filled = template.render(lookup, evaluate, shown)
            return turn.text(found), filled
        except UndefinedName as error:
            raise RunError(_undefined(error, level), node=node.name, location=node.location(field)) from None
        except (StatementError, LimitError) as error:
            error.location = node.location(field)
            error.node = node.name
            raise

    # ------------------------------------------------------------------ limits

    @property
    def time_left(self) -> float | None:
        """Seconds until the turn's time-out; None if it has none. Raises ``LimitError`` past it."""
        if self.deadline is None:
            return None
        left = self.deadline - monotonic()
        if left <= 0:
            raise LimitError("the turn took longer than its time-out. Allow more seconds, or simplify the program.")
        return left

    def add_usage(self, usage: Usage | None) -> None:
        """Count what a request cost."""
        if usage is not None:
            self.usage = usage if self.usage is None else self.usage + usage


_LENT: Mapping[str, Callable[[Run], Any]] = MappingProxyType(
    {
        "visits": lambda run: run._visits,
        "random": Run._random,
        "clock": lambda run: run._now,
        "checkpoint": lambda run: run.watcher and run.watcher.checkpoint,
    }
)
"""What statements need beside variables, as ``Statement.needs`` calls it."""

_STATEMENT = 4
"""Units that the run of a statement costs, beside what it does."""

_DOLLAR = "\\$"


def _undefined(error: Any, level: Level) -> str:
    from autograph.errors import did_you_mean

    if error.was_none:
        return f'the variable "{error.name}" is None here. Give it a value first, or write ?{{ … ${error.name} … }}.'
    names = [name for name, _ in level.visible_items()]
    near = did_you_mean(error.name, names)
    return f'the variable "{error.name}" is not defined. {near or f"For a dollar sign write {_DOLLAR}{error.name}."}'
