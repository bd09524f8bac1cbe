"""Functions of the application that a program may call, with a context for each request.

A program reaches only what the host gives it by name in ``modules``. A parameter called ``context``
is filled by the host, turn by turn: here with the customer who is logged in. The context is never
in the memory, in a prompt or within reach of the program, so a customer cannot talk their way into
the orders of another one.
"""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import autograph

SHEET = Path(__file__).with_suffix(".csv")
ORDERS: dict[str, dict[str, Any]] = {
    "17": {"customer": "ada", "state": "on its way", "price": 40},
    "18": {"customer": "bo", "state": "delivered", "price": 25},
}


@dataclass(frozen=True)
class Request:
    """What the application knows about the request it serves."""

    customer: str


def find_order(number: str, context: Request) -> dict[str, Any] | None:
    """The order with this number, if it belongs to the customer of the request."""
    order = ORDERS.get(number)
    return order if order and order["customer"] == context.customer else None


def with_tax(price: int, rate: float) -> Decimal:
    """A price with its tax."""
    return round(price * (1 + Decimal(str(rate))), 2)


def main() -> None:
    """The same question from two customers."""
    bot = autograph.load(SHEET, model="offline", modules={"find_order": find_order, "with_tax": with_tax})
    for customer in ("ada", "bo"):
        context = Request(customer)
        _, memory = bot.reply("", context=context)
        reply, memory = bot.reply("17", memory, context=context)
        print(f"{customer}: {reply}")


if __name__ == "__main__":
    main()
