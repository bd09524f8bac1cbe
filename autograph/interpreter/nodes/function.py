"""Nodes that call: ``function``, ``local_function``, ``global_function``, and host functions that are awaited.

A function node is entered once for each call that it makes and once more when the last call has
returned. Finished values are kept in the level, so that a chat node inside may pause in between.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from autograph.errors import LimitError, RunError, StatementError
from autograph.interpreter.cycles import cycle_text
from autograph.interpreter.effects import Call, Effect
from autograph.interpreter.events import CALLED
from autograph.interpreter.nodes.base import Node
from autograph.language.calls import CallPlan, PlannedCall, bind_arguments, literal_call
from autograph.language.sandbox.host import charge_result, context_place, received, refuse_context
from autograph.memory import UNSET, Level
from autograph.program import NodeSpec

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.run import Run
    from autograph.language.sandbox import Statement

__all__ = ["AwaitingPython", "FunctionNode", "enter_function"]


_FEW_NAMES = 100


class FunctionNode(Node):
    """Calls graph functions, one after the other, then computes its value from theirs."""

    __slots__ = ("calls", "plan", "scope")

    def __init__(self, spec: NodeSpec, bot: Autograph) -> None:
        super().__init__(spec, bot)
        assert spec.plan is not None
        self.plan: CallPlan = spec.plan
        self.calls = spec.plan.calls
        self.scope = spec.action.scope or "local"

    def apply_instruction(self, run: Run) -> Any:
        memory = run.memory
        level = memory.stack[-1]
        if memory.returned is UNSET:
            level.calls_done = 0
            level.values = ()
            if self.spec.required_revisit and not self._revisited(run):
                run.value = None
                return None
        else:
            level.values = (*level.values, memory.returned)
            level.calls_done += 1
            memory.returned = UNSET
        done = level.calls_done
        if done < len(self.calls):
            call = self.calls[done]
            if call.host:
                return self._await(run, level)
            return self._call(run, level, call)
        self._finish(run, level)
        return None

    def _call(self, run: Run, level: Level, call: PlannedCall) -> Node:
        positional, keywords = self._arguments(run, level, call)
        name = call.function
        if call.dynamic is not None:
            name, positional, keywords = self._dynamic(run, level, call, positional, keywords)
        callee = run.nodes[name]
        level.last_state = self.name
        enter_function(run, self, callee, positional, keywords, self.scope)
        return callee

    def _arguments(self, run: Run, level: Level, call: PlannedCall) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if call.arguments is None:
            return (), {}
        positional, keywords = self._with_values(run, level, call.arguments)
        return tuple(run.checked(value, "the argument") for value in positional), keywords

    def _with_values(self, run: Run, level: Level, statement: Statement) -> Any:
        """The value of a statement in which the finished values stand under ``@value0`` …, lent for this only."""
        if statement.mutates or "checkpoint" in statement.needs:
            run.memory.unshare()  # copies the finished values, too, so it comes before they are lent
        names = [f"@value{index}" for index in range(len(level.values))]
        level.scope.update(zip(names, level.values, strict=True))
        try:
            return run.execute(statement, level)
        finally:
            for name in names:
                del level.scope[name]

    def _dynamic(
        self, run: Run, level: Level, call: PlannedCall, positional: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        """The function that a variable names; the text is a name, or a call with literal arguments, never code."""
        variable = call.dynamic or ""
        value = run.reserved(variable, level) if variable[0] == "_" else level.scope.get(variable, UNSET)
        if value is UNSET:
            raise RunError(f'the variable "{variable}" that names the function is not defined')
        text = run.text_of(value).strip()
        found = literal_call(text if call.whole else text.removesuffix("()"))
        name = run.program.present_name(f"{found[0]}()") if found else ""
        if found is None or name not in run.nodes or (not call.whole and (found[1] or found[2])):
            raise RunError(
                f'"{text[:60]}" in the variable "{variable}" is no function of the program'
                f"{', nor a call of one with literal arguments' if call.whole else ''}. Values are never code."
            )
        if call.whole:
            positional, keywords = found[1], found[2]
        return name, positional, keywords

    def _await(self, run: Run, level: Level) -> Generator[Effect, Any, Any]:
        """Await host functions until a graph call or the end is reached."""
        while level.calls_done < len(self.calls) and self.calls[level.calls_done].host:
            value = yield from await_host(run, self, self.calls[level.calls_done], level)
            level.values = (*level.values, value)
            level.calls_done += 1
        if level.calls_done < len(self.calls):
            return self._call(run, level, self.calls[level.calls_done])
        self._finish(run, level)
        return None

    def _finish(self, run: Run, level: Level) -> None:
        if self.plan.result is None:
            run.value = level.values[-1]
        else:
            run.value = run.checked(self._with_values(run, level, self.plan.result), self.assign or "the value")
        level.calls_done = 0
        level.values = ()
        if self.spec.required_revisit:
            marks = {name: run.memory.visits(name) for name in self.spec.required_revisit}
            run.memory.revisits = {**run.memory.revisits, self.name: marks}

    def _revisited(self, run: Run) -> bool:
        """Whether each listed node was visited since this node's last call returned."""
        before = run.memory.revisits.get(self.name, {})
        return all(run.memory.visits(name) > before.get(name, 0) for name in self.spec.required_revisit)


class AwaitingPython(FunctionNode):
    """A ``python_function`` that calls asynchronous host functions."""

    __slots__ = ()

    def __init__(self, spec: NodeSpec, bot: Autograph) -> None:
        super().__init__(spec, bot)
        self.assign = self.plan.target


def await_host(run: Run, node: Node, call: PlannedCall, level: Level) -> Generator[Effect, Any, Any]:
    """The value of an asynchronous host function."""
    assert isinstance(node, FunctionNode)
    run.memory.unshare()  # the host may change a list that it is given
    positional, keywords = node._arguments(run, level, call)
    run.append((CALLED, node.name, call.function, (positional, keywords)))
    function = run.program.modules[call.function]
    place = context_place(function)
    if place is not None:
        refuse_context(call.function, place, positional, keywords)
        keywords = {**keywords, "context": run.context}
    value = yield Call(call.function, function, positional, keywords, run.time_left)
    given = (*positional, *keywords.values())
    value = received(value, given)
    charge_result(run.turn, value)
    return run.checked(value, f"the value of {call.function}()")


def enter_function(
    run: Run, caller: Node, callee: Node, positional: tuple[Any, ...], keywords: dict[str, Any], scope: str
) -> None:
    """Push the level of a call and bind its parameters."""
    memory, config = run.memory, run.config
    if len(memory.stack) >= config.max_depth:
        path = run.path
        raise LimitError(
            f"calls are nested deeper than {config.max_depth} levels; the cycle is {cycle_text(path)}. "
            "Let the recursion end, or raise max_depth."
        )
    parameters = callee.spec.parameters or ()
    if not keywords and len(positional) == len(parameters):
        bound = {p.name: value for p, value in zip(parameters, positional, strict=True)}
    else:
        try:
            bound = bind_arguments(callee.name[:-2], parameters, positional, keywords)
        except ValueError as error:
            raise StatementError(str(error)) from None
    for value in keywords.values():
        run.checked(value, "the argument")
    if scope != "local" and len(memory.stack[-1].scope) > _FEW_NAMES:
        run.turn.made(memory.stack[-1].scope)  # which is copied
    memory.manage_call(bound, scope, (config.default_prompt, config.default_user_prompt))
    run.append((CALLED, caller.name, callee.name, bound))
