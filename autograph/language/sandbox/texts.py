"""How do values become text? Bounded ``str`` and ``repr``, f-strings, ``format`` and ``str.format``.

A format specification is applied to plain numbers, text and dates only, with bounded widths; fields of
``str.format`` are positions or names, never attributes or items, so that no object is ever looked into.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from string import Formatter
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import INT_BITS, PAD, SHIFT
from autograph.language.sandbox.sizes import SCALARS
from autograph.language.sandbox.tokens import Function, Module, TypeToken

__all__ = ["concat", "format_field", "format_template", "format_text", "insert", "represent", "text"]

_CHARACTERS_PER_NODE = 10
_SIMPLE = frozenset((int, float, bool, type(None)))
_TOKENS = frozenset((Function, TypeToken, Module))
_GROUPS = frozenset((list, tuple, set, frozenset, dict))
_FLAT = frozenset((int, float, bool, type(None), str))
_FORMATTED = SCALARS | {str}
_NUMBER = re.compile(r"\d+")


def text(fuel: Units, value: Any) -> str:
    """``str(value)`` within bounds."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind in _SIMPLE:
        return _number_text(fuel, value) if kind is int else str(value)
    if kind in SCALARS or kind in _TOKENS:
        return _scalar_text(fuel, value, str)
    return represent(fuel, value)


def _number_text(fuel: Units, value: int) -> str:
    bits = value.bit_length()
    if bits > 64:
        if bits > INT_BITS:
            raise LimitError("a whole number is too large to be written out.")
        fuel.charge(bits >> 5)
        return fuel.text(str(value))
    return str(value)


def _scalar_text(fuel: Units, value: Any, how: Any) -> str:
    if type(value) is Fraction:
        _number_text(fuel, value.numerator)
        _number_text(fuel, value.denominator)
    return how(value)  # type: ignore[no-any-return]


def represent(fuel: Units, value: Any) -> str:
    """``repr(value)`` within bounds; what is not plain data shows only the name of its type."""
    size = fuel.weigh(value, _CHARACTERS_PER_NODE)
    fuel.charge(1 + (size >> 1))
    if _is_flat(value):
        shown = repr(value)
        return fuel.text(shown)
    fuel.charge_turn(size)
    parts: list[str] = []
    total = 0
    for part in _pieces(fuel, value):
        parts.append(part)
        total += len(part)
        fuel.check_length(total)
    return fuel.text("".join(parts))


def _is_flat(value: Any) -> bool:
    """Whether ``value`` is a list, tuple or dict of text and small numbers, so that Python's own ``repr`` will do."""
    kind = type(value)
    if kind is dict:
        return _is_flat([*value, *value.values()])
    return (
        (kind is list or kind is tuple)
        and _FLAT.issuperset(map(type, value))
        and all(-SHIFT < item < SHIFT for item in value if type(item) is int)
    )


def _pieces(fuel: Units, value: Any) -> Any:
    """The texts of which ``repr(value)`` consists."""
    kind = type(value)
    if kind not in _GROUPS:
        yield _leaf(fuel, value)
    elif kind is dict:
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield ", " if number else ""
            yield from _pieces(fuel, key)
            yield ": "
            yield from _pieces(fuel, item)
        yield "}"
    elif not value and kind is not list:
        yield "()" if kind is tuple else f"{kind.__name__}()"
    else:
        opening, closing = _BRACKETS[kind]
        yield opening
        for number, item in enumerate(value):
            yield ", " if number else ""
            inner = type(item)
            if inner in _GROUPS:
                yield from _pieces(fuel, item)
            else:
                yield _leaf(fuel, item)
        yield closing if kind is not tuple or len(value) > 1 else ",)"


_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}


def _leaf(fuel: Units, value: Any) -> str:
    kind = type(value)
    if kind is int:
        return _number_text(fuel, value)
    if kind is str or kind is bytes:
        fuel.charge(len(value) >> 6)
        return repr(value)  # the whole is charged by ``represent``
    if kind in SCALARS or kind in _TOKENS:
        return _scalar_text(fuel, value, repr)
    if kind.__name__ in ("dict_keys", "dict_values", "dict_items") and kind.__module__ == "builtins":
        return f"{kind.__name__}({represent(fuel, list(value))})"
    exposure = fuel.types.get(kind)
    if exposure is not None and exposure.text is not None:
        shown = exposure.text(fuel, value)
        if type(shown) is str:
            fuel.check_length(len(shown))
            fuel.charge(len(shown) >> 6)
            return shown
    return f"<{kind.__name__}>"


def format_field(fuel: Units, value: Any, conversion: int = -1, spec: str = "") -> str:
    """The text of ``{value!conversion:spec}``."""
    if conversion == -1 and not spec:
        return value if type(value) is str else text(fuel, value)
    if conversion != -1:
        shown = text(fuel, value) if conversion == 115 else represent(fuel, value)
        value = fuel.text(shown.encode("ascii", "backslashreplace").decode("ascii")) if conversion == 97 else shown
    return format_text(fuel, value, spec)


def format_text(fuel: Units, value: Any, spec: Any = "") -> str:
    """``format(value, spec)`` within bounds."""
    if type(spec) is not str:
        raise StatementError(f"a format must be text, not {type(spec).__name__}.")
    if not spec:
        return text(fuel, value)
    kind = type(value)
    if kind not in _FORMATTED or kind is range:
        raise StatementError(f'a value of type {kind.__name__} has no format "{spec[:40]}"; use str(...) first.')
    width = _width(spec)
    fuel.charge(1 + (width >> 6))
    if kind is int:
        _number_text(fuel, value)
    elif kind is Decimal or kind is Fraction:
        _check_magnitude(value)
    return fuel.text(format(value, spec))


def _width(spec: str) -> int:
    """The sum of the numbers in a format. Raises ``StatementError`` if one is too large."""
    if len(spec) > 200:
        raise StatementError("a format is longer than 200 characters.")
    total = 0
    for number in _NUMBER.findall(spec):
        if len(number) > 9 or int(number) > PAD:
            raise StatementError(f"a width or precision of a format is larger than {PAD:,}.")
        total += int(number)
    return total


def _check_magnitude(value: Decimal | Fraction) -> None:
    """Refuse numbers whose digits before or after the point would fill pages."""
    if isinstance(value, Decimal):
        if value.is_finite() and abs(value.adjusted()) > PAD:
            raise LimitError("a decimal number is too large to be written out.")
    elif value.numerator.bit_length() > INT_BITS or value.denominator.bit_length() > INT_BITS:
        raise LimitError("a fraction is too large to be written out.")


def concat(fuel: Units, *parts: str) -> str:
    """The parts of an f-string as one text."""
    size = sum(map(len, parts))
    if size <= 16:
        return "".join(parts)
    fuel.check_length(size)
    return fuel.text("".join(parts))


def insert(fuel: Units, value: Any, name: str) -> str:
    """The text of ``$name`` inside a text. Raises ``StatementError`` if the variable is None."""
    if value is None:
        raise StatementError(f"${name} is None, so it has no text; give it a value first.")
    return text(fuel, value)


def format_template(fuel: Units, template: str, args: tuple[Any, ...], names: dict[str, Any]) -> str:
    """``template.format(*args, **names)`` with plain positions and names only."""
    fuel.charge(len(template) >> 4)
    parts: list[str] = []
    size = count = 0
    for literal, name, spec, conversion in Formatter().parse(template):
        parts.append(literal)
        size += len(literal)
        if name is not None:
            if spec and "{" in spec:
                raise StatementError("a format within a format is not possible; use an f-string.")
            value, count = _argument(name, count, args, names)
            code = ord(conversion) if conversion else -1
            if code not in (-1, 115, 114, 97):
                raise StatementError(f"the conversion !{conversion} does not exist; there are !s, !r and !a.")
            parts.append(format_field(fuel, value, code, spec or ""))
            size += len(parts[-1])
        fuel.check_length(size)
    return fuel.text("".join(parts))


def _argument(name: str, count: int, args: tuple[Any, ...], names: dict[str, Any]) -> tuple[Any, int]:
    """The value of a field, and the next automatic position."""
    if not name or (name.isascii() and name.isdigit() and len(name) < 6):
        position = int(name) if name else count
        if position >= len(args):
            raise StatementError(f"the format has no value for place {position}.")
        return args[position], count + (not name)
    if not name.isidentifier():
        raise StatementError(f'"{{{name[:40]}}}" in a format looks into a value; only names and numbers are possible.')
    if name not in names:
        raise StatementError(f'the format has no value for "{name}".')
    return names[name], count
