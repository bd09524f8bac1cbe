"""Limits of a model: rate, requests at once, and the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from autograph.errors import ModelError
from autograph.models import ScriptedModel
from autograph.models.base import Choice, GenerateRequest, Message, Question, Reply, Usage
from autograph.models.limited import Allowance, BudgetError, LimitedModel
from autograph.models.prices import cost_of, read_prices

ASK = GenerateRequest("here", (Message("user", "Hello"),))
QUESTION = Question("here", "More?", ("yes", "no"))


class Clock:
    """A time that goes on only when somebody sleeps; ``slept`` are all naps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> Awaitable[Any]:
        self.slept.append(round(seconds, 6))
        return asyncio.sleep(0)


class Model:
    """Answers when it is told to; ``begun`` and ``most`` count requests, all and at once."""

    def __init__(self, usage: Usage | None = None) -> None:
        self.usage = usage
        self.begun = self.now = self.most = 0

    async def agenerate(self, request: GenerateRequest) -> Reply:
        self.begun += 1
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(3):
            await asyncio.sleep(0)
        self.now -= 1
        return Reply("Hi.", self.usage)

    async def achoose(self, questions: Any) -> list[Choice | None]:
        return [Choice(1, usage=self.usage), *([None] * (len(questions) - 1))]

    def generate(self, request: GenerateRequest) -> Reply:
        return Reply("Hi.", self.usage)

    def choose(self, questions: Any) -> list[Choice | None]:
        return [Choice(1, usage=self.usage)]


async def many(model: LimitedModel, count: int) -> list[Any]:
    return await asyncio.gather(*(model.agenerate(ASK) for _ in range(count)), return_exceptions=True)


def test_without_limits_it_is_the_model() -> None:
    model = LimitedModel(ScriptedModel(["Hi."], ["no"]))
    assert model.generate(ASK).text == "Hi."
    assert model.choose([QUESTION]) == [Choice(1, None, "no")]
    assert (model.describe, model.instruction_role) == ("scripted", "user")


def test_requests_begin_evenly_over_the_minute() -> None:
    clock = Clock()
    model = LimitedModel(Model(), shared=Allowance(per_minute=120, clock=clock, sleep=clock.sleep))
    asyncio.run(many(model, 5))
    assert clock.slept == [0.5, 1.0, 1.5, 2.0]  # the first begins at once


def test_a_pause_is_not_saved_up() -> None:
    clock = Clock()
    model = LimitedModel(Model(), shared=Allowance(per_minute=60, clock=clock, sleep=clock.sleep))
    asyncio.run(many(model, 2))
    clock.now += 300
    asyncio.run(many(model, 3))
    assert clock.slept == [1.0, 1.0, 2.0]


def test_not_more_than_so_many_at_once() -> None:
    inner = Model()
    asyncio.run(many(LimitedModel(inner, at_once=3), 20))
    assert (inner.begun, inner.most) == (20, 3)


@pytest.mark.parametrize("count", [1, 4, 30])
def test_no_request_is_made_past_the_budget(count: int) -> None:
    inner = Model(Usage(90, 10))
    answers = asyncio.run(many(LimitedModel(inner, budget_tokens=1_000), count))
    assert inner.begun == min(count, 10)
    assert sum(isinstance(answer, Reply) for answer in answers) == min(count, 10)
    assert all(isinstance(answer, (Reply, BudgetError)) for answer in answers)


def test_a_budget_in_money() -> None:
    prices = {"prompt": 1.0, "completion": 2.0, "cached": 0.5}
    inner = Model(Usage(80, 10, 40))
    model = LimitedModel(inner, budget_cost=0.0003, prices=prices)
    answers = asyncio.run(many(model, 9))
    assert inner.begun == 4  # 80 millionths each: the fourth goes over the edge, which nobody can know before
    assert model.allowance.cost == pytest.approx(0.00032)
    assert str(answers[-1]) == "the budget is used up: 0.00032 of 0.0003. Allow more, or ask for less."


def test_a_budget_in_money_needs_prices() -> None:
    with pytest.raises(ModelError, match="a budget in money needs prices"):
        LimitedModel(Model(), budget_cost=1.0)


def test_a_budget_of_nothing_allows_nothing() -> None:
    inner = Model()
    assert isinstance(asyncio.run(many(LimitedModel(inner, budget_tokens=0), 1))[0], BudgetError)
    assert inner.begun == 0


def test_a_failed_request_makes_room_for_the_next() -> None:
    class Failing(Model):
        async def agenerate(self, request: GenerateRequest) -> Reply:
            await super().agenerate(request)
            if self.begun == 1:
                raise ModelError("busy", retryable=True)
            return Reply("Hi.", Usage(10, 0))

    answers = asyncio.run(many(LimitedModel(Failing(), budget_tokens=100), 3))
    assert [type(answer).__name__ for answer in answers] == ["ModelError", "Reply", "Reply"]


def test_what_gives_up_waiting_does_not_stand_in_the_way() -> None:
    async def main() -> list[Any]:
        model = LimitedModel(Model(Usage(10, 0)), budget_tokens=100)
        first = asyncio.create_task(model.agenerate(ASK))
        waiting = [asyncio.create_task(model.agenerate(ASK)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        return await asyncio.gather(first, *waiting, return_exceptions=True)

    kinds = [type(answer).__name__ for answer in asyncio.run(main())]
    assert kinds == ["Reply", "CancelledError", "Reply", "Reply"]


def test_a_model_that_tells_no_usage_cannot_be_limited_by_it() -> None:
    inner = Model()
    asyncio.run(many(LimitedModel(inner, budget_tokens=10), 20))
    assert inner.begun == 20


def test_several_models_share_an_allowance() -> None:
    allowance = Allowance(budget_tokens=30)
    one, other = (LimitedModel(Model(Usage(10, 5)), shared=allowance) for _ in range(2))
    assert asyncio.run(one.achoose([QUESTION, QUESTION])) == [Choice(1, usage=Usage(10, 5)), None]
    assert other.generate(ASK).text == "Hi."
    assert allowance.exhausted
    for model in (one, other):
        with pytest.raises(BudgetError):
            model.choose([QUESTION])


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("prompt=0.25,completion=2", {"prompt": 0.25, "completion": 2.0}),
        (" cached = 0.1 ", {"cached": 0.1}),
        ("prompt=0", {"prompt": 0.0}),
    ],
)
def test_prices(text: str, prices: dict[str, float]) -> None:
    assert read_prices(text) == prices


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no price is given"),
        ("promt=1", 'Did you mean "prompt"?'),
        ("x=1", "The names are prompt, completion, cached."),
        ("prompt=much", 'the price "prompt=much" is no number that is 0 or more'),
        ("prompt=-1", "is no number that is 0 or more"),
        ("prompt=nan", "is no number that is 0 or more"),
    ],
)
def test_what_is_no_price(text: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_prices(text)
    assert said in str(caught.value)


def test_cached_tokens_cost_what_others_do_unless_they_have_a_price() -> None:
    used = Usage(1_000_000, 500_000, 400_000)
    assert cost_of(used, {"prompt": 2.0, "completion": 4.0}) == pytest.approx(4.0)
    assert cost_of(used, {"prompt": 2.0, "completion": 4.0, "cached": 1.0}) == pytest.approx(3.6)
