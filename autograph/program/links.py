"""Do the nodes fit together? Every name that a node mentions must lead somewhere sensible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from autograph.errors import Problem, did_you_mean
from autograph.problems import problem
from autograph.program.groups import variant_name
from autograph.program.node import Group, NodeSpec, Transition
from autograph.vocabulary import letter

__all__ = ["check_links"]

_STATE_LISTS = ("prerequisite_states", "blocking_states", "up_weight_states", "down_weight_states", "required_revisit")


def check_links(nodes: dict[str, NodeSpec], groups: Mapping[str, Group], problems: list[Problem]) -> None:
    """Check all targets; settle ``on_unclear``."""
    checker = _Checker(nodes, groups, problems)
    for name, node in list(nodes.items()):
        for transition in node.transitions:
            checker.transition(node, transition)
        checker.state_lists(node)
        checker.allowed_targets(node)
        if node.formerly:
            checker.formerly(node)
        checker.interjection(node)
        if node.on_unclear != "error":
            nodes[name] = checker.on_unclear(node)


class _Checker:
    def __init__(self, nodes: Mapping[str, NodeSpec], groups: Mapping[str, Group], problems: list[Problem]) -> None:
        self.nodes = nodes
        self.names = set(nodes)
        self.groups = groups
        self._suggestions = 200
        self.problems = problems

    def near(self, name: str, known: Iterable[str]) -> str:
        """The nearest of ``known``, for the first problems only: comparing thousands with thousands takes minutes."""
        self._suggestions -= 1
        return did_you_mean(name, known) if self._suggestions >= 0 else ""

    def note(self, kind: str, node: NodeSpec, field: str, message: str, hint: str = "") -> None:
        self.problems.append(problem(kind, message, node.location(field), hint))

    # ------------------------------------------------------------------ transitions

    def transition(self, node: NodeSpec, transition: Transition) -> None:
        """The target of a transition must exist, and must not be a callable node."""
        if transition.kind == "node":
            self._node_target(node, "transitions", transition.target)
        elif transition.kind in ("group_n", "group_star"):
            self._group_target(node, transition)

    def _node_target(self, node: NodeSpec, field: str, target: str) -> bool:
        if target in self.names:
            found = self.nodes.get(target)
            if found is not None and found.callable:
                return self._to_function(node, field, target)
            return True
        call = re.match(r"(\w+)\s*\(", target)
        if call and f"{call[1]}()" in self.names:
            return self._to_function(node, field, f"{call[1]}()")
        hint = self.near(target, [n for n in self.names if n.endswith("()") is False] + ["return", "quit", "resume"])
        if f"{target}()" in self.names:
            hint = f'"{target}()" is a function: call it from a node with the action local_function.'
        elif len(several := self._several(target)) > 1:
            hint = f"Separate transitions with commas: {', '.join(several)}."
        self.note(
            "unknown-target", node, field, f'there is no node "{target}"', hint or "Add the node or correct the name."
        )
        return False

    def _several(self, target: str) -> list[str]:
        """The nodes that ``a; b``, ``a or b`` or two lines mean, if all of them exist."""
        parts = [part for part in re.split(r"\s*[;|/]\s*|\s+(?:(?:or|and)\s+)?", target) if part]
        return parts if all(part in self.names or part in ("return", "quit", "resume") for part in parts) else []

    def _to_function(self, node: NodeSpec, field: str, target: str) -> bool:
        self.note(
            "transition-to-function", node, field, f'"{target}" is a function and cannot be gone to',
            f'Go to a node with the action local_function whose instruction is "x = {target}".',
        )  # fmt: skip
        return False

    def _group_target(self, node: NodeSpec, transition: Transition) -> None:
        by_number = transition.kind == "group_n"
        group = self.groups.get(transition.target, Group(transition.target))
        variants = group.numbered if by_number else group.lettered
        first = variant_name(transition.target, 1, by_number)
        if not variants:
            other = group.lettered if by_number else group.numbered
            hint = f'"{transition.target}" alone is a node.' if transition.target in self.names else ""
            if other:
                suffix = "*" if by_number else "n"
                hint = f'There is "{other[0]}": write "{transition.target}.{suffix}" for it.'
            message = f'"{transition.text}" leads nowhere: there is no "{first}"'
            self.note("no-variant", node, "transitions", message, hint or "Add the variants.")
        elif variants[0].lower() != first.lower():
            message = f'the variants of "{transition.target}" have a gap: "{first}" is missing'
            self.note("variant-gap", node, "transitions", message, f'The first one there is "{variants[0]}".')

    # ------------------------------------------------------------------ lists of nodes

    def state_lists(self, node: NodeSpec) -> None:
        """Lists of states name nodes."""
        for field in _STATE_LISTS:
            for name in getattr(node, field):
                if name not in self.names:
                    hint = self.near(name, self.names)
                    self.note("unknown-node", node, field, f'there is no node "{name}"', hint or "Correct the name.")

    def allowed_targets(self, node: NodeSpec) -> None:
        """``allowed_targets`` names what a ``$name`` transition may lead to."""
        for name in node.allowed_targets:
            prefix, _, suffix = name.rpartition(".")
            known = name in self.names or name in ("return", "quit", "resume")
            if not known and not (suffix in ("n", "*") and prefix in self.groups):
                hint = self.near(name, self.names)
                self.note(
                    "unknown-node", node, "allowed_targets", f'there is no node "{name}"', hint or "Correct the name."
                )

    def formerly(self, node: NodeSpec) -> None:
        """An earlier name must be nobody's present name."""
        for name in node.formerly:
            if name in self.names:
                self.note(
                    "bad-formerly", node, "formerly", f'the earlier name "{name}" is a node\'s present name',
                    "Delete it here or rename that node.",
                )  # fmt: skip
        for other in self.nodes.values():
            if other is node:
                break
            for name in set(other.formerly) & set(node.formerly):
                message = f'the earlier name "{name}" is also given by "{other.name}"'
                self.note("bad-formerly", node, "formerly", message, "Only one node can have had it.")

    # ------------------------------------------------------------------ answers

    def interjection(self, node: NodeSpec) -> None:
        """An interjection jumps to its node, which therefore cannot be callable."""
        if node.condition_interjection is not None and node.callable:
            self._to_function(node, "condition_interjection", node.name)

    def on_unclear(self, node: NodeSpec) -> NodeSpec:
        """``on_unclear`` is a node's name or the letter of one of the node's choices."""
        word = node.on_unclear
        letters = [letter(i).lower() for i in range(len(node.transitions))]
        if word.lower() == "error":
            return replace(node, on_unclear="error")
        if word.lower() in letters:
            if word in self.names:
                message = f'"{word}" is ambiguous: it is a choice letter and a node'
                self.note("bad-on-unclear", node, "on_unclear", message, "Rename the node.")
            return replace(node, unclear_index=letters.index(word.lower()))
        if word in self.names:
            self._node_target(node, "on_unclear", word)
            return node
        hint = self.near(word, [*self.names, "error"])
        self.note(
            "bad-on-unclear", node, "on_unclear", f'"{word}" is neither error, nor a node, nor a choice letter',
            hint or "Write error, the name of a node, or the letter of a choice.",
        )  # fmt: skip
        return node
