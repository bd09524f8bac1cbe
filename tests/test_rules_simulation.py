"""Rules of section 9 about simulated users."""

from __future__ import annotations

from collections import Counter
from typing import Any

import autograph
from autograph import AutographConfig, MemoryObject
from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest

DRAWS = 1_500


def program(
    model: ScriptedModel, config: dict[str, Any] | None = None, **start: str
) -> tuple[autograph.Autograph, MemoryObject]:
    """A node with three transitions, and the memory of a conversation that has reached it."""
    first = {
        "name": "start1",
        "action": "chat_exact",
        "transitions": "a, b, c",
        "instruction": "Tea?",
        "transition_question": "Well?",
        "transition_choice_a": "yes please",
        "transition_choice_b": "no thanks",
        "transition_choice_c": "something else",
        "user_instruction_transition_a": "Say yes.",
        "user_instruction_transition_b": "Say no.",
        "user_instruction_transition_c": "<end>",
        **{name: text for name, text in start.items() if not name.startswith("i_")},
    }
    rows = [first, *({"name": name, "action": "chat_exact", "instruction": name.upper()} for name in "abc")]
    if extra := {name[2:]: text for name, text in start.items() if name.startswith("i_")}:
        rows.append({"name": "i", "action": "chat_exact", "transitions": "resume", "instruction": "I", **extra})
    bot = autograph.load(rows, config=AutographConfig(**(config or {})), model=model)
    return bot, bot.reply()[1]


def requests_of(model: ScriptedModel) -> list[GenerateRequest]:
    """What the model was asked to say."""
    return [request for request in model.requests if isinstance(request, GenerateRequest)]


def draw(start: dict[str, str], config: dict[str, Any] | None = None) -> Counter[str]:
    """How often each transition is aimed at in many draws."""
    bot, memory = program(ScriptedModel(replies=["text"] * DRAWS), config, **start)
    return Counter(bot.simulate_user(memory, seed=seed)[1] for seed in range(DRAWS))


def near(count: int, share: float) -> bool:
    return abs(count / DRAWS - share) < 0.06


def test_the_user_is_told_what_to_say() -> None:
    model = ScriptedModel(replies=["No, thank you."])
    bot, memory = program(model, {"default_user_prompt": "You are shy."}, transition_probs="0, 1, 0")
    assert bot.simulate_user(memory) == ("No, thank you.", "b")
    (request,) = requests_of(model)
    assert [(m.role, m.content) for m in request.messages] == [
        ("system", "You are shy."),
        ("user", "Tea?\n\nInstruction for User: Say no."),
    ]
    assert request.purpose == "user"
    assert memory.trajectory == ["start1"]


def test_transitions_are_drawn_by_their_numbers() -> None:
    counts = draw({"transition_probs": "0.7, 0.3, 0"})
    assert near(counts["a"], 0.7)
    assert near(counts["b"], 0.3)
    assert counts["c"] == 0


def test_the_first_transition_is_preferred() -> None:
    counts = draw({})
    assert near(counts["a"], 0.3 + 0.7 / 3)
    assert near(counts["b"], 0.7 / 3)
    assert near(counts["c"], 0.7 / 3)
    even = draw({}, {"default_primary_prob_delta": 0.0})
    assert all(near(even[name], 1 / 3) for name in "abc")


def test_interjections_are_triggered() -> None:
    texts = {"i_condition_interjection": "Odd.", "i_user_interjection": "Say something odd."}
    model = ScriptedModel(replies=["Bananas!"])
    bot, memory = program(model, None, i_probability_interjection="1", **texts)
    assert bot.simulate_user(memory) == ("Bananas!", "i")
    assert requests_of(model)[0].messages[-1].content == "Tea?\n\nInstruction for User: Say something odd."
    counts = draw({**texts, "i_probability_interjection": "0.4"})
    assert near(counts["i"], 0.4)
    assert draw({**texts, "i_probability_interjection": "0"})["i"] == 0


def test_the_end_signal() -> None:
    bot, memory = program(ScriptedModel(), transition_probs="0, 0, 1")
    assert bot.simulate_user(memory) == ("<end>", "c")
    model = ScriptedModel(replies=["STOP"])
    bot, memory = program(model, {"end_signal": "STOP"}, transition_probs="1, 0, 0")
    assert bot.simulate_user(memory) == ("STOP", "a")
