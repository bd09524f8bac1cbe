"""How does an error cross? Its class by name, its words, its address; it is raised on the other side as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from types import MappingProxyType
from typing import Any

from autograph import errors
from autograph.errors import AutographError, Location, ModelError, RunError
from autograph.locked.data import Malformed, optional, text, texts, whole
from autograph.locked.frames import FrameError

__all__ = ["add_address", "error_data", "error_of", "unexpected"]

_CLASSES: Mapping[str, type[AutographError]] = MappingProxyType(
    {
        name: kind
        for name in errors.__all__
        if isinstance(kind := getattr(errors, name), type) and issubclass(kind, (RunError, ModelError))
    }
)

_TEXTS = ("file", "sheet", "column", "cell")


def error_data(error: AutographError) -> dict[str, Any]:
    """The error as JSON data. A class of the host's own becomes the nearest one that both sides know."""
    known = next((kind.__name__ for kind in type(error).__mro__ if _CLASSES.get(kind.__name__) is kind), "RunError")
    location: Location | None = getattr(error, "location", None)
    return {
        "class": known,
        "message": str(getattr(error, "message", error)),
        "node": getattr(error, "node", None),
        "location": None if location is None else asdict(location),
        "trace": list(getattr(error, "trace", ())),
        "notes": list(getattr(error, "__notes__", ())),
        "retryable": bool(getattr(error, "retryable", False)),
    }


def error_of(data: Any) -> AutographError:
    """The error that ``error_data`` describes. Raises ``Malformed``."""
    if type(data) is not dict or text(data.get("class")) not in _CLASSES:
        raise Malformed("an error is a mapping with a known class")
    kind, message = _CLASSES[data["class"]], text(data.get("message"))
    error = kind(message, retryable=data.get("retryable") is True) if issubclass(kind, ModelError) else kind(message)
    add_address(error, data)
    return error


def add_address(error: AutographError, data: Mapping[str, Any]) -> None:
    """Give ``error`` what it has got on the other side: node, location, path, notes. Raises ``Malformed``."""
    if isinstance(error, RunError):
        error.node = error.node or optional(text)(data.get("node"))
        error.location = error.location or _location(data.get("location"))
        error.trace = error.trace or texts(data.get("trace"))
    for note in texts(data.get("notes"))[len(getattr(error, "__notes__", ())) :]:
        error.add_note(note)


def _location(data: Any) -> Location | None:
    if data is None:
        return None
    if type(data) is not dict or data.keys() != {field.name for field in fields(Location)}:
        raise Malformed("a location has its six parts")
    return Location(**{name: optional(text if name in _TEXTS else whole)(part) for name, part in data.items()})


def unexpected(error: BaseException) -> dict[str, Any]:
    """What is said of an error that nobody foresaw, in the worker."""
    if isinstance(error, FrameError):
        message = (
            f"the conversation with all its values has become too large for a program that is not trusted: {error}."
        )
        return {**error_data(RunError(message)), "class": "LimitError"}
    if isinstance(error, MemoryError):
        message = "the turn needs more memory than a program that is not trusted may have. Work on less data."
        return {**error_data(RunError(message)), "class": "LimitError"}
    return error_data(RunError(f"the turn failed unexpectedly in its locked worker: {type(error).__name__}: {error}"))
