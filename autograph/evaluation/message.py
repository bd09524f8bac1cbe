"""What passes between agents? A message: a dict of fields, in which nothing is overwritten by mistake."""

from __future__ import annotations

from typing import Any, Self

__all__ = ["Message"]

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
