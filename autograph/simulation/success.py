"""Was it a success? An expression over what a conversation came to, evaluated in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.errors import AutographError, RunError
from autograph.language.statements import StatementInterpreter

__all__ = ["DEFAULT", "FACTS", "UNTOLD", "SuccessError", "SuccessTest"]

DEFAULT = "finished"
"""What a success is unless something else is said."""

FACTS = ("finished", "turns", "last_node", "path", "outcome", "replies")
"""What an expression may use beside the program's variables: ``turns`` is their number, ``replies`` their texts."""


UNTOLD = "whether it is a success cannot be told: "
"""How the remark begins that says why not."""


class SuccessError(AutographError):
    """An expression that cannot be one."""


class SuccessTest:
    """A success expression, compiled. Raises ``SuccessError`` for a text that is none; ``where`` says whose it is."""

    def __init__(self, expression: str, where: str = "--success") -> None:
        self.expression = expression
        self._interpreter = StatementInterpreter()
        try:
            self._interpreter.sandbox.expression(expression)
        except RunError as error:
            example = "finished and turns < 10"
            raise SuccessError(
                f'{where}: "{expression}" is no expression: {error.message.rstrip(".")}. Write for example {example}.'
            ) from None

    def __call__(self, variables: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[bool | None, str]:
        """Whether it is a success, and why that could not be told (then the first is None).

        Facts win over variables of the same name.
        """
        if self.expression == DEFAULT:
            return bool(facts["finished"]), ""
        try:
            return bool(self._interpreter.execute_expression(self.expression, {**variables, **facts})), ""
        except RunError as error:
            return None, f"{UNTOLD}{error.message}".rstrip(".")
