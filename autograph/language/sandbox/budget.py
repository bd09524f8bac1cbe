"""What has the running statement used up? Fuel, and the size of data as a tree.

Each run of a statement has its own ``Fuel``; guards are given it as their first argument. Statements that
are bounded by their form alone (``Statement.plain``) pass None, which is never used up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograph.errors import LimitError
from autograph.language.sandbox.limits import DATA_DEPTH, DATA_NODES, SEQUENCE_ITEMS, TEXT_CHARACTERS

if TYPE_CHECKING:
    from autograph.language.sandbox.host import Exposure
    from autograph.language.sandbox.watchdog import Watch

__all__ = ["CURRENT", "NUMBERS", "SCALARS", "Fuel", "Units", "charge", "check_count", "check_length", "weigh"]

NUMBERS: frozenset[type] = frozenset((int, float, bool, complex))
SCALARS: frozenset[type] = NUMBERS | {type(None), date, datetime, time, timedelta, Decimal, Fraction, range}
"""Types whose values are small and hold nothing else; text and bytes count by their length."""

_GROUPS = frozenset((list, tuple, set, frozenset))
_VIEWS = frozenset((type({}.keys()), type({}.values()), type({}.items())))
_TEXTS = frozenset((str, bytes))
_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Fuel:
    """The budget of one run: ``left`` units, and what the guards need to know.

    ``context`` is given to host functions that ask for it, ``out`` takes what is printed, ``scope`` has what the
    interpreter provides (``@random``, ``@clock``), ``types`` are the host's types that can be read, ``watch`` is
    the watchdog's entry while one is set, ``large_keys`` and ``depth`` count towards their limits.
    """

    __slots__ = ("context", "depth", "large_keys", "left", "limit", "out", "scope", "types", "watch")

    def __init__(
        self,
        limit: int,
        context: object = None,
        out: Callable[[str], object] | None = None,
        scope: Mapping[str, Any] = _NOTHING,
        types: Mapping[type, Exposure] = _NOTHING,
    ) -> None:
        self.left = limit
        self.limit = limit
        self.context = context
        self.out = out
        self.scope = scope
        self.types = types
        self.watch: Watch | None = None
        self.large_keys = 0
        self.depth = 0

    def charge(self, units: int) -> None:
        """Use up ``units``. Raises ``LimitError`` when nothing is left."""
        self.left -= units
        if self.left < 0:
            raise LimitError(
                f"the statement needs more than {self.limit:,} steps of work; use less data, or spread it over nodes."
            )


Units = Fuel | None
CURRENT: ContextVar[Fuel | None] = ContextVar("autograph_fuel", default=None)
"""Set while a host function runs, so that a statement evaluated inside it shares the outer budget."""


def charge(fuel: Units, units: int) -> None:
    """Use up ``units`` of ``fuel``; without fuel only a single absurd amount is refused."""
    if fuel is not None:
        fuel.charge(units)
    elif units > SEQUENCE_ITEMS:
        raise LimitError("one operation of the statement is too much work; work on less data.")


def check_count(count: int, what: str = "a collection") -> None:
    """Raise ``LimitError`` if a collection of ``count`` items is too long."""
    if count > SEQUENCE_ITEMS:
        raise LimitError(f"{what} of {short(count)} items is too long; at most {SEQUENCE_ITEMS:,} are possible.")


def check_length(length: int) -> None:
    """Raise ``LimitError`` if a text of ``length`` characters is too long."""
    if length > TEXT_CHARACTERS:
        raise LimitError(f"a text of {short(length)} characters is too long; at most {TEXT_CHARACTERS:,} are possible.")


def short(number: int) -> str:
    """``number`` for a message, however large it is."""
    return f"{number:,}" if number.bit_length() < 64 else "very many"


def weigh(value: Any, per_node: int = 512, limit: int = DATA_NODES) -> int:
    """The number of items in ``value``, counted as a tree: what is shared counts each time.

    A text counts once per ``per_node`` characters. Raises ``LimitError`` above ``limit``, and for data that
    is nested too deeply.
    """
    total = 0
    level = [value]
    for _ in range(DATA_DEPTH):
        below: list[Any] = []
        for item in level:
            kind = type(item)
            total += 1
            if kind in _TEXTS:
                total += len(item) // per_node
            elif kind in _GROUPS or kind in _VIEWS:
                total += _sort_out(item, below)
            elif kind is dict:
                total += _sort_out(item, below) + _sort_out(item.values(), below)
            if total + len(below) > limit:
                raise LimitError(_TOO_MUCH + f"it has more than {limit:,} items.")
        if not below:
            return total
        level = below
    raise LimitError(_TOO_MUCH + f"it is nested deeper than {DATA_DEPTH} levels.")


_TOO_MUCH = "the data is too large to be compared, sorted, used as a key or turned into text: "


def _sort_out(items: Any, below: list[Any]) -> int:
    """Put the items that hold something into ``below``; how many others there are."""
    if SCALARS.issuperset(map(type, items)):
        return len(items)
    inner = [item for item in items if type(item) not in SCALARS]
    below.extend(inner)
    return len(items) - len(inner)
