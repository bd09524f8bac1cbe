"""Which modules can a program have? Curated tables of functions and constants; never the modules themselves."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.arithmetic import BINARY, charge_work, check_number, multiply
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.calling import callee
from autograph.language.sandbox.chance import RANDOM
from autograph.language.sandbox.comparison import COMPARE, contains
from autograph.language.sandbox.dates import DATETIME
from autograph.language.sandbox.iteration import items, listed
from autograph.language.sandbox.json_texts import JSON
from autograph.language.sandbox.limits import INT_BITS, LITERAL_CHARACTERS
from autograph.language.sandbox.patterns import PATTERNS
from autograph.language.sandbox.policy import check_constant
from autograph.language.sandbox.sizes import SCALARS
from autograph.language.sandbox.statistic import STATISTICS
from autograph.language.sandbox.tokens import Module, Native, functions, words
from autograph.language.sandbox.types import check_magnitude

__all__ = ["MODULES", "dollar"]

_EXACT = SCALARS - {range, complex, type(None)}


def _numeric(function: Callable[..., Any]) -> Native:
    """A function of plain numbers; its result is bounded like any number."""
    name = function.__name__

    def run(fuel: Units, /, *args: Any, **options: Any) -> Any:
        for value in (*args, *options.values()):
            if type(value) not in _EXACT:
                raise StatementError(f"{name}() takes numbers, not a value of type {type(value).__name__}.")
            check_magnitude(value)
        if len(args) > 1:
            charge_work(fuel, args[0], args[1])
        return check_number(fuel, function(*args, **options))

    return run


def _quick(function: Callable[[Any], Any]) -> Native:
    """A function of one number whose common case is a short path."""
    slow = _numeric(function)

    def run(fuel: Units, value: Any, /) -> Any:
        if type(value) is float or type(value) is int:
            return function(value)
        return slow(fuel, value)

    return run


def _factorial(fuel: Units, number: Any, /) -> int:
    if type(number) is int and number > 1_000:
        raise LimitError("factorial() is possible up to 1,000.")
    return check_number(fuel, math.factorial(_whole("factorial", number)))  # type: ignore[no-any-return]


def _whole(name: str, number: Any) -> int:
    if type(number) is not int and type(number) is not bool:
        raise StatementError(f"{name}() takes whole numbers, not a value of type {type(number).__name__}.")
    return number


def _ways(name: str, function: Callable[..., int]) -> Native:
    """``comb`` and ``perm``."""

    def run(fuel: Units, n: Any, k: Any = None, /) -> int:
        steps = _whole(name, n) if k is None else _whole(name, k)
        if name == "comb":
            steps = min(steps, n - steps) if steps <= n else 0
        if steps > 0 and min(n, INT_BITS).bit_length() + steps > 0 and steps * max(n.bit_length() - 10, 1) > INT_BITS:
            raise LimitError(f"the result of {name}() is too large.")
        fuel.charge(max(steps, 0))
        return check_number(fuel, function(n) if k is None else function(n, k))  # type: ignore[no-any-return]

    return run


def _many(function: Callable[..., int]) -> Native:
    """``gcd`` and ``lcm``."""
    name = function.__name__

    def run(fuel: Units, /, *numbers: Any) -> int:
        value: Any = 1 if name == "lcm" else 0
        for number in numbers:
            charge_work(fuel, value, _whole(name, number))
            value = check_number(fuel, function(value, number))
        return value  # type: ignore[no-any-return]

    return run


def _prod(fuel: Units, values: Any, /, *, start: Any = 1) -> Any:
    value = start
    for number in items(fuel, values):
        if type(number) not in _EXACT:
            raise StatementError(f"prod() multiplies numbers, not values of type {type(number).__name__}.")
        fuel.charge(1)
        value = multiply(fuel, value, number)
    return value


def _over_list(name: str, function: Callable[..., Any]) -> Native:
    """A function of lists of numbers."""

    def run(fuel: Units, /, *values: Any) -> Any:
        found = [listed(fuel, value) for value in values]
        for numbers in found:
            for number in numbers:
                if type(number) not in _EXACT:
                    raise StatementError(f"{name}() takes lists of numbers, not of type {type(number).__name__}.")
        return function(*found)

    return run


def _isqrt(fuel: Units, number: Any, /) -> int:
    fuel.charge((_whole("isqrt", number).bit_length() // 30) ** 2 >> 8)
    return math.isqrt(number)


_QUICK = ["floor", "ceil", "sqrt", "trunc", "fabs"]
_PLAIN = words(
    "exp expm1 exp2 log log1p log2 log10 cbrt pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh "
    "acosh atanh hypot degrees radians copysign fmod modf frexp ldexp isclose isfinite isinf isnan "
    "remainder erf erfc gamma lgamma nextafter ulp"
)


def _math() -> dict[str, Any]:
    table: dict[str, Any] = {name: getattr(math, name) for name in ("pi", "e", "tau", "inf", "nan")}
    natives: dict[str, Native] = {
        **{name: _quick(getattr(math, name)) for name in _QUICK},
        **{name: _numeric(getattr(math, name)) for name in _PLAIN},
        **{name: _many(getattr(math, name)) for name in ("gcd", "lcm")},
        **{name: _ways(name, getattr(math, name)) for name in ("comb", "perm")},
        **{name: _over_list(name, getattr(math, name)) for name in ("fsum", "dist")},
        "factorial": _factorial,
        "isqrt": _isqrt,
        "prod": _prod,
    }
    return {**table, **functions("math", natives)}


def _one(function: Callable[[Any], Any]) -> Native:
    def run(fuel: Units, value: Any, /) -> Any:
        return check_number(fuel, function(value))

    return run


def _operator() -> dict[str, Any]:
    signs = {
        "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
        "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^",
    }  # fmt: skip
    orders = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "is_": "is", "is_not": "is not"}
    return functions(
        "operator",
        {
            **{name: BINARY[sign] for name, sign in signs.items()},
            **{name: COMPARE[sign] for name, sign in orders.items()},
            "contains": lambda fuel, container, item, /: contains(fuel, item, container),
            "neg": _one(lambda value: -value),
            "pos": _one(lambda value: +value),
            "abs": _one(abs),
            "not_": _one(lambda value: not value),
            "truth": _one(bool),
        },
    )


def _reduce(fuel: Units, function: Any, values: Any, /, *start: Any) -> Any:
    from functools import reduce

    by = callee(fuel, function)
    fuel.charge(1)
    return reduce(by, items(fuel, values), *start)


def _literal_eval(fuel: Units, source: Any, /) -> Any:
    if type(source) is not str:
        raise StatementError(f"literal_eval() takes a text, not a value of type {type(source).__name__}.")
    return read_literal(fuel, source)


def read_literal(fuel: Units, source: str) -> Any:
    """The value of a text that is a Python literal. Raises ``StatementError`` if it is none."""
    if len(source) > LITERAL_CHARACTERS:
        raise LimitError(f"a text of more than {LITERAL_CHARACTERS:,} characters is not read as a Python literal.")
    fuel.charge(len(source) * 3 >> 1)
    fuel.bytes(len(source) * _LITERAL_BYTES)
    try:
        tree = ast.parse(source.lstrip(" \t"), mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                check_constant(node.value)
        return ast.literal_eval(tree)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise StatementError(f"the text {source[:60]!r} is no Python literal.") from None


_LITERAL_BYTES = 32
"""What each character of a literal may make, as in ``[[],[],[]]``."""
_BEGINNINGS = frozenset("0123456789'\"[({+-.TFNbBrRuUs")


def dollar(fuel: Units, value: Any) -> Any:
    """The value of ``$name`` in code: a text that is a Python literal counts as the literal."""
    if type(value) is not str or not value or len(value) > LITERAL_CHARACTERS:
        return value
    start = value.lstrip(" \t")
    if start[:1] not in _BEGINNINGS:
        return value
    try:
        return read_literal(fuel, value)
    except StatementError:
        return value


MODULES: Mapping[str, Module] = MappingProxyType(
    {
        "math": Module("math", MappingProxyType(_math())),
        "operator": Module("operator", MappingProxyType(_operator())),
        "functools": Module("functools", MappingProxyType(functions("functools", {"reduce": _reduce}))),
        "ast": Module("ast", MappingProxyType(functions("ast", {"literal_eval": _literal_eval}))),
        "datetime": Module("datetime", DATETIME),
        "json": Module("json", JSON),
        "random": Module("random", RANDOM),
        "re": Module("re", PATTERNS),
        "statistics": Module("statistics", STATISTICS),
    }
)
"""The modules a configuration may import."""
