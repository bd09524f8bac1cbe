"""Sayings that a model makes up: by the sheet's instructions, in changing manners, only what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograph.evaluation.understanding.examined import Programs
from autograph.evaluation.understanding.generate_sayings import MANNERS, generate_sayings
from autograph.evaluation.understanding.sayings import Saying
from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest
from sayings_support import tea_house


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return tea_house(tmp_path)


def test_sayings_are_generated_from_the_user_instructions(programs: Programs) -> None:
    model = ScriptedModel(replies=["No.", "No!", "nope", "Yes", "sure", *(f"text {i}" for i in range(40))])
    made = generate_sayings(programs.staged, model, 2)
    own = [(s.node, s.choice, s.text, s.note) for s in made.sayings if s.node == "ask" and s.choice in ("no", "yes")]
    assert own == [("ask", "no", "No.", "generated"), ("ask", "no", "nope", "generated"),
                   ("ask", "yes", "Yes", "generated"), ("ask", "yes", "sure", "generated")]  # fmt: skip
    request = model.requests[0]
    assert isinstance(request, GenerateRequest)
    assert (request.purpose, request.instruction, request.seed) == ("user", "Say no.", 0)
    assert "Tea, Ada?" in request.messages[-1].content
    assert MANNERS[1] in _last(model.requests[1])
    about = [s for s in made.sayings if s.choice in ("hours", "none")]
    assert len(about) == 4
    assert {s.note for s in about if s.choice == "hours"} == {"generated"}


def _last(request: Any) -> str:
    return str(request.messages[-1].content)


def test_without_an_instruction_the_choice_is_one_and_that_is_said(programs: Programs) -> None:
    model = ScriptedModel(replies=[f"text {i}" for i in range(40)])
    made = generate_sayings(programs.staged, model, 1)
    assert ("tea", "A") in made.from_label
    assert ("ask", "A") not in made.from_label
    told = [request.instruction for request in model.requests if isinstance(request, GenerateRequest)]
    assert 'Answer the last message so that the answer to the question "Which tea?" is: green.' in told
    assert [left.node for left in made.left_out] == ["brew()", "brew()"]


def test_only_what_is_missing_is_generated_and_the_seed_draws_the_nodes(programs: Programs) -> None:
    present = [Saying("ask", choice, f"{choice}{i}") for choice in ("no", "yes", "hours", "none") for i in range(2)]
    present += [Saying("tea", choice, f"{choice}{i}") for choice in ("a", "b", "c") for i in range(2)]
    present += [Saying("sort", choice, f"{choice}{i}") for choice in ("yes", "no") for i in range(2)]
    present += [Saying("brew", choice, "x", variables={"kinds": "mint"}) for choice in ("yes", "no")]
    model = ScriptedModel(replies=["X.", "sweet", "plain"])
    made = generate_sayings(programs.staged, model, 2, present=present)
    assert [(s.node, s.choice, s.text, dict(s.variables)) for s in made.sayings] == [
        ("brew()", "yes", "sweet", {"kinds": "mint"}),
        ("brew()", "no", "plain", {"kinds": "mint"}),
    ]


def test_the_seed_draws_where_interjections_are_said(programs: Programs) -> None:
    def nodes(seed: int) -> list[str]:
        model = ScriptedModel(replies=[f"text {i}" for i in range(40)])
        made = generate_sayings(programs.staged, model, 1, seed=seed)
        return [saying.node for saying in made.sayings if saying.choice in ("hours", "none")]

    drawn = {seed: nodes(seed) for seed in range(8)}
    assert drawn == {seed: nodes(seed) for seed in range(8)}
    assert {len(each) for each in drawn.values()} == {2}
    assert {node for each in drawn.values() for node in each} == {"ask", "tea", "green", "hours"}


def test_a_user_who_says_nothing_more_has_no_sayings() -> None:
    rows = [
        {"name": "start1", "action": "chat_exact", "instruction": "More?", "transitions": "start1, quit",
         "transition_question": "More?", "transition_choice_a": "yes", "transition_choice_b": "no",
         "user_instruction_transition_a": "Say yes.", "user_instruction_transition_b": "<end>"},
    ]  # fmt: skip
    made = generate_sayings(Programs(rows).staged, ScriptedModel(replies=["Yes"]), 1)
    assert [(s.choice, s.text) for s in made.sayings] == [("yes", "Yes")]
