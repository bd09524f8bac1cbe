"""How is a value without parts written as JSON?

Text, whole numbers, finite floats, ``true``, ``false`` and ``null`` are themselves. The rest is
``{"$": tag, "value": …}``, where dates and times with a zone have a ``"zone"`` (a name of the time zone
database, or ``[microseconds east of UTC]`` with the zone's own name if it has one) and perhaps a ``"fold"``.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal, DecimalException
from fractions import Fraction
from math import isfinite
from typing import Any

__all__ = ["DECODERS", "decode_scalar", "encode_scalar"]

# Whole numbers of more bits are written in hexadecimal: Python limits the length of decimal ones.
_PLAIN_BITS = 2_000

_MICROSECOND = timedelta(microseconds=1)


def encode_scalar(value: Any) -> Any:
    """The JSON form of a value for which ``autograph.values.is_leaf`` holds."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    form, tag = _FORMS[kind](value), kind.__name__
    if type(form) is kind:
        return form
    if kind is not datetime and kind is not time:
        return {"$": tag, "value": form}
    coded = {"$": tag, "value": form}
    if value.tzinfo is not None:
        coded["zone"] = _zone_form(value.tzinfo)
    if value.fold:
        coded["fold"] = 1
    return coded


def _text_form(value: str) -> str | list[int]:
    """Text is itself, unless it holds surrogates, which neither UTF-8 nor JSON escapes keep apart from pairs."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return [ord(character) for character in value]
    return value


_FORMS: Mapping[type, Callable[[Any], Any]] = {
    str: _text_form,
    int: lambda value: value if value.bit_length() <= _PLAIN_BITS else hex(value),
    float: lambda value: value if isfinite(value) else repr(value),
    complex: lambda value: [encode_scalar(value.real), encode_scalar(value.imag)],
    bytes: lambda value: base64.b64encode(value).decode(),
    range: lambda value: [encode_scalar(int(part)) for part in (value.start, value.stop, value.step)],
    Decimal: str,
    Fraction: lambda value: [encode_scalar(int(value.numerator)), encode_scalar(int(value.denominator))],
    date: date.isoformat,
    datetime: lambda value: value.replace(tzinfo=None).isoformat(),
    time: lambda value: value.replace(tzinfo=None).isoformat(),
    timedelta: lambda value: value // _MICROSECOND,
}


def _zone_form(zone: Any) -> Any:
    if type(zone) is not timezone:
        return zone.key
    offset, *name = zone.__getinitargs__()  # type: ignore[attr-defined]
    return [offset // _MICROSECOND, *name]


def decode_scalar(tag: str, fields: Mapping[str, Any]) -> Any:
    """The value that ``encode_scalar`` wrote with ``tag``. Raises ``ValueError`` if ``fields`` are malformed."""
    allowed = {"$", "value", "zone", "fold"} if tag in ("datetime", "time") else {"$", "value"}
    if "value" not in fields or not allowed.issuperset(fields):
        raise ValueError(f"a {tag} has the keys {', '.join(sorted(allowed))}")
    try:
        value = DECODERS[tag](fields["value"])
    except (TypeError, ValueError, OverflowError, ArithmeticError, AttributeError, DecimalException) as error:
        raise ValueError(f"{str(fields['value'])[:60]!r} is no {tag}") from error
    if "zone" in fields:
        value = value.replace(tzinfo=_zone(fields["zone"]))
    if "fold" in fields:
        if fields["fold"] != 1:
            raise ValueError("a fold is 1 or left out")
        value = value.replace(fold=1)
    return value


def _zone(form: Any) -> tzinfo:
    if type(form) is str:
        import zoneinfo

        try:
            return zoneinfo.ZoneInfo(form)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"there is no time zone {form[:60]!r} on this computer") from error
    if type(form) is list and form and type(form[0]) is int and [type(part) for part in form[1:]] in ([], [str]):
        try:
            return timezone(timedelta(microseconds=form[0]), *form[1:])
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{form[0]} is no offset of a time zone") from error
    raise ValueError("a zone is a name or a list of its offset and perhaps its name")


def _exact(form: Any, kind: type) -> Any:
    if type(form) is not kind:
        raise TypeError(f"a {kind.__name__} is expected")
    return form


def _decode_int(form: Any) -> int:
    return int(_exact(form, str), 16)


def _part(form: Any) -> int:
    """A whole number inside another value: itself or tagged."""
    if type(form) is dict and form.get("$") == "int":
        return _decode_int(form["value"])
    return int(_exact(form, int))


def _float_part(form: Any) -> float:
    if type(form) is dict and form.get("$") == "float":
        return _decode_float(form["value"])
    return float(_exact(form, float))


def _decode_float(form: Any) -> float:
    if form not in ("nan", "inf", "-inf"):
        raise ValueError("a tagged float is nan, inf or -inf")
    return float(form)


def _decode_text(form: Any) -> str:
    return "".join([chr(_exact(code, int)) for code in _exact(form, list)])


def _decode_bytes(form: Any) -> bytes:
    try:
        return base64.b64decode(_exact(form, str), validate=True)
    except binascii.Error as error:
        raise ValueError("malformed base64") from error


def _decode_date(kind: type[date] | type[time]) -> Callable[[Any], Any]:
    def decode(form: Any) -> Any:
        value = kind.fromisoformat(_exact(form, str))
        if value.isoformat() != form or getattr(value, "tzinfo", None) is not None:
            raise ValueError("not as it is written by isoformat()")
        return value

    return decode


DECODERS: Mapping[str, Callable[[Any], Any]] = {
    "str": _decode_text,
    "int": _decode_int,
    "float": _decode_float,
    "complex": lambda form: complex(*map(_float_part, _pair(form))),
    "bytes": _decode_bytes,
    "range": lambda form: range(*map(_part, _exact(form, list))) if len(form) == 3 else _exact(form, range),
    "Decimal": lambda form: Decimal(_exact(form, str)),
    "Fraction": lambda form: Fraction(*map(_part, _pair(form))),
    "date": _decode_date(date),
    "datetime": _decode_date(datetime),
    "time": _decode_date(time),
    "timedelta": lambda form: timedelta(microseconds=_exact(form, int)),
}


def _pair(form: Any) -> list[Any]:
    if len(_exact(form, list)) != 2:
        raise ValueError("two parts are expected")
    return form  # type: ignore[no-any-return]
