"""Which figures can programs compute of numbers? Those of Python's ``statistics``, of a bounded list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.arithmetic import check_number
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.comparison import charge_order, keys
from autograph.language.sandbox.iteration import listed
from autograph.language.sandbox.tokens import Native, functions, words

__all__ = ["STATISTICS"]

_NUMBERS = frozenset((int, float, bool, Decimal))
_PARTS = 1_000
_EXPONENT = 3_000


def _numbers(fuel: Units, name: str, data: Any, weight: int) -> list[Any]:
    """The list of numbers in ``data``; ``weight`` is the work for each."""
    found = listed(fuel, data)
    bits = 0
    for number in found:
        if type(number) not in _NUMBERS:
            raise StatementError(f"{name}() takes numbers, not values of type {type(number).__name__}.")
        if type(number) is int:
            bits += number.bit_length()
        elif type(number) is Decimal and number.is_finite() and abs(number.adjusted()) > _EXPONENT:
            raise LimitError(f"{name}() takes no decimal numbers with thousands of digits.")
    fuel.charge(len(found) * weight + (bits * weight >> 6))
    return found


def _figure(name: str, weight: int) -> Native:
    """A function of one list of numbers."""

    def run(fuel: Units, data: Any, /) -> Any:
        found = _numbers(fuel, name, data, weight)
        return check_number(fuel, _real(name)(found))

    return run


def _spread(name: str) -> Native:
    """A function of numbers and, if it is known, their mean."""

    def run(fuel: Units, data: Any, mean: Any = None, /) -> Any:
        found = _numbers(fuel, name, data, 12)
        if mean is not None and type(mean) not in (int, float, bool):
            raise StatementError(f"the mean for {name}() is a number, not a value of type {type(mean).__name__}.")
        return check_number(fuel, _real(name)(found, mean))

    return run


def _common(name: str) -> Native:
    """``mode`` and ``multimode``, which take anything that can be counted."""

    def run(fuel: Units, data: Any, /) -> Any:
        found = listed(fuel, data)
        keys(fuel, found)
        charge_order(fuel, found, 1)
        result = _real(name)(found)
        return fuel.made(result) if type(result) is list else result

    return run


def _quantiles(fuel: Units, data: Any, /, *, n: Any = 4, method: Any = "exclusive") -> list[Any]:
    if type(n) is not int or not 1 <= n <= _PARTS:
        raise StatementError(f"n= of quantiles() is a whole number between 1 and {_PARTS:,}.")
    if type(method) is not str or method not in ("exclusive", "inclusive"):
        raise StatementError("method= of quantiles() is 'exclusive' or 'inclusive'.")
    found = _numbers(fuel, "quantiles", data, 2)
    fuel.charge(n)
    values: list[Any] = _real("quantiles")(found, n=n, method=method)
    return values


def _real(name: str) -> Callable[..., Any]:
    """Python's function, whose module is loaded when it is first used."""
    import statistics

    function: Callable[..., Any] = getattr(statistics, name)
    return function


_NATIVES: dict[str, Native] = {
    **{name: _figure(name, 4) for name in words("mean fmean geometric_mean harmonic_mean")},
    **{name: _figure(name, 1) for name in words("median median_low median_high")},
    **{name: _spread(name) for name in words("stdev variance pstdev pvariance")},
    **{name: _common(name) for name in words("mode multimode")},
    "quantiles": _quantiles,
}

STATISTICS: Mapping[str, Any] = MappingProxyType(functions("statistics", _NATIVES))
"""The module ``statistics``."""
