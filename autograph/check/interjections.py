"""Which interjections get into each other's way?"""

from __future__ import annotations

from collections.abc import Iterator

from autograph.check.questions import overlaps, plain
from autograph.check.subject import Subject
from autograph.errors import Problem

__all__ = ["interjection_never_asked", "same_interjections"]


def same_interjections(subject: Subject) -> Iterator[Problem]:
    """Conditions of interjections that say the same, or of which one holds wherever another does."""
    specs = list(subject.program.interjections)
    texts = [plain(spec.row.fields["condition_interjection"]) for spec in specs]
    first: dict[str, int] = {}
    none = plain(subject.program.config.interjection_default_answer)
    for i, text in enumerate(texts):
        known = first.setdefault(text, i)
        if known != i:
            message = f'"{specs[i].name}" has the same condition as "{specs[known].name}", which is asked before it'
            hint = "Say in each condition what the other does not say, or make one node of them."
            yield subject.note("same-interjection", specs[i], "condition_interjection", message, hint)
        elif text == none:
            message = f'the condition of "{specs[i].name}" is the answer that means: no interjection'
            yield subject.note(
                "same-interjection", specs[i], "condition_interjection", message, "Say what the user does."
            )
    for i, j in overlaps(texts):
        if texts[i] != texts[j]:
            message = f'the conditions of "{specs[i].name}" and "{specs[j].name}" can both be true'
            hint = "Word them so that only one of them can be true."
            yield subject.note("overlapping-interjections", specs[j], "condition_interjection", message, hint)


def interjection_never_asked(subject: Subject) -> Iterator[Problem]:
    """Interjections of a program in which no node that speaks can be interrupted."""
    graph = subject.graph
    if graph.hub is None or subject.incomplete or any(graph.interrupted[number] for number in subject.known_nodes):
        return
    for spec in subject.program.interjections:
        message = f'"{spec.name}" is never asked for: no node that speaks lets the user answer'
        hint = "Interjections are asked for after a chat node that has a transition other than quit."
        yield subject.note("interjection-never-asked", spec, "condition_interjection", message, hint)
