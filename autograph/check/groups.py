"""Which variants of a ``.*`` group can never be chosen, because an earlier one always is?"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from autograph.check.subject import Subject
from autograph.errors import Problem
from autograph.program import NodeSpec

__all__ = ["always_holds", "else_not_last", "hidden_variants"]


def _groups(subject: Subject) -> Iterator[list[NodeSpec]]:
    """The lettered groups that are chosen from by condition, and used."""
    used = {t.target for spec in subject.graph.specs for t in spec.transitions if t.kind in ("group_star", "dynamic")}
    for prefix, group in subject.program.groups.items():
        specs = [subject.program.nodes[name] for name in group.lettered]
        if prefix in used and any(spec.boolean_condition is not None for spec in specs):
            yield specs


def else_not_last(subject: Subject) -> Iterator[Problem]:
    """A variant without a condition, which always holds, before others."""
    for specs in _groups(subject):
        for spec, later in pairwise(specs):
            if always_holds(spec):
                rest = ", ".join(f'"{s.name}"' for s in specs[specs.index(later) :])
                message = f'"{spec.name}" {_why(spec)}: {rest} can never be chosen'
                hint = "Give it a condition, or the last letter of the group."
                yield subject.note("else-not-last", spec, "name", message, hint)
                break


def always_holds(spec: NodeSpec) -> bool:
    """Whether a variant has no condition, or one such as ``True`` that says the same."""
    return spec.row.fields.get("boolean_condition", "").strip() in ("", "True", "1")


def _why(spec: NodeSpec) -> str:
    condition = spec.row.fields.get("boolean_condition", "").strip()
    return f"has the condition {condition}, which always holds" if condition else "has no condition and so always holds"


def hidden_variants(subject: Subject) -> Iterator[Problem]:
    """A variant whose condition holds only where an earlier one holds, too."""
    for specs in _groups(subject):
        earlier: list[tuple[NodeSpec, _Condition]] = []
        for spec in specs:
            if always_holds(spec):
                break  # what comes after it is said by else_not_last
            if spec.boolean_condition is None:
                continue  # its cell has an error
            condition = _read(subject, spec)
            hiding = next((before for before, other in earlier if condition.implies(other)), None)
            if hiding is not None:
                theirs, own = (s.row.fields["boolean_condition"] for s in (hiding, spec))
                message = f'"{spec.name}" can never be chosen: where "{own}" holds, "{theirs}" of "{hiding.name}" holds'
                hint = "Put the narrower condition first."
                yield subject.note("hidden-variant", spec, "boolean_condition", message, hint)
            earlier.append((spec, condition))


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition as the parts that must all hold; bounds on a term, such as ``age < 6``, as intervals."""

    parts: frozenset[str]
    bounds: dict[str, tuple[float, bool, float, bool]]

    def implies(self, other: _Condition) -> bool:
        """Whether ``other`` surely holds where this holds."""
        plain = other.parts - {f"@{term}" for term in other.bounds}
        return plain <= self.parts and all(
            term in self.bounds and _inside(self.bounds[term], bound) for term, bound in other.bounds.items()
        )


def _inside(inner: tuple[float, bool, float, bool], outer: tuple[float, bool, float, bool]) -> bool:
    low, low_in, high, high_in = inner
    other_low, other_low_in, other_high, other_high_in = outer
    above = low > other_low or (low == other_low and (other_low_in or not low_in))
    below = high < other_high or (high == other_high and (other_high_in or not high_in))
    return above and below


def _read(subject: Subject, spec: NodeSpec) -> _Condition:
    assert spec.boolean_condition is not None
    tree = subject.program.sandbox.parse(spec.boolean_condition.source)[0]
    assert isinstance(tree, ast.Expr)
    parts: set[str] = set()
    bounds: dict[str, tuple[float, bool, float, bool]] = {}
    for part in _conjuncts(tree.value):
        bound = _bound(part)
        if bound is None:
            parts.add(ast.dump(part))
        else:
            term, interval = bound
            parts.add(f"@{term}")
            bounds[term] = _both(bounds.get(term, _ALL), interval)
    return _Condition(frozenset(parts), bounds)


_ALL = (-math.inf, False, math.inf, False)


def _both(
    one: tuple[float, bool, float, bool], two: tuple[float, bool, float, bool]
) -> tuple[float, bool, float, bool]:
    low, low_out = max((one[0], not one[1]), (two[0], not two[1]))
    high, high_in = min((one[2], one[3]), (two[2], two[3]))
    return low, not low_out, high, high_in


def _conjuncts(tree: ast.expr) -> Iterator[ast.expr]:
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        for value in tree.values:
            yield from _conjuncts(value)
    elif isinstance(tree, ast.Compare) and len(tree.ops) > 1:
        left = tree.left
        for operator, right in zip(tree.ops, tree.comparators, strict=True):
            yield ast.Compare(left, [operator], [right])
            left = right
    else:
        yield tree


_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
}  # fmt: skip


def _bound(tree: ast.expr) -> tuple[str, tuple[float, bool, float, bool]] | None:
    """``age < 6`` as the term and its interval; None for anything else."""
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return None
    left, kind, right = tree.left, type(tree.ops[0]), tree.comparators[0]
    if _number(left) is not None and kind in _TURNED:
        left, kind, right = right, _TURNED[kind], left
    number = _number(right)
    if number is None or kind not in _TURNED:
        return None
    if any(isinstance(node, ast.Call) and not _is_pure_call(node) for node in ast.walk(left)):
        return None
    interval = {
        ast.Lt: (-math.inf, False, number, False),
        ast.LtE: (-math.inf, False, number, True),
        ast.Gt: (number, False, math.inf, False),
        ast.GtE: (number, True, math.inf, False),
        ast.Eq: (number, True, number, True),
    }[kind]  # fmt: skip
    return ast.dump(left), interval


def _is_pure_call(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in ("len", "int", "float", "abs", "round", "visits", "sum")


def _number(tree: ast.expr) -> float | None:
    sign = 1
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        tree, sign = tree.operand, -1
    if isinstance(tree, ast.Constant) and isinstance(tree.value, (int, float)) and not isinstance(tree.value, bool):
        return sign * float(tree.value)
    return None
