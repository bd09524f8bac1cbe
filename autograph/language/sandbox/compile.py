"""How is a program's code compiled and run? ``Sandbox`` makes ``Statement`` objects; both are shared by all threads."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import CodeType, MappingProxyType
from typing import Any

from autograph.config import AutographConfig
from autograph.errors import StatementError
from autograph.language.sandbox.access import attribute, method, method_with_names, type_name_of, variable
from autograph.language.sandbox.arithmetic import BINARY, UNARY, inplace
from autograph.language.sandbox.budget import CURRENT, Fuel, Limits, Turn, Units
from autograph.language.sandbox.builtins import BUILTINS, CHECKPOINT
from autograph.language.sandbox.calling import call
from autograph.language.sandbox.comparison import COMPARE, chain, key
from autograph.language.sandbox.exposure import ExposedType, as_modules
from autograph.language.sandbox.facts import Facts, Known
from autograph.language.sandbox.failures import translate_error
from autograph.language.sandbox.host import Exposure, expose, exposure_of, is_async, stored
from autograph.language.sandbox.items import change_item, item, part_of, set_item, slice_of
from autograph.language.sandbox.iteration import loop, mapping, named, spread, unpack
from autograph.language.sandbox.limits import SMALL_BYTES
from autograph.language.sandbox.methods_data import new_set
from autograph.language.sandbox.modules import MODULES, dollar
from autograph.language.sandbox.parse import check_size, line_texts, parse
from autograph.language.sandbox.policy import check_variable, refusal
from autograph.language.sandbox.rewrite import Rewriter
from autograph.language.sandbox.scan import size
from autograph.language.sandbox.targets import Assignment, assignment
from autograph.language.sandbox.texts import concat, format_field, insert
from autograph.language.sandbox.tokens import FILENAME, Function, Module, TypeToken
from autograph.language.sandbox.watchdog import Watchdog

__all__ = ["Sandbox", "Statement"]


def tick(fuel: Units, weight: int, size: int) -> bool:
    """Charge for one call of a lambda; always true."""
    fuel.rounds(1, weight, size)
    return True


def sized(fuel: Units, size: int, value: Any) -> Any:
    """The value of a statement whose displays alone take ``size`` bytes."""
    fuel.bytes(size)
    return value


def visits(fuel: Units, function: Callable[[str], int], /, *args: Any) -> int:
    """``visits(node)``, answered by the interpreter's function."""
    if len(args) != 1 or type(args[0]) is not str:
        raise StatementError('visits() takes the name of a node, such as visits("start1").')
    return function(args[0])


_GUARDS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        **{f"@{sign}": guard for table in (BINARY, COMPARE) for sign, guard in table.items()},
        **{f"@u{sign}": guard for sign, guard in UNARY.items()},
        "@attr": attribute,
        "@call": call,
        "@chain": chain,
        "@change": change_item,
        "@dollar": dollar,
        "@fmt": format_field,
        "@fstr": concat,
        "@inplace": inplace,
        "@insert": insert,
        "@item": item,
        "@iter": loop,
        "@key": key,
        "@mapping": mapping,
        "@method": method,
        "@methods": method_with_names,
        "@named": named,
        "@part": part_of,
        "@put": set_item,
        "@set": new_set,
        "@sized": sized,
        "@slice": slice_of,
        "@spread": spread,
        "@tick": tick,
        "@typename": type_name_of,
        "@unpack": unpack,
        "@variable": variable,
        "@visiting": visits,
    }
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One compiled statement.

    ``eval(code, scope)`` gives its value; with ``plain`` that is all it takes if the scope has the turn's budget as
    ``@fuel`` (``budget.begin_turn``), otherwise use ``run``. ``target``
    is the single name to be assigned, ``targets`` the names of an unpacking (its value is a tuple of their values).
    ``mutates`` tells whether an existing value may be changed in place, ``reads`` the variables read, ``needs``
    the names that the interpreter has to provide: reserved variables, and ``visits``, ``random``, ``clock`` and
    ``checkpoint`` as ``@visits`` (a function of a node's name), ``@random`` (a ``random.Random``), ``@clock`` (a
    function that tells the time) and ``@checkpoint`` (a function that waits for whoever debugs; None: nobody does).
    """

    code: CodeType
    plain: bool
    watched: bool
    target: str | None
    targets: tuple[str, ...] | None
    mutates: bool
    reads: frozenset[str]
    needs: frozenset[str]
    source: str
    sandbox: Sandbox

    def run(self, scope: dict[str, Any]) -> Any:
        """Evaluate within the budget; every failure is a ``StatementError`` or ``LimitError``. Assigns no names.

        The budget is what is left of the turn in the scope; where there is none, each run has one of its own.
        """
        turn = scope.get("@fuel")
        try:
            if self.plain:
                if turn is None:
                    scope["@fuel"] = CURRENT.get() or Turn(self.sandbox.limits)
                return eval(self.code, scope)
            outer = CURRENT.get()
            if outer is not None:
                return self._run_inside(outer, scope)
            sandbox = self.sandbox
            limits, types = sandbox.limits, sandbox.types
            whole = Turn(limits) if turn is None else turn
            fuel = Fuel(limits.fuel, scope.get("@context"), scope.get("@print"), scope, types, whole)
            try:
                return self._evaluate(fuel, scope)
            finally:
                fuel.settle()
        except Exception as error:
            raise translate_error(error, self, scope) from None
        finally:
            if turn is None:
                scope.pop("@fuel", None)
            else:
                scope["@fuel"] = turn  # the fuel holds the context

    def _evaluate(self, fuel: Fuel, scope: dict[str, Any]) -> Any:
        scope["@fuel"] = fuel
        if self.watched:
            value = self.sandbox.watchdog.run(self.code, scope, self.sandbox.seconds)
        else:
            value = eval(self.code, scope)
        return stored(fuel, value) if fuel.types else value

    def _run_inside(self, fuel: Fuel, scope: dict[str, Any]) -> Any:
        """Evaluate within a host function that a statement called: on its budget, but with the own sandbox's types."""
        before = fuel.scope, fuel.types
        fuel.scope, fuel.types = scope, self.sandbox.types
        try:
            return self._evaluate(fuel, scope)
        finally:
            fuel.scope, fuel.types = before

    def bind(self, scope: dict[str, Any], value: Any) -> None:
        """Assign ``value`` to the target or targets."""
        if self.target is not None:
            scope[self.target] = value
        elif self.targets is not None:
            scope.update(zip(self.targets, value, strict=True))


class Sandbox:
    """All that programs may use, made from a configuration and the host's functions. It never changes.

    ``modules`` (and ``config.python_modules``) give host functions and exposed types by name, parts of modules as
    ``{"math": ["sqrt", "pi"]}``, or tables of functions and constants; or they are a list of functions.
    """

    def __init__(self, config: AutographConfig, modules: Mapping[str, object] | Iterable[object] | None = None) -> None:
        self.limits = Limits.of(config)
        self.seconds = config.statement_seconds
        self.watchdog = Watchdog()
        given = {**config.python_modules, **as_modules(modules)}
        values: dict[str, object] = {
            CHECKPOINT.name: CHECKPOINT,
            **_chosen("builtin", config.python_built_ins, BUILTINS),
            **_chosen("module", config.python_imports, MODULES),
        }
        for name, value in given.items():
            check_variable(name)
            values[name] = expose(name, value)
        functions = {name: value for name, value in values.items() if isinstance(value, Function | TypeToken)}
        exposed = [value for value in given.values() if isinstance(value, ExposedType)]
        self.types: Mapping[type, Exposure] = MappingProxyType({item.kind: exposure_of(item) for item in exposed})
        awaited = frozenset(name for name, value in given.items() if is_async(value))
        hosts = frozenset(name for name in given if isinstance(values[name], Function)) - awaited
        self.known = _known(values, functions, hosts, awaited, self.types)
        self.names: frozenset[str] = self.known.names
        self.async_names: frozenset[str] = awaited
        calls = {f"@call:{name}": _implementation(value) for name, value in functions.items()}
        self.builtins: dict[str, object] = {**values, **calls, **_GUARDS}

    def scope(self, variables: Mapping[str, object] = MappingProxyType({})) -> dict[str, Any]:
        """A fresh namespace for statements, with ``variables``. Raises ``StatementError`` for impossible names."""
        for name in variables:
            check_variable(name)
        return {"__builtins__": self.builtins, **variables}

    def parse(self, source: str) -> list[ast.stmt]:
        """The statements of ``source``, one a line, their size checked and ``$name`` made ``Name("$name")``."""
        return parse(source)

    def expression(self, source: str) -> Statement:
        """The one expression that ``source`` consists of."""
        body = parse(source)
        if len(body) > 1:
            raise StatementError("one expression is expected here, but there are several lines of code.")
        if not isinstance(body[0], ast.Expr):
            if isinstance(body[0], ast.Assign | ast.AugAssign):
                raise StatementError("one expression is expected here, not an assignment; == compares.")
            raise refusal(body[0])
        return self._compile(Assignment(body[0].value), source)

    def statements(self, source: str) -> tuple[Statement, ...]:
        """The statements of ``source``, one a line."""
        body = parse(source)
        texts = line_texts(source, body)
        for node, text in list(zip(body, texts, strict=True))[:-1]:
            if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
                raise StatementError(f"`{text[:60]}` has no effect; assign its value, or leave the line out.")
        return tuple(self._compile(assignment(node), text) for node, text in zip(body, texts, strict=True))

    def compile_expression(self, tree: ast.expr, source: str = "") -> Statement:
        """An expression that was parsed already; names that begin with ``@value`` may stand in it."""
        check_size(tree)
        return self._compile(Assignment(tree), source)

    def _compile(self, parts: Assignment, source: str) -> Statement:
        rewriter = Rewriter(self.known)
        facts = rewriter.facts
        body = parts.rewrite(rewriter)
        made = size([parts.value])
        if made > SMALL_BYTES:
            body = rewriter.guard("sized", ast.Constant(made), body)
        plain = _is_plain(facts) and not (self.types and facts.guards)  # guards find the host's types by the fuel
        tree = ast.fix_missing_locations(ast.Expression(body))
        try:
            code = compile(tree, FILENAME, "eval")
        except (SyntaxError, ValueError) as error:
            raise StatementError(f"the code is malformed: {error}.") from None
        except (RecursionError, MemoryError):
            raise StatementError("the code is nested too deeply.") from None
        return Statement(
            code=code,
            plain=plain,
            watched=facts.needs_watch,
            target=parts.target,
            targets=parts.targets,
            mutates=facts.mutates,
            reads=frozenset(facts.reads),
            needs=frozenset(facts.needs),
            source=source,
            sandbox=self,
        )


_PLAIN_GUARDS = 12


def _is_plain(facts: Facts) -> bool:
    """Whether the form of a statement bounds it: no loops, and few operations that are bounded one by one."""
    return not facts.needs_fuel and not facts.needs_watch and facts.guards <= _PLAIN_GUARDS


def _known(
    values: Mapping[str, object],
    functions: Mapping[str, object],
    hosts: frozenset[str],
    awaited: frozenset[str],
    types: Mapping[type, Exposure],
) -> Known:
    """What the rewriter has to know of what programs see."""
    modules = {name: value.table for name, value in values.items() if isinstance(value, Module)}
    named = [(f"{name}.{part}", value) for name, table in modules.items() for part, value in table.items()]
    named += list(values.items())
    needs: dict[str, str] = {}
    for name, value in named:
        if isinstance(value, Function) and value.needs:
            needs[name.rpartition(".")[2]] = value.needs
        elif isinstance(value, TypeToken):
            needs.update(value.needs)
    return Known(
        functions=frozenset(functions) - hosts - awaited,
        hosts=hosts,
        awaited=awaited,
        modules={name: frozenset(table) for name, table in modules.items()},
        pure=frozenset(name for name, value in named if not isinstance(value, Function) or value.pure),
        changing=frozenset(name for exposure in types.values() for name in exposure.changing),
        needs=needs,
    )


def _implementation(value: object) -> object:
    return value.run if isinstance(value, Function) else value.construct if isinstance(value, TypeToken) else None


def _chosen(kind: str, names: Any, table: Mapping[str, object]) -> dict[str, object]:
    """The entries of ``table`` that a configuration names."""
    unknown = [name for name in names if name not in table]
    if unknown:
        raise StatementError(
            f"the configuration names the {kind} {str(unknown[0])[:40]!r}, which programs cannot have; "
            f"possible are {', '.join(sorted(table))}."
        )
    return {name: table[name] for name in names}
