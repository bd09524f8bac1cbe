"""Many conversations: seeds, order, and what stops a run early."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.errors import ModelError
from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest, Reply, Usage
from autograph.models.limited import Allowance, LimitedModel
from autograph.simulation.cast import Stage
from autograph.simulation.personas import Persona
from autograph.simulation.record import Conversation
from autograph.simulation.runner import GIVE_UP, cases_of, hold_all, seed_of
from rows_support import rows
from simulation_support import CAFE, Cook, cast, held, held_and_told, terms

GREET = rows("start1 | chat | quit | Greet.")


def lines(talks: list[Conversation]) -> list[str]:
    return [json.dumps(talk.to_dict()) for talk in talks]


def test_seeds_depend_on_the_run_and_the_case_alone() -> None:
    assert [seed_of(0, case) for case in range(3)] == [1234797308, 778162986, 707644324]
    assert len({seed_of(seed, case) for seed in range(20) for case in range(200)}) == 4000
    assert all(0 <= seed_of(5, case) < 2**31 for case in range(100))


def test_cases_are_repeated_in_rounds() -> None:
    ada, bo = Persona("A", "a"), Persona("B", "b")
    cases = cases_of(7, 2, 3, [ada, bo])
    assert [(case.index, case.case, case.round) for case in cases] == [
        (0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1), (4, 0, 2), (5, 1, 2),
    ]  # fmt: skip
    assert [case.persona for case in cases] == [ada, bo] * 3
    assert [case.seed for case in cases] == [seed_of(7, 0), seed_of(7, 1)] * 3


def test_the_first_conversations_are_the_same_in_a_longer_run() -> None:
    assert cases_of(1, 5) == cases_of(1, 50)[:5]


def test_a_run_that_waits_for_nothing_can_be_cancelled() -> None:
    kept: list[Conversation] = []

    async def run() -> None:
        found = hold_all(
            cases_of(0, 500), terms(cast(CAFE, "offline")), lambda talk, _: kept.append(talk), concurrency=2
        )
        task = asyncio.ensure_future(found)
        for _ in range(20):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert 0 < len(kept) < 500


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60))
def test_the_result_does_not_depend_on_how_many_run_at_once(one: int, other: int) -> None:
    first = held(terms(cast(CAFE, Cook(Usage(3, 1)))), 40, concurrency=one)
    second = held(terms(cast(CAFE, Cook(Usage(3, 1)))), 40, concurrency=other)
    assert lines(first) == lines(second)
    assert [talk.index for talk in first] == list(range(40))
    assert len({len(talk.turns) for talk in first}) > 1


def test_another_seed_is_another_run() -> None:
    assert lines(held(terms(cast(CAFE, Cook())), 5)) != lines(held(terms(cast(CAFE, Cook())), 5, seed=1))


def test_hundreds_are_held_at_once() -> None:
    class Counting(Cook):
        now = most = 0

        async def agenerate(self, request: GenerateRequest) -> Reply:
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0.001)
            self.now -= 1
            return Reply("Hello.")

    model = Counting()
    held(terms(cast(GREET, model)), 500, concurrency=300)
    assert model.most == 300


def test_a_model_without_asyncio_answers_in_threads() -> None:
    talks = held(terms(cast(GREET, PlainModel())), 20, concurrency=20)
    assert [talk.turns[0].reply for talk in talks] == ["Hello."] * 20


class PlainModel:
    def generate(self, request: GenerateRequest) -> Reply:
        return Reply("Hello.")

    def choose(self, questions: Any) -> Any:
        raise NotImplementedError


# ---------------------------------------------------------------------- what stops a run


def limited(rows: Any, model: Any, **limits: Any) -> Any:
    allowance = Allowance(**limits)
    return cast(rows, model, stage=Stage(change=lambda inner: LimitedModel(inner, shared=allowance)))


def test_a_budget_that_is_used_up_ends_the_run_with_what_it_has() -> None:
    bot = limited(GREET, Cook(Usage(90, 10)), budget_tokens=1_000)
    found, progress = held_and_told(terms(bot), cases_of(0, 50), concurrency=7)
    assert len(found) == 10
    assert progress.stopped == "the budget is used up: 1,000 of 1,000 tokens. Allow more, or ask for less."
    assert all(talk.outcome == "finished" for talk in found)
    assert progress.error is None


def test_conversations_that_the_budget_cuts_short_are_not_kept() -> None:
    bot = limited(CAFE, Cook(Usage(90, 10)), budget_tokens=2_000)
    found, progress = held_and_told(terms(bot), cases_of(0, 50), concurrency=4)
    assert progress.stopped
    assert 0 < len(found) < 10
    assert {talk.outcome for talk in found} == {"finished"}


class Dead(ScriptedModel):
    """Answers ``alive`` times, and then no more."""

    def __init__(self, alive: int) -> None:
        super().__init__(["Hello."] * alive)

    def generate(self, request: GenerateRequest) -> Reply:
        if not self.left[0]:
            raise ModelError("nobody answers")
        return super().generate(request)


def test_a_model_that_is_out_of_reach_stops_the_run() -> None:
    found, progress = held_and_told(terms(cast(GREET, Dead(5))), cases_of(0, 100), concurrency=3)
    assert [talk.outcome for talk in found] == ["finished"] * 5  # the failures are held again on resuming
    assert isinstance(progress.error, ModelError)
    assert str(progress.error) == "nobody answers"


def test_single_failures_of_a_model_are_kept() -> None:
    class Now(ScriptedModel):
        count = 0

        def generate(self, request: GenerateRequest) -> Reply:
            self.count += 1
            if self.count % GIVE_UP:
                raise ModelError("refused")
            return Reply("Hello.")

    found, progress = held_and_told(terms(cast(GREET, Now())), cases_of(0, 3 * GIVE_UP), concurrency=1)
    assert [talk.outcome for talk in found] == [*["failed"] * (GIVE_UP - 1), "finished"] * 3
    assert (progress.kept, progress.succeeded, progress.error) == (3 * GIVE_UP, 3, None)


def test_failures_at_the_end_are_kept() -> None:
    found, progress = held_and_told(terms(cast(GREET, Dead(5))), cases_of(0, 8), concurrency=1)
    assert [talk.outcome for talk in found] == ["finished"] * 5 + ["failed"] * 3
    assert progress.error is None


def test_what_keeping_raises_ends_the_run() -> None:
    def keep(*what: object) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        held_and_told(terms(cast(GREET, Cook())), cases_of(0, 30), keep=keep)


# ---------------------------------------------------------------------- records


def test_records_survive_json() -> None:
    talks = held(terms(cast(CAFE, Cook(Usage(9, 1, 3))), prices={"prompt": 2.0}, success="plates"), 20)
    for talk in talks:
        data = json.loads(json.dumps(talk.to_dict()))
        assert json.dumps(Conversation.from_dict(data).to_dict()) == json.dumps(talk.to_dict())


def test_flakes_show_in_rounds() -> None:
    answers = [["tea", "no"], ["coffee", "no"]]
    model = ScriptedModel(["s"] * 8, [answer for pair in answers for answer in pair])
    bot = cast(CAFE, Cook(), classifier=model)
    talks = held(terms(bot, success="cups == 1"), 1, repeat=2, concurrency=1)
    assert [(talk.case, talk.round, talk.seed == talks[0].seed) for talk in talks] == [(0, 0, True), (0, 1, True)]
    assert [talk.success for talk in talks] == [True, False]
