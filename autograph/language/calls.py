"""Which graph calls does a cell make, and in which order?

``total = 1 + f(x) * g(f(2))`` in a function node becomes a plan: the calls, left to right and
innermost first, each with the statement that evaluates its arguments; then one statement for the
rest, in which the finished values stand under names that no program can spell (``@value0`` …).
Calls of asynchronous host functions are lifted in the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph.errors import did_you_mean
from autograph.language.names import Parameter
from autograph.values import deep_copy

if TYPE_CHECKING:
    from autograph.language.sandbox import Sandbox, Statement

__all__ = ["CallPlan", "CallProblem", "PlannedCall", "bind_arguments", "graph_calls_in", "literal_call", "plan_calls"]

Functions = Mapping[str, tuple[Parameter, ...]]
"""The callable nodes: name without brackets, to parameters."""


class CallProblem(ValueError):
    """A call that cannot be planned; ``kind`` is a word of ``autograph.problems``."""

    def __init__(self, kind: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call of a plan.

    ``function`` is the name of the callable node or host function; ``dynamic`` the variable that
    names it instead (``$which(8)``), ``whole`` true if that text is the whole call. ``arguments``
    evaluates to ``(positional, keywords)``; None: there are none.
    """

    function: str
    arguments: Statement | None
    dynamic: str | None = None
    whole: bool = False
    host: bool = False


@dataclass(frozen=True, slots=True)
class CallPlan:
    """All calls of a cell; ``result`` computes the value from theirs (None: the last call's value)."""

    calls: tuple[PlannedCall, ...]
    result: Statement | None
    target: str | None


def plan_calls(source: str, sandbox: Sandbox, functions: Functions, *, graph: bool = True) -> CallPlan | None:
    """The plan of a cell, or None if it calls nothing that must be lifted.

    With ``graph`` false (``python_function``) only asynchronous host functions are lifted and a graph
    call is a problem. Raises ``CallProblem``, or ``StatementError`` where the sandbox refuses.
    """
    statements = sandbox.parse(source)
    trees = [tree for statement in statements for tree in ast.walk(statement) if isinstance(tree, ast.expr)]
    if not graph and not any(_called(t) in sandbox.async_names for t in trees):
        return None
    if len(statements) != 1:
        raise CallProblem("bad-statement", "a cell that calls a function holds one statement", "Use one node per call.")
    target, tree = _target(statements[0])
    if graph and isinstance(tree, ast.Name) and tree.id.startswith("$"):
        return CallPlan((PlannedCall("", None, tree.id[1:], whole=True),), None, target)
    lifter = _Lifter(sandbox, functions if graph else {})
    rest = lifter.visit(tree)
    if graph:
        _refuse_unknown(tree, sandbox, functions)
    if not lifter.calls:
        return None
    if isinstance(rest, ast.Name) and rest.id == f"@value{len(lifter.calls) - 1}":
        return CallPlan(tuple(lifter.calls), None, target)
    return CallPlan(tuple(lifter.calls), sandbox.compile_expression(rest, source), target)


def _target(statement: ast.stmt) -> tuple[str | None, ast.expr]:
    match statement:
        case ast.Expr(value=value):
            return None, value
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith(("$", "_")):
            return name, value
    raise CallProblem(
        "bad-statement",
        "the value of a call can only be assigned to one plain variable",
        "Write it as name = f(…) and take it apart in a python_function.",
    )


def _called(tree: ast.expr) -> str:
    return tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""


class _Lifter(ast.NodeTransformer):
    """Takes the calls out of an expression, innermost first and left to right."""

    def __init__(self, sandbox: Sandbox, functions: Functions) -> None:
        self.sandbox = sandbox
        self.functions = functions
        self.calls: list[PlannedCall] = []

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = _called(node)
        dynamic = name[1:] if name.startswith("$") and self.functions else None
        host = name in self.sandbox.async_names
        if not (dynamic or host or name in self.functions):
            return node
        if not dynamic and not host:
            check_arity(name, self.functions[name], node)
        arguments = self._arguments(node) if node.args or node.keywords else None
        function = name if host else "" if dynamic else f"{name}()"
        self.calls.append(PlannedCall(function, arguments, dynamic, host=host))
        return ast.copy_location(ast.Name(f"@value{len(self.calls) - 1}", ast.Load()), node)

    def _arguments(self, node: ast.Call) -> Statement:
        positional = ast.Tuple(node.args, ast.Load())
        keys: list[ast.expr | None] = [ast.Constant(k.arg) if k.arg else None for k in node.keywords]
        keywords = ast.Dict(keys, [k.value for k in node.keywords])
        tree = ast.copy_location(ast.Tuple([positional, keywords], ast.Load()), node)
        return self.sandbox.compile_expression(ast.fix_missing_locations(tree), ast.unparse(node).replace("@", ""))

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        for index, value in enumerate(node.values):
            key = node.keys[index]
            if key is not None:
                node.keys[index] = self.visit(key)
            node.values[index] = self.visit(value)
        return node

    def _refuse(self, node: ast.expr) -> ast.expr:
        for call in graph_calls_in(node, {*self.functions, *self.sandbox.async_names}):
            where = {ast.BoolOp: "under and/or", ast.IfExp: "under if/else", ast.Lambda: "in a lambda"}.get(
                type(node), "in a comprehension"
            )
            raise CallProblem(
                "misplaced-call",
                f"the call of {call}() stands {where}, where it might run not at all or many times",
                "Call it in a node of its own and use the variable here.",
            )
        return node

    visit_BoolOp = visit_IfExp = visit_Lambda = _refuse  # noqa: N815
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _refuse  # noqa: N815


def graph_calls_in(tree: ast.AST, functions: Mapping[str, Any] | set[str]) -> Iterator[str]:
    """The names of the functions called below ``tree``, ``$name`` included, those rebound by a lambda or loop not."""
    bound = {arg.arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for arg in _all_arguments(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            name = _called(node)
            if (name in functions or name.startswith("$")) and name not in bound:
                yield name


def _all_arguments(node: ast.arguments) -> list[ast.arg]:
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *filter(None, (node.vararg, node.kwarg))]


def _refuse_unknown(tree: ast.expr, sandbox: Sandbox, functions: Functions) -> None:
    known = {*functions, *sandbox.names, *sandbox.async_names, "visits"}
    names = {_called(node) for node in ast.walk(tree) if isinstance(node, ast.expr)} - {""}
    unknown = [n for n in graph_calls_in(tree, names) if n not in known and n[0] not in "$@_"]
    if unknown:
        raise CallProblem("unknown-function", f'there is no function "{unknown[0]}"', did_you_mean(unknown[0], known))


def check_arity(name: str, parameters: tuple[Parameter, ...], node: ast.Call) -> None:
    """Find a missing or surplus argument at load, where no ``*`` or ``**`` hides it."""
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return
    given = {k.arg: None for k in node.keywords if k.arg}
    try:
        bind_arguments(name, parameters, (None,) * len(node.args), given)
    except ValueError as error:
        raise CallProblem("bad-arguments", str(error), signature_hint(name, parameters)) from None


def signature_hint(name: str, parameters: tuple[Parameter, ...]) -> str:
    """The sentence that shows how a function is to be called."""
    shown = ", ".join(p.name if not p.has_default else f"{p.name}={p.default!r}" for p in parameters)
    return f"It is defined as {name}({shown})."


def bind_arguments(
    name: str, parameters: tuple[Parameter, ...], positional: tuple[Any, ...], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """The variables of a call's new level. Raises ``ValueError`` for a missing or surplus argument."""
    if len(positional) > len(parameters):
        raise ValueError(f"{name}() takes {_count(len(parameters))}, but {len(positional)} were given")
    bound = dict(zip((p.name for p in parameters), positional, strict=False))
    for key, value in keywords.items():
        if all(key != p.name for p in parameters):
            raise ValueError(f'{name}() has no parameter "{key}"')
        if key in bound:
            raise ValueError(f'{name}() was given the argument "{key}" twice')
        bound[key] = value
    for parameter in parameters:
        if parameter.name not in bound:
            if not parameter.has_default:
                raise ValueError(f'{name}() misses the argument for its parameter "{parameter.name}"')
            bound[parameter.name] = deep_copy(parameter.default, {})
    return bound


def _count(number: int) -> str:
    return "no argument" if not number else "one argument" if number == 1 else f"{number} arguments"


def literal_call(text: str) -> tuple[str, tuple[Any, ...], dict[str, Any]] | None:
    """Name, positional and keyword arguments of a call with literal arguments; None if it is none.

    A text from a variable may name a function or be such a call; it is read, never evaluated.
    """
    if len(text) > 8_000:
        return None
    if text.isidentifier():
        return text, (), {}
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
            return None
        positional = tuple(ast.literal_eval(argument) for argument in tree.args)
        keywords = {k.arg: ast.literal_eval(k.value) for k in tree.keywords if k.arg}
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    if len(keywords) != len(tree.keywords):
        return None
    return tree.func.id, positional, keywords
