"""How is a program checked? It is read and loaded, then every check looks at it; all problems at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType
from typing import Any

from autograph.check import (
    expressions,
    functions,
    groups,
    interjections,
    loops,
    prompts,
    prose,
    questions,
    reach,
    sheet,
    unread,
    unset,
)
from autograph.check.subject import Subject
from autograph.config import AutographConfig
from autograph.errors import Problem, ProgramError
from autograph.program import Program
from autograph.program.build import build_draft
from autograph.tables import Rows, read_rows
from autograph.vocabulary import ACTIONS, Action, normalise_action

__all__ = ["CHECKS", "UNREADABLE", "Checked", "check", "check_program", "check_rows"]

CheckFunction = Callable[[Subject], Iterator[Problem]]

CHECKS: Mapping[CheckFunction, tuple[str, ...]] = MappingProxyType(
    {
        reach.unreachable: ("unreachable-node",),
        reach.uncalled_functions: ("function-not-called",),
        reach.traps: ("trap", "endless-loop"),
        reach.returns_outside: ("return-outside-function", "return-perhaps-outside"),
        reach.resume_without_interruption: ("resume-without-interruption",),
        loops.unchanging_loops: ("unchanging-loop",),
        functions.never_returns: ("never-returns",),
        functions.endless_recursion: ("endless-recursion",),
        questions.duplicate_choices: ("duplicate-choice",),
        questions.overlapping_choices: ("overlapping-choices",),
        questions.swapped_choices: ("swapped-choices",),
        groups.else_not_last: ("else-not-last",),
        groups.hidden_variants: ("hidden-variant",),
        interjections.same_interjections: ("same-interjection", "overlapping-interjections"),
        interjections.interjection_never_asked: ("interjection-never-asked",),
        unset.unset_variables: (
            "unset-variable", "misspelt-variable", "perhaps-unset-variable", "not-known-in-function",
            "accidental-dollar", "spreadsheet-boolean",
        ),
        unread.unread_variables: ("unread-variable", "accidental-assignment"),
        prompts.missing_prompt: ("missing-prompt",),
        prose.braces_in_text: ("braces-in-text",),
        prose.idle_optional_parts: ("idle-optional-part",),
        prose.unknown_categories: ("unknown-category",),
        expressions.never_equal: ("never-equal",),
        expressions.constant_conditions: ("constant-condition",),
        expressions.lost_results: ("lost-result",),
        expressions.unknown_visits: ("unknown-node",),
        sheet.date_like: ("date-like-text",),
        sheet.error_texts: ("error-text",),
        sheet.broken_letters: ("broken-letters",),
        sheet.unused_fields: ("unused-field",),
    }
)  # fmt: skip
"""The checks, each with the kinds of problems that it finds; what loading finds comes before them."""

UNREADABLE = frozenset(
    ("unreadable-file", "unknown-format", "not-a-table", "empty-table", "no-header", "bad-yaml", "sheet-not-shared",
     "bad-encoding", "too-large", "unknown-sheet")
)  # fmt: skip
"""Kinds of problems with which a file is no table at all."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a check: all problems in the order of the file; ``program`` and ``rows`` as far as they go."""

    problems: tuple[Problem, ...]
    program: Program | None = None
    rows: Rows | None = None

    @property
    def readable(self) -> bool:
        """Whether the file is a table at all."""
        return not any(found.kind in UNREADABLE and found.severity == "error" for found in self.problems)


def check(
    source: Any,
    *,
    config: AutographConfig | None = None,
    modules: Mapping[str, Any] | None = None,
    sheet: str | None = None,
    disable: Collection[str] = (),
) -> Checked:
    """All that is wrong or doubtful with a program; nothing is raised for it.

    ``source``, ``config``, ``modules`` and ``sheet`` are those of ``autograph.load``. ``disable``: codes
    (``AG404``) or kinds (``unread-variable``) of warnings that are not wanted.
    """
    try:
        if isinstance(source, (str, PathLike)) and str(source).endswith(".py"):
            from autograph.interpreter.loading import read_source

            read = read_source(source)
            rows, modules = read.rows, {**read.modules, **(modules or {})}
        else:
            rows = read_rows(source, sheet=sheet)
    except ProgramError as error:
        return Checked(tuple(error.problems))
    return check_rows(rows, config=config, modules=modules, disable=disable)


def check_rows(
    rows: Rows,
    *,
    config: AutographConfig | None = None,
    modules: Mapping[str, Any] | None = None,
    disable: Collection[str] = (),
) -> Checked:
    """The same for rows that were read already."""
    try:
        program, problems = build_draft(rows, config, modules, _actions(rows))
    except ProgramError as error:
        return Checked(tuple(_wanted(error.problems, disable)), None, rows)
    return Checked(tuple(_wanted(check_program(program, rows, problems), disable)), program, rows)


def _actions(rows: Rows) -> Mapping[str, Action]:
    """The actions that other packages add, where a row has one that is not of the language."""
    if all(normalise_action(row.fields.get("action", "")) in ACTIONS for row in rows):
        return {}
    from autograph.interpreter.plugins import installed_actions

    return {name: cls.action for name, cls in installed_actions().items() if cls.action is not None}


def check_program(program: Program, rows: Rows, problems: Iterable[Problem] | None = None) -> list[Problem]:
    """The problems of loading and all that the checks find, each once, in the order of the file."""
    loaded = list(program.problems if problems is None else problems)
    subject = Subject(program, rows, loaded)
    told = {(found.code, found.location) for found in loaded}
    seen: set[Problem] = set()
    for function in CHECKS:
        for found in function(subject):
            if found not in seen and (found.code, found.location) not in told:
                seen.add(found)
                loaded.append(found)
    return sorted(loaded, key=_reading_order)


def _reading_order(found: Problem) -> tuple[str, int, int, int, str, str]:
    where = found.location
    cell = where.cell or ""
    return (where.sheet or "", where.row or 0, where.line or 0, len(cell), cell, found.code)


def _wanted(problems: Iterable[Problem], disable: Collection[str]) -> Iterator[Problem]:
    """The problems without the warnings that are switched off; errors cannot be."""
    off = {word.upper() for word in disable} | {word.lower() for word in disable}
    for found in problems:
        if found.severity == "error" or not {found.code, found.kind} & off:
            yield found
