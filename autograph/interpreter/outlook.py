"""What would a node do if it ran now? Found out on a copy of the turn, with no model asked and no host called."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from autograph.errors import AutographError, RunError, StatementError
from autograph.interpreter.effects import Call, Choose, Generate
from autograph.interpreter.events import ENTERED, Event, to_event
from autograph.interpreter.loop import run_loop
from autograph.interpreter.run import Run
from autograph.language.sandbox.builtins import BUILTINS
from autograph.language.sandbox.modules import MODULES
from autograph.language.sandbox.tokens import Function, Module, Native, TypeToken
from autograph.models.base import GenerateRequest, Question

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.language.sandbox import Sandbox

__all__ = ["Outlook", "copy_of", "foresee"]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a node would do, up to what it asks for first, or to the next node.

    ``request``: the text that it would ask a model for. ``questions``: those that it would put to the classifier.
    ``awaits``: the name of an asynchronous host function. ``follows``: the node that would be entered after it.
    ``error``: why it would fail. ``events``: what happens before that.
    """

    events: tuple[Event, ...] = ()
    request: GenerateRequest | None = None
    questions: tuple[Question, ...] = ()
    awaits: str = ""
    follows: str = ""
    error: AutographError | None = None


class _Elsewhere(Exception):
    """Another node would be entered."""


def copy_of(run: Run, *, calls_out: bool) -> Run:
    """A desk with a copy of what ``run`` has on it and with budgets of its own; ``run`` stays as it is.

    ``calls_out``: whether statements may call functions of the host, which may do something outside.
    """
    copy = Run(run.bot, run.memory, context=run.context, clock=run.clock)
    copy.log.extend(run.log)
    sandbox = run.program.sandbox
    copy.memory = run.memory.branch(sandbox.builtins if calls_out else _kept_in(sandbox), copy.log, copy.turn)
    copy.floor = run.floor
    copy.random, copy.moment = deepcopy(run.random), run.moment
    return copy


def foresee(run: Run, node: Node, pending: str | None) -> Outlook:
    """What ``node`` would do in the turn ``run``, which has entered it, or leaves it if it has entered nothing yet.

    ``pending`` is the user text that was waiting when the node was entered.
    """
    if type(node).action is not None:
        return Outlook(error=RunError("what an action of the host would do is not to be foreseen", node=node.name))
    copy = copy_of(run, calls_out=False)
    copy.memory.pending = pending
    leaving = all(entry[0] is not ENTERED for entry in run.log)
    begun, entered = len(copy.log), leaving

    def append(entry: tuple[Any, ...]) -> None:
        nonlocal entered
        if entry[0] is not ENTERED:
            copy.log.append(entry)
        elif entered:
            raise _Elsewhere(entry[1])
        else:
            entered = True  # as the log says already

    copy.append = append
    found = _until_effect(copy, node, leaving)
    found["events"] = tuple(to_event(entry) for entry in copy.log[begun:])
    return Outlook(**found)


def _until_effect(copy: Run, node: Node, leaving: bool) -> dict[str, Any]:
    loop = run_loop(copy, node, leaving)
    try:
        effect = next(loop)
    except StopIteration:
        return {}
    except _Elsewhere as elsewhere:
        return {"follows": str(elsewhere)}
    except AutographError as error:
        return {"error": error}
    finally:
        loop.close()
    if isinstance(effect, Generate):
        return {"request": effect.request}
    if isinstance(effect, Choose):
        return {"questions": effect.questions}
    return {"awaits": effect.name} if isinstance(effect, Call) else {}


# ---------------------------------------------------------------------- nothing is called outside


def _kept_in(sandbox: Sandbox) -> Mapping[str, Any]:
    """The builtins of a sandbox, in which the functions of the host refuse."""
    found = dict(sandbox.builtins)
    for name, value in sandbox.builtins.items():
        if isinstance(value, Function | TypeToken) and BUILTINS.get(name) is not value:
            found[name] = _refusing(name, value)
            found[f"@call:{name}"] = _refusal(name)
        elif isinstance(value, Module) and MODULES.get(name) is not value:
            inside = {key: _refusing(f"{name}.{key}", part) for key, part in value.table.items()}
            found[name] = Module(name, MappingProxyType(inside))
    return found


def _refusing(name: str, value: object) -> object:
    """What stands for a function or type of the host; constants stay."""
    return Function(name, _refusal(name)) if isinstance(value, Function | TypeToken) else value


def _refusal(name: str) -> Native:
    def refuse(fuel: Any, /, *args: Any, **named: Any) -> NoReturn:
        raise StatementError(f"{name}() belongs to the host, and is not called just to see what would happen.")

    return refuse
