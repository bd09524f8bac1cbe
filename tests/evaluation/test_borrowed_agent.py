"""Agents of somebody else's classes: what they need not have, and what is told of them when they fail."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, ClassVar

import pytest

from autograph.errors import AutographError, RunError
from autograph.evaluation.agents import agent_of
from autograph.evaluation.metric import Average
from autograph.evaluation.parlai.borrowed_agent import AgentError, BorrowedAgent
from autograph.evaluation.parlai.teachers import FixedDialogTeacher
from autograph.evaluation.parlai.worlds import ConcurrentWorld, DialogPartnerWorld


class Least:
    """Has no more than an agent must have."""

    answer: ClassVar[Any] = {"text": "yes"}

    def __init__(self, opt: Any = None) -> None:
        self.heard: list[str] = []

    def observe(self, observation: Any) -> Any:
        self.heard.append(observation["text"])
        return observation

    def act(self) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def borrowed(answer: Any = None) -> BorrowedAgent:
    kind = type("Kind", (Least,), {"answer": Least.answer if answer is None else answer})
    return BorrowedAgent("cafe:Waiter", kind)


def teacher() -> FixedDialogTeacher:
    return FixedDialogTeacher([[{"text": "tea?", "labels": ["yes"]}]] * 3, datatype="valid")


@pytest.mark.parametrize("at_once", [1, 2])
def test_two_methods_are_enough(at_once: int) -> None:
    posed = teacher()
    world = ConcurrentWorld(DialogPartnerWorld([posed, borrowed()]), at_once)
    rounds = world.run()
    assert [held.acts[1]["id"] for held in rounds] == ["Waiter"] * 3
    assert posed.report()["accuracy"].value() == 1
    world.shutdown()


def test_what_else_it_has_is_used() -> None:
    class Whole(Least):
        id = "whole"
        done: list[str]

        def __init__(self, opt: Any = None) -> None:
            super().__init__()
            self.done = []

        def reset(self) -> None:
            self.done.append("reset")

        def report(self) -> Any:
            return {"own": Average(1, 2)}

        def share(self) -> Any:
            return {"opt": {}}  # as ParlAI's agents: no agent, so another one is made

        async def aact(self) -> Any:
            return {"text": "later", "id": "me"}

    agent = BorrowedAgent("cafe:Whole", Whole)
    agent.reset()
    assert agent.id == "whole"
    assert agent._inner.done == ["reset"]
    assert agent.report()["own"].value() == 0.5
    assert agent.share()._inner is not agent._inner
    assert asyncio.run(agent.aact()) == {"text": "later", "id": "me"}
    assert agent.respond("tea?") == "yes"
    assert agent._inner.heard == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (RuntimeError("boom"), r"failed in act\(\): RuntimeError: boom \(test_borrowed_agent.py, line \d+\)"),
        (ValueError(), r"failed in act\(\): ValueError \("),
        ("yes", "did what is no act: 'yes' is no dict"),
        ({"text": 5}, 'its field "text" is no text'),
        ({"text_candidates": [1]}, 'its field "text_candidates" is no list of texts'),
        ({"metrics": {"own": "high"}}, 'its field "metrics" has something that is no number'),
    ],
)
def test_what_it_does_wrong(answer: Any, message: str) -> None:
    agent = borrowed(answer)
    with pytest.raises(AgentError, match=f'the agent "cafe:Waiter" {message}' if "its" not in message else message):
        agent.act()


def test_our_own_errors_and_interruptions_stay_what_they_are() -> None:
    for error in (RunError("the kitchen is closed"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            borrowed(error).act()
    assert issubclass(AgentError, AutographError)


def test_a_class_of_the_working_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("closed_agents.py").write_text("class Closed:\n    def __init__(self, opt):\n        opt['key']\n", "utf-8")
    with pytest.raises(AgentError, match=r"failed when it was made: KeyError: 'key' \(closed_agents.py, line 3\)"):
        agent_of("closed_agents:Closed")
