"""How much may be spent? The value of ``--budget``."""

from __future__ import annotations

import math
import re

import click

__all__ = ["read_budget"]

_TOKENS = re.compile(r"([\d_,]*\.?\d+)\s*([kKmM]?)")
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def read_budget(text: str | None, *, priced: bool) -> tuple[int | None, float | None]:
    """Tokens and cost of a budget: ``500k``, ``2M``, ``cost=5``, or both with a comma between them.

    ``priced``: there are prices, without which no cost can be told. Raises ``click.UsageError``.
    """
    tokens: int | None = None
    cost: float | None = None
    for part in (text or "").split(",") if text is not None else ():
        name, sign, value = part.strip().partition("=")
        name, value = (name.strip(), value.strip()) if sign else ("tokens", name.strip())
        if name == "tokens":
            tokens = _tokens(value)
        elif name == "cost":
            cost = _cost(value)
        else:
            raise click.UsageError(f'--budget: there is no budget of "{name}". Write 500k for tokens, or cost=5.')
    if cost is not None and not priced:
        raise click.UsageError("--budget: a cost needs prices. Add --price prompt=0.25,completion=2 (per million).")
    return tokens, cost


def _tokens(text: str) -> int:
    match = _TOKENS.fullmatch(text)
    if match is None:
        raise click.UsageError(f'--budget: "{text}" is no number of tokens. Write for example 500k or 2M.')
    return round(float(match[1].replace("_", "")) * _UNITS[match[2].lower()])


def _cost(text: str) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = math.nan
    if not (math.isfinite(cost) and cost >= 0):
        raise click.UsageError(f'--budget: "{text}" is no amount. Write for example cost=5, in the unit of --price.')
    return cost
