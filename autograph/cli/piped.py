"""A chat without a terminal: lines in, replies out. Also runs scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

import click

from autograph.cli.commands import run_line
from autograph.cli.debugger import Debugger, GivenUp
from autograph.cli.exits import GOOD, exit_code
from autograph.cli.keeping import reload
from autograph.cli.outcome import Outcome
from autograph.cli.render import error_data, error_text, json_line, status_line
from autograph.cli.session import LiveTurn, Session, Step
from autograph.cli.style import Page
from autograph.errors import AutographError

__all__ = ["Piped", "lines_of"]


def lines_of(stream: Iterable[str], *, comments: bool = False) -> Iterable[str]:
    """The lines of a pipe or a script without their ends; blank ones, and comments of a script, are left out."""
    for number, line in enumerate(stream):
        text = (line.removeprefix("\ufeff") if number == 0 else line).rstrip("\r\n")
        if text.strip() and not (comments and text.startswith("#")):
            yield text


@dataclass(frozen=True, slots=True)
class Piped:
    """How a chat is written out: replies or JSON on ``out``, everything else on ``err``.

    ``echo``: also show what the user says. ``after`` is called after each turn; ``changed`` says, before each,
    whether the program is to be read again.
    """

    session: Session
    out: TextIO
    err: TextIO
    page: Page
    as_json: bool = False
    traced: bool = False
    echo: bool = False
    after: Callable[[], object] = lambda: None
    changed: Callable[[], bool] | None = None

    def run(self, lines: Iterable[str], opening: LiveTurn | None) -> int:
        """Hold the conversation until its end or that of the lines; the exit code."""
        rest = iter(lines)  # which the debugger reads, too
        self.session.debug = Debugger(self.session.stepper, _Screen(self, rest), interactive=False).pause
        if opening is not None and (code := self._turn(opening)) != GOOD:
            return code
        for line in rest if not self.session.finished else ():
            if self.changed is not None and self.changed():
                self._remark(reload(self.session, self.page).text)
            outcome = run_line(self.session, line, self.page)
            if self.echo and not self.as_json:
                self._write(f"{self.page.style.user('you ›')} {line.removeprefix('/') if line[:2] == '//' else line}")
            code = self._outcome(outcome)
            if code != GOOD or outcome.leave:
                return code
            if self.session.finished:
                break
        return GOOD

    def _outcome(self, outcome: Outcome) -> int:
        if outcome.turn is not None:
            return self._turn(outcome.turn)
        if outcome.error is not None:
            self._failed(outcome.error)
        elif outcome.text:
            on_out = not self.as_json and outcome.code == GOOD
            click.echo(outcome.text, file=self.out if on_out else self.err, color=self.page.style.colour)
        return outcome.code

    def _turn(self, turn: LiveTurn) -> int:
        try:
            for _ in turn:
                pass  # a pipe gets whole replies, so that a failed turn leaves nothing behind
        except GivenUp as given_up:
            self._remark(self.page.style.dim(str(given_up)))
            return given_up.code
        except AutographError as error:
            self._failed(error, turn)
            return exit_code(error)
        assert turn.step is not None  # the turn came to its end
        self._write(json_line(self._data(turn.step), ascii_only=self._ascii) if self.as_json else turn.step.reply)
        if self.traced:
            self._remark(self.page.style.dim(status_line(self.session, turn.step)))
        self.after()
        return GOOD

    @staticmethod
    def _data(step: Step) -> dict[str, object]:
        last = step.memory.last_turn
        return {
            "reply": step.reply,
            "node": (last.node if last else None) or step.memory.current,
            "finished": step.memory.finished,
            "trace": [event.to_dict() for event in (last.trace if last else [])],
            "said": step.attempt.said,
        }

    def _failed(self, error: AutographError, turn: LiveTurn | None = None) -> None:
        if self.as_json:
            said = {} if turn is None else {"said": turn.attempt.said}
            self._write(json_line({"error": error_data(error), **said}, ascii_only=self._ascii))
        else:
            self._remark(error_text(error, self.page))

    def _remark(self, text: str) -> None:
        click.echo(text, file=self.err, color=self.page.style.colour)

    @property
    def _ascii(self) -> bool:
        return not (self.out.encoding or "utf-8").lower().startswith("utf")

    def _write(self, text: str) -> None:
        if text:
            self.out.write(f"{text}\n")
            self.out.flush()

    # ------------------------------------------------------------------ the debugger's screen

    def debugged(self, text: str, wrong: bool) -> None:
        """Show what the debugger says: beside the replies, but never among JSON."""
        if self.as_json or wrong:
            self._remark(text)
        else:
            click.echo(text, file=self.out, color=self.page.style.colour)

    def typed(self, line: str) -> None:
        """Show a line that the debugger was given."""
        if self.echo and not self.as_json:
            self._write(f"{self.page.style.warning('debug ›')} {line}")


@dataclass(frozen=True, slots=True)
class _Screen:
    """The debugger's screen in a pipe: it reads the lines where the chat has left off."""

    piped: Piped
    lines: Iterator[str]

    @property
    def page(self) -> Page:
        return self.piped.page

    def ask(self) -> str:
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        self.piped.typed(line)
        return line

    def tell(self, text: str, wrong: bool) -> None:
        self.piped.debugged(text, wrong)

    def hold(self) -> None: ...

    def release(self) -> None: ...

    def interrupted(self) -> None: ...
