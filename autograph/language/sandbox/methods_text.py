"""Which methods do text and bytes have in a program? Those whose result is bounded by what they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.iteration import listed
from autograph.language.sandbox.limits import PAD
from autograph.language.sandbox.texts import format_template
from autograph.language.sandbox.tokens import Native, words

__all__ = ["BYTES_METHODS", "TEXT_METHODS", "check_codec", "encode"]

_CODECS = frozenset(("utf-8", "utf8", "utf-16", "utf-32", "ascii", "latin-1", "latin1", "iso-8859-1"))
_ERRORS = frozenset(("strict", "ignore", "replace"))


def _linear(kind: type, name: str) -> Native:
    """A method whose work and result are as long as the text and its arguments."""
    method: Callable[..., Any] = getattr(kind, name)

    def run(fuel: Units, value: Any, /, *args: Any) -> Any:
        if len(value) <= 16 and not args:
            return method(value)
        fuel.charge(1 + (len(value) >> 8) + _length(value, args))
        result = method(value, *args)
        if type(result) is str:
            return fuel.text(result)
        if type(result) is bytes or type(result) is tuple:  # of the parts of the text
            fuel.bytes(value.__sizeof__() + 200)
        return result

    run.__name__ = name
    return run


def _length(value: Any, args: tuple[Any, ...]) -> int:
    """Units for the arguments: texts by their length, tuples of beginnings or ends by what is compared."""
    units = 0
    for arg in args:
        if type(arg) is str or type(arg) is bytes:
            units += len(arg) >> 8
        elif type(arg) is tuple:
            texts = [part for part in arg if type(part) is str or type(part) is bytes]
            units += len(arg) + (sum(min(len(part), len(value)) for part in texts) >> 10)
    return units


def _charge_product(fuel: Units, value: Any, part: Any) -> None:
    """Charge for a search that may look at each character of ``part`` for each of ``value``, in one call of C."""
    if type(part) is str or type(part) is bytes:
        fuel.charge(len(value) * len(part) >> 10)


def _backwards(kind: type, name: str) -> Native:
    """A search from the end, which Python has no quick way for."""
    plain = _linear(kind, name)

    def run(fuel: Units, value: Any, /, *args: Any) -> Any:
        _charge_product(fuel, value, args[0] if args else None)
        return plain(fuel, value, *args)

    run.__name__ = name
    return run


def _stripping(kind: type, name: str) -> Native:
    """A method that looks each character up in those that it is given."""
    plain = _linear(kind, name)

    def run(fuel: Units, value: Any, /, *args: Any) -> Any:
        given: Any = args[0] if args else None
        fits = type(given) is kind
        if fits and len(given) > 16:
            fuel.charge(len(given) >> 4)
            different: Any = "".join(set(given)) if kind is str else bytes(set(given))
            _charge_product(fuel, value, different)
            args = (different, *args[1:])
        return plain(fuel, value, *args)

    run.__name__ = name
    return run


def _splitting(kind: type, name: str) -> Native:
    """A method that makes a list of pieces."""
    method: Callable[..., Any] = getattr(kind, name)

    def run(fuel: Units, value: Any, /, *args: Any, **options: Any) -> list[Any]:
        fuel.charge(1 + (len(value) >> 6))
        if name == "rsplit":
            _charge_product(fuel, value, args[0] if args else options.get("sep"))
        pieces: list[Any] = method(value, *args, **options)
        if len(pieces) > 8:
            fuel.check_count(len(pieces))
            fuel.charge(len(pieces) >> 2)
            fuel.bytes(value.__sizeof__() + 80 * len(pieces))
        return pieces

    run.__name__ = name
    return run


def _padding(name: str) -> Native:
    """A method that fills a text up to a width."""
    method: Callable[..., str] = getattr(str, name)

    def run(fuel: Units, value: str, width: Any, /, *fill: Any) -> str:
        if type(width) is not int or width > PAD:
            raise StatementError(f"the width for {name}() must be a whole number up to {PAD:,}.")
        return fuel.text(method(value, width, *fill))

    run.__name__ = name
    return run


def join(fuel: Units, value: str, parts: Any, /) -> str:
    """``value.join(parts)``"""
    found = listed(fuel, parts)
    for number, part in enumerate(found):
        if type(part) is not str:
            raise StatementError(f"join() takes texts; item {number} is of type {type(part).__name__}, use str(...).")
    size = sum(map(len, found)) + len(value) * max(len(found) - 1, 0)
    fuel.check_length(size)
    return fuel.text(value.join(found))


def replace(fuel: Units, value: str, old: Any, new: Any, count: Any = -1, /) -> str:
    """``value.replace(old, new, count)``"""
    if type(old) is not str or type(new) is not str or type(count) is not int:
        raise StatementError("replace() takes two texts and, if wanted, a whole number.")
    fuel.charge(len(value) >> 8)
    if len(new) > len(old):
        places = value.count(old)
        fuel.check_length(len(value) + (places if count < 0 else min(places, count)) * (len(new) - len(old)))
    return fuel.text(value.replace(old, new, count))


def expandtabs(fuel: Units, value: str, /, tabsize: Any = 8) -> str:
    """``value.expandtabs(tabsize)``"""
    if type(tabsize) is not int or tabsize > PAD:
        raise StatementError(f"the width for expandtabs() must be a whole number up to {PAD:,}.")
    size = len(value) + value.count("\t") * max(tabsize, 0)
    fuel.check_length(size)
    return fuel.text(value.expandtabs(tabsize))


def encode(fuel: Units, value: str, encoding: Any = "utf-8", errors: Any = "strict") -> bytes:
    """``value.encode(encoding, errors)``"""
    check_codec(encoding, errors)
    fuel.charge(1 + (len(value) >> 6))
    result = value.encode(encoding, errors)
    fuel.bytes(len(result))
    return result


def decode(fuel: Units, value: bytes, encoding: Any = "utf-8", errors: Any = "strict") -> str:
    """``value.decode(encoding, errors)``"""
    check_codec(encoding, errors)
    fuel.charge(1 + (len(value) >> 6))
    return fuel.text(value.decode(encoding, errors))


def check_codec(encoding: Any, errors: Any) -> None:
    """Refuse encodings other than the common ones for text."""
    if type(encoding) is not str or encoding.lower().replace("_", "-") not in _CODECS:
        raise StatementError(f"the encoding {str(encoding)[:40]!r} does not exist here; use 'utf-8' or 'ascii'.")
    if type(errors) is not str or errors not in _ERRORS:
        raise StatementError("errors= is 'strict', 'ignore' or 'replace'.")


def _format(fuel: Units, value: str, /, *args: Any, **names: Any) -> str:
    return format_template(fuel, value, args, names)


def _format_map(fuel: Units, value: str, names: Any, /) -> str:
    if type(names) is not dict:
        raise StatementError("format_map() takes a dict.")
    return format_template(fuel, value, (), names)


_LINEAR = words(
    "upper lower title capitalize casefold swapcase strip lstrip rstrip startswith endswith find rfind "
    "index rindex count isdigit isalpha isalnum isdecimal isnumeric isspace isupper islower istitle "
    "isidentifier isascii isprintable removeprefix removesuffix partition rpartition"
)
_LINEAR_BYTES = words(
    "upper lower strip lstrip rstrip startswith endswith find rfind index rindex count isdigit isalpha isascii"
)

TEXT_METHODS: Mapping[str, Native] = MappingProxyType(
    {
        **{name: _linear(str, name) for name in _LINEAR},
        **{name: _backwards(str, name) for name in ("rfind", "rindex", "rpartition")},
        **{name: _stripping(str, name) for name in ("strip", "lstrip", "rstrip")},
        **{name: _splitting(str, name) for name in ("split", "rsplit", "splitlines")},
        **{name: _padding(name) for name in ("ljust", "rjust", "center", "zfill")},
        "join": join,
        "replace": replace,
        "expandtabs": expandtabs,
        "encode": encode,
        "format": _format,
        "format_map": _format_map,
    }
)
BYTES_METHODS: Mapping[str, Native] = MappingProxyType(
    {
        **{name: _linear(bytes, name) for name in _LINEAR_BYTES},
        **{name: _backwards(bytes, name) for name in ("rfind", "rindex")},
        **{name: _stripping(bytes, name) for name in ("strip", "lstrip", "rstrip")},
        "split": _splitting(bytes, "split"),
        "decode": decode,
        "hex": _linear(bytes, "hex"),
    }
)
