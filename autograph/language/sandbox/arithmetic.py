"""What do the operators + - * / // % ** << & | ^ do in a program? Python's, within bounds.

Every guard has a path for small numbers first, which costs about 0.1 µs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.inserts import check_insert
from autograph.language.sandbox.limits import INT_BITS, SHIFT
from autograph.language.sandbox.percent import percent
from autograph.language.sandbox.sizes import SCALARS
from autograph.language.sandbox.table_operators import operate, operate_one
from autograph.language.sandbox.tables import is_table

__all__ = ["BINARY", "UNARY", "add", "charge_work", "check_number", "inplace", "multiply", "power"]

_SEQUENCES = frozenset((list, tuple, str, bytes))
_SETS = frozenset((set, frozenset))
_PLAIN = SCALARS | _SEQUENCES | _SETS | {dict}


def check_number(fuel: Units, value: Any) -> Any:
    """``value``, if it is no number that is too large. Raises ``LimitError`` otherwise."""
    kind = type(value)
    if kind is int:
        bits = value.bit_length()
        if bits > INT_BITS:
            raise LimitError(f"a whole number is too large; at most about {INT_BITS * 3 // 10:,} digits are possible.")
        if bits > 64:
            fuel.charge(bits >> 8)
            fuel.bytes(bits >> 3)
    elif kind is Fraction:
        check_number(fuel, value.numerator)
        check_number(fuel, value.denominator)
    return value


def _with_table(sign: str, a: object, b: object) -> bool:
    """Whether one of both is a table. Refuses values that only their host understands.

    Of plain values the answer is no: they may fail as Python has it.
    """
    for value in (a, b):
        if type(value) not in _PLAIN:
            if is_table(a) or is_table(b):
                return True
            raise StatementError(f"a value of type {type(value).__name__} cannot be used with {sign}.")
    return False


def charge_work(fuel: Units, a: Any, b: Any) -> None:
    """Charge for an operation on numbers that may be quadratic in their length."""
    if type(a) is int and type(b) is int:
        fuel.charge((a.bit_length() // 30) * (b.bit_length() // 30) >> 8)


def add(fuel: Units, a: Any, b: Any) -> Any:
    """``a + b``"""
    kind = type(a)
    if kind is int:
        if type(b) is int:
            value = a + b
            return value if -SHIFT < value < SHIFT else check_number(fuel, value)
    elif kind is str:
        if type(b) is str:
            size = len(a) + len(b)
            return a + b if size <= 16 else fuel.text(a + b)
    elif kind is list and type(b) is list:
        size = len(a) + len(b)
        if size <= 16:
            return a + b
        fuel.check_count(size, "a list")
        return fuel.made(a + b)
    elif kind is float and (type(b) is float or type(b) is int):
        return a + b
    return _add_slowly(fuel, a, b)


def _add_slowly(fuel: Units, a: Any, b: Any) -> Any:
    if _with_table("+", a, b):
        return operate(fuel, "+", a, b)
    if type(a) in _SEQUENCES and type(a) is type(b):
        fuel.check_count(len(a) + len(b))
        return fuel.made(a + b)
    return check_number(fuel, a + b)


def subtract(fuel: Units, a: Any, b: Any) -> Any:
    """``a - b``"""
    if type(a) is int and type(b) is int:
        value = a - b
        return value if -SHIFT < value < SHIFT else check_number(fuel, value)
    if type(a) is float and type(b) is float:
        return a - b
    if _with_table("-", a, b):
        return operate(fuel, "-", a, b)
    _charge_sets(fuel, a, b)
    return _result(fuel, a - b)


def _result(fuel: Units, value: Any) -> Any:
    """``value``, if it is no number that is too large; a set or dict is put down as made."""
    return fuel.made(value) if type(value) in _SETS or type(value) is dict else check_number(fuel, value)


def _charge_sets(fuel: Units, a: Any, b: Any) -> None:
    if type(a) in _SETS or type(a) is dict:
        size = len(a) + (len(b) if type(b) in _SETS or type(b) is dict else 0)
        fuel.check_count(size)
        fuel.charge(1 + (size >> 2))


def multiply(fuel: Units, a: Any, b: Any) -> Any:
    """``a * b``; a text or list times a number repeats it."""
    kind, other = type(a), type(b)
    if kind is int:
        if other is int:
            if -SHIFT < a < SHIFT and -SHIFT < b < SHIFT:
                return a * b
            if a.bit_length() + b.bit_length() > INT_BITS + 1:
                check_number(fuel, 1 << INT_BITS)
            charge_work(fuel, a, b)
            return check_number(fuel, a * b)
        if other is float:
            return a * b
    elif kind is float and (other is float or other is int):
        return a * b
    if kind in _SEQUENCES and (other is int or other is bool):
        return _repeat(fuel, a, b)
    if other in _SEQUENCES and (kind is int or kind is bool):
        return _repeat(fuel, b, a)
    if _with_table("*", a, b):
        return operate(fuel, "*", a, b)
    return check_number(fuel, a * b)


def _repeat(fuel: Units, sequence: Any, count: int) -> Any:
    size = len(sequence) * max(count, 0)
    if type(sequence) is str:
        fuel.check_length(size)
        return fuel.text(sequence * count)
    fuel.check_count(size)
    return fuel.made(sequence * count)


def divide(fuel: Units, a: Any, b: Any) -> Any:
    """``a / b``"""
    if type(a) in SCALARS and type(b) in SCALARS:
        charge_work(fuel, a, b)
        return check_number(fuel, a / b)
    if _with_table("/", a, b):
        return operate(fuel, "/", a, b)
    return a / b


def floor_divide(fuel: Units, a: Any, b: Any) -> Any:
    """``a // b``"""
    if type(a) in SCALARS and type(b) in SCALARS:
        charge_work(fuel, a, b)
        return check_number(fuel, a // b)
    if _with_table("//", a, b):
        return operate(fuel, "//", a, b)
    return a // b


def modulo(fuel: Units, a: Any, b: Any) -> Any:
    """``a % b``; a text on the left is a format."""
    kind = type(a)
    if kind is int and type(b) is int:
        if -SHIFT < a < SHIFT:
            return a % b
        charge_work(fuel, a, b)
        return check_number(fuel, a % b)
    if kind is str:
        return percent(fuel, a, b)
    if kind is bytes:
        raise StatementError("% formats text only, not bytes.")
    if _with_table("%", a, b):
        return operate(fuel, "%", a, b)
    return a % b


def power(fuel: Units, a: Any, b: Any, m: Any = None) -> Any:
    """``a ** b``, or ``pow(a, b, m)``"""
    if m is not None:
        return _modular_power(fuel, a, b, m)
    if _with_table("**", a, b):
        return operate(fuel, "**", a, b)
    if type(b) is bool or (type(b) is Fraction and b.denominator == 1):
        b = int(b)
    base = max(abs(a.numerator), a.denominator) if type(a) is Fraction else a
    if type(base) is int or type(base) is bool:
        exponent = abs(b) if type(b) is int else 0
        if base not in (0, 1, -1) and base.bit_length() * exponent > INT_BITS + exponent:
            check_number(fuel, 1 << INT_BITS)
        fuel.charge((base.bit_length() * exponent // 30) ** 2 >> 8)
    return check_number(fuel, a**b)


def _modular_power(fuel: Units, a: Any, b: Any, m: Any) -> Any:
    for value in (a, b, m):
        if type(value) is not int and type(value) is not bool:
            raise StatementError(f"pow() with three arguments takes whole numbers, not {type(value).__name__}.")
    limbs = m.bit_length() // 30 + 1
    fuel.charge(b.bit_length() * limbs * limbs >> 7)
    charge_work(fuel, a, m)
    return pow(a, b, m)


def shift_left(fuel: Units, a: Any, b: Any) -> Any:
    """``a << b``"""
    if _with_table("<<", a, b):
        return operate(fuel, "<<", a, b)
    if type(b) is int and type(a) in (int, bool) and a and a.bit_length() + b > INT_BITS:
        check_number(fuel, 1 << INT_BITS)
    return check_number(fuel, a << b)


def _bitwise(sign: str, operation: Callable[[Any, Any], Any]) -> Callable[[Units, Any, Any], Any]:
    def guard(fuel: Units, a: Any, b: Any) -> Any:
        if _with_table(sign, a, b):
            return operate(fuel, sign, a, b)
        _charge_sets(fuel, a, b)
        return _result(fuel, operation(a, b))

    guard.__doc__ = f"``a {sign} b``"
    return guard


BINARY: Mapping[str, Callable[[Units, Any, Any], Any]] = MappingProxyType(
    {
        "+": add,
        "-": subtract,
        "*": multiply,
        "/": divide,
        "//": floor_divide,
        "%": modulo,
        "**": power,
        "<<": shift_left,
        ">>": _bitwise(">>", lambda a, b: a >> b),
        "&": _bitwise("&", lambda a, b: a & b),
        "|": _bitwise("|", lambda a, b: a | b),
        "^": _bitwise("^", lambda a, b: a ^ b),
    }
)


def _unary(sign: str, operation: Callable[[Any], Any]) -> Callable[[Units, Any], Any]:
    def guard(fuel: Units, value: Any) -> Any:
        if type(value) in SCALARS:
            return check_number(fuel, operation(value))
        if is_table(value):
            return operate_one(fuel, sign, value)
        raise StatementError(f"a value of type {type(value).__name__} cannot be used with {sign}.")

    guard.__doc__ = f"``{sign}a``"
    return guard


UNARY: Mapping[str, Callable[[Units, Any], Any]] = MappingProxyType(
    {
        "-": _unary("-", lambda value: -value),
        "+": _unary("+", lambda value: +value),
        "~": _unary("~", lambda value: ~value),
    }
)


def _replace_set(a: set[Any], value: set[Any]) -> set[Any]:
    a.clear()
    a.update(value)
    return a


def inplace(fuel: Units, sign: str, a: Any, b: Any) -> Any:
    """``a += b`` and its like: the new value of ``a``; lists, sets and dicts are changed in place as in Python."""
    kind = type(a)
    if kind is list:
        if sign == "+":
            return _extend(fuel, a, b)
        if sign == "*":
            value = multiply(fuel, a, b)
            a[:] = value
            return a
    elif kind is set and sign in ("|", "&", "-", "^"):
        value = BINARY[sign](fuel, a, b)
        check_insert(fuel, a, list(value - a))
        return _replace_set(a, value)
    elif kind is dict and sign == "|":
        value = BINARY[sign](fuel, a, b)
        check_insert(fuel, a, list(b.values()))
        a.update(value)
        return a
    return BINARY[sign](fuel, a, b)


def _extend(fuel: Units, target: list[Any], value: Any) -> list[Any]:
    from autograph.language.sandbox.iteration import listed

    more = listed(fuel, value)
    fuel.check_count(len(target) + len(more), "a list")
    check_insert(fuel, target, more)
    target.extend(more)
    return target
