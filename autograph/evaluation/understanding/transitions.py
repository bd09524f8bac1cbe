"""How often does a program take its user as the user means it? Sayings are put to the real questions, in context.

The program stands at a node (``standing``), the saying is the user's next text, and the interpreter runs until the
question is decided: an interjection that is asked before wins here as it does in a conversation. Nothing that would
follow the decision is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from autograph.errors import RunError, TransitionError
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.many import AT_ONCE, Count, Progress, in_order
from autograph.evaluation.understanding.asked import NONE, Subject, Wanted, own_subject, subjects_of, wanted
from autograph.evaluation.understanding.confusion import UNCLEAR, Outcome, Verdicts
from autograph.evaluation.understanding.examined import Programs
from autograph.evaluation.understanding.result import Evaluation, NotAsked
from autograph.evaluation.understanding.sayings import Saying
from autograph.evaluation.understanding.standing import Stage, Standing, Unreached
from autograph.interpreter.bot import Autograph
from autograph.interpreter.events import Asked
from autograph.program import NodeSpec

__all__ = ["evaluate_sayings"]


def evaluate_sayings(
    programs: Programs,
    sayings: Sequence[Saying],
    models: Mapping[str, Any],
    *,
    at_once: int = AT_ONCE,
    progress: Progress | None = None,
) -> Evaluation:
    """Put ``sayings`` to the program with each of ``models`` (name to model, model string, or None: the sheet's own).

    A saying whose node cannot be entered is in ``not_asked``, with the reason. Raises ``DataError`` for rows that name
    no node or choice of the program, ``ModelError`` where a model cannot be asked.
    """
    program = programs.staged.program
    samples, not_asked = _samples(programs.staged, sayings)
    subjects = tuple(subjects_of(program))
    count = Count(progress, len(models) * len(samples))
    verdicts = []
    for name, model in models.items():
        bot = programs.with_classifier(model)
        jobs = [partial(_classified, bot, sample) for sample in samples]
        found = in_order(jobs, at_once, count)
        verdicts.append(Verdicts(name, subjects, tuple(each for each in found if isinstance(each, Outcome))))
        not_asked.update((each.position, each) for each in found if isinstance(each, NotAsked))
    return Evaluation(tuple(verdicts), tuple(not_asked[i] for i in sorted(not_asked)))


@dataclass(frozen=True, slots=True)
class _Sample:
    """A saying, what it should lead to, and the memory in which it is said."""

    position: int
    saying: Saying
    aim: Wanted
    standing: Standing


def _samples(bot: Autograph, sayings: Sequence[Saying]) -> tuple[list[_Sample], dict[int, NotAsked]]:
    """The sayings at their nodes; and those whose node is not reached, by position."""
    aims = [wanted(saying, bot.program) for saying in sayings]
    faults = [aim for aim in aims if isinstance(aim, Fault)]
    if faults:
        raise DataError(faults)
    stage, samples, left = Stage(bot), [], {}
    for position, (saying, aim) in enumerate(zip(sayings, aims, strict=True)):
        assert isinstance(aim, Wanted)
        standing = stage.stand(aim.node.name, saying.before, saying.variables)
        if isinstance(standing, Unreached):
            left[position] = _not_asked(position, saying, standing.reason)
        else:
            samples.append(_Sample(position, saying, aim, standing))
    return samples, left


def _not_asked(position: int, saying: Saying, reason: str) -> NotAsked:
    return NotAsked(position, saying.node, saying.text, reason, saying.location)


# ---------------------------------------------------------------------- one saying


class _Decided(Exception):
    """The question was decided: what would follow is not run."""


async def _classified(bot: Autograph, sample: _Sample) -> Outcome | NotAsked:
    node, saying, standing = sample.aim.node, sample.saying, sample.standing
    has_own = own_subject(node) is not None
    asked: list[Asked] = []

    def listen(event: Any) -> None:
        if isinstance(event, Asked) and event.node == node.name:
            asked.append(event)
            if event.question.purpose == "transition" or event.target or not has_own:
                raise _Decided

    remark = ""
    try:
        await bot.areply(saying.text, standing.memory, set_state=standing.enter, on_event=listen)
    except _Decided:
        pass
    except TransitionError as error:
        remark = error.message
    except RunError as error:
        reason = f"{error.message.rstrip('.')}. Give what it needs in the column variables."
        return _not_asked(sample.position, saying, reason)
    else:
        return _not_asked(sample.position, saying, "the node was left without asking anything.")
    return _outcome(sample, asked, remark)


def _outcome(sample: _Sample, asked: Sequence[Asked], remark: str) -> Outcome:
    """What the saying was taken for, by the questions that were decided; with ``remark`` the next one was not."""
    subject = sample.aim.subject
    about = next((event for event in asked if event.question.purpose == "interjection"), None)
    own = next((event for event in asked if event.question.purpose == "transition"), None)
    decided = about if about is not None and (about.target or subject.interjects) else own
    if about is not None and about.target:
        got = about.target if subject.interjects else f"→ {about.target}"
    elif subject.interjects:
        got = UNCLEAR if about is None or about.choice.index is None else NONE
    else:
        got = UNCLEAR if own is None else _own_key(subject, sample.aim.node, own)
    outcome = Outcome(
        sample.position,
        sample.saying.node,
        sample.saying.text,
        subject.name,
        sample.aim.key,
        got,
        remark=remark,
        location=sample.saying.location,
    )
    if decided is None:
        return outcome
    choice = decided.choice
    likely = tuple(zip(decided.question.choices, choice.probabilities or (), strict=False))
    return replace(outcome, target=decided.target, confidence=choice.confidence, probabilities=likely)


def _own_key(subject: Subject, spec: NodeSpec, event: Asked) -> str:
    """The column of an answer to the node's own question."""
    choice = event.choice
    too_low = spec.min_confidence is not None and choice.confidence is not None
    if choice.index is None or (too_low and (choice.confidence or 0.0) < (spec.min_confidence or 0.0)):
        return UNCLEAR
    labels = event.question.choices
    if labels == ("Yes", "No") and len(subject.labels) == 2:  # asked in this order, however the sheet has them
        taken = labels[choice.index].lower()
        words = [label.strip().lower() for label in subject.labels]
        if taken in words:
            return subject.key(words.index(taken))
        return subject.key(subject.targets.index(event.target))
    return subject.key(choice.index)
