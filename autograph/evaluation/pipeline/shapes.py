"""In which forms do services give their results? Hypotheses, selections and labels, in one form each.

A skill gives a list of objects with ``text`` and ``confidence``, as DeepPavlov Agent takes them; one object; or tuples
as the skills of Dream do: ``(text, confidence[, human_attributes, bot_attributes][, attributes])``, also several of
them, or one tuple of lists. A response selector gives an object, a tuple ``(skill_name, text, confidence[,
human_attributes, bot_attributes[, attributes]])``, or the number of a hypothesis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.dialogue.state_values import is_number
from autograph.errors import RunError

__all__ = ["best_of", "hypotheses_of", "labels_of", "selection_of"]

_SKILL: Mapping[int, tuple[str, ...]] = {
    2: (),
    3: ("attributes",),
    4: ("human_attributes", "bot_attributes"),
    5: ("human_attributes", "bot_attributes", "attributes"),
}
_SELECTOR: Mapping[int, tuple[str, ...]] = {
    3: (),
    5: ("human_attributes", "bot_attributes"),
    6: ("human_attributes", "bot_attributes", "attributes"),
}


def hypotheses_of(payload: Any) -> list[Any]:
    """The hypotheses that a skill has given. Of tuples, those without a text or confidence are left out.

    Raises ``RunError`` for what is in none of the forms.
    """
    if isinstance(payload, Mapping):
        return [payload]
    if not isinstance(payload, (list, tuple)):
        raise RunError(f"a skill gives hypotheses with text and confidence, not {payload!r:.60}")
    if all(isinstance(item, Mapping) for item in payload):
        return list(payload)
    if isinstance(payload[0], str):
        tuples = [tuple(payload)]
    elif all(_is_reply(item) for item in payload):
        tuples = [tuple(item) for item in payload]
    elif len(payload) >= 2 and all(
        isinstance(item, (list, tuple)) and len(item) == len(payload[0]) for item in payload
    ):
        tuples = list(zip(*payload, strict=True))
    else:
        raise RunError(f"a skill gives hypotheses with text and confidence, not {payload!r:.60}")
    found = [_from_tuple(item) for item in tuples]
    return [hypothesis for hypothesis in found if hypothesis["text"] and hypothesis["confidence"] > 0]


def _is_reply(item: Any) -> bool:
    """Whether this is a tuple that begins with a text and a confidence."""
    return isinstance(item, (list, tuple)) and len(item) >= 2 and isinstance(item[0], str) and is_number(item[1])


def _from_tuple(item: tuple[Any, ...]) -> dict[str, Any]:
    if len(item) not in _SKILL or not _is_reply(item):
        raise RunError(f"a hypothesis is (text, confidence, …) with up to three mappings behind, not {item!r:.60}")
    return {"text": item[0], "confidence": item[1], **dict(zip(_SKILL[len(item)], item[2:], strict=True))}


def selection_of(payload: Any, hypotheses: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What a response selector has chosen. Raises ``RunError`` for what is in none of the forms."""
    if isinstance(payload, Mapping):
        return payload
    if isinstance(payload, int) and not isinstance(payload, bool):
        if not 0 <= payload < len(hypotheses):
            raise RunError(f"hypothesis {payload} was selected; there are {len(hypotheses)}, counted from 0")
        return hypotheses[payload]
    if isinstance(payload, (list, tuple)) and len(payload) in _SELECTOR:
        names = ("skill_name", "text", "confidence", *_SELECTOR[len(payload)])
        return dict(zip(names, payload, strict=True))
    raise RunError(f"a response selector gives skill_name, text and confidence, not {payload!r:.60}")


def labels_of(payload: Any) -> set[str]:
    """The labels of the services that a selector wants. Raises ``RunError``."""
    if isinstance(payload, str):
        return {payload}
    if not isinstance(payload, (list, tuple, set)) or not all(isinstance(label, str) for label in payload):
        raise RunError(f"a selector gives a list of labels, not {payload!r:.60}")
    return set(payload)


def best_of(hypotheses: Sequence[Mapping[str, Any]], order: Sequence[str]) -> Mapping[str, Any]:
    """The hypothesis with the highest confidence; of equal ones that of the skill which stands first in ``order``.

    Raises ``RunError`` if there are none.
    """
    if not hypotheses:
        raise RunError("no skill has proposed anything")
    ranks = {label: rank for rank, label in reversed(list(enumerate(order)))}
    return min(hypotheses, key=lambda found: (-found["confidence"], ranks.get(found["skill_name"], len(ranks))))
