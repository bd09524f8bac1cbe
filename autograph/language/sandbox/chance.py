"""What does chance do in a program? It draws from the conversation's own generator, so that a replay is exact."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.arithmetic import check_number
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import INT_BITS
from autograph.language.sandbox.tokens import Function, Native

__all__ = ["RANDOM"]

_SEQUENCES = frozenset((list, tuple, str, range))
_NUMBERS = frozenset((int, float, bool))


def _generator(fuel: Units) -> Random:
    """The generator that the interpreter provides."""
    found = fuel.scope.get("@random")
    if not isinstance(found, Random):
        raise StatementError("nothing can be drawn here: a generator is there within a conversation only.")
    return found


def _random(fuel: Units, /) -> float:
    return _generator(fuel).random()


def _uniform(fuel: Units, a: Any, b: Any) -> float:
    for value in (a, b):
        if type(value) not in _NUMBERS:
            raise StatementError(f"uniform() takes two numbers, not a value of type {type(value).__name__}.")
    return _generator(fuel).uniform(a, b)


def _randint(fuel: Units, a: Any, b: Any) -> int:
    for value in (a, b):
        if type(value) is not int:
            raise StatementError(f"randint() takes two whole numbers, not a value of type {type(value).__name__}.")
        if value.bit_length() > INT_BITS:
            raise LimitError("a whole number is too large.")
    if b < a:
        raise StatementError(f"randint() takes the smaller number first; {a} is larger than {b}.")
    return check_number(fuel, _generator(fuel).randint(a, b))  # type: ignore[no-any-return]


def _choice(fuel: Units, seq: Any) -> Any:
    if type(seq) not in _SEQUENCES:
        raise StatementError(f"choice() takes a list, tuple or text, not a value of type {type(seq).__name__}.")
    if not seq:
        raise StatementError("choice() finds nothing to choose from.")
    return _generator(fuel).choice(seq)


def _sample(fuel: Units, population: Any, k: Any) -> list[Any]:
    if type(population) not in _SEQUENCES:
        raise StatementError(f"sample() takes a list, tuple or text, not a value of type {type(population).__name__}.")
    if type(k) is not int or not 0 <= k <= len(population):
        raise StatementError(f"sample() draws between 0 and {len(population)} of {len(population)} items.")
    fuel.charge(k * 4 + (len(population) >> 3))
    return fuel.made(_generator(fuel).sample(population, k))


def _shuffle(fuel: Units, x: Any) -> None:
    if type(x) is not list:
        raise StatementError(f"shuffle() takes a list, not a value of type {type(x).__name__}.")
    fuel.charge(len(x) * 4)
    _generator(fuel).shuffle(x)


_NATIVES: dict[str, Native] = {
    "random": _random,
    "uniform": _uniform,
    "randint": _randint,
    "choice": _choice,
    "sample": _sample,
    "shuffle": _shuffle,
}

RANDOM: Mapping[str, Any] = MappingProxyType(
    {name: Function(f"random.{name}", run, name != "shuffle", "random") for name, run in _NATIVES.items()}
)
"""The module ``random``."""
