"""How many requests may be made, how fast, and for how much? ``LimitedModel`` keeps another model within limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from threading import BoundedSemaphore, Lock
from typing import Any

from autograph.errors import ModelError
from autograph.models.base import Choice, GenerateRequest, Model, Question, Reply, Usage
from autograph.models.prices import cost_of

__all__ = ["Allowance", "BudgetError", "LimitedModel"]


class BudgetError(ModelError):
    """The budget is used up, so the request was not made."""


class Allowance:
    """What several models may do together.

    ``at_once``: how many requests may be under way. ``per_minute``: how many may be begun in a minute; they are
    spread evenly. ``budget_tokens`` (prompt and completion) and ``budget_cost`` (by ``prices``, per million tokens):
    no request is made past them, and since a request's cost is known only when it is answered, the ones under way
    are counted at the average so far. None: no limit. ``clock`` and ``sleep`` are for tests.
    """

    def __init__(
        self,
        *,
        at_once: int | None = None,
        per_minute: float | None = None,
        budget_tokens: int | None = None,
        budget_cost: float | None = None,
        prices: Mapping[str, float] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        if budget_cost is not None and not prices:
            raise ModelError("a budget in money needs prices per million tokens, such as prompt=0.25,completion=2")
        self._places = None if at_once is None else asyncio.Semaphore(at_once)
        self._thread_places = None if at_once is None else BoundedSemaphore(at_once)
        self._spacing = 0.0 if per_minute is None else 60 / per_minute
        self._budgets = (budget_tokens, budget_cost)
        self._limits_budget = budget_tokens is not None or budget_cost is not None
        self._prices = prices
        self._clock, self._sleep = clock, sleep
        self._next = clock()
        self._lock = Lock()
        self._waiting: list[asyncio.Future[None]] = []
        self._under_way = self._answered = 0
        self.spent = Usage(0, 0, 0, 0, 0)

    @property
    def cost(self) -> float | None:
        """The cost of what was spent so far; None without prices."""
        return None if self._prices is None else cost_of(self.spent, self._prices)

    @property
    def exhausted(self) -> bool:
        """Whether the budget is used up."""
        return self._left() <= 0

    # ------------------------------------------------------------------ asynchronous

    async def ask(self, make: Callable[[], Awaitable[Any]]) -> Any:
        """The answer of the request that ``make`` sends, when there is room for it. Raises ``BudgetError``."""
        if self._limits_budget:
            await self._within_budget()
        try:
            if self._places is not None:
                async with self._places:
                    answer = await self._paced(make)
            else:
                answer = await self._paced(make)
            self._count(answer)
        finally:
            if self._limits_budget:
                self._settled()
        return answer

    async def _paced(self, make: Callable[[], Awaitable[Any]]) -> Any:
        if self._spacing:
            delay = self._delay()
            if delay > 0:
                await self._sleep(delay)
        return await make()

    async def _within_budget(self) -> None:
        """Wait until the budget has room for a request, or raise ``BudgetError``."""
        while not self._has_room():
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                await waiter
            finally:
                if waiter in self._waiting:
                    self._waiting.remove(waiter)
        self._under_way += 1

    def _settled(self) -> None:
        self._under_way -= 1
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)
        self._waiting.clear()

    # ------------------------------------------------------------------ synchronous

    def ask_now(self, make: Callable[[], Any]) -> Any:
        """As ``ask``, for synchronous programs; the thread waits."""
        if self._left() <= 0:
            raise self._error()
        if self._thread_places is not None:
            with self._thread_places:
                return self._made(make)
        return self._made(make)

    def _made(self, make: Callable[[], Any]) -> Any:
        if self._spacing:
            delay = self._delay()
            if delay > 0:
                time.sleep(delay)
        answer = make()
        self._count(answer)
        return answer

    # ------------------------------------------------------------------ counting

    def _delay(self) -> float:
        """Seconds until the next request may begin; its place in the row is taken."""
        with self._lock:
            now = self._clock()
            begins = max(now, self._next)
            self._next = begins + self._spacing
        return begins - now

    def _count(self, answer: Reply | list[Choice | None]) -> None:
        used = [answer.usage] if isinstance(answer, Reply) else [choice.usage for choice in answer if choice]
        with self._lock:
            self._answered += 1
            for usage in used:
                if usage is not None:
                    self.spent = self.spent + usage

    def _left(self) -> float:
        """The share of the budget that is left: 1 at first, and not above 0 when it is used up."""
        tokens, money = self._budgets
        shares = [1.0]
        if tokens is not None:
            shares.append(1 - (self.spent.prompt + self.spent.completion) / tokens if tokens else 0.0)
        if money is not None:
            shares.append(1 - (self.cost or 0.0) / money if money else 0.0)
        return min(shares)

    def _has_room(self) -> bool:
        """Whether one more request fits beside those under way. Raises ``BudgetError`` if nothing is left."""
        left = self._left()
        if left <= 0:
            raise self._error()
        if not self._answered:
            return not self._under_way  # the first answer shows what one costs
        return (1 - left) / self._answered * self._under_way < left - 1e-9

    def _error(self) -> BudgetError:
        tokens, money = self._budgets
        used = self.spent.prompt + self.spent.completion
        of_tokens = f"{used:,} of {tokens:,} tokens" if tokens is not None else ""
        of_money = f"{self.cost or 0.0:.4g} of {money:.4g}" if money is not None else ""
        spent = " and ".join(filter(None, (of_tokens, of_money)))
        return BudgetError(f"the budget is used up: {spent}. Allow more, or ask for less.")


class LimitedModel:
    """Another model, kept within limits: those of ``Allowance``, its own or ``shared`` with other models.

    Its usage counts when the model tells it. Raises ``BudgetError`` (a ``ModelError``) when the budget is used up.
    """

    def __init__(
        self,
        model: Model,
        *,
        at_once: int | None = None,
        per_minute: float | None = None,
        budget_tokens: int | None = None,
        budget_cost: float | None = None,
        prices: Mapping[str, float] | None = None,
        shared: Allowance | None = None,
    ) -> None:
        self.model = model
        self.allowance = shared or Allowance(
            at_once=at_once,
            per_minute=per_minute,
            budget_tokens=budget_tokens,
            budget_cost=budget_cost,
            prices=prices,
        )

    @property
    def describe(self) -> str:
        """The model in a few words."""
        return str(getattr(self.model, "describe", type(self.model).__name__))

    @property
    def instruction_role(self) -> str:
        """That of the model."""
        return str(getattr(self.model, "instruction_role", "user"))

    def generate(self, request: GenerateRequest) -> Reply:
        """The model's text."""
        reply: Reply = self.allowance.ask_now(lambda: self.model.generate(request))
        return reply

    def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """The model's answers."""
        choices: list[Choice | None] = self.allowance.ask_now(lambda: self.model.choose(questions))
        return choices

    async def agenerate(self, request: GenerateRequest) -> Reply:
        """``generate`` for asynchronous drivers."""
        reply: Reply = await self.allowance.ask(lambda: asked(self.model, "generate", request))
        return reply

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        """``choose`` for asynchronous drivers."""
        choices: list[Choice | None] = await self.allowance.ask(lambda: asked(self.model, "choose", questions))
        return choices


async def asked(model: Any, name: str, argument: Any) -> Any:
    """What the asynchronous twin of a model's method gives, or the method itself in a thread."""
    twin = getattr(model, f"a{name}", None)
    if twin is not None:
        return await twin(argument)
    return await asyncio.to_thread(getattr(model, name), argument)
