"""How does a dialogue state grow in a turn? One function for each state manager method of DeepPavlov Agent.

Each gives a new ``Dialog``; what it is given is copied, so that utterances keep the human and the bot as they were
when they were said. ``RunError`` says what a service has given in a wrong form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autograph.dialogue.state_json import json_copy, json_object
from autograph.dialogue.state_merge import merge_selected
from autograph.dialogue.state_model import BotUtterance, Dialog, HumanUtterance, Hypothesis, Utterance
from autograph.dialogue.state_values import is_number, shown
from autograph.errors import RunError

__all__ = [
    "add_annotation",
    "add_annotation_prev_bot_utt",
    "add_bot_utterance",
    "add_bot_utterance_last_chance",
    "add_failure_bot_utterance",
    "add_human_utterance",
    "add_hypothesis",
    "add_hypothesis_annotation",
    "add_hypothesis_annotation_batch",
    "add_text",
    "hypothesis_of",
    "rate_dialog",
    "rate_utterance",
    "save_dialog",
]


def add_human_utterance(
    dialog: Dialog, text: str, *, utt_id: str, date_time: str, attributes: Mapping[str, Any] | None = None
) -> Dialog:
    """The human says something; ``attributes`` is what came with it."""
    given = json_object(attributes or {}, "attributes")
    said = HumanUtterance(utt_id, text, dialog.human, date_time, attributes=given)
    return replace(dialog, utterances=(*dialog.utterances, said))


def add_annotation(dialog: Dialog, label: str, payload: Any) -> Dialog:
    """An annotator says something about the newest utterance."""
    return _annotated(dialog, -1, label, payload)


def add_annotation_prev_bot_utt(dialog: Dialog, label: str, payload: Any) -> Dialog:
    """An annotator says something about the utterance before the one that is answered now, if there is one."""
    index = -2 if isinstance(_newest(dialog), HumanUtterance) else -3
    return _annotated(dialog, index, label, payload) if len(dialog.utterances) >= -index else dialog


def _annotated(dialog: Dialog, index: int, label: str, payload: Any) -> Dialog:
    _newest(dialog)
    utterance = dialog.utterances[index]
    annotations = {**utterance.annotations, label: json_copy(payload, label)}
    return _exchanged(dialog, index, replace(utterance, annotations=annotations))


def add_hypothesis(dialog: Dialog, label: str, payload: Any) -> Dialog:
    """A skill proposes replies: a list of objects with ``text`` and ``confidence``."""
    answered = _asked(dialog, label)
    if not isinstance(payload, (list, tuple)):
        raise RunError(f"{label} must give a list of hypotheses, not {type(payload).__name__}")
    new = [hypothesis_of(given, label, f"{label}/{index}") for index, given in enumerate(payload)]
    return _exchanged(dialog, -1, replace(answered, hypotheses=(*answered.hypotheses, *new)))


def hypothesis_of(given: Any, label: str, path: str) -> Hypothesis:
    """The hypothesis that a skill gives, with what it left out. Raises ``RunError``; ``path`` leads to it."""
    hypothesis = {"skill_name": label, "annotations": {}, **json_object(given, path)}
    check_reply(hypothesis, path)
    if not isinstance(hypothesis["skill_name"], str):
        raise RunError(f"{path}/skill_name must be a text, not {shown(hypothesis['skill_name'])}")
    for key in ("annotations", "human_attributes", "bot_attributes", "attributes"):
        if not isinstance(hypothesis.get(key, {}), dict):
            raise RunError(f"{path}/{key} must be an object, not {type(hypothesis[key]).__name__}")
    return hypothesis


def add_hypothesis_annotation(dialog: Dialog, label: str, payload: Any, index: int) -> Dialog:
    """An annotator says something about one hypothesis."""
    answered = _asked(dialog, label)
    if not 0 <= index < len(answered.hypotheses):
        raise RunError(f"{label} annotates hypothesis {index}; there are {len(answered.hypotheses)}")
    payloads = [json_copy(payload, label) if place == index else None for place in range(len(answered.hypotheses))]
    return _hypotheses_annotated(dialog, answered, label, payloads, only=index)


def add_hypothesis_annotation_batch(dialog: Dialog, label: str, payload: Any) -> Dialog:
    """An annotator says something about all hypotheses: ``{"batch": [one, …]}``.

    Where the number is not right, each gets an empty annotation; once the bot has spoken, nothing happens.
    """
    newest = _newest(dialog)
    if isinstance(newest, BotUtterance):
        return dialog
    batch = payload.get("batch") if isinstance(payload, Mapping) else None
    if not isinstance(batch, (list, tuple)):
        raise RunError(f'{label} must give {{"batch": [one annotation for each hypothesis]}}, not {payload!r:.60}')
    fits = len(batch) == len(newest.hypotheses)
    payloads = [json_copy(item, label) for item in batch] if fits else [{} for _ in newest.hypotheses]
    return _hypotheses_annotated(dialog, newest, label, payloads)


def _hypotheses_annotated(
    dialog: Dialog, answered: HumanUtterance, label: str, payloads: list[Any], only: int | None = None
) -> Dialog:
    new = tuple(
        {**hypothesis, "annotations": {**hypothesis["annotations"], label: payloads[index]}}
        if only is None or only == index
        else hypothesis
        for index, hypothesis in enumerate(answered.hypotheses)
    )
    return _exchanged(dialog, -1, replace(answered, hypotheses=new))


def add_bot_utterance(dialog: Dialog, payload: Any, *, utt_id: str, date_time: str, deep: bool = False) -> Dialog:
    """A hypothesis was selected: its attributes are merged (``merge_selected``, ``deep``), then the bot says it.

    Its ``attributes`` stay with the hypothesis, as in the original.
    """
    chosen = json_object(payload, "the selected hypothesis")
    check_reply(chosen, "the selected hypothesis")
    if not isinstance(chosen.get("skill_name"), str):
        raise RunError("the selected hypothesis has no skill_name")
    dialog = merge_selected(dialog, chosen, deep=deep)
    said = BotUtterance(
        utt_id, chosen["text"], dialog.bot, date_time, chosen["skill_name"], chosen["confidence"],
        annotations=json_object(chosen.get("annotations", {}), "annotations"),
    )  # fmt: skip
    return replace(dialog, utterances=(*dialog.utterances, said))


def add_bot_utterance_last_chance(
    dialog: Dialog, label: str, payload: Any, *, utt_id: str, date_time: str, overwrite: bool = False
) -> Dialog:
    """A service that stands in says ``{"text", "annotations"}`` without confidence, unless the bot has spoken.

    ``overwrite``: it is said in place of what the bot has said.
    """
    given = json_object(payload, label)
    if not isinstance(given.get("text"), str):
        raise RunError(f"{label} gives no text")
    annotations = json_object(given.get("annotations", {}), f"{label}/annotations")
    newest = _newest(dialog)
    if isinstance(newest, HumanUtterance):
        said = BotUtterance(utt_id, given["text"], dialog.bot, date_time, label, 0, annotations=annotations)
        return replace(dialog, utterances=(*dialog.utterances, said))
    if not overwrite:
        return dialog
    again = replace(
        newest, text=given["text"], active_skill=label, confidence=0, annotations=annotations, user=dialog.bot
    )
    return _exchanged(dialog, -1, again)


def add_failure_bot_utterance(dialog: Dialog, label: str, payload: Any, *, utt_id: str, date_time: str) -> Dialog:
    """A service that tells of a failure says a text without confidence, also where the bot has spoken."""
    if not isinstance(payload, str):
        raise RunError(f"{label} must give a text, not {type(payload).__name__}")
    said = BotUtterance(utt_id, payload, dialog.bot, date_time, label, 0)
    return replace(dialog, utterances=(*dialog.utterances, said))


def add_text(dialog: Dialog, payload: Any) -> Dialog:
    """A postprocessor rewrites the newest utterance; a bot's keeps its first wording in ``orig_text``."""
    if not isinstance(payload, str):
        raise RunError(f"a postprocessor must give a text, not {type(payload).__name__}")
    newest = _newest(dialog)
    if isinstance(newest, HumanUtterance):
        return _exchanged(dialog, -1, replace(newest, text=payload))
    first = newest.text if newest.orig_text is None else newest.orig_text
    return _exchanged(dialog, -1, replace(newest, text=payload, orig_text=first))


def save_dialog(dialog: Dialog) -> Dialog:
    """The turn is over: the dialog has the dates of its first and last utterance."""
    if not dialog.utterances:
        return dialog
    first, last = dialog.utterances[0].date_time, dialog.utterances[-1].date_time
    return replace(dialog, date_start=first, date_finish=last)


# ---------------------------------------------------------------------- ratings


def rate_dialog(dialog: Dialog, rating: Any, *, by: str | None, date_time: str) -> Dialog:
    """Somebody (``by``: their external id) rates the dialog."""
    return replace(dialog, attributes=_rated(dialog.attributes or {}, rating, by, date_time))


def rate_utterance(dialog: Dialog, utt_id: str, rating: Any, *, by: str | None, date_time: str) -> Dialog:
    """Somebody rates an utterance of the bot. Raises ``RunError`` if there is none with this id."""
    for index, utterance in enumerate(dialog.utterances):
        if utterance.utt_id == utt_id and isinstance(utterance, BotUtterance):
            attributes = _rated(utterance.attributes, rating, by, date_time)
            return _exchanged(dialog, index, replace(utterance, attributes=attributes))
    raise RunError(f'the bot has said nothing with the id "{utt_id}" in this dialog')


def _rated(attributes: Mapping[str, Any], rating: Any, by: str | None, date_time: str) -> dict[str, Any]:
    item = {"rating": json_copy(rating, "rating"), "user_external_id": by, "datetime": date_time}
    return {**attributes, "ratings": [*attributes.get("ratings", []), item]}


# ---------------------------------------------------------------------- parts


def _newest(dialog: Dialog) -> Utterance:
    if not dialog.utterances:
        raise RunError("nothing was said yet in this dialog")
    return dialog.utterances[-1]


def _asked(dialog: Dialog, label: str) -> HumanUtterance:
    """The utterance of the human that waits for an answer."""
    newest = _newest(dialog)
    if isinstance(newest, BotUtterance):
        raise RunError(f"{label} comes too late: the bot has spoken")
    return newest


def check_reply(reply: Mapping[str, Any], path: str) -> None:
    """Raise ``RunError`` unless it has a text and a number as confidence."""
    if not isinstance(reply.get("text"), str):
        raise RunError(f"{path}/text must be a text, not {shown(reply.get('text'))}")
    if not is_number(reply.get("confidence")):
        raise RunError(f"{path}/confidence must be a number, not {shown(reply.get('confidence'))}")


def _exchanged(dialog: Dialog, index: int, utterance: Utterance) -> Dialog:
    said = list(dialog.utterances)
    said[index] = utterance
    return replace(dialog, utterances=tuple(said))
