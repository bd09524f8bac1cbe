"""Do the remedies of a bad sheet name what its writer meant?"""

from __future__ import annotations

import pytest

import autograph


def hint_of(transitions: str, *choices: str) -> tuple[str, str]:
    nodes = [
        {
            "name": "start1", "action": "chat_exact", "instruction": "Tea or cake?", "transitions": transitions,
            "transition_question": "Which?", **{f"transition_choice_{'abc'[i]}": c for i, c in enumerate(choices)},
        },
        *({"name": n, "action": "chat_exact", "instruction": n, "transitions": "quit"} for n in ("tea", "cake")),
    ]  # fmt: skip
    with pytest.raises(autograph.ProgramError) as caught:
        autograph.load(nodes, model="offline")
    found = [problem for problem in caught.value.problems if problem.severity == "error"]
    return found[-1].message, found[-1].hint


@pytest.mark.parametrize(
    "transitions", ["tea; cake", "tea or cake", "tea and cake", "tea/cake", "tea cake", "tea\ncake"]
)
def test_transitions_that_are_separated_otherwise(transitions: str) -> None:
    assert hint_of(transitions)[1] == "Separate transitions with commas: tea, cake."


def test_a_name_of_two_words_is_just_unknown() -> None:
    assert hint_of("tea room")[1] == "Add the node or correct the name."


def test_choices_that_are_too_few_or_too_many() -> None:
    assert hint_of("tea, cake", "tea") == (
        "there are 2 transitions but 1 choice",
        "Fill in transition_choice_a to transition_choice_b.",
    )
    assert hint_of("tea, cake", "tea", "cake", "both") == (
        "there are 2 transitions but 3 choices",
        "Fill in transition_choice_a to transition_choice_b only, or add transitions.",
    )
