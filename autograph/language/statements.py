"""How do developers evaluate a program's expressions and assignments themselves? ``StatementInterpreter``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar

from autograph.config import AutographConfig
from autograph.errors import StatementError
from autograph.language.sandbox import Sandbox, Statement
from autograph.language.sandbox.iteration import ITERATORS
from autograph.language.sandbox.limits import HANDED_NODES
from autograph.language.sandbox.policy import check_variable
from autograph.language.sandbox.sizes import weigh
from autograph.language.sandbox.tokens import Function
from autograph.values import check_storable

__all__ = ["StatementInterpreter"]

_CACHED = 512
_Compiled = TypeVar("_Compiled")


class StatementInterpreter:
    """Evaluates expressions and assignments in the sandbox of a configuration.

    ``modules`` gives host functions by name, as ``autograph.load`` takes them. An object may be shared by threads.
    """

    def __init__(
        self,
        config: AutographConfig | None = None,
        modules: Mapping[str, object] | Iterable[object] | None = None,
    ) -> None:
        self.sandbox = Sandbox(config or AutographConfig(), modules)
        self._cache: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._lock = Lock()

    def execute_expression(self, code: str, variables: Mapping[str, Any]) -> Any:
        """The value of an expression. Raises ``StatementError`` or ``LimitError``."""
        statement = self._compiled("expression", code, self.sandbox.expression)
        return _finished(statement.run(self.sandbox.scope(variables)))

    def execute_assignment(self, code: str, variables: MutableMapping[str, Any]) -> tuple[str | None, Any]:
        """Run the statements of ``code`` and write what they assign into ``variables``.

        Returns the single plain name that the last statement assigns, else None, and the last statement's
        value. Raises ``StatementError`` or ``LimitError``; names assigned before stay assigned.
        """
        name, value = None, None
        scope = self.sandbox.scope(variables)
        for statement in self._compiled("statements", code, self.sandbox.statements):
            value = _finished(statement.run(scope))
            assigned = _assigned(statement, value)
            for target, part in assigned.items():
                _check(target, part)
            scope.update(assigned)
            variables.update(assigned)
            name = statement.target
        return name, value

    def _compiled(self, kind: str, code: str, make: Callable[[str], _Compiled]) -> _Compiled:
        """The compiled form of ``code``, kept while it is among the newest."""
        with self._lock:
            known = self._cache.get((kind, code))
            if known is not None:
                self._cache.move_to_end((kind, code))
                return known  # type: ignore[no-any-return]
        made = make(code)
        with self._lock:
            self._cache[kind, code] = made
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return made


def _finished(value: Any) -> Any:
    """``value``, if it can leave the sandbox: no function, nothing that has yet to be evaluated, nothing enormous."""
    kind = type(value)
    if kind is FunctionType or kind is Function:
        raise StatementError("the value is a function; call it, or give its result.")
    if kind in ITERATORS:
        raise StatementError(f"the value is of type {kind.__name__}; make a list of it with list(...).")
    weigh(value, limit=HANDED_NODES)
    return value


def _assigned(statement: Statement, value: Any) -> dict[str, Any]:
    """The names that a statement assigns, with their values."""
    if statement.target is not None:
        return {statement.target: value}
    return dict(zip(statement.targets, value, strict=True)) if statement.targets is not None else {}


def _check(name: str, value: Any) -> None:
    check_variable(name)
    try:
        check_storable(value, name)
    except ValueError as error:
        raise StatementError(str(error)) from None
