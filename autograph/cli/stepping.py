"""Where does a turn stop for whoever debugs it? Breakpoints and steps; no input or output."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from autograph.errors import AutographError, RunError, did_you_mean

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.debugging import Paused

__all__ = ["Breakpoint", "Go", "Stepper", "read_breakpoint"]

Go = Literal["step", "next", "out", "continue"]
"""How a turn that was stopped goes on."""

_IF = re.compile(r"(?P<node>\S.*?)\s+if\s+(?P<condition>\S.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """A node at which turns stop, if ``condition`` holds there; ``""`` always does."""

    number: int
    node: str
    condition: str = ""


def read_breakpoint(bot: Autograph, text: str) -> tuple[str, str]:
    """The node and the condition of ``NODE if EXPR``. Raises ``RunError`` for what the program does not have."""
    found = None if text in bot.nodes else _IF.fullmatch(text)
    name, condition = (found["node"], found["condition"]) if found else (text, "")
    known = bot.program.present_name(name)
    if known not in bot.nodes and f"{known}()" in bot.nodes:
        known = f"{known}()"
    if known not in bot.nodes:
        raise RunError(f'there is no node "{name}". {did_you_mean(name, bot.nodes)}'.rstrip())
    if condition:
        bot.program.sandbox.expression(condition)
    return known, condition


class Stepper:
    """The breakpoints, and how far the turn goes on.

    ``wanted``: debugging was asked for, so that turns stop at checkpoints and errors also without a breakpoint.
    ``interrupted``: somebody pressed Ctrl-C, so that the turn stops at its next node.
    """

    def __init__(self) -> None:
        self.wanted = False
        self.interrupted = False
        self.breakpoints: tuple[Breakpoint, ...] = ()
        self._made = 0
        self._go: Go = "continue"
        self._from = ("", 0)

    @property
    def active(self) -> bool:
        """Whether a turn may have to stop at all."""
        return self.wanted or bool(self.breakpoints) or self._go != "continue"

    def add(self, node: str, condition: str = "") -> Breakpoint:
        """Stop at a node from now on."""
        self._made += 1
        made = Breakpoint(self._made, node, condition)
        self.breakpoints = (*self.breakpoints, made)
        return made

    def remove(self, number: int) -> bool:
        """Forget a breakpoint; whether there was one of this number."""
        kept = tuple(point for point in self.breakpoints if point.number != number)
        gone = len(kept) < len(self.breakpoints)
        self.breakpoints = kept
        return gone

    def go(self, how: Go, paused: Paused | None = None) -> None:
        """Say how the turn goes on, from ``paused`` or, before a turn, from its beginning."""
        self._go = how
        self._from = ("", 0) if paused is None else (paused.node.name, paused.depth)

    def reason(self, paused: Paused) -> str | None:
        """Why the turn stops here, in a word or two (``""``: it was stepped to); None where it does not stop."""
        found = self._reason(paused)
        if found is not None:
            self.interrupted = False
            self.go("continue")
        return found

    def _reason(self, paused: Paused) -> str | None:
        if paused.why == "error":
            return "the turn fails here"
        if paused.why == "checkpoint":
            return "debug_checkpoint()"
        if not paused.returned:
            for point in self.breakpoints:
                if point.node == paused.node.name and (reason := _holds(point, paused)) is not None:
                    return reason
        if self.interrupted:
            return "Ctrl-C"
        return "" if self._stepped_to(paused) else None

    def _stepped_to(self, paused: Paused) -> bool:
        name, depth = self._from
        match self._go:
            case "step":
                return True
            case "next":
                same = paused.returned and (paused.node.name, paused.depth) == (name, depth)
                return paused.depth <= depth and not same
            case "out":
                return paused.depth < depth
        return False


def _holds(point: Breakpoint, paused: Paused) -> str | None:
    """Why the turn stops at this breakpoint; None if its condition does not hold. One that fails stops, too."""
    word = f"breakpoint {point.number}"
    if not point.condition:
        return word
    try:
        return word if paused.evaluate(f"bool({point.condition})") else None
    except AutographError as error:
        return f"{word}, whose condition fails: {getattr(error, 'message', error)}"
