"""A chat at a terminal: reads lines, shows replies as they come, survives errors and Ctrl-C."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO

import click

from autograph.cli.commands import run_line
from autograph.cli.debugger import DEBUG_PROMPT, Debugger, GivenUp
from autograph.cli.exits import GOOD, INTERRUPTED
from autograph.cli.keeping import reload
from autograph.cli.outcome import ended_text
from autograph.cli.readers import Reader
from autograph.cli.render import error_text, status_line
from autograph.cli.session import LiveTurn, Session
from autograph.cli.style import Page, page_of, safe
from autograph.cli.wrap import Wrapped, wrap
from autograph.errors import AutographError

__all__ = ["Terminal"]

_WAITING = "…"
_ERASE = "\r\x1b[K"


class Terminal:
    """The interactive chat.

    ``traced``: a status line after each turn. ``after`` is called after each turn; ``changed`` says, before
    each turn, whether the program is to be read again. Replies go to ``out``, remarks to ``err``.
    """

    def __init__(
        self,
        session: Session,
        out: IO[str],
        err: IO[str],
        *,
        no_colour: bool = False,
        traced: bool = False,
        after: Callable[[], object] = lambda: None,
        changed: Callable[[], bool] = lambda: False,
    ) -> None:
        self._session = session
        self._out, self._err = out, err
        self._no_colour = no_colour
        self._traced = traced
        self._after = after
        self._changed = changed
        self._reader: Reader | None = None
        self._shown: tuple[_Waiting, Wrapped] | None = None
        self.debugger = Debugger(session.stepper, self, interactive=True)
        session.debug = self.debugger.pause

    @property
    def page(self) -> Page:
        """The terminal as it is now; its width may change."""
        return page_of(self._out, no_colour=self._no_colour)

    # ------------------------------------------------------------------ the conversation

    def run(self, reader: Reader, opening: LiveTurn | None) -> int:
        """Hold the conversation until the user leaves; the exit code."""
        self._reader = reader
        if opening is not None:
            self._show(opening)
        else:
            self._note("")
        warned = False
        while True:
            try:
                line = reader.read()
            except EOFError:
                self._note("")
                return GOOD
            except KeyboardInterrupt:
                if warned:
                    return INTERRUPTED
                warned = True
                self._note(self.page.style.dim("Ctrl-C once more leaves; Ctrl-D does so at once."))
                continue
            warned = False
            try:
                if not self._line(line):
                    return GOOD
            except KeyboardInterrupt:  # during a command
                self._note("\nStopped.")

    def _line(self, line: str) -> bool:
        """Do what a line asks for; whether the conversation goes on."""
        if self._changed():
            self._note("")
            self.read_again()
        outcome = run_line(self._session, line, self.page)
        if outcome.turn is not None:
            self._show(outcome.turn)
        elif outcome.text:
            self._write(f"\n{outcome.text}\n\n", self._out if outcome.code == GOOD else self._err)
        return not outcome.leave

    def read_again(self) -> None:
        """Read the program again, and say what that brought."""
        self._note(f"{reload(self._session, self.page).text}\n")

    # ------------------------------------------------------------------ one turn

    def _show(self, turn: LiveTurn) -> None:
        """Run a turn and show its reply as it comes."""
        self._write("\n", self._out)
        wrapped = Wrapped(lambda text: self._write(text, self._out), self.page.width)
        waiting = _Waiting(self)
        self._shown = waiting, wrapped
        try:
            with self.debugger.listening():
                for piece in turn:
                    waiting.end()
                    wrapped.feed(safe(piece))
        except GivenUp as given_up:
            self._broken(waiting, wrapped, self.page.style.dim(str(given_up)))
            return
        except KeyboardInterrupt:
            self._broken(waiting, wrapped, self._stopped(turn))
            return
        except AutographError as error:
            kept = "Nothing has changed: say it again, /retry, or /reload after repairing the program."
            advice = self.page.style.dim("\n".join(wrap(kept, self.page.width)))
            self._broken(waiting, wrapped, f"{error_text(error, self.page)}\n{advice}")
            return
        waiting.end()
        wrapped.end()
        self._ended(turn, wrapped.written)

    def _broken(self, waiting: _Waiting, wrapped: Wrapped, text: str) -> None:
        waiting.end()
        wrapped.end()
        self._note(f"{text}\n")

    def _stopped(self, turn: LiveTurn) -> str:
        if turn.step is not None:
            return self.page.style.dim("Stopped, though the turn was complete; /undo takes it back.")
        return self.page.style.dim("Stopped. The conversation stands where it was before; /retry says it again.")

    def _ended(self, turn: LiveTurn, spoke: bool) -> None:
        remarks = []
        if self._traced and turn.step is not None:
            remarks.append(self.page.style.dim(status_line(self._session, turn.step)))
        if self._session.finished:
            remarks.append(ended_text(self.page))
        if remarks:
            self._note("\n".join(remarks))
        if spoke or remarks:
            self._note("")
        try:
            self._after()
        except AutographError as error:
            self._note(f"{error_text(error, self.page)}\n")

    # ------------------------------------------------------------------ the debugger's screen

    def hold(self) -> None:
        """A turn has stopped: what was being shown ends here."""
        for shown in self._shown or ():
            shown.end()

    def release(self) -> None:
        """The turn goes on."""
        self._write("\n", self._out)
        if self._shown is not None:
            self._shown[0].begin()

    def ask(self) -> str:
        """The next line for the debugger."""
        assert self._reader is not None  # turns run within ``run``
        return self._reader.read(DEBUG_PROMPT)

    def tell(self, text: str, wrong: bool) -> None:
        """Show what the debugger says."""
        self._write(f"{text}\n", self._err if wrong else self._out)

    def interrupted(self) -> None:
        """Say that the turn will stop; past the buffers, which the signal may have found half written."""
        note = "Stopping at the next node; Ctrl-C once more ends the turn."
        os.write(self._err.fileno(), f"\n{self.page.style.dim(note)}\n".encode())

    # ------------------------------------------------------------------ writing

    def _note(self, text: str) -> None:
        self._write(f"{text}\n", self._err)

    def _write(self, text: str, stream: IO[str]) -> None:
        click.echo(text, file=stream, nl=False, color=self.page.style.colour)
        stream.flush()

    def waiting(self, shown: bool) -> None:
        """Show or erase the sign that the reply is on its way; on plain terminals there is none."""
        if self.page.style.colour:
            self._write(self.page.style.dim(_WAITING) if shown else _ERASE, self._out)


class _Waiting:
    """The sign that a reply is on its way, from the beginning of a turn to its first piece."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown = False
        self.begin()

    def begin(self) -> None:
        """Show it."""
        self._shown = True
        self._terminal.waiting(True)

    def end(self) -> None:
        """Erase it, once."""
        if self._shown:
            self._shown = False
            self._terminal.waiting(False)
