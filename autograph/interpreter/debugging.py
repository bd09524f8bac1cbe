"""How does a turn wait for whoever debugs it? ``Watcher`` lets it pause; ``Paused`` shows and changes what there is.

``debug=function`` has the function called before each node runs, at each ``debug_checkpoint()`` and when the turn
fails. The turn goes on when it returns. Nothing here is in the way of turns without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from autograph.errors import AutographError, RunError, StatementError
from autograph.interpreter.events import ENTERED
from autograph.language.sandbox.budget import Turn
from autograph.language.sandbox.policy import RESERVED, check_variable
from autograph.memory import UNSET, Level
from autograph.values import check_storable, deep_copy

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.outlook import Outlook
    from autograph.interpreter.run import Run

__all__ = ["NOT_TRUSTED", "Abandoned", "Paused", "Watcher", "Why"]

Why = Literal["enter", "checkpoint", "error"]
"""Why a turn pauses: a node was entered and has not run yet, ``debug_checkpoint()``, or the turn has failed."""

NOT_TRUSTED = (
    "the program is not trusted, so it runs in a locked process, which cannot be debugged. "
    'Read it first; then load it with trust="own" (in the terminal --own)'
)


class Abandoned(BaseException):
    """The turn was given up by whoever debugs it; the memory stays as it was. No program and no guard catches it."""


class Watcher:
    """Calls ``debug`` where a turn may pause. Time spent there does not count for the turn's time-out."""

    def __init__(self, run: Run, debug: Callable[[Paused], object]) -> None:
        self._run = run
        self._debug = debug
        self._pending: str | None = None
        write = run.append

        def append(entry: tuple[Any, ...]) -> None:
            write(entry)
            if entry[0] is ENTERED:
                self._pending = run.memory.pending
                self._pause(run.nodes[entry[1]], "enter")

        run.append = append

    def checkpoint(self) -> None:
        """Pause in the midst of a statement."""
        run = self._run
        path = run.path
        self._pause(run.nodes[path[-1] if path else run.memory.current or run.program.start], "checkpoint")

    def failed(self, node: Node | None, error: AutographError) -> None:
        """Pause after ``error`` has ended the turn at ``node``."""
        if node is not None:
            self._pause(node, "error", error)

    def _pause(self, node: Node, why: Why, error: AutographError | None = None) -> None:
        run, begun = self._run, monotonic()
        pending = self._pending if any(entry[0] is ENTERED for entry in run.log) else run.memory.pending
        paused = Paused(run, node, why, error, pending)
        try:
            self._debug(paused)
        finally:
            paused.close()
            if run.deadline is not None:
                run.deadline += monotonic() - begun


class Paused:
    """A turn that waits. Looking changes nothing; ``set`` and ``execute`` change variables of this turn only.

    ``node`` is the node about to run, at work or failing, ``why`` tells which (``enter``, ``checkpoint``,
    ``error``), ``error`` is what has ended the turn. Valid until ``debug`` returns.
    """

    __slots__ = ("_open", "_pending", "_run", "error", "node", "why")

    def __init__(self, run: Run, node: Node, why: Why, error: AutographError | None, pending: str | None) -> None:
        self._run = run
        self._pending = pending
        self._open = True
        self.node = node
        self.why: Why = why
        self.error = error

    # ------------------------------------------------------------------ looking

    @property
    def path(self) -> list[str]:
        """The names of the nodes entered in this turn, ``node`` the last."""
        return self._run.path

    @property
    def depth(self) -> int:
        """The number of levels of the stack: 1 outside of calls."""
        return len(self._run.memory.stack)

    @property
    def returned(self) -> bool:
        """Whether the node goes on because a call that it made has returned."""
        return self._run.memory.returned is not UNSET

    @property
    def value(self) -> Any:
        """A copy of what that call returned; None where none has."""
        return deep_copy(self._run.memory.returned, {}) if self.returned else None

    @property
    def variables(self) -> dict[str, Any]:
        """A copy of the visible variables; inner values win."""
        return self._run.memory.variables

    @property
    def stack(self) -> list[Level]:
        """Copies of the levels, the base first; each stands at its node."""
        memory = self._copy().memory
        memory.unshare()
        memory.stack[-1].last_state = self.node.name
        return memory.stack

    def instruction(self) -> str:
        """The instruction with everything filled in; code as it is written.

        Raises ``RunError`` if that fails, or would call a function of the host.
        """
        spec = self.node.spec
        if spec.text is None:
            return spec.instruction
        return self._copy(calls_out=False).render(spec.text, self.node)[0]

    def outlook(self) -> Outlook:
        """What the node would do: the request it would send, the questions it would put, or what comes next.

        No model is asked, and no function of the host is called.
        """
        from autograph.interpreter.outlook import foresee

        return foresee(self._run, self.node, self._pending)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression where the turn stands, on a copy: what it may change stays as it was.

        Functions of the host are called. Raises ``StatementError``, ``LimitError``.
        """
        run = self._copy()
        value = run.execute(run.program.sandbox.expression(expression), run.memory.stack[-1])
        try:
            check_storable(value, "value")
        except ValueError:
            return value  # a function, say, or an iterator: to be shown
        return deep_copy(value, {})

    def _copy(self, *, calls_out: bool = True) -> Run:
        from autograph.interpreter.outlook import copy_of

        return copy_of(self._run, calls_out=calls_out)

    # ------------------------------------------------------------------ changing

    def set(self, name: str, value: Any) -> None:
        """Give a variable of the level at work a value, which is copied. Raises ``StatementError``, ``RunError``."""
        self._refuse_late()
        check_variable(name)
        if name in RESERVED:
            raise StatementError(f"`{name}` is set by the interpreter and can only be read.")
        try:
            check_storable(value, name)
            self._run.memory.stack[-1].assign(name, deep_copy(value, {}))
        except ValueError as error:
            raise StatementError(str(error)) from None

    def execute(self, code: str) -> Any:
        """Run statements where the turn stands, as a ``python_function`` would; the value of the last one.

        What fails leaves what the statements before it have done. Raises ``StatementError``, ``LimitError``.
        """
        self._refuse_late()
        run, value = self._run, None
        level = run.memory.stack[-1]
        with _own_budget(run, level):
            for statement in run.program.sandbox.statements(code):
                value = run.checked(run.execute(statement, level), statement.target or "the value")
                run.bind(statement, level, value)
        return value

    def abandon(self) -> NoReturn:
        """Give the turn up: raises ``Abandoned``, which ``reply`` lets through; the memory stays as it was."""
        raise Abandoned(f"the turn was given up at {self.node.name}")

    def close(self) -> None:
        """The turn goes on."""
        self._open = False

    def _refuse_late(self) -> None:
        if not self._open:
            raise RunError("the turn has gone on, so it cannot be changed here any more", node=self.node.name)
        if self.error is not None:
            raise RunError("the turn has failed, so there is nothing to be changed any more", node=self.node.name)


@contextmanager
def _own_budget(run: Run, level: Level) -> Iterator[None]:
    """Let statements run beside those of the turn: they use up none of its budget, and what it has lent stays."""
    turn, scope = run.turn, level.scope
    lent = {name: value for name, value in scope.items() if name[0] in "_@"}
    run.turn = scope["@fuel"] = Turn(turn.limits)
    try:
        yield
    finally:
        run.turn = turn
        for name in [name for name in scope if name[0] in "_@" and name not in lent]:
            del scope[name]
        scope.update(lent)
