"""May this value be put into that list, dict or set? Not if it cannot be stored or would close a circle."""

from __future__ import annotations

from typing import Any

from autograph.errors import StatementError
from autograph.language.sandbox.budget import Units
from autograph.values import SCALARS, check_storable, reaches

__all__ = ["check_insert", "check_value"]


def check_insert(fuel: Units, container: Any, value: Any) -> Any:
    """``value``, if it may be put into ``container``. Raises ``StatementError`` otherwise.

    A list of several values that are to be inserted may be checked at once.
    """
    kind = type(value)
    if kind in SCALARS:
        return value
    if (kind is list or kind is tuple) and value is not container and SCALARS.issuperset(map(type, value)):
        if len(value) > 16:
            fuel.charge(len(value) >> 4)
        return value
    if reaches(value, container):
        raise StatementError("a list or dict cannot contain itself; put a copy into it.")
    return check_value(fuel, value)


def check_value(fuel: Units, value: Any) -> Any:
    """``value``, if it can be stored. Raises ``StatementError`` otherwise."""
    try:
        looked = check_storable(value, "what is put in")
    except ValueError as error:
        raise StatementError(str(error)) from None
    fuel.charge_turn(looked >> 3)
    fuel.charge(fuel.weigh(value) >> 2)
    return value
