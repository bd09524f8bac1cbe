"""What does a statement assign to? A name, several names, an item, or nothing."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from autograph.errors import StatementError
from autograph.language.sandbox.facts import SIGNS
from autograph.language.sandbox.policy import bindable, refusal
from autograph.language.sandbox.rewrite import Rewriter
from autograph.language.sandbox.scan import is_number

__all__ = ["Assignment", "assignment"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value and where it goes: ``target`` or ``targets`` (with the place of a starred one), or an ``item``.

    ``operator`` is set for ``+=`` and its like.
    """

    value: ast.expr
    target: str | None = None
    targets: tuple[str, ...] | None = None
    star: int = -1
    item: ast.Subscript | None = None
    operator: ast.operator | None = None

    def rewrite(self, rewriter: Rewriter) -> ast.expr:
        """The guarded expression that gives the value and, for an item, stores it."""
        if self.item is not None:
            return self._item(self.item, rewriter)
        if self.operator is not None:
            return self._changed(rewriter)
        value = rewriter.rewrite(self.value)
        if self.targets is None or self._fits():
            return value
        rewriter.facts.needs_fuel = True
        return rewriter.guard("unpack", value, ast.Constant(len(self.targets)), ast.Constant(self.star))

    def _fits(self) -> bool:
        """Whether the value is written as one expression for each target."""
        value = self.value
        if not isinstance(value, ast.Tuple) or self.targets is None or self.star >= 0:
            return False
        return len(value.elts) == len(self.targets) and not any(isinstance(e, ast.Starred) for e in value.elts)

    def _changed(self, rewriter: Rewriter) -> ast.expr:
        assert self.target is not None
        assert self.operator is not None
        name = ast.Name(self.target, ast.Load())
        if is_number(self.value, rewriter):
            return rewriter.rewrite(ast.BinOp(name, self.operator, self.value))
        sign = ast.Constant(_sign(self.operator))
        rewriter.facts.mutates = True
        return rewriter.guard("inplace", sign, rewriter.rewrite(name), rewriter.rewrite(self.value))

    def _item(self, item: ast.Subscript, rewriter: Rewriter) -> ast.expr:
        rewriter.facts.mutates = True
        container, place = rewriter.rewrite(item.value), rewriter.rewrite(item.slice)
        value = rewriter.rewrite(self.value)
        if self.operator is None:
            return rewriter.guard("put", container, place, value)
        thunk = ast.Lambda(ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]), value)
        return rewriter.guard("change", container, place, ast.Constant(_sign(self.operator)), thunk)


def _sign(operator: ast.operator) -> str:
    sign = SIGNS.get(type(operator))
    if sign is None:
        raise refusal(operator)
    return sign


def assignment(node: ast.stmt) -> Assignment:
    """The parts of a statement. Raises ``StatementError`` for statements that programs do not have."""
    if isinstance(node, ast.Expr):
        return Assignment(node.value)
    if isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            return Assignment(node.value, target=bindable(node.target.id), operator=node.op)
        return Assignment(node.value, item=_item(node.target), operator=node.op)
    if not isinstance(node, ast.Assign):
        raise refusal(node)
    if len(node.targets) > 1:
        raise StatementError("`a = b = value` is not possible here; write each assignment on a line of its own.")
    target = node.targets[0]
    if isinstance(target, ast.Name):
        return Assignment(node.value, target=bindable(target.id))
    if isinstance(target, ast.Tuple | ast.List):
        return _several(target.elts, node.value)
    return Assignment(node.value, item=_item(target))


def _item(target: ast.expr) -> ast.Subscript:
    if isinstance(target, ast.Attribute):
        raise StatementError(f"attributes such as `.{target.attr}` cannot be assigned; use a dict.")
    if not isinstance(target, ast.Subscript):
        raise StatementError("only names and items of lists and dicts can be assigned.")
    if isinstance(target.slice, ast.Slice):
        raise StatementError("a slice cannot be assigned; build a new list and assign it.")
    return target


def _several(elements: list[ast.expr], value: ast.expr) -> Assignment:
    names: list[str] = []
    star = -1
    for place, element in enumerate(elements):
        if isinstance(element, ast.Starred):
            star, element = place, element.value  # Python itself refuses a second one
        if not isinstance(element, ast.Name):
            raise StatementError("on the left of = several plain names are possible, such as `a, b = pair`.")
        names.append(bindable(element.id))
    if not names:
        raise StatementError("nothing stands on the left of =.")
    return Assignment(value, targets=tuple(names), star=star)
