"""What is there to be drawn? A neutral, frozen picture of a program: nodes, edges, groups, functions.

Every format is made from a ``View``; what is selected, compared or counted is another ``View``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Change",
    "EdgeKind",
    "Exit",
    "Field",
    "View",
    "ViewEdge",
    "ViewFunction",
    "ViewGroup",
    "ViewNode",
    "ViewProblem",
]

Change = Literal["", "added", "removed", "changed"]
EdgeKind = Literal["transition", "unclear", "dynamic", "call"]


@dataclass(frozen=True, slots=True)
class Field:
    """A filled cell of a node; ``was`` is its text in the program compared with (None: not compared or the same)."""

    name: str
    text: str
    was: str | None = None


@dataclass(frozen=True, slots=True)
class Exit:
    """A transition that leads to no node: ``kind`` is ``quit``, ``return``, ``resume``, ``dynamic`` or ``end``.

    ``text`` as written; ``label`` the answer that leads there, ``""`` where nothing is asked.
    """

    kind: str
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ViewProblem:
    """A problem found at loading, with the node it belongs to (``""``: the whole program)."""

    code: str
    severity: str
    message: str
    hint: str
    place: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class ViewNode:
    """A node to be drawn.

    ``look`` is the key of its appearance (an action, or a role such as ``interjection``); ``word`` what stands in
    its corner. ``place`` is ``row 19`` or ``line 7``. ``function`` names the function it belongs to (``""``: the
    main part), ``group`` the group whose frame holds it. ``condition`` is that of a variant.
    ``count`` says how often it was entered, None where nothing was counted.
    """

    name: str
    look: str
    word: str
    text: str
    place: str = ""
    fields: tuple[Field, ...] = ()
    condition: str = ""
    question: str = ""
    function: str = ""
    group: str = ""
    category: str = ""
    start: bool = False
    interjection: bool = False
    entry: bool = False
    exits: tuple[Exit, ...] = ()
    problems: tuple[ViewProblem, ...] = ()
    change: Change = ""
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ViewEdge:
    """A way from a node to a node or a group (named like ``clarify.*``). ``labels``: the answers that lead there."""

    source: str
    target: str
    kind: EdgeKind = "transition"
    labels: tuple[str, ...] = ()
    change: Change = ""
    count: int | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two edges the same way."""
        return (self.source, self.target, self.kind)


@dataclass(frozen=True, slots=True)
class ViewGroup:
    """The variants of ``p.*`` or ``p.n``: ``note`` says how one of them is chosen."""

    name: str
    note: str
    members: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class ViewFunction:
    """A callable node with all that is reached from it only: ``name`` is like ``f()``, ``signature`` has parameters."""

    name: str
    signature: str


@dataclass(frozen=True, slots=True)
class View:
    """A program as it is to be drawn. ``nodes`` are in row order; ``functions`` name their clusters.

    ``compared_with``, ``counted`` and ``selection`` say in words what the view was made into; ``weighted``: edges are
    the thicker the oftener they were taken.
    """

    title: str
    nodes: tuple[ViewNode, ...]
    edges: tuple[ViewEdge, ...]
    groups: tuple[ViewGroup, ...] = ()
    functions: tuple[ViewFunction, ...] = ()
    problems: tuple[ViewProblem, ...] = ()
    compared_with: str = ""
    counted: str = ""
    weighted: bool = False
    selection: str = ""

    def node(self, name: str) -> ViewNode | None:
        """The node of this name."""
        return next((node for node in self.nodes if node.name == name), None)
