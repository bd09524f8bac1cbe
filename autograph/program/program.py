"""What is a chatbot? All its nodes, checked and linked; frozen, so that conversations can share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig
from autograph.errors import Problem
from autograph.language.names import normalise
from autograph.program.capabilities import asked_of
from autograph.program.node import Group, NodeSpec

if TYPE_CHECKING:
    from autograph.language.sandbox import Sandbox

__all__ = ["Program"]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A loaded program.

    ``functions`` maps a callable's name without brackets to its node; ``groups`` a prefix to its
    variants; ``renamed`` earlier names of nodes to present ones; ``interjections`` are the nodes
    with a ``condition_interjection`` in row order. ``problems`` holds the warnings of loading."""

    nodes: Mapping[str, NodeSpec]
    start: str
    config: AutographConfig
    sandbox: Sandbox
    functions: Mapping[str, NodeSpec]
    groups: Mapping[str, Group]
    interjections: tuple[NodeSpec, ...]
    renamed: Mapping[str, str]
    uses_conv_scope: bool
    file: str | None
    sheet: str | None
    problems: tuple[Problem, ...]
    modules: Mapping[str, Any]

    def present_name(self, text: str) -> str:
        """The name of the node that ``text`` names, which need not exist.

        Earlier names count, a variant's letter in either case, and a function's name without its brackets.
        """
        name = normalise(text)
        name = self.renamed.get(name, name)
        if name in self.nodes:
            return name
        prefix, dot, suffix = name.rpartition(".")
        lettered = prefix and len(suffix) == 1 and suffix.isascii()
        spellings = (f"{name}()", f"{prefix}{dot}{suffix.swapcase()}" if lettered else name)
        return next((spelling for spelling in spellings if spelling in self.nodes), name)

    @property
    def asks(self) -> tuple[str, ...]:
        """What the program asks of its host beside plain expressions."""
        return asked_of(self.config)

    @property
    def fingerprint(self) -> str:
        """A digest that is the same for the same nodes in the same order."""
        digest = sha256()
        for node in self.nodes.values():
            digest.update(repr(sorted(node.row.fields.items())).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<Program {self.file or 'in memory'}: {len(self.nodes)} nodes, start {self.start!r}>"
