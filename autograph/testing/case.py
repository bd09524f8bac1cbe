"""What is a conversation test? A suite holds the cases of one file, a case its turns, a turn what must hold.

Lines count as the file does (rows, in a sheet). They are where a failure points; two cases that differ in nothing
else are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Call", "Case", "CaseTurn", "Expectation", "Script", "Suite"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that must hold, or with ``negated`` must not. ``kind`` is a name of ``kinds.KINDS``.

    ``value`` by the kind's shape: a tuple of texts, of names, of comparisons such as ``"<= 2"``, of pairs
    (expression, value) and expressions; a bool; a mapping (``error``); anything (``value``).
    """

    kind: str
    value: Any
    line: int = field(default=0, compare=False)
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """What the model says: texts and answers in order, and those that are kept for a node.

    An answer is a letter, a label, a number counted from 0, or a tuple of one of these and a confidence.
    """

    replies: tuple[str, ...] = ()
    answers: tuple[Any, ...] = ()
    node_replies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    node_answers: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    line: int = field(default=0, compare=False)

    def __bool__(self) -> bool:
        return bool(self.replies or self.answers or self.node_replies or self.node_answers)


@dataclass(frozen=True, slots=True)
class CaseTurn:
    """What the user says (None: nothing, the program goes first) and what must hold then.

    ``script`` is added to the model's script when the turn begins.
    """

    say: str | None = None
    expect: tuple[Expectation, ...] = ()
    script: Script = field(default_factory=Script)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function called instead of a conversation; ``args`` a list, or a mapping of names."""

    function: str
    args: Any = ()
    scope: str = "local"
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    """One test: a conversation (``turns``), a call, or only a program that must load or be refused.

    ``expect`` holds for the call, for loading, or for the conversation as a whole. ``config``, ``variables``,
    ``model`` and ``recording`` include what the suite says. ``unused`` is true if the script may keep entries.
    """

    name: str
    turns: tuple[CaseTurn, ...] = ()
    call: Call | None = None
    expect: tuple[Expectation, ...] = ()
    start: str | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    script: Script = field(default_factory=Script)
    model: str | None = None
    recording: str | None = None
    live: bool = False
    unused: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of one file.

    ``path`` is that file and ``program`` the program under test. ``sheet`` is the sheet of a workbook that has the
    tests. ``prices`` are per million tokens: ``prompt``, ``completion``, ``cached``.
    """

    path: Path
    program: Path
    cases: tuple[Case, ...]
    prices: Mapping[str, float] = field(default_factory=dict)
    sheet: str | None = None
    unit: str = "line"
    model: str | None = None
    recording: str | None = None

    def where(self, line: int) -> str:
        """An address in the file, as messages show it."""
        place = f'{self.path}, sheet "{self.sheet}"' if self.sheet else str(self.path)
        return f"{place}, {self.unit} {line}" if line else place
