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
    parts = _parts(path)
    return data.get(parts[0], MISSING) if len(parts) == 1 else _found(data, parts)


def _found(data: Any, parts: list[str]) -> Any:
    if not parts:
        return data
    part, rest = parts[0], parts[1:]
    if part != "*":
        step = _step(data, part)
        return MISSING if step is MISSING else _found(step, rest)
    if not isinstance(data, (list, dict)):
        return MISSING
    items = data.values() if isinstance(data, dict) else data
    values = [value for value in (_found(item, rest) for item in items) if value is not MISSING]
    return values if values or not rest else MISSING


def _step(data: Any, part: str) -> Any:
    """One part further: a number is an index (from the end if it is negative), any other part a key."""
    try:
        return data[int(part) if _is_index(part) else part]
    except (LookupError, TypeError):  # whatever has no such part
        return MISSING


def assigned(data: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at ``path`` in place; mappings and lists that are missing are made, ``*`` sets every entry.

    Nothing happens if the first part is an index: ``data`` is no list.
    """
    if path.strip() in data:
        data[path.strip()] = value
    elif not _is_index(_parts(path)[0]):
        _assign(data, _parts(path), value, copies=False)


def changed(data: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of ``data`` with the value at ``path``; nothing of ``data`` is changed, and the rest is shared.

    Raises ``ValueError`` for a path that leads nowhere: an index where it begins, or from the end of a short list.
    """
    new = dict(data)
    parts = _parts(path)
    if path.strip() in new or (len(parts) == 1 and parts[0] != "*"):
        new[path.strip()] = value
        return new
    if _is_index(parts[0]):
        raise ValueError(f'the path "{path}" begins with an index, but it begins in a mapping')
    try:
        _assign(new, parts, value, copies=True)
    except IndexError:
        raise ValueError(f'the path "{path}" leads nowhere: a list on it has no such entry') from None
    return new


def _assign(here: Any, parts: list[str], value: Any, *, copies: bool) -> None:
    """Set the value below ``here``, which is changed; what lies further below is copied first if ``copies``."""
    for place in _places(here, parts[0]):
        if len(parts) == 1:
            here[place] = value
            continue
        below = _below(here[place] if isinstance(here, list) else here.get(place), parts[1])
        if copies:
            below = below.copy()
        here[place] = below
        _assign(below, parts[1:], value, copies=copies)


def _below(given: Any, part: str) -> Any:
    """What ``part`` is a part of: what there is, if it is of the right kind, else something new."""
    if part == "*":
        return given if isinstance(given, (list, dict)) and given != [] else [None]
    kind = list if _is_index(part) else dict
    return given if isinstance(given, kind) else kind()


def _places(here: Any, part: str) -> list[Any]:
    """The keys or indices of ``here`` that are meant; a list is made long enough."""
    if part == "*":
        return sorted(here, key=str) if isinstance(here, dict) else list(range(len(here)))
    if not isinstance(here, list) or not _is_index(part):
        return [part]
    index = int(part)
    here.extend([None] * (index + 1 - len(here)))
    return [index]


def _is_index(part: str) -> bool:
    return part.removeprefix("-").isdecimal()


def _parts(path: str) -> list[str]:
    trimmed = path.replace("//", "/").strip().removeprefix("/")
    if trimmed.endswith("/"):
        trimmed += "*"
    return [part.strip() for part in trimmed.split("/")]


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
