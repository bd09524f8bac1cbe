"""Which builtin functions can a program have, and what do they do? Python's own, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.arithmetic import charge_work, check_number, power
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.calling import callee
from autograph.language.sandbox.comparison import charge_order
from autograph.language.sandbox.iteration import ITERATORS, SIZED, items, listed
from autograph.language.sandbox.methods_data import ordering
from autograph.language.sandbox.sizes import SCALARS
from autograph.language.sandbox.tables import table_length
from autograph.language.sandbox.texts import format_text, represent, text
from autograph.language.sandbox.tokens import Function, Native, TypeToken, words
from autograph.language.sandbox.types import TYPES, check_magnitude, is_program_function, token_of

__all__ = ["BUILTINS", "CHEAP_FUNCTIONS", "CHEAP_METHODS", "CHECKPOINT"]

_SCALED = SCALARS - {range}


def len_(fuel: Units, value: Any, /) -> int:
    if type(value) in SIZED:
        return len(value)
    length = table_length(value)
    if length is None:
        raise StatementError(f"a value of type {type(value).__name__} has no length.")
    return length


def abs_(fuel: Units, value: Any, /) -> Any:
    return check_number(fuel, abs(_scalar("abs", value)))


def _scalar(name: str, value: Any) -> Any:
    if type(value) not in _SCALED:
        raise StatementError(f"{name}() takes a number, not a value of type {type(value).__name__}.")
    return value


def round_(fuel: Units, number: Any, ndigits: Any = None) -> Any:
    check_magnitude(_scalar("round", number))
    if ndigits is None:
        return check_number(fuel, round(number))
    if type(ndigits) is not int or not -400 < ndigits < 400:
        raise StatementError("the number of digits for round() is a whole number between -400 and 400.")
    return check_number(fuel, round(number, ndigits))


def divmod_(fuel: Units, a: Any, b: Any, /) -> Any:
    charge_work(fuel, _scalar("divmod", a), _scalar("divmod", b))
    whole, rest = divmod(a, b)
    return check_number(fuel, whole), check_number(fuel, rest)


def pow_(fuel: Units, base: Any, exp: Any, mod: Any = None) -> Any:
    return power(fuel, base, exp, mod)


def sum_(fuel: Units, value: Any, /, start: Any = 0) -> Any:
    found = listed(fuel, value)
    for number in (start, *found):
        if type(number) not in _SCALED:
            hint = "; lists are joined in a comprehension" if type(number) is list else ""
            raise StatementError(f"sum() adds numbers, not values of type {type(number).__name__}{hint}.")
    return check_number(fuel, sum(found, start))


def _extreme(name: str, function: Callable[..., Any]) -> Native:
    def run(fuel: Units, /, *args: Any, key: Any = None, **options: Any) -> Any:
        if set(options) - {"default"}:
            raise StatementError(f"{name}() takes key= and default= only.")
        found = listed(fuel, args[0]) if len(args) == 1 else list(args)
        if not args:
            raise StatementError(f"{name}() needs at least one value.")
        if not found:
            if "default" in options:
                return options["default"]
            raise StatementError(f"{name}() of nothing has no value; give default=.")
        ranks = found
        if key is not None:
            by = callee(fuel, key)
            ranks = [by(item) for item in found]
        charge_order(fuel, ranks, 1)
        return found[function(range(len(ranks)), key=ranks.__getitem__)] if key is not None else function(found)

    return run


def ord_(fuel: Units, value: Any, /) -> int:
    return ord(value)


def chr_(fuel: Units, value: Any, /) -> str:
    return chr(value)


def reversed_(fuel: Units, value: Any, /) -> Iterator[Any]:
    if type(value) not in SIZED:
        raise StatementError(f"reversed() takes a collection, not a value of type {type(value).__name__}.")
    return reversed(value)  # type: ignore[no-any-return]


def sorted_(fuel: Units, value: Any, /, *, key: Any = None, reverse: Any = False) -> list[Any]:
    return ordering(fuel, value, key, reverse)


def enumerate_(fuel: Units, value: Any, start: Any = 0) -> Iterator[Any]:
    return enumerate(items(fuel, value), start)


def map_(fuel: Units, function: Any, /, *values: Any) -> Iterator[Any]:
    return map(callee(fuel, function), *[items(fuel, value) for value in values])


def filter_(fuel: Units, function: Any, value: Any, /) -> Iterator[Any]:
    return filter(None if function is None else callee(fuel, function), items(fuel, value))


def zip_(fuel: Units, /, *values: Any, strict: Any = False) -> Iterator[Any]:
    return zip(*[items(fuel, value) for value in values], strict=bool(strict))


def any_(fuel: Units, value: Any, /) -> bool:
    return any(items(fuel, value))


def all_(fuel: Units, value: Any, /) -> bool:
    return all(items(fuel, value))


def isinstance_(fuel: Units, value: Any, kinds: Any, /) -> bool:
    tokens = kinds if type(kinds) is tuple else (kinds,)
    fuel.charge(len(tokens) >> 2)
    for token in tokens:
        if type(token) is not TypeToken:
            raise StatementError("isinstance() takes a type or a tuple of types, such as (int, float).")
    return isinstance(value, tuple(token.kind for token in tokens))


def type_(fuel: Units, value: Any, /) -> TypeToken:
    return token_of(value)


def print_(fuel: Units, /, *args: Any, sep: Any = " ", end: Any = "") -> None:
    parts = [text(fuel, value) for value in args]
    between = " " if sep is None else sep
    if type(between) is not str or (end is not None and type(end) is not str):
        raise StatementError("sep= and end= of print() are texts.")
    size = sum(map(len, parts)) + len(between) * len(parts)
    fuel.check_length(size)
    fuel.charge(1 + (size >> 6))
    if fuel.out is not None:
        fuel.out(fuel.text(between.join(parts) + (end or "").rstrip("\n")))


def debug_checkpoint_(fuel: Units, /) -> None:
    pause = fuel.scope.get("@checkpoint")
    if pause is None:  # nobody debugs
        return
    watch = fuel.watch
    if watch is not None:
        watch.pause()
    try:
        pause()
    finally:
        if watch is not None:
            watch.resume()


def next_(fuel: Units, value: Any, /, *default: Any) -> Any:
    if type(value) not in ITERATORS:
        raise StatementError(f"next() takes an iterator, not a value of type {type(value).__name__}; use iter(...).")
    fuel.charge(1)
    if default:
        return next(value, *default)
    try:
        return next(value)
    except StopIteration:
        raise StatementError("next() found nothing more; give a second argument for that case.") from None


def iter_(fuel: Units, value: Any, /) -> Iterator[Any]:
    return iter(items(fuel, value))


def hex_(fuel: Units, value: Any, /) -> str:
    return _based(fuel, "hex", hex, value)


def bin_(fuel: Units, value: Any, /) -> str:
    return _based(fuel, "bin", bin, value)


def oct_(fuel: Units, value: Any, /) -> str:
    return _based(fuel, "oct", oct, value)


def _based(fuel: Units, name: str, function: Callable[[int], str], value: Any) -> str:
    if type(value) is not int and type(value) is not bool:
        raise StatementError(f"{name}() takes a whole number, not a value of type {type(value).__name__}.")
    fuel.charge(1 + (value.bit_length() >> 8))
    return fuel.text(function(value))


def format_(fuel: Units, value: Any, spec: Any = "", /) -> str:
    return format_text(fuel, value, spec)


def repr_(fuel: Units, value: Any, /) -> str:
    return represent(fuel, value)


def ascii_(fuel: Units, value: Any, /) -> str:
    return fuel.text(represent(fuel, value).encode("ascii", "backslashreplace").decode("ascii"))


def callable_(fuel: Units, value: Any, /) -> bool:
    return type(value) in (Function, TypeToken) or is_program_function(value)


_FUNCTIONS: dict[str, Native] = {
    "len": len_,
    "abs": abs_,
    "round": round_,
    "divmod": divmod_,
    "pow": pow_,
    "sum": sum_,
    "min": _extreme("min", min),
    "max": _extreme("max", max),
    "ord": ord_,
    "chr": chr_,
    "reversed": reversed_,
    "sorted": sorted_,
    "enumerate": enumerate_,
    "map": map_,
    "filter": filter_,
    "zip": zip_,
    "any": any_,
    "all": all_,
    "isinstance": isinstance_,
    "type": type_,
    "print": print_,
    "next": next_,
    "iter": iter_,
    "hex": hex_,
    "bin": bin_,
    "oct": oct_,
    "format": format_,
    "repr": repr_,
    "ascii": ascii_,
    "callable": callable_,
}

CHECKPOINT = Function("debug_checkpoint", debug_checkpoint_, needs="checkpoint")
"""``debug_checkpoint()``, which every program has, whatever its configuration says."""

BUILTINS: Mapping[str, Function | TypeToken] = MappingProxyType(
    {**{name: Function(name, run) for name, run in _FUNCTIONS.items()}, CHECKPOINT.name: CHECKPOINT, **TYPES}
)
"""All builtins that a configuration may name."""

CHEAP_FUNCTIONS: frozenset[str] = frozenset(
    words("len abs round ord chr isinstance type int float bool str range hex min max")
)
"""Functions whose single call is bounded well enough to need no fuel."""

CHEAP_METHODS: frozenset[str] = frozenset(
    words(
        "append insert pop remove reverse copy get keys values items index count add discard upper lower title "
        "capitalize strip lstrip rstrip startswith endswith find isdigit isalpha split join replace"
    )
)
"""Methods of which the same holds."""
