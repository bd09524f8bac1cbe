"""What is known before a statement is rewritten, and what is found out about it on the way?"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["SIGNS", "Facts", "Known"]

SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """What a program sees without defining it: functions and types, host functions, async ones, modules.

    ``modules`` has the names in each. ``pure`` are the host functions, and the functions of modules as
    ``module.name``, that change nothing; ``changing`` are the methods of the host's types that may change
    something. ``needs`` tells which attributes the interpreter has to provide something for.
    """

    functions: frozenset[str]
    hosts: frozenset[str]
    awaited: frozenset[str]
    modules: Mapping[str, frozenset[str]]
    pure: frozenset[str]
    changing: frozenset[str]
    needs: Mapping[str, str]

    @property
    def names(self) -> frozenset[str]:
        """All of them, and ``visits``."""
        return self.functions | self.hosts | self.awaited | frozenset(self.modules) | {"visits"}


@dataclass(slots=True)
class Facts:
    """What was found out about a statement on the way."""

    reads: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)
    mutates: bool = False
    guards: int = 0
    unguarded: int = 0
    needs_fuel: bool = False
    needs_watch: bool = False
