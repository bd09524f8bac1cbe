"""Which nodes are variants of one group? ``p.1 p.2`` of ``p.n``, ``p.a p.b`` of ``p.*``."""

from __future__ import annotations

from autograph.errors import Problem
from autograph.language.names import VARIANT_LETTERS, NodeName
from autograph.problems import problem
from autograph.program.node import Group
from autograph.tables import Row

__all__ = ["find_groups"]


def find_groups(names: list[tuple[Row, NodeName]], problems: list[Problem]) -> dict[str, Group]:
    """The groups by prefix. A gap is a problem where the group's first variant exists.

    (A lone ``v1.5`` is an ordinary name; ``check_links`` reports the gaps of groups that are used.)
    """
    numbered: dict[str, dict[int, tuple[Row, str]]] = {}
    lettered: dict[str, dict[int, tuple[Row, str]]] = {}
    for row, name in names:
        if name.prefix is None or name.suffix is None:
            continue
        by_number = name.suffix.isdigit()
        order = int(name.suffix) if by_number else VARIANT_LETTERS.index(name.suffix) + 1
        variants = (numbered if by_number else lettered).setdefault(name.prefix, {})
        if order in variants:
            message = f'"{name.name}" and "{variants[order][1]}" are the same variant'
            problems.append(problem("duplicate-node", message, row.cell("name"), "Rename one of them."))
            continue
        variants[order] = (row, name.name)
    for kind in (numbered, lettered):
        for prefix, variants in kind.items():
            if 1 in variants:
                _gap(prefix, variants, kind is numbered, problems)
    return {
        prefix: Group(prefix, _ordered(numbered.get(prefix, {})), _ordered(lettered.get(prefix, {})))
        for prefix in {**numbered, **lettered}
    }


def _ordered(variants: dict[int, tuple[Row, str]]) -> tuple[str, ...]:
    return tuple(variants[order][1] for order in sorted(variants))


def variant_name(prefix: str, order: int, by_number: bool) -> str:
    """The name of the variant number ``order``, counted from 1."""
    return f"{prefix}.{order}" if by_number else f"{prefix}.{VARIANT_LETTERS[order - 1]}"


def _gap(prefix: str, variants: dict[int, tuple[Row, str]], by_number: bool, problems: list[Problem]) -> None:
    for position, order in enumerate(sorted(variants), 1):
        if order != position:
            row, name = variants[order]
            missing = variant_name(prefix, position, by_number)
            message = f'the variants of "{prefix}" have a gap: "{missing}" is missing before "{name}"'
            problems.append(problem("variant-gap", message, row.cell("name"), "Number them without a gap."))
            return
