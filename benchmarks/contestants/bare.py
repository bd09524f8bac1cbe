"""The yardstick: a loop over a dict of compiled code objects, without sandbox, limits, trace or checks.

It reads the same sheet as autograph and evaluates the same cells: one code object for a statement, for the arguments
of a call, for a condition and for a returned expression. It compiles the rows that its entry can reach, and knows just
enough of the language for the benchmark programs; a row that needs more is a ``NotImplementedError``.
"""

from __future__ import annotations

import ast
import builtins
import csv
import functools
import math
import operator
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from measure import Work

NAME = "bare loop"

Picks = tuple[tuple[CodeType | None, str], ...]
"""The nodes that may come next, each with the condition under which it does."""

GLOBALS: dict[str, Any] = {
    "__builtins__": vars(builtins),
    "math": math,
    "operator": operator,
    "reduce": functools.reduce,
}


class Call(NamedTuple):
    """A call of another node: its name, its arguments as one tuple, and whether it sees the caller's variables.

    ``entered`` is how often the calling node is entered for it: to call and to return; only to return if an earlier
    call of the same cell has come back just before.
    """

    entry: str
    arguments: CodeType
    sees: bool
    entered: int


class Node(NamedTuple):
    """A row, compiled: statements with the name each assigns, or a call whose value ``target`` takes.

    Then it goes to one of ``picks``, or back with ``result``, or back with its own value.
    """

    statements: tuple[tuple[CodeType, str | None], ...]
    call: Call | None
    target: str | None
    picks: Picks
    result: CodeType | None


class Row(NamedTuple):
    """A row as it was read; a function's name is without its brackets."""

    name: str
    parameters: tuple[str, ...]
    cells: dict[str, str]


class BareLoop:
    """A compiled sheet. ``run`` gives the value of the function ``entry``; ``steps`` counts the nodes it entered."""

    def __init__(self, path: Path, entry: str) -> None:
        self.entry = entry
        rows = {row.name: row for row in read(path)}
        self.nodes = compile_sheet(rows, entry)
        self.parameters = {name: row.parameters for name, row in rows.items()}
        self.steps = 0

    def run(self, values: Sequence[Any]) -> Any:
        """The value of the function with these arguments."""
        nodes, parameters = self.nodes, self.parameters
        stack: list[tuple[str | None, Picks, CodeType | None, dict[str, Any]]] = []
        scope = dict(GLOBALS)
        scope.update(zip(parameters[self.entry], values, strict=True))
        name, value, steps = self.entry, None, 0
        while True:
            statements, call, target, picks, result = nodes[name]
            if call is not None:
                stack.append((target, picks, result, scope))
                name, arguments, sees, entered = call
                steps += entered
                bound = zip(parameters[name], eval(arguments, scope), strict=True)
                scope = dict(scope if sees else GLOBALS)
                scope.update(bound)
                value = None
                continue
            steps += 1
            for code, assigned in statements:
                value = eval(code, scope)
                if assigned is not None:
                    scope[assigned] = value
            while not picks:
                if result is not None:
                    value = eval(result, scope)
                if not stack:
                    self.steps = steps
                    return value
                target, picks, result, scope = stack.pop()
                if target is not None:
                    scope[target] = value
            for condition, name in picks:  # noqa: B007 - the name is where the loop goes on
                if condition is None or eval(condition, scope):
                    break


def read(path: Path) -> Iterator[Row]:
    """The rows of a sheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for cells in csv.DictReader(file):
            name, _, parameters = cells["name"].strip().removesuffix(")").partition("(")
            yield Row(name, tuple(p.strip() for p in parameters.split(",") if p.strip()), cells)


def compile_sheet(rows: dict[str, Row], entry: str) -> dict[str, Node]:
    """The nodes that ``entry`` can reach. Raises ``NotImplementedError`` for what this loop cannot do."""
    nodes: dict[str, Node] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in nodes:
            continue
        made = compile_row(rows[name], rows)
        nodes.update(made)
        for node in made.values():
            waiting += [target for _, target in node.picks if target not in made]
            waiting += [node.call.entry] if node.call else []
    return nodes


def compile_row(row: Row, rows: dict[str, Row]) -> dict[str, Node]:
    """The node of a row; a call with calls among its arguments is a chain of nodes, innermost first."""
    action, text = row.cells["action"].strip(), row.cells["instruction"].strip()
    picks, result = compile_transition(row.cells["transitions"].strip(), rows)
    if action == "transition":
        return {row.name: Node((), None, None, picks, result)}
    if action not in ("python_function", "python", "function", "local_function"):
        raise NotImplementedError(f"The bare loop has no action {action!r}.")
    body = ast.parse(text).body
    if action.startswith("python"):
        return {row.name: Node(tuple(map(compile_statement, body)), None, None, picks, result)}
    target, value = split(body[0])
    calls = lift(value, rows)
    if not calls or calls[-1][1] is not value:
        raise NotImplementedError(f"The bare loop cannot call {text!r}.")
    calls[-1] = (target, calls[-1][1])
    names = [row.name, *(f"{row.name} {number}" for number in range(1, len(calls)))]
    nodes = {}
    for number, (variable, call) in enumerate(calls):
        tuple_of_arguments = ast.fix_missing_locations(ast.Expression(ast.Tuple(call.args, ast.Load())))
        arguments = compile(tuple_of_arguments, "arguments", "eval")
        made = Call(function_name(call), arguments, action == "function", 1 if number else 2)
        last = number == len(calls) - 1
        onward = picks if last else ((None, names[number + 1]),)
        nodes[names[number]] = Node((), made, variable, onward, result if last else None)
    return nodes


def compile_transition(text: str, rows: dict[str, Row]) -> tuple[Picks, CodeType | None]:
    """Where a node goes: the variants with their conditions, or a node, or back with an expression."""
    if text == "return":
        return (), None
    if text.startswith("return "):
        return (), compile(text[7:].strip(), "transitions", "eval")
    if text in rows:
        return ((None, text),), None
    group = sorted(name for name in rows if name.rpartition(".")[0] == text[:-2])
    if not text.endswith(".*") or not group:
        raise NotImplementedError(f"The bare loop has no transition {text!r}.")
    conditions = [rows[name].cells["boolean_condition"].strip() for name in group]
    return tuple(
        (compile(condition, "boolean_condition", "eval") if condition else None, name)
        for condition, name in zip(conditions, group, strict=True)
    ), None


def compile_statement(statement: ast.stmt) -> tuple[CodeType, str | None]:
    """The code of a statement, and the variable that takes its value; None if the code assigns, or nothing does."""
    target, value = split(statement)
    if value is None:
        return compile(ast.Module([statement], []), "instruction", "exec"), None
    return compile(ast.Expression(value), "instruction", "eval"), target


def split(statement: ast.stmt) -> tuple[str | None, ast.expr | None]:
    """The variable of ``name = expression`` and the expression; no expression for other statements."""
    if isinstance(statement, ast.Expr):
        return None, statement.value
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    return None, None


def lift(value: ast.expr | None, rows: dict[str, Row]) -> list[tuple[str | None, ast.Call]]:
    """The calls of nodes in ``value``, in the order in which they run, with variables for the inner ones' values."""
    if not isinstance(value, ast.Call):
        return []
    calls: list[tuple[str | None, ast.Call]] = []
    for index, argument in enumerate(value.args):
        inner = lift(argument, rows)
        if inner and inner[-1][1] is argument:
            name = f"{ast.unparse(argument)} @{argument.col_offset}"  # a name that no program can spell
            calls += [*inner[:-1], (name, inner[-1][1])]
            value.args[index] = ast.Name(name, ast.Load())
    if function_name(value) in rows:
        if value.keywords:
            raise NotImplementedError(f"The bare loop cannot call {ast.unparse(value)!r}.")
        calls.append((None, value))
    return calls


def function_name(call: ast.Call) -> str:
    """The name that is called, or the text of the callee where it is none."""
    return ast.unparse(call.func)


def function(path: Path, entry: str, values: Sequence[Any], expected: object) -> Work:
    """The task of evaluating a function; a unit is a node entered."""
    loop = BareLoop(path, entry)
    loop.run(values)
    return Work(NAME, loop.steps, lambda: loop.run(values), expected)
