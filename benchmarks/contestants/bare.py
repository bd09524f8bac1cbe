"""The yardstick: a loop over a dict of compiled code objects, without sandbox, limits, trace or checks.

It reads the same sheet as autograph and evaluates the same cells: one code object for a statement, for the arguments
of a call, for a condition and for a returned expression. It knows just enough of the language for the benchmark
programs; a sheet that needs more is a ``NotImplementedError``.
"""

from __future__ import annotations

import ast
import builtins
import csv
import functools
import math
import operator
from collections.abc import Sequence
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from measure import Work

NAME = "bare loop"

GLOBALS: dict[str, Any] = {
    "__builtins__": vars(builtins),
    "math": math,
    "operator": operator,
    "reduce": functools.reduce,
}


class Call(NamedTuple):
    """A call of another node: its name, its arguments as one tuple, and whether it sees the caller's variables."""

    entry: str
    arguments: CodeType
    sees: bool


class Node(NamedTuple):
    """A row, compiled. Where it goes next: to one of ``picks``, back with ``result``, or back with its own value."""

    code: CodeType | None
    target: str | None
    call: Call | None
    picks: tuple[tuple[CodeType | None, str], ...]
    result: CodeType | None


class BareLoop:
    """A compiled sheet. ``run`` gives a function's value; ``steps`` counts the nodes entered by the last run."""

    def __init__(self, path: Path) -> None:
        rows = read(path)
        self.parameters = {name: parameters for name, parameters, _ in rows}
        conditions = {name: row["boolean_condition"] for name, _, row in rows}
        self.nodes = {name: compile_node(row, conditions) for name, _, row in rows}
        self.steps = 0

    def run(self, entry: str, values: Sequence[Any]) -> Any:
        """The value of the function ``entry`` with these arguments."""
        nodes, parameters = self.nodes, self.parameters
        stack: list[tuple[str | None, tuple[tuple[CodeType | None, str], ...], CodeType | None, dict[str, Any]]] = []
        scope = dict(GLOBALS)
        scope.update(zip(parameters[entry], values, strict=True))
        name, value, steps = entry, None, 0
        while True:
            steps += 1
            code, target, call, picks, result = nodes[name]
            if call is not None:
                stack.append((target, picks, result, scope))
                name, arguments, sees = call
                bound = zip(parameters[name], eval(arguments, scope), strict=True)
                scope = dict(scope if sees else GLOBALS)
                scope.update(bound)
                value = None
                continue
            if code is not None:
                value = eval(code, scope)
                if target is not None:
                    scope[target] = value
            while not picks:
                if result is not None:
                    value = eval(result, scope)
                if not stack:
                    self.steps = steps
                    return value
                steps += 1
                target, picks, result, scope = stack.pop()
                if target is not None:
                    scope[target] = value
            for condition, name in picks:  # noqa: B007 - the name is where the loop goes on
                if condition is None or eval(condition, scope):
                    break


def read(path: Path) -> list[tuple[str, tuple[str, ...], dict[str, str]]]:
    """The rows of a sheet as name, parameters and cells. A function is named without its brackets."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [{"boolean_condition": "", **row} for row in csv.DictReader(file) if row["name"]]
    found = []
    for row in rows:
        name, _, parameters = row["name"].strip().removesuffix(")").partition("(")
        found.append((name, tuple(p.strip() for p in parameters.split(",") if p.strip()), row))
    return found


def compile_node(row: dict[str, str], conditions: dict[str, str]) -> Node:
    """The node of a row. Raises ``NotImplementedError`` for what this loop cannot do."""
    code, target, call = compile_instruction(row["action"], row["instruction"].strip())
    transition = row["transitions"].strip()
    if transition == "return":
        return Node(code, target, call, (), None)
    if transition.startswith("return "):
        return Node(code, target, call, (), compile(transition[7:].strip(), "transitions", "eval"))
    if not transition.endswith(".*"):
        if transition not in conditions:
            raise NotImplementedError(f"The bare loop has no transition {transition!r}.")
        return Node(code, target, call, ((None, transition),), None)
    group = [name for name in conditions if name.rpartition(".")[0] == transition[:-2]]
    picks = tuple((compile_condition(conditions[name]), name) for name in sorted(group))
    return Node(code, target, call, picks, None)


def compile_condition(text: str) -> CodeType | None:
    """The code of a condition, or None for an empty one, which always holds."""
    return compile(text.strip(), "boolean_condition", "eval") if text.strip() else None


def compile_instruction(action: str, text: str) -> tuple[CodeType | None, str | None, Call | None]:
    """Code, the variable that takes its value, and the call of an instruction."""
    if action == "transition":
        return None, None, None
    if action not in ("python_function", "python", "function", "local_function"):
        raise NotImplementedError(f"The bare loop has no action {action!r}.")
    statement = ast.parse(text).body[0]
    target: str | None = None
    value: ast.AST = statement
    if isinstance(statement, ast.Expr):
        value = statement.value
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        target, value = statement.targets[0].id, statement.value
    if not action.startswith("python"):
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.keywords:
            raise NotImplementedError(f"The bare loop cannot call {text!r}.")
        arguments = ast.Expression(ast.Tuple(value.args, ast.Load()))
        code = compile(ast.fix_missing_locations(arguments), "arguments", "eval")
        return None, target, Call(value.func.id, code, action == "function")
    if isinstance(value, ast.expr):
        return compile(ast.Expression(value), "instruction", "eval"), target, None
    return compile(text, "instruction", "exec"), None, None


def function(path: Path, entry: str, values: Sequence[Any], expected: object) -> Work:
    """The task of evaluating a function; a unit is a node entered."""
    loop = BareLoop(path)
    loop.run(entry, values)
    return Work(NAME, loop.steps, lambda: loop.run(entry, values), expected)
