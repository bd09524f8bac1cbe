"""What has the running statement used up, and what have all statements of the turn?

Guards are given a budget as their first argument, and report to it what they do and make: ``charge`` for work,
``text``, ``made`` and ``bytes`` for what takes memory. In a statement with loops or calls this is the ``Fuel`` of its
run. A statement that is bounded by its form alone (``Statement.plain``) reports to the ``Turn``, at once; the fuel
of the others is settled with the turn at their end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox.limits import DATA_NODES, LARGE_KEYS, MOST_DEPTH, TURN_LARGE_KEYS
from autograph.language.sandbox.sizes import weigh

if TYPE_CHECKING:
    from autograph.language.sandbox.host import Exposure
    from autograph.language.sandbox.watchdog import Watch

__all__ = ["CURRENT", "Fuel", "Limits", "Turn", "Units", "begin_turn"]

_NOTHING: Mapping[Any, Any] = MappingProxyType({})
_Text = TypeVar("_Text", str, bytes)
_Made = TypeVar("_Made", bound=Sized)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much, how large and how deep, as the configuration says."""

    fuel: int
    items: int
    characters: int
    depth: int
    turn_fuel: int
    turn_bytes: int

    @classmethod
    def of(cls, config: AutographConfig) -> Limits:
        """The limits of a configuration. Raises ``StatementError`` for a depth that Python's stack would not bear.

        A turn can do the work of one statement at least, unless ``turn_fuel`` was set explicitly.
        """
        if config.statement_depth > MOST_DEPTH:
            raise StatementError(f"the setting statement_depth must be at most {MOST_DEPTH:,}.")
        return cls(
            fuel=config.statement_fuel,
            items=config.statement_items,
            characters=config.statement_characters,
            depth=config.statement_depth,
            turn_fuel=config.turn_fuel if "turn_fuel" in config.given else max(config.turn_fuel, config.statement_fuel),
            turn_bytes=config.turn_bytes,
        )


class Units:
    """A budget: ``left`` units of work and ``room`` for bytes, within ``limits``.

    ``large_keys`` are the keys still possible whose hashes can be made to collide; ``depth`` counts the calls of
    lambdas inside each other. The rest is there in a ``Fuel`` only.
    """

    __slots__ = ("depth", "large_keys", "left", "limits", "room")

    left: int
    room: int
    limits: Limits
    large_keys: int
    depth: int

    context: object = None
    out: Callable[[str], object] | None = None
    scope: Mapping[str, Any] = _NOTHING
    types: Mapping[type, Exposure] = _NOTHING
    watch: Watch | None = None

    def refuse(self, units: int = 0) -> None:
        """Raise ``LimitError`` and say what is used up; ``units`` are those of an operation that is too much alone."""
        raise NotImplementedError

    def charge(self, units: int) -> None:
        """Use up ``units``. Raises ``LimitError`` when nothing is left."""
        self.left -= units
        if self.left < 0:
            self.refuse()

    def charge_turn(self, units: int) -> None:
        """Use up ``units`` of the turn for what is bounded in one statement by other limits."""
        raise NotImplementedError

    def bytes(self, count: int) -> None:
        """Use up room for ``count`` bytes. Raises ``LimitError`` when nothing is left."""
        self.room -= count
        if self.room < 0:
            self.refuse()

    def rounds(self, count: int, units: int, size: int) -> None:
        """Use up ``units`` and ``size`` bytes for each of ``count`` rounds of a loop."""
        self.left -= count * units
        self.room -= count * size
        if self.left < 0 or self.room < 0:
            self.refuse()

    def text(self, value: _Text) -> _Text:
        """``value``, a text that was made. Raises ``LimitError`` if it is too long, or nothing is left."""
        length = len(value)
        if length > self.limits.characters:
            self.check_length(length)
        self.left -= 1 + (length >> 8)
        self.room -= value.__sizeof__()
        if self.left < 0 or self.room < 0:
            self.refuse()
        return value

    def made(self, value: _Made) -> _Made:
        """``value``, a collection that was made (its items not counted). Raises ``LimitError`` if nothing is left."""
        self.left -= 1 + (len(value) >> 3)
        self.room -= value.__sizeof__()
        if self.left < 0 or self.room < 0:
            self.refuse()
        return value

    def check_count(self, count: int, what: str = "a collection") -> None:
        """Raise ``LimitError`` if a collection of ``count`` items is too long."""
        most = self.limits.items
        if count > most:
            raise LimitError(f"{what} of {_short(count)} items is too long; at most {most:,} are possible.")

    def check_length(self, length: int) -> None:
        """Raise ``LimitError`` if a text of ``length`` characters is too long."""
        most = self.limits.characters
        if length > most:
            raise LimitError(f"a text of {_short(length)} characters is too long; at most {most:,} are possible.")

    def weigh(self, value: Any, per_node: int = 512, limit: int = DATA_NODES) -> int:
        """The number of items in ``value`` (see ``sizes``), the counting of nested ones charged.

        Raises ``LimitError`` if it is too large or nested too deeply.
        """
        items, collections = weigh(value, per_node, limit, self.limits.depth)
        if collections > 1:
            self.charge(collections)
        return items


class Turn(Units):
    """What the statements of one turn may use up together. Plain statements use it directly."""

    __slots__ = ()

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.turn_fuel
        self.room = limits.turn_bytes
        self.large_keys = TURN_LARGE_KEYS
        self.depth = 0

    def charge(self, units: int) -> None:
        """Use up ``units``. Raises ``LimitError`` when nothing is left, or one operation needs a statement's whole."""
        self.left -= units
        if self.left < 0 or units > self.limits.fuel:
            self.refuse(units)

    charge_turn = Units.charge

    def refuse(self, units: int = 0) -> None:
        """Raise ``LimitError`` and say what is used up."""
        limits = self.limits
        if units > limits.fuel:
            raise LimitError("one operation of the statement is too much work; work on less data.")
        if self.room < 0:
            raise LimitError(
                f"the turn's statements have made more than {_size(limits.turn_bytes)} of data; "
                "make less of it in one turn, or raise turn_bytes."
            )
        raise LimitError(
            f"the turn needs more than {limits.turn_fuel:,} steps of work in all; "
            "use less data, spread the work over several turns, or raise turn_fuel."
        )


class Fuel(Units):
    """The budget of one run of a statement, and what the guards need to know.

    ``context`` is given to host functions that ask for it, ``out`` takes what is printed, ``scope`` has what the
    interpreter provides (``@random``, ``@clock``), ``types`` are the host's types that can be read, ``watch`` is
    the watchdog's entry while one is set. ``turn`` is where ``settle`` puts down what was used.
    """

    __slots__ = ("_given", "_keys", "_room", "context", "limit", "out", "scope", "turn", "types", "watch")

    def __init__(
        self,
        limit: int,
        context: object = None,
        out: Callable[[str], object] | None = None,
        scope: Mapping[str, Any] = _NOTHING,
        types: Mapping[type, Exposure] = _NOTHING,
        turn: Turn | None = None,
    ) -> None:
        if turn is None:
            turn = Turn(Limits.of(AutographConfig()))
            turn.left = max(turn.left, limit)
        self.turn = turn
        self.limits = turn.limits
        self.limit = limit
        self.left = self._given = limit if limit < turn.left else turn.left
        self.room = self._room = turn.room
        self.large_keys = self._keys = LARGE_KEYS if turn.large_keys > LARGE_KEYS else turn.large_keys
        self.depth = 0
        self.context = context
        self.out = out
        self.scope = scope
        self.types = types
        self.watch = None

    def charge_turn(self, units: int) -> None:
        """Use up ``units`` of the turn only."""
        self.turn.charge_turn(units)

    def settle(self) -> None:
        """Put down with the turn what was used."""
        turn = self.turn
        turn.left -= self._given - self.left
        turn.room -= self._room - self.room
        if self.large_keys != self._keys:
            turn.large_keys -= self._keys - self.large_keys

    def refuse(self, units: int = 0) -> None:
        """Raise ``LimitError`` and say what is used up."""
        if self.room < 0 or self._given < self.limit:
            self.turn.room = min(self.turn.room, self.room)
            self.turn.refuse()
        raise LimitError(
            f"the statement needs more than {self.limit:,} steps of work; use less data, or spread it over nodes."
        )


CURRENT: ContextVar[Fuel | None] = ContextVar("autograph_fuel", default=None)
"""Set while a host function runs, so that a statement evaluated inside it shares the outer budget."""


def begin_turn(limits: Limits) -> Turn:
    """The budget for the statements of a turn; it belongs into their scopes, as ``@fuel``.

    Within a host function that a statement calls it is what is left of the turn of that statement.
    """
    outer = CURRENT.get()
    return Turn(limits) if outer is None else outer.turn


def _short(number: int) -> str:
    """``number`` for a message, however large it is."""
    return f"{number:,}" if number.bit_length() < 64 else "very many"


def _size(count: int) -> str:
    """A number of bytes for a message."""
    return f"{count / 1_000_000:g} MB" if count >= 1_000_000 else f"{count:,} bytes"
