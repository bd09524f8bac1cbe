"""What can be typed while a turn has stopped? The list of the debugger's commands, and what each does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from autograph.cli.render import error_text, full_value, stack_text, value_text, variables_text
from autograph.cli.stepping import Breakpoint, Go, Stepper, read_breakpoint
from autograph.cli.stops import cells_text, outlook_text, path_lines, printed_text, stop_text
from autograph.cli.style import Page, safe
from autograph.cli.wrap import clip, table
from autograph.errors import AutographError, did_you_mean

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.debugging import Paused

__all__ = ["DEBUG_COMMANDS", "Answer", "Stop", "breakpoints_text", "debug_completions", "obey"]

_NAME = re.compile(r"\s*([^\W\d]\w*)\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)")


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a turn has stopped and why, with the breakpoints, and the page on which things are shown."""

    paused: Paused
    reason: str
    stepper: Stepper
    page: Page


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command leads to: a text; whether the turn goes on, or is given up; whether the command was wrong."""

    text: str = ""
    goes_on: bool = False
    gives_up: bool = False
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class DebugCommand:
    """A command of the debugger: its names, the short one first, its arguments, what it does, and how."""

    names: tuple[str, ...]
    arguments: str
    summary: str
    run: Callable[[Stop, str], Answer]


class _WrongArgument(Exception):
    """An argument that is none."""


def obey(stop: Stop, line: str) -> Answer:
    """Do what a line asks for. The slash of the chat's commands may stand before each."""
    name, _, argument = line.strip().removeprefix("/").partition(" ")
    command = _BY_NAME.get(name)
    if command is None:
        hint = did_you_mean(name, _BY_NAME) if len(name) > 1 else ""
        return Answer(
            f"There is no command {safe(name)} while the turn waits. {hint or 'help lists them all.'}", wrong=True
        )
    try:
        return command.run(stop, argument.strip())
    except _WrongArgument as error:
        return Answer(f"{error} Write {name} {command.arguments}.", wrong=True)
    except AutographError as error:
        return Answer(error_text(error, stop.page), wrong=True)


def debug_completions(stop: Stop, line: str) -> tuple[str, list[str]]:
    """The part of ``line`` that is completed, and what may stand in its place."""
    name, blank, argument = line.removeprefix("/").partition(" ")
    if not blank:
        return name, [word for word in _BY_NAME if len(word) > 1 and word.startswith(name)]
    if name in ("b", "break"):
        return argument, [node for node in stop.paused.node.bot.nodes if node.lower().startswith(argument.lower())]
    if name in ("p", "print", "set", "vars"):
        return argument, [found for found in sorted(stop.paused.variables) if found.startswith(argument)]
    return "", []


# ---------------------------------------------------------------------- going on


def _going(how: Go) -> Callable[[Stop, str], Answer]:
    def go(stop: Stop, argument: str) -> Answer:
        if how == "out" and stop.paused.depth == 1:
            return Answer("There is no call to get out of. c goes on to the next breakpoint.", wrong=True)
        stop.stepper.go(how, stop.paused)
        return Answer(goes_on=True)

    return go


def _give_up(stop: Stop, argument: str) -> Answer:
    return Answer(gives_up=True)


# ---------------------------------------------------------------------- breakpoints


def breakpoints_text(points: tuple[Breakpoint, ...], bot: Autograph, page: Page) -> str:
    """The breakpoints in a table."""
    if not points:
        return "There are no breakpoints."
    rows = []
    for point in points:
        gone = "" if point.node in bot.nodes else page.style.warning("no such node")
        condition = f"if {point.condition}" if point.condition else ""
        rows.append((str(point.number), page.style.bold(point.node), safe(condition) or gone))
    return "\n".join(table(rows, page.width))


def _break(stop: Stop, argument: str) -> Answer:
    bot = stop.paused.node.bot
    if argument:
        stop.stepper.add(*read_breakpoint(bot, argument))
    return Answer(breakpoints_text(stop.stepper.breakpoints, bot, stop.page))


def _delete(stop: Stop, argument: str) -> Answer:
    if not argument.isdecimal() or not stop.stepper.remove(int(argument)):
        raise _WrongArgument(f'There is no breakpoint "{safe(argument)}".')
    return Answer(breakpoints_text(stop.stepper.breakpoints, stop.paused.node.bot, stop.page))


# ---------------------------------------------------------------------- looking, changing


def _print(stop: Stop, argument: str) -> Answer:
    if not argument:
        raise _WrongArgument("The value of what?")
    return Answer(printed_text(stop.paused.evaluate(argument), stop.page))


def _set(stop: Stop, argument: str) -> Answer:
    if not argument:
        raise _WrongArgument("Which variable?")
    value = stop.paused.execute(argument)
    target = _NAME.match(argument)
    shown = f"{target[1]} = {value_text(stop.paused.variables[target[1]])}" if target else value_text(value)
    return Answer(clip(shown, stop.page.width))


def _variables(stop: Stop, argument: str) -> Answer:
    variables, name = stop.paused.variables, argument.removeprefix("$")
    if not name:
        return Answer(variables_text(variables, stop.page))
    if name not in variables:
        hint = did_you_mean(name, variables)
        return Answer(f'The variable "{safe(name)}" is not defined here. {hint}'.rstrip(), wrong=True)
    return Answer(full_value(name, variables[name], stop.page))


def _showing(show: Callable[[Paused, Page], str]) -> Callable[[Stop, str], Answer]:
    return lambda stop, argument: Answer(show(stop.paused, stop.page))


def _stack(paused: Paused, page: Page) -> str:
    return stack_text(paused.stack, page)


def _where(stop: Stop, argument: str) -> Answer:
    return Answer(stop_text(stop.paused, stop.reason, stop.page))


def _help(stop: Stop, argument: str) -> Answer:
    rows = [(f"{', '.join(c.names)} {c.arguments}".rstrip(), c.summary) for c in DEBUG_COMMANDS]
    return Answer("\n".join(table(rows, stop.page.width)))


DEBUG_COMMANDS: tuple[DebugCommand, ...] = (
    DebugCommand(("s", "step"), "", "run the node and stop at the next one, also inside a call", _going("step")),
    DebugCommand(("n", "next"), "", "the same, but over calls", _going("next")),
    DebugCommand(("o", "out"), "", "run until the call under way has returned", _going("out")),
    DebugCommand(("c", "continue"), "", "run to the next breakpoint or the end of the turn", _going("continue")),
    DebugCommand(("q", "quit"), "", "give the turn up: the conversation stays as it was", _give_up),
    DebugCommand(("b", "break"), "[NODE [if EXPR]]", "stop at a node; alone: list the breakpoints", _break),
    DebugCommand(("d", "delete"), "N", "delete a breakpoint", _delete),
    DebugCommand(("p", "print"), "EXPR", "the value of an expression; nothing is changed by it", _print),
    DebugCommand(("set",), "NAME = EXPR", "change a variable, or run another statement, in this turn", _set),
    DebugCommand(("vars",), "[NAME]", "the variables, or one of them in full", _variables),
    DebugCommand(("prompt",), "", "what the node would send to the model", _showing(outlook_text)),
    DebugCommand(("stack",), "", "the function calls under way", _showing(_stack)),
    DebugCommand(("path",), "", "the nodes entered in this turn", _showing(path_lines)),
    DebugCommand(("node",), "", "the cells of the node, with their addresses", _showing(cells_text)),
    DebugCommand(("where",), "", "where the turn has stopped", _where),
    DebugCommand(("help",), "", "this list", _help),
)  # fmt: skip

_BY_NAME: Mapping[str, DebugCommand] = MappingProxyType(
    {name: command for command in DEBUG_COMMANDS for name in command.names}
)
