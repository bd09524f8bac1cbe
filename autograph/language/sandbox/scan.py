"""What can be told from the form of an expression alone: is it a number, what does it bind, how heavy is it?"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograph.language.sandbox.rewrite import Rewriter

__all__ = ["bound_names", "is_integer", "is_number", "is_scalar", "size", "weight"]

_INTEGER_FUNCTIONS = frozenset(("len", "ord"))
_SMALL = 1 << 63


def is_number(node: ast.expr, context: Rewriter) -> bool:
    """Whether ``node`` is certainly a number of moderate size: a literal, a length, or their sum."""
    if isinstance(node, ast.Constant):
        value = node.value
        return type(value) in (float, bool) or (type(value) is int and -_SMALL < value < _SMALL)
    return is_integer(node, context)


def is_integer(node: ast.expr, context: Rewriter) -> bool:
    """Whether ``node`` is certainly a whole number of moderate size."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int and -_SMALL < node.value < _SMALL
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return name in _INTEGER_FUNCTIONS and context.is_known(name, context.known.functions)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return is_integer(node.left, context) and is_integer(node.right, context)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return is_integer(node.operand, context)
    return False


def is_scalar(node: ast.expr, context: Rewriter) -> bool:
    """Whether ``node`` is certainly a number, a short text or None, which anything can be compared with cheaply."""
    if isinstance(node, ast.Constant):
        return node.value is not ...
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant)
    return is_integer(node, context)


def bound_names(targets: Iterable[ast.expr]) -> set[str]:
    """The names that the targets of loops bind."""
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def weight(nodes: Iterable[ast.expr]) -> int:
    """What one round of a loop costs: 1, more for long bodies and for arithmetic that is not guarded."""
    parts = arithmetic = 0
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.expr):
                parts += 1
                arithmetic += isinstance(node, ast.BinOp | ast.UnaryOp)
    return max(1, arithmetic) + parts // 8


def size(nodes: Iterable[ast.expr]) -> int:
    """About how many bytes the values take that the operations and displays in ``nodes`` make, once each.

    Guards report texts and collections of more than a few items themselves, and loops and lambdas what they do in
    each round, so the insides of these do not count here.
    """
    total = 0
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop()
        total += _BYTES.get(type(node), 0)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            total += len(node.elts) * (64 if isinstance(node, ast.Set) else 8)
        elif isinstance(node, ast.Dict):
            total += len(node.keys) * 100
        if not isinstance(node, _ROUNDS):
            waiting.extend(ast.iter_child_nodes(node))
    return total


_ROUNDS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_BYTES: dict[type[ast.AST], int] = {
    **dict.fromkeys((ast.BinOp, ast.UnaryOp, ast.Call, ast.JoinedStr, ast.Slice), 48),
    **dict.fromkeys((ast.List, ast.Tuple, ast.ListComp), 72),
    **dict.fromkeys((ast.Set, ast.SetComp, ast.Dict, ast.DictComp), 232),
    **dict.fromkeys((ast.Lambda, ast.GeneratorExp), 300),
}
