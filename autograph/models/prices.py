"""What does it cost? Prices per million tokens, and the cost of a usage by them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from autograph.errors import ModelError, did_you_mean
from autograph.models.base import Usage

__all__ = ["PRICED", "cost_of", "read_prices"]

PRICED = ("prompt", "completion", "cached")
"""What may have a price. Without one of its own a cached token costs what a token of the prompt does."""


def cost_of(usage: Usage, prices: Mapping[str, float]) -> float:
    """The cost of ``usage``, in the unit of ``prices``, which are per million tokens."""
    prompt = prices.get("prompt", 0.0)
    spent = (usage.prompt - usage.cached) * prompt + usage.cached * prices.get("cached", prompt)
    return (spent + usage.completion * prices.get("completion", 0.0)) / 1_000_000


def read_prices(text: str) -> dict[str, float]:
    """The prices in ``prompt=0.25,completion=2``. Raises ``ModelError`` with a sentence for anything else."""
    prices: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in PRICED:
            hint = did_you_mean(name, PRICED) or f"The names are {', '.join(PRICED)}."
            raise ModelError(f'"{part}" is no price: write prompt=0.25,completion=2 (per million tokens). {hint}')
        try:
            prices[name] = float(value)
        except ValueError:
            prices[name] = -1.0
        if not (math.isfinite(prices[name]) and prices[name] >= 0):
            raise ModelError(f'the price "{part}" is no number that is 0 or more. Write for example {name}=0.25.')
    if not prices:
        raise ModelError("no price is given. Write for example prompt=0.25,completion=2 (per million tokens).")
    return prices
