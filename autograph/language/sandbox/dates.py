"""What do programs know of dates and times? How to make and read them; the clock only where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.tokens import Native, TypeToken
from autograph.language.sandbox.types import METHODS

__all__ = ["DATETIME"]

_NUMBERS = frozenset((int, float, bool))
_TEXT_CHARACTERS = 100
_READ_COST = 40


def _made(kind: Callable[..., Any], name: str) -> Native:
    """The construction of a date or time from numbers."""

    def run(fuel: Units, /, *args: Any, **parts: Any) -> Any:
        for value in (*args, *parts.values()):
            if type(value) not in _NUMBERS:
                raise StatementError(f"{name}() takes numbers, not a value of type {type(value).__name__}.")
        return kind(*args, **parts)

    return run


def _now(fuel: Units, /) -> datetime:
    """The time, as the interpreter tells it."""
    clock = fuel.scope.get("@clock")
    if clock is None:
        raise StatementError("nobody knows the time here: there is a clock within a conversation only.")
    moment: datetime = clock()
    return moment


def _today(fuel: Units, /) -> date:
    return _now(fuel).date()


def _text(name: str, value: Any) -> str:
    if type(value) is not str or len(value) > _TEXT_CHARACTERS:
        raise StatementError(f"{name}() takes a text of at most {_TEXT_CHARACTERS} characters.")
    return value


def _read(kind: Any, name: str) -> Native:
    def run(fuel: Units, text: Any, /) -> Any:
        fuel.charge(_READ_COST)
        return kind.fromisoformat(_text(name, text))

    return run


def _strptime(fuel: Units, text: Any, pattern: Any, /) -> datetime:
    fuel.charge(_READ_COST)
    parts = _text("strptime", pattern).replace("%%", "").split("%")[1:]
    if any(not part for part in parts) or len({part[0] for part in parts}) < len(parts):
        raise StatementError("a format for strptime() has each part once, such as %d.%m.%Y.")
    return datetime.strptime(_text("strptime", text), pattern)


def _combine(fuel: Units, day: Any, clock: Any, /) -> datetime:
    if type(day) is not date or type(clock) is not time:
        raise StatementError("combine() takes a date and a time.")
    return datetime.combine(day, clock)


def _token(kind: Any, statics: Mapping[str, Native]) -> TypeToken:
    needs = {name: "clock" for name in ("now", "today") if name in statics}
    return TypeToken(kind.__name__, kind, _made(kind, kind.__name__), METHODS[kind], statics, needs)


DATETIME: Mapping[str, Any] = MappingProxyType(
    {
        "date": _token(date, {"today": _today, "fromisoformat": _read(date, "fromisoformat")}),
        "datetime": _token(
            datetime,
            {
                "now": _now,
                "today": _now,
                "fromisoformat": _read(datetime, "fromisoformat"),
                "strptime": _strptime,
                "combine": _combine,
            },
        ),
        "time": _token(time, {"fromisoformat": _read(time, "fromisoformat")}),
        "timedelta": _token(timedelta, {}),
    }
)
"""The module ``datetime``."""
