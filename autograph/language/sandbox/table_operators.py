"""What do operators and comparisons do to tables? What pandas does, for contents that cannot surprise."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import LimitError, StatementError
from autograph.frames import is_frame
from autograph.language.sandbox.budget import Units
from autograph.language.sandbox.limits import TABLE_TEXT
from autograph.language.sandbox.tables import LEAVES, charge_content, charge_table, is_column, is_table, text_length

__all__ = ["operate", "operate_one", "same_rows"]

_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
)
_LOGIC: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {"&": operator.and_, "|": operator.or_, "^": operator.xor}
)
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "//": operator.floordiv,
        "%": operator.mod,
        "**": operator.pow,
    }
)
_COMPUTED = frozenset(("number", "truth", "moment", "span"))
_LARGEST = 1 << 63


def columns_of(table: Any) -> Iterator[Any]:
    """The columns of a frame, or a column itself."""
    if is_frame(table):
        for place in range(table.shape[1]):
            yield table.iloc[:, place]
    elif is_column(table):
        yield table
    else:
        raise StatementError(f"a value of type {type(table).__name__} cannot be used with operators.")


def operate(fuel: Units, sign: str, a: Any, b: Any) -> Any:
    """``a sign b`` where at least one of both is a table."""
    operation = _COMPARISONS.get(sign) or _LOGIC.get(sign) or _ARITHMETIC.get(sign)
    if operation is None:
        raise StatementError(f"tables and columns cannot be used with {sign}.")
    if is_table(a) and is_table(b):
        _check_pair(a, b)
    found = {kind for value in (a, b) if is_table(value) for kind in _contents(fuel, value)}
    if sign in _LOGIC and not found <= {"truth"}:
        raise StatementError(f"{sign} stands between conditions, each in ( ), such as (t.price > 3) {sign} (t.n == 1).")
    if sign in _ARITHMETIC and not found <= _COMPUTED:
        _check_join(fuel, sign, a, b, found)
    if not (is_table(a) and is_table(b)):
        _check_scalar(fuel, *((a, b) if is_table(a) else (b, a)))
    return charge_table(fuel, operation(a, b))


def _contents(fuel: Units, table: Any) -> set[str]:
    return {charge_content(fuel, column) for column in columns_of(table)}


def _check_join(fuel: Units, sign: str, a: Any, b: Any, found: set[str]) -> None:
    """Columns of text can be joined with + and nothing else: their products would be enormous."""
    if sign != "+" or found != {"text"}:
        raise StatementError(f"a column of text or of different things cannot be used with {sign}.")
    size = 0
    for value, other in ((a, b), (b, a)):
        if is_table(value):
            size += sum(text_length(column) for column in columns_of(value))
        elif type(value) is str:
            size += len(value) * other.size
    if size > TABLE_TEXT:
        raise LimitError(f"a column of more than {TABLE_TEXT:,} characters is too large.")
    fuel.charge(size >> 8)
    fuel.bytes(size)


def _check_pair(a: Any, b: Any) -> None:
    if type(a) is not type(b):
        raise StatementError("a table and a column cannot be combined; take a column of the table.")
    if not same_rows(a, b) or (is_frame(a) and not a.columns.equals(b.columns)):
        raise StatementError("two tables or columns that are combined must have the same rows, of one table.")


def same_rows(a: Any, b: Any) -> bool:
    """Whether two tables have equal row labels, so that none has to be looked for."""
    return len(a) == len(b) and (a.index is b.index or bool(a.index.equals(b.index)))


def _check_scalar(fuel: Units, table: Any, value: Any) -> None:
    if type(value) not in LEAVES or type(value) is range:
        raise StatementError(
            f"a table cannot be combined with a value of type {type(value).__name__}; use .isin(...) for lists."
        )
    if type(value) is int and not -_LARGEST <= value < _LARGEST:
        raise LimitError("the number is too large for a table.")
    if type(value) is str:
        fuel.charge(table.size * len(value) >> 10)


def operate_one(fuel: Units, sign: str, table: Any) -> Any:
    """``~table``, ``-table`` or ``+table``"""
    found = _contents(fuel, table)
    if sign == "~":
        if not found <= {"truth"}:
            raise StatementError("~ turns a condition around, such as ~(t.price > 3).")
        return charge_table(fuel, ~table)
    if not found <= {"number", "span"}:
        raise StatementError(f"a column that holds more than numbers cannot be used with {sign}.")
    return charge_table(fuel, -table if sign == "-" else +table)
