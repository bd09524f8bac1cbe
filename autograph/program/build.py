"""How do rows become a program? Names first, then each node's cells, then the links between nodes.

All problems are collected; ``ProgramError`` lists them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig
from autograph.errors import Location, Problem, ProgramError, StatementError, did_you_mean
from autograph.language.names import NameProblem, NodeName, parse_name
from autograph.problems import problem
from autograph.program.capabilities import asked_of, with_stand_ins
from autograph.program.cells import CellReader
from autograph.program.groups import find_groups
from autograph.program.links import check_links
from autograph.program.node import NodeSpec
from autograph.program.program import Program
from autograph.program.read_node import read_node
from autograph.program.settings import read_settings
from autograph.tables import Row, Rows
from autograph.vocabulary import ACTIONS, ALIASES, Action, normalise_action

if TYPE_CHECKING:
    from autograph.language.sandbox import Sandbox

__all__ = ["build", "build_draft"]

_STAND_IN = Action("unknown", "stands for an action that does not exist", "ignored", required=False)
"""With it the rest of a row is checked although its action is wrong."""


def build(
    rows: Rows,
    config: AutographConfig | None = None,
    modules: Mapping[str, Any] | None = None,
    actions: Mapping[str, Action] | None = None,
) -> Program:
    """Compile rows to a program; ``actions`` are further ones beside the fifteen of the language.

    Raises ``ProgramError`` with everything that is wrong.
    """
    program, found = build_draft(rows, config, modules, actions)
    _refuse(found)
    return program


def build_draft(
    rows: Rows,
    config: AutographConfig | None = None,
    modules: Mapping[str, Any] | None = None,
    actions: Mapping[str, Action] | None = None,
) -> tuple[Program, list[Problem]]:
    """What can be made of rows that may be wrong, and all problems: a program to be looked at, not to be run.

    Targets may lead nowhere, and what stands in a wrong cell is missing from its node. Raises
    ``ProgramError`` where not one row makes a node.
    """
    settings, problems = read_settings(rows, config or AutographConfig())
    hosts = with_stand_ins({**settings.python_modules, **(modules or {})}, asked_of(settings))
    sandbox = _sandbox(rows, settings, hosts, problems)
    names = _names(rows, sandbox, problems)
    functions = {name.name[:-2]: name.parameters or () for _, name in names if name.parameters is not None}
    reader = CellReader(sandbox, functions, [name for _, name in names])
    nodes: dict[str, NodeSpec] = {}
    for row, name in names:
        action = row.fields.get("action", "")
        word = normalise_action(action)
        known = ACTIONS.get(word) or (actions or {}).get(word)
        if known is None:
            reader.problems.append(_bad_action(row, action))
        nodes[name.name] = read_node(reader, row, name, known or _STAND_IN)
    problems += reader.problems
    groups = find_groups(names, problems)
    check_links(nodes, groups, problems)
    found = sorted([*rows.problems, *problems], key=_reading_order)
    if not nodes:
        raise ProgramError(found)
    return _program(rows, settings, hosts, sandbox, nodes, groups, found), found


def _sandbox(rows: Rows, settings: AutographConfig, hosts: Mapping[str, Any], problems: list[Problem]) -> Sandbox:
    """The sandbox of the program; one with the default settings if the given ones cannot be."""
    from autograph.language.sandbox import Sandbox

    try:
        return Sandbox(settings, hosts)
    except StatementError as error:
        problems.append(problem("bad-config", error.message, Location(rows.file, rows.sheet)))
        return Sandbox(AutographConfig())


def _refuse(found: Iterable[Problem]) -> None:
    if any(p.severity == "error" for p in found):
        raise ProgramError(found)


def _reading_order(found: Problem) -> tuple[int, int]:
    return (found.location.row or 0, found.location.line or 0)


def _names(rows: Rows, sandbox: Sandbox, problems: list[Problem]) -> list[tuple[Row, NodeName]]:
    """The names of all rows; rows without a usable name are left out, with a problem."""
    names: list[tuple[Row, NodeName]] = []
    first: dict[str, Row] = {}
    for row in rows:
        text = row.fields.get("name", "")
        if not text:
            problems.append(
                problem("missing-name", "the row has no name", row.cell("name"), "Give it one, or clear it.")
            )
            continue
        try:
            name = parse_name(text)
        except NameProblem as error:
            problems.append(problem(error.kind, str(error), row.cell("name")))
            continue
        if name.name in first:
            problems.append(_duplicate(row, first[name.name], name))
            continue
        if name.parameters is not None and name.name[:-2] in sandbox.names:
            taken = f'"{name.name}" cannot be defined: {name.name[:-2]} is a builtin, module or host function'
            problems.append(problem("name-taken", taken, row.cell("name"), "Choose another name."))
        first[name.name] = row
        names.append((row, name))
    return names


def _duplicate(row: Row, earlier: Row, name: NodeName) -> Problem:
    def place(which: Row) -> str:
        return f"row {which.row}" if which.row is not None else f"line {which.line}"

    message = f'"{name.name}" stands in {place(earlier)} and again in {place(row)}'
    return problem("duplicate-node", message, row.cell("name"), "Names must be unique: rename or delete one of them.")


def _bad_action(row: Row, action: str) -> Problem:
    if not action:
        return problem("missing-action", "the row has no action", row.cell("action"), "Write for instance chat.")
    return problem(
        "unknown-action",
        f'there is no action "{action}"',
        row.cell("action"),
        did_you_mean(action, [*ACTIONS, *ALIASES]) or f"The actions are {', '.join(ACTIONS)}.",
    )


def _program(
    rows: Rows,
    settings: AutographConfig,
    hosts: Mapping[str, Any],
    sandbox: Sandbox,
    nodes: dict[str, NodeSpec],
    groups: Mapping[str, Any],
    problems: Iterable[Problem],
) -> Program:
    return Program(
        nodes=MappingProxyType(nodes),
        start=settings.start_state if settings.start_state in nodes else next(iter(nodes)),
        config=settings,
        sandbox=sandbox,
        functions=MappingProxyType({n.name[:-2]: n for n in nodes.values() if n.callable}),
        groups=MappingProxyType(dict(groups)),
        interjections=tuple(n for n in nodes.values() if n.condition_interjection is not None),
        renamed=MappingProxyType({old: n.name for n in nodes.values() for old in n.formerly}),
        uses_conv_scope=any(n.conv_scope for n in nodes.values()),
        file=rows.file,
        sheet=rows.sheet,
        problems=tuple(problems),
        modules=MappingProxyType(dict(hosts)),
    )
