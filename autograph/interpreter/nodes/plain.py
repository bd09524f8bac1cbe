"""Nodes that only change what the conversation knows: ``python_function``, ``transition``, the prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.interpreter.events import PROMPTED
from autograph.interpreter.nodes.base import PASS_ON, Node, is_quick
from autograph.memory import UNSET
from autograph.program import NodeSpec
from autograph.values import SCALARS

if TYPE_CHECKING:
    from autograph.interpreter.bot import Autograph
    from autograph.interpreter.run import Run

__all__ = ["PromptNode", "PythonFunction", "TransitionNode"]


class PythonFunction(Node):
    """A statement in the sandbox, or several."""

    enters = False
    __slots__ = ("code", "last", "statements")

    def __init__(self, spec: NodeSpec, bot: Autograph) -> None:
        super().__init__(spec, bot)
        self.statements = spec.statements[:-1]
        self.last = spec.statements[-1]
        self.assign = self.last.target
        self.code = self.last.code if not self.statements and is_quick(self.last) else None

    def get_variable_output(self, run: Run) -> Any:
        level = run.memory.stack[-1]
        if self.code is not None:
            try:
                value = eval(self.code, level.scope)
            except Exception as error:
                from autograph.language.sandbox import translate_error

                raise translate_error(error, self.last, level.scope) from None
            return value if type(value) in SCALARS else run.checked(value, self.assign or "the value")
        for statement in self.statements:
            run.bind(statement, level, run.checked(run.execute(statement, level), statement.target or "the value"))
        value = run.checked(run.execute(self.last, level), self.assign or "the value")
        if self.last.targets is not None:
            run.bind(self.last, level, value)
        return value


class TransitionNode(Node):
    """Goes on, and passes the previous value on; an assignment takes it."""

    enters = False
    __slots__ = ()

    def get_variable_output(self, run: Run) -> Any:
        output = run.memory.stack[-1].output
        if output is UNSET and self.assign is not None:
            return None
        return output if self.assign is not None else PASS_ON


class PromptNode(Node):
    """``set_prompt`` and its three relatives."""

    __slots__ = ("appends", "which")

    def __init__(self, spec: NodeSpec, bot: Autograph) -> None:
        super().__init__(spec, bot)
        self.appends = spec.action.name.startswith("append")
        self.which = "user_prompt" if "user" in spec.action.name else "prompt"

    def apply_instruction(self, run: Run) -> None:
        assert self.spec.text is not None
        text = run.render(self.spec.text, self)[0]
        level = run.memory.top
        if self.appends:
            text = run.turn.text(f"{getattr(level, self.which)}\n{text}")
        setattr(level, self.which, text)
        run.append((PROMPTED, self.name, self.which, text))
        run.value = ""
