"""What does a program ask a classifier? Its questions with their choices, and which choice a text in a table means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autograph.errors import did_you_mean
from autograph.evaluation.fault import Fault
from autograph.evaluation.understanding.sayings import Saying
from autograph.models.answers import match_label, match_letter, normalised
from autograph.models.base import letter
from autograph.program import NodeSpec, Program

__all__ = [
    "INTERJECTIONS",
    "NONE",
    "Subject",
    "Wanted",
    "interjection_subject",
    "node_named",
    "own_subject",
    "subjects_of",
    "wanted",
]

INTERJECTIONS = "interjections"
"""The name of the question about interjections, which is one for all nodes that speak."""

NONE = "none"
"""What a table calls the choice that no interjection was meant."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A question of a program, as it stands in the sheet.

    ``name`` is the node that asks, or ``interjections``; ``interjects`` tells the two apart. ``labels`` are the
    choices as written, ``targets`` where each leads (for interjections their nodes; the last choice is ``none``).
    """

    name: str
    question: str
    labels: tuple[str, ...]
    targets: tuple[str, ...]
    interjects: bool = False

    def key(self, index: int) -> str:
        """How a choice is called in tables: its letter, or the interjection's node."""
        return self.targets[index] if self.interjects else letter(index)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The question that a saying is about, and the index of the choice that it should lead to; ``node`` asks it."""

    node: NodeSpec
    subject: Subject
    index: int

    @property
    def key(self) -> str:
        """The row of the question's table."""
        return self.subject.key(self.index)


def node_named(program: Program, text: str) -> NodeSpec | None:
    """The node that a text names; a function also with its parameters, as the sheet has it."""
    name = program.present_name(text)
    if name not in program.nodes and text.strip().endswith(")"):
        name = program.present_name(text.partition("(")[0] + "()")
    return program.nodes.get(name)


def own_subject(spec: NodeSpec) -> Subject | None:
    """The question that a node asks about its own transitions; None if it has none to ask."""
    if len(spec.transitions) < 2 or spec.question is None:
        return None
    labels = tuple(choice.source for choice in spec.choices)
    return Subject(spec.name, spec.question.source, labels, tuple(t.text for t in spec.transitions))


def interjection_subject(program: Program) -> Subject | None:
    """The question about interjections; None in a program without any."""
    if not program.interjections:
        return None
    labels = [spec.condition_interjection.source for spec in program.interjections if spec.condition_interjection]
    targets = [spec.name for spec in program.interjections]
    default = program.config.interjection_default_answer
    question = program.config.interjection_question
    return Subject(INTERJECTIONS, question, (*labels, default), (*targets, NONE), True)


def subjects_of(program: Program) -> Iterator[Subject]:
    """All questions of a program, in row order, that about interjections last."""
    for spec in program.nodes.values():
        subject = own_subject(spec)
        if subject is not None:
            yield subject
    about = interjection_subject(program)
    if about is not None:
        yield about


def wanted(saying: Saying, program: Program) -> Wanted | Fault:
    """What a saying should lead to, or what is wrong with its row.

    The node's own choices come first (label, target, letter, number counted from 0), then the interjections (node or
    condition), then ``none``.
    """
    spec = node_named(program, saying.node)
    if spec is None:
        near = did_you_mean(saying.node, program.nodes)
        return Fault(saying.at("node"), f'there is no node "{saying.node}".', near or "Name a node of the program.")
    own = own_subject(spec)
    about = interjection_subject(program) if spec.action.speaks else None
    if own is not None:
        found = _own_choice(saying.choice, own)
        if isinstance(found, str):
            return Fault(saying.at("choice"), found, "Write its label or its letter.")
        if found is not None:
            return Wanted(spec, own, found)
    if about is not None:
        index = _interjection(program.present_name(saying.choice), saying.choice, about)
        if index is not None:
            return Wanted(spec, about, index)
    return _unknown(saying, own, about)


def _own_choice(text: str, subject: Subject) -> int | str | None:
    """The index of the choice that a text means; what is wrong with it where it means two."""
    index = match_label(text, subject.labels)
    if index is not None:
        return index
    hits = [i for i, target in enumerate(subject.targets) if normalised(target) == normalised(text)]
    if len(hits) > 1:
        return f'two choices of the node "{subject.name}" lead to "{text}".'
    if hits:
        return hits[0]
    index = match_letter(text, subject.labels)
    if index is not None:
        return index
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
    return number if 0 <= number < len(subject.labels) else None


def _interjection(name: str, text: str, about: Subject) -> int | None:
    if name in about.targets:
        return about.targets.index(name)
    if text.strip().casefold() == NONE:
        return len(about.targets) - 1
    return match_label(text, about.labels)


def _unknown(saying: Saying, own: Subject | None, about: Subject | None) -> Fault:
    if own is None and about is None:
        message = f'the node "{saying.node}" asks nothing: it has one way on, and no interjection can be taken there.'
        return Fault(
            saying.at("node"), message, "Name a node with a transition_question, or one that can be interrupted."
        )
    names = [*(own.labels if own else ()), *(own.targets if own else ()), *(about.targets if about else ())]
    listed = []
    if own is not None:
        listed = [f"{letter(i)}. {label} ({own.targets[i]})" for i, label in enumerate(own.labels)]
    if about is not None:
        listed += about.targets
    hint = did_you_mean(saying.choice, names) or f"There are: {', '.join(listed)}."
    return Fault(saying.at("choice"), f'the node "{saying.node}" has no choice "{saying.choice}".', hint)
