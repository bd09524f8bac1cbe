"""How does data come into a dialogue state? As a copy of plain JSON data; anything else is refused with its path."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from autograph.dialogue.state_values import MAX_DEPTH, too_long
from autograph.errors import RunError

__all__ = ["json_copy", "json_object"]


def json_copy(value: Any, path: str) -> Any:
    """``value`` as JSON data that shares nothing with it; tuples become lists.

    Raises ``RunError`` with the path, which begins with ``path``, of what JSON cannot hold.
    """
    return _copied(value, path, 0)


def json_object(value: Any, path: str) -> dict[str, Any]:
    """As ``json_copy``, of what must be a mapping."""
    if not isinstance(value, Mapping):
        raise RunError(f"{path} must be an object, not {type(value).__name__}")
    copied: dict[str, Any] = _copied(value, path, 0)
    return copied


def _copied(value: Any, path: str, depth: int) -> Any:
    if isinstance(value, int) and too_long(value):
        raise RunError(f"{path} has too many digits")
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if depth > MAX_DEPTH:
        raise RunError(f"{path[:80]}… is nested more than {MAX_DEPTH} deep")
    if isinstance(value, (list, tuple)):
        return [_copied(item, f"{path}/{index}", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise RunError(f"{path}: the key {key!r:.60} is no text, so JSON cannot hold it")
        return {key: _copied(item, f"{path}/{key}", depth + 1) for key, item in value.items()}
    what = str(value) if isinstance(value, float) else f"of type {type(value).__name__}"
    raise RunError(f"{path} is {what}, which JSON cannot hold")
