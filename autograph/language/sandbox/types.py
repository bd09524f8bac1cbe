"""Which types do programs see, what do they construct, and what methods and attributes do their values have?

This table is the allow-list of attributes: by exact type and name. What is not in it cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.arithmetic import check_number
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.iteration import check_range, listed
from autograph.language.sandbox.limits import NUMBER_CHARACTERS, PAD
from autograph.language.sandbox.methods_data import (
    DICT_METHODS,
    FROZENSET_METHODS,
    LIST_METHODS,
    SET_METHODS,
    TUPLE_METHODS,
    fromkeys,
    new_dict,
    new_set,
)
from autograph.language.sandbox.methods_text import BYTES_METHODS, TEXT_METHODS, check_codec, encode
from autograph.language.sandbox.patterns import MATCH_METHODS, Match
from autograph.language.sandbox.sizes import NUMBERS
from autograph.language.sandbox.texts import format_text, text
from autograph.language.sandbox.tokens import FILENAME, Function, Module, Native, TypeToken, words

__all__ = [
    "CHANGING_METHODS",
    "METHODS",
    "READS",
    "TYPES",
    "check_magnitude",
    "check_numeral",
    "is_program_function",
    "token_of",
]


def check_numeral(value: Any) -> None:
    """Refuse texts that are too long to be a number."""
    if type(value) in (str, bytes) and len(value) > NUMBER_CHARACTERS:
        raise LimitError(f"a text of more than {NUMBER_CHARACTERS:,} characters is not read as a number.")


def check_magnitude(value: Any) -> None:
    """Refuse decimal numbers whose whole part would fill pages."""
    if type(value) is Decimal and value.is_finite() and value.adjusted() > PAD // 3:
        raise LimitError("a decimal number is too large to be made a whole number.")


def _int(fuel: Units, value: Any = 0, /, base: Any = None) -> int:
    if type(value) is int and base is None:
        return value
    check_numeral(value)
    check_magnitude(value)
    if type(value) not in NUMBERS and type(value) not in (str, bytes, Decimal):
        raise StatementError(f"int() takes a number or a text, not a value of type {type(value).__name__}.")
    return check_number(fuel, int(value) if base is None else int(value, base))  # type: ignore[no-any-return]


def _float(fuel: Units, value: Any = 0.0, /) -> float:
    check_numeral(value)
    if type(value) not in NUMBERS and type(value) not in (str, bytes, Decimal):
        raise StatementError(f"float() takes a number or a text, not a value of type {type(value).__name__}.")
    return float(value)


def _complex(fuel: Units, real: Any = 0, imag: Any = None) -> complex:
    check_numeral(real)
    for value in (real, 0 if imag is None else imag):
        if type(value) not in NUMBERS and type(value) is not str:
            raise StatementError(f"complex() takes numbers or a text, not a value of type {type(value).__name__}.")
    return complex(real) if imag is None else complex(real, imag)


def _bool(fuel: Units, value: Any = False, /) -> bool:
    return bool(value)


def _str(fuel: Units, value: Any = "", encoding: Any = None, errors: Any = "strict") -> str:
    if encoding is None:
        return text(fuel, value)
    check_codec(encoding, errors)
    if type(value) is not bytes:
        raise StatementError("str() with an encoding takes bytes.")
    fuel.charge(len(value) >> 6)
    return fuel.text(str(value, encoding, errors))


def _bytes(fuel: Units, value: Any = b"", encoding: Any = None, errors: Any = "strict") -> bytes:
    if type(value) is str:
        return encode(fuel, value, encoding, errors)
    if type(value) is int:
        fuel.check_count(value, "bytes")
        return fuel.text(bytes(value))
    return fuel.text(bytes(listed(fuel, value)))


def _list(fuel: Units, value: Any = (), /) -> list[Any]:
    return listed(fuel, value)


def _tuple(fuel: Units, value: Any = (), /) -> tuple[Any, ...]:
    return value if type(value) is tuple else fuel.made(tuple(listed(fuel, value)))


def _frozenset(fuel: Units, value: Any = (), /) -> frozenset[Any]:
    return fuel.made(frozenset(new_set(fuel, value)))


def _range(fuel: Units, first: Any, /, *more: Any) -> range:
    return check_range(fuel, range(first, *more))


def _fromhex(fuel: Units, value: Any, /) -> bytes:
    if type(value) is not str:
        raise StatementError("bytes.fromhex() takes a text.")
    fuel.charge(len(value) >> 6)
    return fuel.text(bytes.fromhex(value))


def _called(kind: type, name: str) -> Native:
    """A method without arguments that is cheap for every value."""
    method = getattr(kind, name)

    def run(fuel: Units, value: Any, /) -> Any:
        return method(value)

    run.__name__ = name
    return run


def _strftime(fuel: Units, value: Any, pattern: Any, /) -> str:
    return format_text(fuel, value, pattern)


def _replaced(fuel: Units, value: Any, /, **parts: Any) -> Any:
    for name, part in parts.items():
        if type(part) is not int:
            raise StatementError(f"replace() takes whole numbers, but {name} is of type {type(part).__name__}.")
    return value.replace(**parts)


def _methods(kind: type, names: str) -> dict[str, Native]:
    return {name: _called(kind, name) for name in words(names)}


METHODS: Mapping[type, Mapping[str, Native]] = MappingProxyType(
    {
        str: TEXT_METHODS,
        bytes: BYTES_METHODS,
        list: LIST_METHODS,
        tuple: TUPLE_METHODS,
        range: TUPLE_METHODS,
        dict: DICT_METHODS,
        set: SET_METHODS,
        frozenset: FROZENSET_METHODS,
        int: _methods(int, "bit_length bit_count conjugate"),
        bool: _methods(int, "bit_length conjugate"),
        float: _methods(float, "is_integer conjugate hex"),
        complex: _methods(complex, "conjugate"),
        Decimal: _methods(Decimal, "is_nan is_finite is_signed"),
        date: {
            **_methods(date, "isoformat weekday isoweekday toordinal"),
            "strftime": _strftime,
            "replace": _replaced,
        },
        datetime: {
            **_methods(datetime, "isoformat weekday isoweekday toordinal date time timestamp"),
            "strftime": _strftime,
            "replace": _replaced,
        },
        time: {**_methods(time, "isoformat"), "strftime": _strftime, "replace": _replaced},
        timedelta: _methods(timedelta, "total_seconds"),
        Match: MATCH_METHODS,
    }
)
"""The methods of values: type and name to an implementation that takes fuel, the value and the arguments."""

_DAY = frozenset(("year", "month", "day"))
_CLOCK = frozenset(("hour", "minute", "second", "microsecond"))
READS: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        int: frozenset(("real", "imag", "numerator", "denominator")),
        float: frozenset(("real", "imag")),
        complex: frozenset(("real", "imag")),
        range: frozenset(("start", "stop", "step")),
        date: _DAY,
        datetime: _DAY | _CLOCK,
        time: _CLOCK,
        timedelta: frozenset(("days", "seconds", "microseconds")),
    }
)
"""The attributes of values that can be read."""

CHANGING_METHODS: frozenset[str] = frozenset(
    words(
        "append extend insert pop remove sort reverse clear popitem setdefault update intersection_update "
        "difference_update symmetric_difference_update add discard"
    )
)
"""Names of methods that change their value; all others change nothing, whatever type they belong to."""


def _token(kind: type, construct: Native | None = None, **statics: Native) -> TypeToken:
    return TypeToken(kind.__name__, kind, construct, METHODS.get(kind, {}), statics)


TYPES: Mapping[str, TypeToken] = MappingProxyType(
    {
        token.name: token
        for token in (
            _token(int, _int),
            _token(float, _float),
            _token(complex, _complex),
            _token(bool, _bool),
            _token(str, _str),
            _token(bytes, _bytes, fromhex=_fromhex),
            _token(list, _list),
            _token(tuple, _tuple),
            _token(dict, new_dict, fromkeys=fromkeys),
            _token(set, new_set),
            _token(frozenset, _frozenset),
            _token(range, _range),
        )
    }
)
"""The types programs may name."""


def token_of(value: object) -> TypeToken:
    """What ``type(value)`` gives: a token, never the type itself."""
    kind = type(value)
    known = TYPES.get(kind.__name__)
    if known is not None and known.kind is kind:
        return known
    if kind is Function:
        return TypeToken("function", kind)
    if kind is TypeToken:
        return TypeToken("type", kind)
    if kind is Module:
        return TypeToken("module", kind)
    return TypeToken(kind.__name__, kind)


def is_program_function(value: Any) -> bool:
    """Whether ``value`` is a lambda that a program made."""
    return type(value).__name__ == "function" and value.__code__.co_filename == FILENAME
