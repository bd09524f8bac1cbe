"""What happens next? The one loop of ``reply`` and ``apply_fn``.

A generator: it yields effects and is sent their results. A node without effects costs no more than
its methods. Source: section 2 of ``docs/language.md``, whose steps are numbered here.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from autograph.errors import LimitError, ModelError, RunError
from autograph.interpreter.cycles import cycle_text
from autograph.interpreter.effects import Effect
from autograph.interpreter.events import VALUE
from autograph.interpreter.nodes.base import PASS_ON
from autograph.interpreter.process import resolve

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.run import Run

__all__ = ["run_loop"]

_NEVER = sys.maxsize
"""The step from which on the clock is looked at, for turns without a time-out."""


def run_loop(run: Run, node: Node | None, leaving: bool) -> Generator[Effect, Any, None]:
    """Run from ``node`` until a node speaks, the conversation ends, or ``apply_fn``'s call has returned.

    ``leaving``: the node was entered in an earlier turn and is left now, so its value, assignment
    and transition come first (steps 1–4); else it is entered. Errors get the node's address.
    """
    memory, nodes, append = run.memory, run.nodes, run.append
    stack = memory.stack
    limit, steps = run.config.max_steps, 0
    clock_from = _NEVER if run.deadline is None else 1
    at = node
    try:
        while node is not None:
            at = node
            if not leaving:
                steps += 1
                if steps > limit:
                    raise _too_many_steps(run, limit)
                if steps >= clock_from:
                    _ = run.time_left
                append(node.entered)
                if node.enters:  # step 5
                    called = node.apply_instruction(run)
                    if called is not None:
                        if type(called) is GeneratorType:
                            called = yield from called
                        if called is not None:
                            node = called
                            continue
                if node.speaks:  # step 6
                    if run.floor:
                        raise RunError("the node speaks to the user, which apply_fn cannot do. Use reply instead.")
                    if len(stack) > 1 or not node.waits_for_nothing:
                        stack[-1].last_state = node.name
                        return
            value = node.get_variable_output(run)  # step 1
            if node.asks:
                value = yield from value
            level = stack[-1]
            if value is not PASS_ON:  # step 2
                level.output = value
                name = node.assign
                if name is not None:
                    level.scope[name] = value
                    if level.own is not None:
                        level.own.add(name)
                append((VALUE, node.name, value, name))
            transition = node.static  # step 3
            if transition is None:
                if node.speaks and not leaving:  # its last word: nobody answers, so nothing is asked
                    transition = node.only_transition
                else:
                    chosen: Any = node.apply_transition(run)
                    transition = (yield from chosen) if type(chosen) is GeneratorType else chosen
            leaving = False
            if transition.kind == "node" and transition.target in nodes:  # step 4
                node = nodes[transition.target]
                if node.spec.parameters is not None:
                    node = resolve(run, at, transition)
            else:
                node = resolve(run, at, transition)
        if at is not None and not run.floor:
            stack[-1].last_state = at.name
    except RunError as error:
        _address(error, run, at)
        if run.watcher is not None:
            run.watcher.failed(at, error)
        raise
    except ModelError as error:
        if at is not None:
            error.add_note(f'asked by node "{at.name}", {at.location()}')
        if run.watcher is not None:
            run.watcher.failed(at, error)
        raise


def _too_many_steps(run: Run, limit: int) -> LimitError:
    return LimitError(
        f"the turn took more than {limit:,} steps without speaking; the cycle is {cycle_text(run.path)}. "
        "Let the loop end or speak, or raise max_steps."
    )


def _address(error: RunError, run: Run, node: Node | None) -> None:
    """Complete the error with node, cell and path."""
    if node is not None:
        error.node = error.node or node.name
        error.location = error.location or node.location()
    error.trace = error.trace or tuple(run.path)
