"""How does a program serve a pipeline? As a skill, as the selector of skills, or as the one of the reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.errors import RunError
from autograph.evaluation.pipeline.code import Call
from autograph.evaluation.pipeline.shapes import best_of
from autograph.evaluation.pipeline.skill import ProgramSkill
from autograph.interpreter.bot import Autograph

__all__ = ["reply_selector", "skill_call", "skill_selector"]

_RESULT = "selected"


def skill_call(skill: ProgramSkill) -> Call:
    """A program as a skill."""

    async def call(dialog: Any) -> Any:
        return (await skill.answer([dialog]))[0]

    return call


def skill_selector(bot: Autograph, labels: Sequence[str]) -> Call:
    """A program that says in its variable ``selected`` which skills are asked: a label, or a list of them.

    It begins anew for each text, with the variables ``skills`` (their labels) and ``annotations`` of that text.
    """

    async def call(dialog: Any) -> Any:
        newest = dialog["utterances"][-1]
        given = {"skills": list(labels), "annotations": newest.get("annotations", {})}
        _, memory = await bot.areply(newest["text"], bot.start(given))
        selected = memory.variables.get(_RESULT)
        return [selected] if isinstance(selected, str) else selected

    return call


def reply_selector(bot: Autograph, order: Sequence[str]) -> Call:
    """A program that says in its variable ``selected`` whose reply is taken: a skill, or a number counted from 0.

    It begins anew for each text, with the variable ``hypotheses``: a list of mappings with ``skill_name``, ``text``,
    ``confidence`` and ``annotations``. If it says something itself, that is the reply's text.
    """

    async def call(dialog: Any) -> Any:
        newest = dialog["utterances"][-1]
        proposed: list[Mapping[str, Any]] = newest.get("hypotheses", [])
        shown = ("skill_name", "text", "confidence", "annotations")
        given = {"hypotheses": [{key: hypothesis[key] for key in shown} for hypothesis in proposed]}
        said, memory = await bot.areply(newest["text"], bot.start(given))
        chosen = _chosen(memory.variables.get(_RESULT), proposed, order)
        return {**chosen, "text": said} if said else chosen

    return call


def _chosen(selected: Any, proposed: Sequence[Mapping[str, Any]], order: Sequence[str]) -> Mapping[str, Any]:
    if isinstance(selected, int) and not isinstance(selected, bool) and 0 <= selected < len(proposed):
        return proposed[selected]
    of_skill = [hypothesis for hypothesis in proposed if hypothesis["skill_name"] == selected]
    if not of_skill:
        names = ", ".join(dict.fromkeys(str(hypothesis["skill_name"]) for hypothesis in proposed)) or "nobody"
        raise RunError(f"{_RESULT} is {selected!r:.60}, which is no hypothesis; there are those of {names}")
    return best_of(of_skill, order)
