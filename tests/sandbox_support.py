"""The environment that the sandbox batteries assume: variables, host functions, a host object, planted markers."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pandas

from autograph.config import AutographConfig
from autograph.language.sandbox.exposure import expose_type
from autograph.language.statements import StatementInterpreter

FOLDER = Path(__file__).parent / "sandbox"
MARKER = "MARKER-7f3a"
SECRET_KEY = MARKER  # what no program may ever read: it lies in the globals of the host functions

_VARIABLES = json.loads((FOLDER / "env.json").read_text(encoding="utf-8"))["vars"]


def lookup(key: str) -> str | None:
    return {"en": "Hello", "fr": "Bonjour"}.get(key)


lookup.secret = MARKER  # type: ignore[attr-defined]


def add(a: Any, b: Any) -> Any:
    return a + b


class Order:
    """A host object with public and private parts."""

    _registry = (MARKER,)

    def __init__(self) -> None:
        self.id = 7
        self.total = 42.5
        self.items = ["pen", "ink"]
        self.db = MARKER
        self._secret = MARKER

    def total_with_tax(self, rate: float) -> float:
        return self.total * (1 + rate)


ORDER = expose_type(Order, attrs={"id", "total", "items"}, methods={"total_with_tax"})
_TABLE = pandas.DataFrame({"name": ["a", "b", "c", "d"], "price": [4.5, 9.0, 12.0, 30.0], "n": [1, 2, 2, 3]})


def vectors(name: str) -> list[dict[str, Any]]:
    """The vectors of one battery."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["vectors"]  # type: ignore[no-any-return]


def variables() -> dict[str, Any]:
    """A fresh copy of the variables, the host object and the table among them."""
    return {**copy.deepcopy(_VARIABLES), "order": Order(), "df": _TABLE.copy()}


def interpreter(config: AutographConfig | None = None) -> StatementInterpreter:
    """An interpreter with the host functions and the host's type."""
    return StatementInterpreter(config, modules={"lookup": lookup, "add": add, "Order": ORDER})


def decode(value: Any) -> Any:
    """A value of the batteries, where ``$tuple``, ``$set`` and ``$dict`` stand for what JSON lacks."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$tuple" in value:
        return tuple(map(decode, value["$tuple"]))
    if "$set" in value:
        return set(map(decode, value["$set"]))
    if "$dict" in value:
        return {decode(key): decode(item) for key, item in value["$dict"]}
    return {key: decode(item) for key, item in value.items()}
