"""What passes between agents? A message: a dict of fields, in which nothing is overwritten by mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from autograph.evaluation.metric import Metric

__all__ = ["Message", "checked_act"]

_UNSAFE = frozenset({"metrics"})


class Message(dict[str, Any]):
    """An observation or an act: ``text``, ``id``, ``labels``, ``reward``, ``episode_done`` and so on (ParlAI's names).

    Fields that nobody knows pass through. ``message[key] = value`` is for a new key only; ``force_set`` overwrites.
    """

    __slots__ = ()

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self:
            text = f'the message already has a field "{key}". Use force_set("{key}", value) if it is to be replaced.'
            raise RuntimeError(text)
        super().__setitem__(key, value)

    def force_set(self, key: str, value: Any) -> None:
        """Set a field whether or not it is there."""
        super().__setitem__(key, value)

    def copy(self) -> Self:
        """A message with the same fields (the values themselves are shared)."""
        return type(self)(self)

    @classmethod
    def padding_example(cls) -> Self:
        """The message that stands for none, once the data have come to their end."""
        return cls(batch_padding=True, episode_done=True)

    def is_padding(self) -> bool:
        """Whether this is such a message."""
        return bool(self.get("batch_padding"))

    def json_safe_payload(self) -> dict[str, Any]:
        """The fields without ``metrics``, as a plain dict."""
        return {key: value for key, value in self.items() if key not in _UNSAFE}


def checked_act(data: Any) -> Message:
    """What somebody else's code or process gave as an act. Raises ``ValueError`` for what is none: texts must be texts.

    ``text`` and ``id`` that are None are left out.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"{data!r:.60} is no dict")
    found = {name: value for name, value in data.items() if not (name in ("text", "id") and value is None)}
    for name in ("text", "id"):
        if name in found and not isinstance(found[name], str):
            raise ValueError(f'its field "{name}" is no text')
    for name in ("text_candidates", "label_candidates", "labels", "eval_labels"):
        given = found.get(name)
        if given is not None and not (isinstance(given, (list, tuple)) and all(isinstance(one, str) for one in given)):
            raise ValueError(f'its field "{name}" is no list of texts')
    metrics = found.get("metrics")
    if metrics is not None and not (isinstance(metrics, Mapping) and all(map(_is_number, metrics.values()))):
        raise ValueError('its field "metrics" has something that is no number')
    return Message(found)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float, Metric)) and not isinstance(value, bool))
