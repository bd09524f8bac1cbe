"""Which expressions cannot mean what they seem to: comparisons that never hold, words that always do, lost results?"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from autograph.check.groups import always_holds
from autograph.check.prose import templates
from autograph.check.subject import Subject
from autograph.errors import Problem, did_you_mean
from autograph.program import NodeSpec

if TYPE_CHECKING:
    from autograph.language.sandbox import Statement

__all__ = ["compared_name", "constant_conditions", "lost_results", "lost_values", "never_equal", "unknown_visits"]


def _statements(spec: NodeSpec) -> Iterator[tuple[str, Statement]]:
    """All code of a node with its field."""
    for statement in spec.statements:
        yield "instruction", statement
    if spec.plan is not None:
        for call in spec.plan.calls:
            if call.arguments is not None:
                yield "instruction", call.arguments
    if spec.boolean_condition is not None:
        yield "boolean_condition", spec.boolean_condition
    for transition in spec.transitions:
        if transition.expression is not None:
            yield "transitions", transition.expression
    for field, text in templates(spec):
        for expression in text.expressions:
            yield field, expression


def _trees(subject: Subject, *signs: str) -> Iterator[tuple[NodeSpec, str, Statement, ast.AST]]:
    """The syntax trees of the code in which one of ``signs`` occurs."""
    for spec in subject.graph.specs:
        for field, statement in _statements(spec):
            source = statement.source
            if any(sign in source for sign in signs) and "@" not in source:
                for tree in subject.program.sandbox.parse(source):
                    yield spec, field, statement, tree


def never_equal(subject: Subject) -> Iterator[Problem]:
    """``text.lower() == 'Yes'`` and ``_last_user_reply == 5`` and the like."""
    for spec, field, _, tree in _trees(subject, "lower()", "upper()", "strip()", "casefold()", _REPLY):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Compare) or len(node.ops) != 1:
                continue
            one, operator, other = node.left, node.ops[0], node.comparators[0]
            if isinstance(operator, (ast.Eq, ast.NotEq)):
                pairs = [(one, other), (other, one)]
            elif isinstance(operator, (ast.In, ast.NotIn)) and isinstance(other, (ast.List, ast.Tuple, ast.Set)):
                pairs = [(one, item) for item in other.elts]
            else:
                continue
            for text, constant in pairs:
                why, remedy = _never(text, constant) if isinstance(constant, ast.Constant) else ("", "")
                if why:
                    shown = ast.unparse(node).replace("\n", " ")
                    message = f'in "{shown}" the two are never equal: {why}'
                    yield subject.note("never-equal", spec, field, message, remedy)


_REPLY = "_last_user_reply"


def _never(text: ast.expr, constant: ast.Constant) -> tuple[str, str]:
    """Why a text is never the same as a constant, and what to do; two empty texts if it may be."""
    method, value = _method(text), constant.value
    if method and isinstance(value, str) and (wanted := getattr(value, method)()) != value:
        return f"what {method}() gives is never {value!r}", f"Write {wanted!r}."
    is_text = method or (isinstance(text, ast.Name) and text.id == _REPLY)
    if is_text and isinstance(value, (int, float)) and not isinstance(value, bool):
        return "a text is never a number", f"Write '{value}', or make a number of the text with int(…)."
    return "", ""


def _method(tree: ast.expr) -> str:
    """``lower`` of ``x.strip().lower()``: the last method without arguments that settles what a text can be."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and not tree.args and not tree.keywords:
        return tree.func.attr if tree.func.attr in ("lower", "upper", "strip", "casefold") else ""
    return ""


def constant_conditions(subject: Subject) -> Iterator[Problem]:
    """``answer == 'yes' or 'ok'``: a bare text always holds, and so does a condition without a variable."""
    for spec, field, _, tree in _trees(subject, " or "):
        for node in ast.walk(tree):
            if isinstance(node, ast.BoolOp) and any(isinstance(value, ast.Compare) for value in node.values):
                yield from _bare_text(subject, spec, field, node)
    for spec in subject.graph.specs:
        condition = spec.boolean_condition
        if condition is None or condition.reads or condition.needs or "(" in condition.source or always_holds(spec):
            continue
        message = f'the condition "{condition.source}" does not depend on anything'
        hint = "Compare a variable, or leave the condition out if the variant is the last one."
        yield subject.note("constant-condition", spec, "boolean_condition", message, hint)


def _bare_text(subject: Subject, spec: NodeSpec, field: str, node: ast.BoolOp) -> Iterator[Problem]:
    if field != "boolean_condition" or not isinstance(node.op, ast.Or):
        return  # elsewhere it may be meant as a default
    compared = next(value for value in node.values if isinstance(value, ast.Compare))
    left, right = ast.unparse(compared.left), ast.unparse(compared.comparators[0])
    sought = isinstance(compared.ops[0], ast.In) and isinstance(compared.left, ast.Constant)
    for value in node.values:
        if isinstance(value, ast.Constant) and isinstance(value.value, (str, int)) and value.value:
            message = f"{value.value!r} by itself always holds"
            hint = f"Write {left} in (…, {value.value!r}), or compare {left} with it, too."
            hint = f"Write {value.value!r} in {right}." if sought else hint
            yield subject.note("constant-condition", spec, field, message, hint)


def lost_results(subject: Subject) -> Iterator[Problem]:
    """A ``python_function`` that only compares or computes, and whose value nobody uses: ``x == 3`` for ``x = 3``."""
    for number, tree in lost_values(subject):
        spec = subject.graph.specs[number]
        message = f'the value of "{spec.statements[-1].source.strip()}" is used by nobody'
        yield subject.note("lost-result", spec, "instruction", message, f"Write {_assignment(tree)}.")


def lost_values(subject: Subject) -> Iterator[tuple[int, ast.expr]]:
    """The nodes whose last statement is an expression without effect, and the expression."""
    from autograph.check.unread import value_is_used

    if any("_last_variable_output" in text for spec in subject.graph.specs for text in spec.row.fields.values()):
        return
    for number, spec in enumerate(subject.graph.specs):
        last = spec.statements[-1] if spec.statements else None
        if last is None or last.target is not None or last.targets is not None or last.mutates or "@" in last.source:
            continue
        if number not in subject.known_nodes:
            continue
        tree = subject.program.sandbox.parse(last.source)[0]
        if not isinstance(tree, ast.Expr) or any(isinstance(node, ast.Call) for node in ast.walk(tree)):
            continue
        if not isinstance(tree.value, ast.Constant) and not value_is_used(subject, number):
            yield number, tree.value


def compared_name(tree: ast.expr) -> str:
    """``n`` of ``n == 3``; ``""`` for anything else."""
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        return tree.left.id if isinstance(tree.left, ast.Name) else ""
    return ""


def _assignment(tree: ast.expr) -> str:
    name = compared_name(tree)
    if name and isinstance(tree, ast.Compare):
        return f"{name} = {ast.unparse(tree.comparators[0])} to set the variable (== only compares)"
    return "name = … before it to keep the value"


def unknown_visits(subject: Subject) -> Iterator[Problem]:
    """``visits('node')`` of a node that does not exist."""
    names = subject.program.nodes
    for spec, field, _, tree in _trees(subject, "visits("):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "visits":
                argument = node.args[0] if len(node.args) == 1 else None
                name = argument.value if isinstance(argument, ast.Constant) else None
                if isinstance(name, str) and subject.program.present_name(name) not in names and "$" not in name:
                    message = f'visits({name!r}) is always 0: there is no node "{name}"'
                    hint = did_you_mean(name, names) or "Correct the name."
                    yield subject.note("unknown-node", spec, field, message, hint)
