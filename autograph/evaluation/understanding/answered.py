"""How often does a model answer the questions of a labelled set rightly?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from autograph.evaluation.many import AT_ONCE, Count, Progress, in_order
from autograph.evaluation.understanding.asked import Subject
from autograph.evaluation.understanding.confusion import UNCLEAR, Outcome, Verdicts
from autograph.evaluation.understanding.labelled import Labelled
from autograph.evaluation.understanding.result import Evaluation
from autograph.interpreter.drivers import perform_async
from autograph.interpreter.effects import Choose
from autograph.models.base import Choice
from autograph.models.resolve import resolve_model

__all__ = ["evaluate_labelled"]


def evaluate_labelled(
    items: Sequence[Labelled],
    models: Mapping[str, Any],
    *,
    at_once: int = AT_ONCE,
    progress: Progress | None = None,
) -> Evaluation:
    """Put the questions of a labelled set to each of ``models``. Raises ``ModelError``."""
    kinds = {kind: _kind_subject(kind, items) for kind in dict.fromkeys(item.kind for item in items)}
    count = Count(progress, len(models) * len(items))
    verdicts = []
    for name, model in models.items():
        classifier = resolve_model(model, role="classifier")
        jobs = [partial(_answered, classifier, i, item, kinds[item.kind]) for i, item in enumerate(items)]
        found = in_order(jobs, at_once, count)
        verdicts.append(Verdicts(name, tuple(kinds.values()), tuple(found)))
    return Evaluation(tuple(verdicts))


def _kind_subject(kind: str, items: Sequence[Labelled]) -> Subject:
    """The questions of a kind as one: with their choices if all have the same, else by the places of the choices."""
    mine = [item.question for item in items if item.kind == kind]
    texts = {question.question for question in mine}
    sets = {question.choices for question in mine}
    most = max(len(choices) for choices in sets)
    labels = next(iter(sets)) if len(sets) == 1 else tuple(f"choice {place + 1}" for place in range(most))
    question = next(iter(texts)) if len(texts) == 1 else f"{len(texts)} questions"
    return Subject(kind, question, labels, ())


async def _answered(classifier: Any, position: int, item: Labelled, subject: Subject) -> Outcome:
    (choice,) = await perform_async(Choose((item.question,), classifier))
    choice = choice or Choice(None)
    got = UNCLEAR if choice.index is None else subject.key(choice.index)
    likely = tuple(zip(item.question.choices, choice.probabilities or (), strict=False))
    taken = item.question.choices[choice.index] if choice.index is not None else ""
    remark = f'the answer "{choice.text}" is no choice' if choice.index is None else ""
    return Outcome(
        position, item.name, item.said, subject.name, subject.key(item.answer), got, taken, choice.confidence, likely,
        remark, item.location,
    )  # fmt: skip
