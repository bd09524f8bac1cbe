"""Which ways are chosen by what the program noted down before? Paths through them are no proof that they can be gone.

A program may set ``place = "salary"`` in one node and choose by ``place == "salary"`` in another. A path that comes to
the second without the first exists in the graph, but not in any conversation.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograph.check.facts import Facts
from autograph.program import Program

__all__ = ["remembering_groups"]


def remembering_groups(program: Program, facts: list[Facts]) -> list[str]:
    """The prefixes of the groups of which a condition depends on visits or on a variable that is set to constants."""
    groups: dict[str, tuple[set[str], bool]] = {}
    for prefix, group in program.groups.items():
        conditions = [program.nodes[name].boolean_condition for name in group.lettered]
        reads = {name for condition in conditions if condition is not None for name in condition.reads}
        visits = any(condition is not None and "visits" in condition.source for condition in conditions)
        if reads or visits:
            groups[prefix] = (reads, visits)
    asked = set().union(*(reads for reads, _ in groups.values())) if groups else set()
    modes = _modes(program, facts, asked)
    return [prefix for prefix, (reads, visits) in groups.items() if visits or reads & modes]


def _modes(program: Program, facts: list[Facts], asked: set[str]) -> set[str]:
    """The variables among ``asked`` that are set to a constant in more than one place."""
    places: dict[str, int] = {}
    for spec, found in zip(program.nodes.values(), facts, strict=True):
        if asked.isdisjoint(found.sets):
            continue
        if not spec.statements:
            if spec.action.name in ("thought_exact", "chat_exact") and spec.assign is not None:
                places[spec.assign] = places.get(spec.assign, 0) + 1
            continue
        for statement in spec.statements:
            if statement.target is None and statement.targets is None:
                continue
            for tree in program.sandbox.parse(statement.source):
                for name in _constants(tree):
                    places[name] = places.get(name, 0) + 1
    return {name for name, count in places.items() if count > 1 and name in asked}


def _constants(tree: ast.stmt) -> Iterator[str]:
    """The names that a statement sets to a constant, or changes by one, as a counter is."""
    if isinstance(tree, ast.AugAssign) and isinstance(tree.target, ast.Name):
        yield tree.target.id
    if not isinstance(tree, ast.Assign):
        return
    target, value = tree.targets[0], tree.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    else:
        pairs = [(target, value)]
    for name, part in pairs:
        if isinstance(name, ast.Name) and (isinstance(part, ast.Constant) or _is_step(name, part)):
            yield name.id


def _is_step(name: ast.Name, value: ast.expr) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and value.left.id == name.id
