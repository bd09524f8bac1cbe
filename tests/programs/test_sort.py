"""Does the merge sort sort, as a function and in conversation?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph
from programs_support import PROGRAMS, Talk, babble, offline

BOT = offline("sort.csv")


@pytest.fixture
def bot() -> Any:
    return BOT


def test_called_by_its_file() -> None:
    assert autograph.apply_fn(PROGRAMS / "sort.csv", "merge_sort()", [[3, 1, 2]]) == [1, 2, 3]


def test_thanks_ends_it(bot: Any) -> None:
    assert Talk(bot).say("3 1 2", "no more, thanks") == "Goodbye!"
    assert Talk(bot).say("3 1 2", "Thank you!") == "Goodbye!"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-50, 50) | st.floats(-9, 9), max_size=30))
def test_it_sorts_like_sorted(numbers: list[float]) -> None:
    assert BOT.apply_fn("merge_sort()", [numbers]) == sorted(numbers)


def test_it_is_stable_and_leaves_its_argument(bot: Any) -> None:
    numbers = [2, 1.0, 1, 2.0]
    assert [type(n) for n in bot.apply_fn("merge_sort()", [numbers])] == [float, int, int, float]
    assert numbers == [2, 1.0, 1, 2.0]


def test_a_hundred_numbers(bot: Any) -> None:
    numbers = [(i * 37) % 101 for i in range(100)]
    talk = Talk(bot)
    talk.say(", ".join(map(str, numbers)))
    assert talk["result"] == sorted(numbers)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("8, 19, -2, 14.5", "Sorted: -2, 8, 14.5, 19. Another list?"),
        ("[8 19 -2]", "Sorted: -2, 8, 19. Another list?"),
        ("please sort 3, 1 and 2.", "Sorted: 1, 2, 3. Another list?"),
        ("3 3 1, 2,2", "Sorted: 1, 2, 2, 3, 3. Another list?"),
        ("7", "Sorted: 7. Another list?"),
        ("−7; +4", "Sorted: -7, 4. Another list?"),
        ("3x 1/2 4", "Sorted: 4. I left out what is no number: 3x, 1/2. Another list?"),
        ("[]", "The list is empty, so it is sorted already: []. Give me another one, or say “stop”."),
        ("hello", "I see no numbers in that. Write them like 3, 1, 2.5, -4."),
        ("", "I see no numbers in that. Write them like 3, 1, 2.5, -4."),
        ("nan inf 1e5 ²", "I see no numbers in that. Write them like 3, 1, 2.5, -4."),
        (", ".join("1" * 101), "These are 101 numbers; I can sort up to 100 at a time. Give me a shorter list."),
    ],
)
def test_what_it_says(bot: Any, text: str, reply: str) -> None:
    assert Talk(bot).say(text) == reply


def test_it_goes_on_until_stop(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say("2 1", "4 3").startswith("Sorted: 3, 4.")
    assert talk.say("no thanks") == "Goodbye!"
    assert talk.finished


@pytest.mark.parametrize("seed", range(2))
def test_no_text_whatever_raises(bot: Any, seed: int) -> None:
    babble(bot, seed, 60)
