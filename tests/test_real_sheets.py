"""Sheets by the authors of AutoGRAMS load without errors and run unchanged.

They are not part of this project. Where ``AUTOGRAPH_REAL_SHEETS`` names a folder with them, they are run:
``AUTOGRAPH_REAL_SHEETS=path/to/sheets pytest tests/test_real_sheets.py``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import autograph
from autograph.models import ScriptedModel
from autograph.models.base import Choice, GenerateRequest, Question, Reply

FOLDER = os.environ.get("AUTOGRAPH_REAL_SHEETS")
pytestmark = pytest.mark.skipif(not FOLDER, reason="AUTOGRAPH_REAL_SHEETS names no folder with the original sheets")


def sheet(name: str) -> Path:
    return Path(FOLDER or "") / name


class Pupil:
    """A model that says which node it speaks for, and answers each question with the label that a test wants."""

    def __init__(self, wanted: dict[str, list[str]]) -> None:
        self.wanted = wanted

    def generate(self, request: GenerateRequest) -> Reply:
        return Reply(f"<{request.node}>")

    def choose(self, questions: list[Question]) -> list[Choice | None]:
        labels = self.wanted[questions[0].node]
        label = labels.pop(0) if len(labels) > 1 else labels[0]
        choices = [choice.lower() for choice in questions[0].choices]
        return [Choice(choices.index(label.lower()))]


def test_all_load_without_errors() -> None:
    paths = sorted(Path(FOLDER or "").glob("*.csv"))
    assert len(paths) >= 4
    for path in paths:
        assert autograph.load(path, model="offline").nodes


@pytest.mark.parametrize("numbers", [[3, 1, 2], [5], [8, 19, -2, 14.5], list(range(20, 0, -1)), [1, 1, 1]])
def test_merge_sort_sorts_through_apply_fn(numbers: list[float]) -> None:
    bot = autograph.load(sheet("merge_sort_fn.csv"), model="offline")
    assert bot.apply_fn("merge_sort()", [numbers]) == sorted(numbers)


def test_merge_sort_sorts_through_chat() -> None:
    bot = autograph.load(sheet("merge_sort_fn.csv"), model=ScriptedModel(replies=["[8, 19, -2, 14.5]"]))
    reply, memory = bot.reply()
    assert reply == "Hello, please provide me a comma separated list of numbers to sort"
    reply, memory = bot.reply("8,19,-2,14.5", memory)
    assert reply == "The sorted list is [-2, 8, 14.5, 19]"
    assert bot.reply("again", memory)[0] == "Hello, please provide me a comma separated list of numbers to sort"


def test_the_tutor_runs_to_its_last_unit() -> None:
    correct = "The user gave a correct anwer"
    wanted = {
        "i2": ["yes", "no"], "i2b": ["no"], "i3": ["yes"], "i3b": ["no"], "u.1": ["no"], "u.2": ["no"], "u.3": ["yes"],
        "u.4": ["yes"], "m1": ["no"], "m2": ["no", "yes"], "m2b": ["no"],
        "m3": ["The user gave an incorrect answer", correct],
        "m3c": ["The user said they want to see the answer"], "m3e": ["no"],
        "m4": ["Try another problem", "Move onto the next unit"],
    }  # fmt: skip
    bot = autograph.load(sheet("fraction_agent.csv"), model=Pupil(wanted))  # type: ignore[arg-type]
    _, memory = bot.reply()
    said = []
    for turn in range(80):
        reply, memory = bot.reply(f"turn {turn}", memory)
        said.append(reply)
        if reply == "<u.5>":
            break
    print(" ".join(said))
    assert said[-1] == "<u.5>"
    assert [reply for reply in said if reply.startswith("<u.")] == ["<u.1>", "<u.2>", "<u.3>", "<u.4>", "<u.5>"]
    assert memory.stack[0].prompt.startswith("You are tutor for the subject of fractions.")
    assert {"<m2b>", "<m3c>", "<m3e>", "<m3>", "<m4>", "<i3b>", "<i2b>"} <= set(said)


def test_the_recruiter_runs_to_its_end() -> None:
    wanted = {
        "ask_ready": ["no", "yes"], "ask_background": ["no"],
        "ask_exp": ["the user said they don't know or avoided the question."],
        "reask_exp": ["the user specified an actual number or salary range"], "check_exp": ["no"], "tell_exp": ["no"],
    }  # fmt: skip
    bot = autograph.load(sheet("recruiter_agent_with_email.csv"), model=Pupil(wanted))  # type: ignore[arg-type]
    reply, memory = bot.reply()
    said = [reply]
    while reply != "The conversation has ended now, thanks for talking the time to chat.":
        reply, memory = bot.reply("well", memory)
        said.append(reply)
        assert len(said) < 30
    print(" ".join(said))
    assert said == [
        "<ask_ready>", "<ask_ready>", "<ask_background>", "<ask_more_background>", "<ask_detail_question>", "<ask_exp>",
        "<reask_exp>", "<tell_exp>", "<exp_too_high>", reply,
    ]  # fmt: skip
    assert memory.variables == {
        "salary_range": "150k-180k",
        "background": "<write_background()>",
        "salary_exp": "<write_high_salary_exp()>",
        "email_to_manager": "<write_final_email()>",
    }
