"""Which node does a raw target lead to? The post-processing of transitions.

Source: section 5 of ``docs/language.md``: ``$name``, ``return``, ``p.n``, ``p.*``, ``quit``,
``resume``, or the name of a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph.errors import LimitError, ProgramChanged, StatementError, TransitionError, did_you_mean
from autograph.interpreter.events import RETURNED
from autograph.language.names import normalise, parse_target
from autograph.memory import UNSET, MemoryObject
from autograph.program import Program, Transition

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.run import Run

__all__ = ["END", "Variants", "lettered_groups", "process_node_id", "resolve"]

_FEW_NAMES = 100

END = Transition("end", "", "")
"""What a node without transitions takes: it returns from a function, and ends a conversation."""


def process_node_id(
    new_node_id: str, memory_object: MemoryObject, nodes: Mapping[str, Node], statement_interpreter: Any = None
) -> str | None:
    """The name of the node that a raw target leads to; None for the end of the conversation.

    ``new_node_id`` is text as it stands in a transitions cell. A ``return`` pops the level of
    ``memory_object`` (so pass one that may be changed: ``memory.fork(…)``). ``statement_interpreter``
    is accepted for the signature's sake; conditions and return values are evaluated in the
    program's own sandbox. Raises ``TransitionError``.
    """
    bot = next(iter(nodes.values())).bot
    run = bot.start_run(memory_object)
    run.memory = memory_object
    memory_object.top.scope["@fuel"] = run.turn
    target = parse_target(new_node_id)
    expression = bot.program.sandbox.expression(target.expression) if target.kind == "return_value" else None
    kind = "return" if target.kind == "return_value" else target.kind
    current = nodes.get(memory_object.current or "", next(iter(nodes.values())))
    found = resolve(run, current, Transition(kind, target.name, new_node_id, expression))
    return found.name if found else None


def resolve(run: Run, node: Node, transition: Transition) -> Node | None:
    """The node to enter next; None when the conversation, or ``apply_fn``'s call, has ended."""
    if transition.kind == "dynamic":
        transition = _dynamic(run, node, transition)
    match transition.kind:
        case "node":
            return _node(run, node, transition)
        case "group_n":
            return run.nodes[_next_unvisited(run, node, transition)]
        case "group_star":
            return _best_variant(run, node, transition)
        case "return":
            return _return(run, node, transition)
        case "resume":
            return _resume(run, node)
        case "quit":
            _quit(run)
            return None
    if len(run.memory.stack) > 1:
        return _return(run, node, transition)
    _quit(run)
    return None


def _quit(run: Run) -> None:
    """End the conversation; in ``apply_fn`` the value of the node that is left is the result."""
    run.memory.finished = True
    output = run.memory.top.output
    run.result = None if output is UNSET else output


def _node(run: Run, node: Node, transition: Transition) -> Node:
    found = run.nodes.get(transition.target)
    if found is None:
        hint = did_you_mean(transition.target, run.nodes)
        raise _error(node, f'"{transition.target}" is no node. {hint}'.rstrip())
    if found.spec.callable:
        raise _error(node, f'"{transition.target}" is a function and cannot be gone to. Call it from a function node.')
    return found


def _error(node: Node, message: str, field: str = "transitions") -> TransitionError:
    return TransitionError(message, node=node.name, location=node.location(field))


# ---------------------------------------------------------------------- $name


def _dynamic(run: Run, node: Node, transition: Transition) -> Transition:
    """The text of the variable, read once: it may name a node, a group, or be a bare word; it is never code."""
    level = run.memory.top
    name = transition.target
    value = run.reserved(name, level) if name[0] == "_" else level.scope.get(name, UNSET)
    if value is UNSET or value is None:
        state = "is None" if value is None else "is not defined"
        raise _error(node, f'the variable "{name}" that names the next node {state}')
    text = normalise(run.text_of(value))
    target = parse_target(text)
    found = run.program.present_name(text) if target.kind == "node" else text
    if target.kind in ("return_value", "dynamic"):
        raise _error(node, f'"{text}" in the variable "{name}" is no target: a value names a node and is never code')
    if node.spec.allowed_targets and found not in node.spec.allowed_targets:
        allowed = ", ".join(node.spec.allowed_targets)
        raise _error(node, f'"{text}" in the variable "{name}" is not among the allowed targets {allowed}')
    return Transition(target.kind, found if target.kind == "node" else target.name, text)


# ---------------------------------------------------------------------- return, resume


def _return(run: Run, node: Node, transition: Transition) -> Node | None:
    memory = run.memory
    if len(memory.stack) == 1:
        raise _error(node, f'"{transition.text}" stands outside a function. Use quit to end the conversation.')
    level = memory.top
    if transition.expression is not None:
        value = _evaluated(run, node, transition)
    else:
        value = None if level.output is UNSET else level.output
    own = memory.top.own
    if own is not None and len(own) > _FEW_NAMES:
        run.turn.charge(len(own))  # a global call hands them all to its caller
    caller = memory.manage_return(value)
    run.append((RETURNED, caller.last_state or "", value))
    if len(memory.stack) == run.floor:
        run.result = value
        return None
    found = run.nodes.get(caller.last_state or "")
    if found is None:
        raise ProgramChanged(f'the calling node "{caller.last_state}" is no longer in the program', node=node.name)
    if found.spec.plan is None or caller.calls_done >= len(found.spec.plan.calls):
        raise ProgramChanged(f'the node "{found.name}" no longer makes the call that returns to it', node=node.name)
    return found


def _evaluated(run: Run, node: Node, transition: Transition) -> Any:
    assert transition.expression is not None
    try:
        value = run.execute(transition.expression, run.memory.top)
        return run.checked(value, "the returned value")
    except (StatementError, LimitError) as error:
        error.node, error.location = node.name, node.location("transitions")
        raise


def _resume(run: Run, node: Node) -> Node:
    level = run.memory.top
    if not level.interruptions:
        raise _error(node, '"resume" finds no interruption on this level. Only an interjection can be resumed from.')
    name = level.interruptions[-1]
    level.interruptions = level.interruptions[:-1]
    found = run.nodes.get(name)
    if found is None:
        raise ProgramChanged(f'the interrupted node "{name}" is no longer in the program', node=node.name)
    return found


# ---------------------------------------------------------------------- groups


def _no_variants(node: Node, transition: Transition) -> TransitionError:
    return _error(node, f'"{transition.text}" leads nowhere: "{transition.target}" has no variants of this kind')


@dataclass(frozen=True, slots=True)
class Variants:
    """The lettered variants of a group, in order; ``by_condition``: at least one has a condition."""

    variants: tuple[Node, ...]
    by_condition: bool


def lettered_groups(program: Program, nodes: Mapping[str, Node]) -> dict[str, Variants]:
    """The groups of ``p.*`` by prefix."""
    found = {}
    for prefix, group in program.groups.items():
        variants = tuple(nodes[name] for name in group.lettered)
        if variants:
            found[prefix] = Variants(variants, any(v.spec.boolean_condition is not None for v in variants))
    return found


def _next_unvisited(run: Run, node: Node, transition: Transition) -> str:
    group = run.program.groups.get(transition.target)
    if group is None or not group.numbered:
        raise _no_variants(node, transition)
    for name in group.numbered:
        if not run.memory.visits(name):
            return name
    return group.numbered[-1]


def _best_variant(run: Run, node: Node, transition: Transition) -> Node:
    found = run.bot.lettered.get(transition.target)
    if found is None:
        raise _no_variants(node, transition)
    if found.by_condition:
        return _first_that_holds(run, node, transition, found.variants)
    return max(found.variants, key=lambda variant: _score(run, variant))


def _first_that_holds(run: Run, node: Node, transition: Transition, variants: tuple[Node, ...]) -> Node:
    level = run.memory.stack[-1]
    variant = node
    try:
        for variant in variants:
            condition = variant.spec.boolean_condition
            if condition is None:
                return variant
            if variant.quick_condition is not None:
                if eval(variant.quick_condition, level.scope):
                    return variant
            elif run.execute(condition, level):
                return variant
    except Exception as error:
        raise _failed_condition(error, run, node, variant) from None
    tried = "; ".join(f"{v.name}: {v.spec.row.fields['boolean_condition']}" for v in variants)
    raise _error(node, f'no condition of "{transition.text}" holds ({tried}). Add a variant without a condition.')


def _failed_condition(error: Exception, run: Run, node: Node, variant: Node) -> Exception:
    """The error of a condition, with the condition's cell as its address."""
    from autograph.language.sandbox import translate_error

    condition = variant.spec.boolean_condition
    assert condition is not None
    found = translate_error(error, condition, run.memory.top.scope)
    found.node, found.location = node.name, variant.location("boolean_condition")
    return found


def _score(run: Run, variant: Node) -> int:
    spec, visits = variant.spec, run.memory.visits
    score = sum(visits(name) for name in spec.up_weight_states)
    score -= sum(visits(name) for name in spec.down_weight_states)
    if spec.prerequisite_states and not any(visits(name) for name in spec.prerequisite_states):
        score -= 10_000
    if any(visits(name) for name in spec.blocking_states):
        score -= 10_000
    return score
