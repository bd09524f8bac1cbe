"""How does a program become a ``View``? Its nodes, the ways between them, and what belongs together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from autograph.errors import Problem
from autograph.graph.clusters import clusters
from autograph.graph.style import LOOKS, look_of
from autograph.graph.view import Exit, Field, View, ViewEdge, ViewFunction, ViewGroup, ViewNode, ViewProblem
from autograph.language.names import Parameter
from autograph.program.node import NodeSpec, Transition
from autograph.program.program import Program
from autograph.vocabulary import choice_index, normalise_action

__all__ = ["view_of"]

_NO_NODE = ("quit", "return", "resume")


def view_of(program: Program, title: str = "") -> View:
    """The neutral picture of a program. A draft may have targets that lead nowhere: they become ``missing`` nodes."""
    nodes = program.nodes
    edges = _merged(edge for node in nodes.values() for edge in _edges(program, node))
    groups = _groups(program, edges)
    homes = clusters(program, edges, groups)
    group_of = {member: group.name for group in groups for member in group.members}
    by_node, general = _placed(program)
    drawn = [_node(program, node, homes[name], group_of.get(name, ""), by_node) for name, node in nodes.items()]
    drawn += _missing(edges, {*nodes, *(group.name for group in groups)}, homes)
    functions = tuple(ViewFunction(node.name, _signature(node)) for node in program.functions.values())
    name = title or (PurePath(program.file).stem if program.file else "program")
    return View(name, tuple(drawn), edges, groups, functions, general)


# ---------------------------------------------------------------------- edges


def _merged(edges: Iterable[ViewEdge]) -> tuple[ViewEdge, ...]:
    """Several ways between the same two nodes are one edge with all their labels."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for edge in edges:
        found.setdefault(edge.key, []).extend(label for label in edge.labels if label)
    return tuple(
        ViewEdge(source, target, kind, tuple(dict.fromkeys(labels)))  # type: ignore[arg-type]
        for (source, target, kind), labels in found.items()
    )


def _edges(program: Program, node: NodeSpec) -> Iterable[ViewEdge]:
    labels = _labels(node)
    for index, transition in enumerate(node.transitions):
        label = labels.get(index, "") if len(node.transitions) > 1 else ""
        found = _target(transition)
        if transition.kind == "dynamic":
            for target in node.allowed_targets:
                if target not in _NO_NODE:
                    yield ViewEdge(node.name, _spelled(program, target), "dynamic", (label or f"${transition.target}",))
        elif found is not None:
            yield ViewEdge(node.name, found, "transition", (label,))
    yield from _unclear(program, node)
    for call in node.plan.calls if node.plan else ():
        if call.function and not call.host:
            yield ViewEdge(node.name, call.function, "call")


def _unclear(program: Program, node: NodeSpec) -> Iterable[ViewEdge]:
    """Where an unclear answer leads: a way of its own, or a further label of a transition."""
    targets = [_target(transition) for transition in node.transitions]
    if node.unclear_index is not None:
        target = targets[node.unclear_index] if node.unclear_index < len(targets) else None
    else:
        target = node.on_unclear if node.on_unclear in program.nodes else None
    if target is not None and target in targets:
        yield ViewEdge(node.name, target, "transition", ("(or unclear)",))
    elif target is not None:
        yield ViewEdge(node.name, target, "unclear", ("unclear",))


def _target(transition: Transition) -> str | None:
    """The node or group that a transition leads to; None for what is an exit."""
    if transition.kind == "node":
        return transition.target
    if transition.kind in ("group_n", "group_star"):
        return transition.target + (".n" if transition.kind == "group_n" else ".*")
    return None


def _spelled(program: Program, target: str) -> str:
    prefix, _, suffix = target.rpartition(".")
    return f"{prefix}.{suffix.lower()}" if suffix == "N" and prefix in program.groups else target


def _labels(node: NodeSpec) -> dict[int, str]:
    """The text of each choice, by the place of its transition."""
    found = {}
    for name, text in node.row.fields.items():
        index = choice_index(name)
        if index is not None and index[0] == "transition_choice" and text:
            found[index[1]] = _line(text)
    return found


def _exits(node: NodeSpec) -> tuple[Exit, ...]:
    labels = _labels(node) if len(node.transitions) > 1 else {}
    if not node.transitions:
        return (Exit("end", "return" if node.callable else "end"),) if not node.row.get("transitions") else ()
    return tuple(
        Exit(transition.kind, _line(transition.text), labels.get(index, ""))
        for index, transition in enumerate(node.transitions)
        if transition.kind in _NO_NODE or (transition.kind == "dynamic" and not node.allowed_targets)
    )


# ---------------------------------------------------------------------- nodes


def _node(
    program: Program, node: NodeSpec, function: str, group: str, problems: Mapping[str, list[ViewProblem]]
) -> ViewNode:
    action = node.action.name if node.action.name != "unknown" else node.row.get("action") or "no action"
    interjection = node.condition_interjection is not None
    look = "interjection" if interjection else "entry" if node.callable else normalise_action(action)
    if look not in LOOKS:
        look = "missing" if node.action.name == "unknown" else "custom"
    word = look_of(look).word if not node.callable and look not in ("custom", "missing") else _word(action)
    return ViewNode(
        name=node.name,
        look=look,
        word=word,
        text=_text(node),
        place=_place(node),
        fields=tuple(Field(name, text) for name, text in node.row.fields.items() if text),
        condition=_line(node.row.get("boolean_condition")),
        question=_line(node.row.get("transition_question")) if len(node.transitions) > 1 else "",
        function=function,
        group=group,
        category=node.state_category,
        start=node.name == program.start and not node.callable,
        interjection=interjection,
        entry=node.callable,
        exits=_exits(node),
        problems=tuple(problems.get(node.name, ())),
    )


def _word(action: str) -> str:
    known = LOOKS.get(normalise_action(action))
    return known.word if known else action


def _text(node: NodeSpec) -> str:
    """What stands in the node's box: the condition of an interjection, else instruction, question or target."""
    if node.condition_interjection is not None:
        return _line(node.row.get("condition_interjection"))
    if node.action.instruction != "ignored" and node.instruction.strip():
        return _line(node.instruction) if node.action.instruction != "statement" else _statements(node.instruction)
    return _line(node.row.get("transition_question") or node.row.get("notes"))


def _statements(source: str) -> str:
    """Several statements on one line, as authors of one-liners would write them."""
    text = ""
    for line in source.splitlines():
        if line.strip():
            text += ("" if not text else " " if text[-1] in "([{," else "; ") + line.strip()
    return _line(text)


def _line(text: str) -> str:
    return " ".join(text.split())


def _place(node: NodeSpec) -> str:
    row = node.row
    return f"row {row.row}" if row.row is not None else f"line {row.line}" if row.line is not None else ""


def _signature(node: NodeSpec) -> str:
    def shown(parameter: Parameter) -> str:
        return f"{parameter.name}={parameter.source}" if parameter.has_default else parameter.name

    return f"{node.name[:-2]}({', '.join(map(shown, node.parameters or ()))})"


def _missing(edges: Sequence[ViewEdge], known: set[str], homes: Mapping[str, str]) -> Iterable[ViewNode]:
    """Targets that do not exist, each drawn once, where it was first named."""
    found: dict[str, str] = {}
    for edge in edges:
        if edge.target not in known:
            found.setdefault(edge.target, homes[edge.source])
    for name, home in found.items():
        yield ViewNode(name, "missing", "missing", "There is no such node.", function=home)


# ---------------------------------------------------------------------- groups


def _groups(program: Program, edges: Sequence[ViewEdge]) -> tuple[ViewGroup, ...]:
    """The groups that are gone to, or that are groups beyond doubt: of two variants at least."""
    used = {edge.target for edge in edges}
    found = []
    for prefix, group in program.groups.items():
        if group.numbered and (f"{prefix}.n" in used or len(group.numbered) > 1):
            found.append(ViewGroup(f"{prefix}.n", "in order", group.numbered, ordered=True))
        if group.lettered and (f"{prefix}.*" in used or len(group.lettered) > 1):
            conditions = any(program.nodes[name].row.get("boolean_condition") for name in group.lettered)
            note = "first whose condition holds" if conditions else "highest score"
            found.append(ViewGroup(f"{prefix}.*", note, group.lettered))
    return tuple(found)


# ---------------------------------------------------------------------- problems


def _placed(program: Program) -> tuple[dict[str, list[ViewProblem]], tuple[ViewProblem, ...]]:
    """The problems by node, and those that belong to none."""
    rows = {node.row.row: name for name, node in program.nodes.items() if node.row.row is not None}
    lines = sorted((node.row.line, name) for name, node in program.nodes.items() if node.row.line is not None)
    by_node: dict[str, list[ViewProblem]] = {}
    general = []
    for found in program.problems:
        name = _owner(found, rows, lines)
        shown = ViewProblem(found.code, found.severity, found.message, found.hint, str(found.location), name)
        if name:
            by_node.setdefault(name, []).append(shown)
        else:
            general.append(shown)
    return by_node, tuple(general)


def _owner(found: Problem, rows: Mapping[int, str], lines: Sequence[tuple[int, str]]) -> str:
    if found.location.row is not None:
        return rows.get(found.location.row, "")
    line = found.location.line
    before = [name for start, name in lines if line is not None and start <= line]
    return before[-1] if before else ""
