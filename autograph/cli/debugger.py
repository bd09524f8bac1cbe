"""Who is asked when a turn has stopped? ``Debugger`` shows the node, obeys commands, and lets the turn go on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from autograph.cli.debug_commands import Answer, Stop, obey
from autograph.cli.exits import GOOD, USAGE
from autograph.cli.stepping import Stepper
from autograph.cli.stops import stop_text
from autograph.cli.style import Page
from autograph.interpreter.debugging import Abandoned

if TYPE_CHECKING:
    from autograph.interpreter.debugging import Paused

__all__ = ["DEBUG_PROMPT", "GREETING", "Debugger", "GivenUp", "Screen"]

DEBUG_PROMPT = "debug › "

GREETING = (
    "Debugging: a turn stops at breakpoints, at debug_checkpoint() and where it fails. "
    "/break NODE sets a breakpoint, /step stops at the next node."
)

GIVEN_UP = "The turn was given up. The conversation stands where it was before; /retry says it again."

_REPEATED = ("s", "step", "n", "next")


class GivenUp(Abandoned):
    """The turn was given up at the debugger; ``code`` is the exit code of a script that ends for it."""

    def __init__(self, code: int = GOOD) -> None:
        super().__init__(GIVEN_UP)
        self.code = code


class Screen(Protocol):
    """Where the debugger reads and writes."""

    @property
    def page(self) -> Page:
        """What is written on."""

    def ask(self) -> str:
        """The next line. Raises ``EOFError`` and ``KeyboardInterrupt``."""

    def tell(self, text: str, wrong: bool) -> None:
        """Show a text; ``wrong``: a command was."""

    def hold(self) -> None:
        """The turn has stopped."""

    def release(self) -> None:
        """The turn goes on."""

    def interrupted(self) -> None:
        """Ctrl-C was pressed, so the turn will stop; called within the signal's handler."""


class Debugger:
    """``pause`` is what ``reply(debug=…)`` is given. ``stop`` is where the turn waits at the moment.

    ``interactive``: somebody sits there, who may mistype; else a wrong command gives the turn up, and after the
    last line a turn goes on.
    """

    def __init__(self, stepper: Stepper, screen: Screen, *, interactive: bool) -> None:
        self._stepper = stepper
        self._screen = screen
        self._interactive = interactive
        self._last = ""
        self.stop: Stop | None = None

    def pause(self, paused: Paused) -> None:
        """Stop here, if there is a reason to. Raises ``GivenUp``."""
        reason = self._stepper.reason(paused)
        if reason is None:
            return
        screen = self._screen
        screen.hold()
        self.stop = Stop(paused, reason, self._stepper, screen.page)
        try:
            screen.tell(stop_text(paused, reason, screen.page), False)
            while not self._done(self._answer(self.stop), paused):
                pass
        finally:
            self.stop = None
        screen.release()

    def _done(self, answer: Answer, paused: Paused) -> bool:
        """Show an answer; whether the turn goes on. Raises ``GivenUp``."""
        if answer.text:
            self._screen.tell(answer.text, answer.wrong)
        wrong = answer.wrong and not self._interactive
        if (answer.gives_up or wrong) and paused.error is None:
            raise GivenUp(USAGE if wrong else GOOD)
        return answer.goes_on or answer.gives_up or wrong

    def _answer(self, stop: Stop) -> Answer:
        """What the next line leads to. An empty one steps on as before."""
        warned = False
        while True:
            try:
                line = self._screen.ask()
            except EOFError:
                return Answer(gives_up=self._interactive, goes_on=True)
            except KeyboardInterrupt:
                if warned or not self._interactive:
                    return Answer(gives_up=True)
                warned = True
                self._screen.tell("c goes on; q, or Ctrl-C once more, gives the turn up.", False)
                continue
            line = line.strip() or (self._last if self._last in _REPEATED else "")
            if line:
                self._last = line.removeprefix("/")
                return obey(stop, line)

    # ------------------------------------------------------------------ Ctrl-C

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While a turn runs, Ctrl-C stops it at its next node; once more, it ends the turn as it always does."""
        if not self._stepper.active or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            self._stepper.interrupted = False

    def _interrupt(self, number: int, frame: Any) -> None:
        if self._stepper.interrupted or self.stop is not None:
            raise KeyboardInterrupt
        self._stepper.interrupted = True
        self._screen.interrupted()
