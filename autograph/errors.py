"""What can go wrong, and where.

    AutographError
    ├── ProgramError            a file or a program is wrong; ``.problems`` lists everything found
    ├── RunError                a turn failed; ``.node``, ``.location``, ``.trace`` say where
    │   ├── StatementError      a statement was refused or failed in the sandbox
    │   ├── LimitError          a step, depth, time or size limit was reached
    │   ├── TransitionError     no valid next node
    │   ├── StorageError        a conversation could not be stored or read
    │   ├── ProgramChanged      a stored conversation does not fit the present program
    │   └── ConversationFinished  a further reply was asked of a finished conversation
    └── ModelError              a language model could not be asked; ``.retryable``

A failed turn never changes the memory it was given, so saying the same again is always safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

__all__ = [
    "AutographError",
    "ConversationFinished",
    "LimitError",
    "Location",
    "ModelError",
    "Problem",
    "ProgramChanged",
    "ProgramError",
    "RunError",
    "StatementError",
    "StorageError",
    "TransitionError",
    "did_you_mean",
]


@dataclass(frozen=True, slots=True)
class Location:
    """An address in a program file, as a person reads it.

    ``row`` counts as the spreadsheet does (the header is row 1); ``column`` is the header's text;
    ``cell`` is like ``D14``; ``line`` is the line of a YAML or JSON file.
    """

    file: str | None = None
    sheet: str | None = None
    row: int | None = None
    column: str | None = None
    cell: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        parts = []
        if self.file:
            parts.append(self.file)
        if self.sheet:
            parts.append(f'sheet "{self.sheet}"')
        if self.line is not None:
            parts.append(f"line {self.line}")
        elif self.row is not None:
            parts.append(f"row {self.row}")
        if self.column:
            cell = f" ({self.cell})" if self.cell else ""
            parts.append(f'column "{self.column}"{cell}')
        elif self.cell:
            parts.append(f"cell {self.cell}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing found wrong or doubtful in a program.

    ``code`` is like ``AG104`` and ``kind`` a word like ``unknown-target`` (see ``autograph.problems``);
    ``severity`` is ``"error"`` or ``"warning"``; ``hint`` is one sentence with the remedy, or ``""``.
    """

    code: str
    kind: str
    severity: str
    message: str
    location: Location = Location()
    hint: str = ""

    def __str__(self) -> str:
        where = str(self.location)
        text = self.message
        if self.hint:
            text = f"{text if text.endswith(('.', '!', '?')) else text + '.'} {self.hint}"
        return f"{where + ': ' if where else ''}{text} [{self.code}]"


class AutographError(Exception):
    """The root of every error that autograph raises on purpose."""


class ProgramError(AutographError):
    """A program cannot be loaded. ``problems`` holds all that was found, warnings included."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        errors = [p for p in self.problems if p.severity == "error"] or self.problems
        return "\n".join(str(p) for p in errors)


class RunError(AutographError):
    """A turn failed.

    Arguments: the message; ``node``, the name of the node at work; ``location`` of the cell;
    ``trace``, the names of the nodes entered in this turn, oldest first.
    """

    def __init__(
        self,
        message: str,
        *,
        node: str | None = None,
        location: Location | None = None,
        trace: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.node = node
        self.location = location
        self.trace: tuple[str, ...] = tuple(trace)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.node, self.location, self.trace))

    def __str__(self) -> str:
        where = str(self.location) if self.location else ""
        if not where and self.node:
            where = f'node "{self.node}"'
        text = f"{where}: {self.message}" if where else self.message
        if self.trace:
            text += f" (path: {path_text(self.trace)})"
        return text


class StatementError(RunError):
    """A statement was refused by the sandbox, or failed while it ran."""


class LimitError(RunError):
    """A limit of steps, depth, time or size was reached."""


class TransitionError(RunError):
    """The next node could not be determined, or does not exist."""


class StorageError(RunError):
    """A conversation could not be stored, or what was stored cannot be read."""


class ProgramChanged(RunError):
    """A stored conversation stands on something that the present program no longer has."""


class ConversationFinished(RunError):
    """The conversation has ended: no further reply is possible."""


class ModelError(AutographError):
    """A language model could not be asked, or its answer was unusable.

    ``retryable`` says whether the same request may succeed later (a time-out, a 429, a 5xx).
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


def _rebuild(
    kind: type[RunError], message: str, node: str | None, location: Location | None, trace: tuple[str, ...]
) -> RunError:
    return kind(message, node=node, location=location, trace=trace)


def path_text(names: Sequence[str], newest: int = 12) -> str:
    """The path of nodes as one line, the newest ``newest`` names of it."""
    shown = list(names[-newest:])
    if len(names) > newest:
        shown.insert(0, "…")
    return " → ".join(shown)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The sentence ``Did you mean "…"?`` for the nearest of ``known``, or ``""``."""
    lowered = {k.lower(): k for k in known}
    near = get_close_matches(name[:100].lower(), list(lowered), n=1, cutoff=0.6)
    return f'Did you mean "{lowered[near[0]]}"?' if near else ""
