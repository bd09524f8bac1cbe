"""Which transition? Questions are put to the classifier, and its answers become transitions.

Source: section 5 of ``docs/language.md``. The interjection question comes first; with it the
node's own question goes out in the same request, since most of the time no interjection is taken.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograph.errors import ModelError, RunError, TransitionError
from autograph.interpreter.effects import Choose, Effect
from autograph.interpreter.events import ASKED, INTERRUPTED
from autograph.interpreter.prompts import classifier_context
from autograph.models.base import Choice, Question
from autograph.program import Transition

if TYPE_CHECKING:
    from autograph.interpreter.nodes import Node
    from autograph.interpreter.run import Run

__all__ = ["choose_transition"]

MAX_INTERRUPTIONS = 20
"""How many interruptions a level remembers."""

_YES_NO = ("Yes", "No")


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question and, for each of its choices as asked, the transition's index."""

    question: Question
    order: tuple[int, ...]


def choose_transition(run: Run, node: Node) -> Generator[Effect, Any, Transition]:
    """The transition that a node takes, asking where there is a choice."""
    interjection = _interjection(run, node) if node.speaks and run.program.interjections else None
    own: _Asking | None = None
    undefined: RunError | None = None
    if len(node.spec.transitions) > 1:
        try:
            own = _own_question(run, node)
        except RunError as error:
            if interjection is None:
                raise
            undefined = error
    asked = [asking for asking in (interjection, own) if asking is not None]
    choices = yield from _ask(run, node, asked)
    if interjection is not None:
        target = _interjection_target(run, node, interjection.question, choices[0])
        if target is not None:
            return _interrupt(run, node, target)
    if undefined is not None:
        raise undefined
    if own is None:
        return node.only_transition
    choice = choices[-1]
    if choice is None:
        (choice,) = yield from _ask(run, node, [own])
    return _own_transition(run, node, own, choice or Choice(None))


def _ask(run: Run, node: Node, asked: list[_Asking]) -> Generator[Effect, Any, list[Choice | None]]:
    if not asked:
        return []
    choices: list[Choice | None] = yield Choose(tuple(a.question for a in asked), node.model(run, "classifier"))
    if len(choices) != len(asked):
        raise TransitionError(f"the classifier gave {len(choices)} answers to {len(asked)} questions", node=node.name)
    for choice, asking in zip(choices, asked, strict=True):
        if choice is not None:
            run.add_usage(choice.usage)
            if choice.index is not None and not 0 <= choice.index < len(asking.order):
                raise ModelError(f"the classifier chose number {choice.index} of {len(asking.order)} choices")
    return choices


# ---------------------------------------------------------------------- the node's own question


def _own_question(run: Run, node: Node) -> _Asking:
    spec = node.spec
    assert spec.question is not None  # the loader refuses several transitions without a question
    question = run.render(spec.question, node, "transition_question")[0]
    labels = tuple(
        run.render(choice, node, f"transition_choice_{chr(ord('a') + i)}")[0] for i, choice in enumerate(spec.choices)
    )
    order = tuple(range(len(labels)))
    words = [label.strip().lower() for label in labels]
    if sorted(words) == ["no", "yes"]:
        order = (words.index("yes"), words.index("no"))
        labels = _YES_NO
    prompt = run.config.default_question_prompt
    if spec.question_prompt is not None:
        prompt = run.render(spec.question_prompt, node, "question_prompt")[0]
    return _Asking(
        Question(
            node.name, question, labels, prompt, classifier_context(run, _context_size(run, node)),
            timeout=run.time_left, seed=run.config.seed,
        ),
        order,
    )  # fmt: skip


def _context_size(run: Run, node: Node) -> int:
    size = node.spec.transition_context
    return run.config.default_transition_context if size is None else size


def _own_transition(run: Run, node: Node, asking: _Asking, choice: Choice) -> Transition:
    spec = node.spec
    index = None if choice.index is None else asking.order[choice.index]
    least, confidence = spec.min_confidence, choice.confidence
    too_low = least is not None and confidence is not None and confidence < least
    if index is not None and not too_low:
        transition = spec.transitions[index]
    else:
        transition = _unclear(node, asking.question, choice)
    run.append((ASKED, node.name, asking.question, choice, transition.text))
    return transition


def _unclear(node: Node, question: Question, choice: Choice) -> Transition:
    spec = node.spec
    if spec.unclear_index is not None:
        return spec.transitions[spec.unclear_index]
    if spec.on_unclear != "error":
        return Transition("node", spec.on_unclear, spec.on_unclear)
    if choice.index is None:
        what = f'the answer "{choice.text}" is none of {_listed(question)}'
    else:
        low = f"{choice.confidence:.2f}, below {spec.min_confidence:g}"
        what = f'the confidence of "{question.choices[choice.index]}" is {low}'
    message = f'the question "{question.question}" has no clear answer: {what}. Say in on_unclear what happens then.'
    raise TransitionError(message, node=node.name, location=node.location("transition_question"))


def _listed(question: Question) -> str:
    return ", ".join(f'"{label}"' for label in question.choices)


# ---------------------------------------------------------------------- interjections


def _interjection(run: Run, node: Node) -> _Asking:
    config = run.config
    labels, examples = [], []
    for spec in run.program.interjections:
        other = run.nodes[spec.name]
        assert spec.condition_interjection is not None
        labels.append(run.render(spec.condition_interjection, other, "condition_interjection")[0])
        if spec.example_interjection is not None:
            examples.append(run.render(spec.example_interjection, other, "example_interjection")[0])
    labels.append(config.interjection_default_answer)
    question = Question(
        node.name,
        config.interjection_question,
        tuple(labels),
        "\n\n".join([config.default_question_prompt, *examples]),
        classifier_context(run, config.default_transition_context),
        "interjection",
        passes_on=len(labels) - 1,
        unclear_decides=config.on_unclear_interjection == "error",
        timeout=run.time_left,
        seed=config.seed,
    )
    return _Asking(question, tuple(range(len(labels))))


def _interjection_target(run: Run, node: Node, question: Question, choice: Choice | None) -> str | None:
    """The node that an interjection leads to; None if there was none."""
    choice = choice or Choice(None)
    if choice.index is None and run.config.on_unclear_interjection == "error":
        message = (
            f'the interjection question has no clear answer: "{choice.text}" is none of {_listed(question)}. '
            "Set on_unclear_interjection to none if that means: no interjection."
        )
        raise TransitionError(message, node=node.name, location=node.location("name"))
    taken = choice.index is not None and choice.index != question.passes_on
    target = run.program.interjections[choice.index].name if taken and choice.index is not None else None
    run.append((ASKED, node.name, question, choice, target or ""))
    return target


def _interrupt(run: Run, node: Node, target: str) -> Transition:
    level = run.memory.top
    level.interruptions = (*level.interruptions, node.name)[-MAX_INTERRUPTIONS:]
    run.append((INTERRUPTED, node.name, target))
    return Transition("node", target, target)
