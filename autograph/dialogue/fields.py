"""Where in an instance is a value? Paths such as ``dialog``, ``a/b``, ``runs/0/text`` and ``runs/*``.

A part of a path is the key of a mapping, the index of a list, or ``*`` for every entry. What is missing on the
way to a value that is written is made. Source: the dictionary paths of unitxt, as observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["MISSING", "assigned", "changed", "found", "shape"]

MISSING: Any = object()
"""What ``found`` gives where a path leads nowhere."""


def found(data: Any, path: str) -> Any:
    """The value at ``path`` (a list of values if the path has a ``*``), or ``MISSING``."""
    if path.strip() in data:
        return data[path.strip()]
    return _found(data, _parts(path))


def _found(data: Any, parts: list[str]) -> Any:
    if not parts:
        return data
    part, rest = parts[0], parts[1:]
    if part == "*":
        if isinstance(data, Mapping):
            data = list(data.values())
        if not isinstance(data, list):
            return MISSING
        values = [value for value in (_found(item, rest) for item in data) if value is not MISSING]
        return values or MISSING
    step = _step(data, part)
    return MISSING if step is MISSING else _found(step, rest)


def _step(data: Any, part: str) -> Any:
    if isinstance(data, Mapping):
        if part in data:
            return data[part]
        return data.get(int(part), MISSING) if part.isdecimal() else MISSING
    if isinstance(data, list) and part.isdecimal() and int(part) < len(data):
        return data[int(part)]
    return MISSING


def assigned(data: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at ``path`` in place; mappings and lists that are missing are made, ``*`` sets every entry."""
    if path.strip() in data:
        data[path.strip()] = value
    else:
        _assign(data, _parts(path), value, copies=False)


def changed(data: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of ``data`` with the value at ``path``; nothing of ``data`` is changed, and the rest is shared."""
    new = dict(data)
    if path.strip() in new:
        new[path.strip()] = value
    else:
        _assign(new, _parts(path), value, copies=True)
    return new


def _assign(here: Any, parts: list[str], value: Any, *, copies: bool) -> None:
    """Set the value below ``here``, which is changed; what lies further below is copied first if ``copies``."""
    for place in _places(here, parts[0]):
        if len(parts) == 1:
            _put(here, place, value)
            continue
        below, wanted = _step(here, place), list if _is_index(parts[1]) else dict
        if not isinstance(below, wanted):
            below = wanted()
        elif copies:
            below = wanted(below)
        _put(here, place, below)
        _assign(below, parts[1:], value, copies=copies)


def _places(here: Any, part: str) -> list[str]:
    if part != "*":
        return [part]
    return [str(index) for index in range(len(here))] if here else ["0"]


def _put(container: Any, part: str, value: Any) -> None:
    if isinstance(container, list):
        index = int(part)
        container.extend([None] * (index + 1 - len(container)))
        container[index] = value
    else:
        container[part] = value


def _is_index(part: str) -> bool:
    return part == "*" or part.isdecimal()


def _parts(path: str) -> list[str]:
    trimmed = path.strip().removeprefix("/")
    if trimmed.endswith("/"):
        trimmed += "*"
    return trimmed.split("/")


def shape(value: Any, indent: int = 0) -> str:
    """A value as an indented tree with the type of every part: what is shown when a path leads nowhere."""
    if isinstance(value, Mapping):
        entries = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        entries = [(f"[{index}]", item) for index, item in enumerate(value)]
    else:
        return f"{' ' * indent}{value}\n"
    return "".join(
        f"{' ' * indent}{name} ({type(item).__name__}):\n{shape(item, indent + 4)}" for name, item in entries
    )
