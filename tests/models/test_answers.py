"""Which choice an answer text means."""

from __future__ import annotations

import pytest

from autograph.models import Message, Question
from autograph.models.answers import parse_answer
from autograph.models.questions import question_messages, read_answers

COLOURS = ("red", "green", "The user asks: why?")


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("B", 1),
        ("b", 1),
        ("B.", 1),
        ("(B)", 1),
        ("B)", 1),
        ("green", 1),
        ("Green.", 1),
        ("B. green", 1),
        ("B) Green", 1),
        ("(B) green", 1),
        ("Answer: B", 1),
        ("The answer is B.", 1),
        ("**B**", 1),
        ("`B`", 1),
        ('"green"', 1),
        ('{"answer": "B"}', 1),
        ('```json\n{"q1": "B"}\n```', 1),
        ('["B"]', 1),
        ("the user asks: why?", 2),
        ("C. The user asks: why?", 2),
        ("A. green", None),
        ("D", None),
        ("AB", None),
        ("green, I think", None),
        ("A or B", None),
        ("I would pick green", None),
        ("A red car", None),
        ("", None),
        ("{", None),
        ('{"a": 1}', None),
        ('{"a": "A", "b": "B"}', None),
    ],
)
def test_parse_answer(text: str, index: int | None) -> None:
    assert parse_answer(text, COLOURS) == index


def two() -> list[Question]:
    return [Question("n", "One?", ("a dog", "a cat")), Question("n", "Two?", ("Yes", "No"))]


@pytest.mark.parametrize(
    ("text", "indices"),
    [
        ('{"q1": "B", "q2": "Yes"}', [1, 0]),
        ('{"q2": "no", "q1": "a dog"}', [0, 1]),
        ('{"q1": "B"}', [1, None]),
        ('["A", "No"]', [0, 1]),
        ("1: B\n2: No", [1, 1]),
        ("q1: B\nq2: No", [1, 1]),
        ("Question 1: B\nQuestion 2: Yes.", [1, 0]),
        ("2. No", [None, 1]),
        ("no idea", [None, None]),
        ("[1, 2]", [None, None]),
    ],
)
def test_answers_to_two_questions(text: str, indices: list[int | None]) -> None:
    assert [index for index, _ in read_answers(text, two())] == indices


def test_prompts_are_said_once_and_what_is_fixed_comes_first() -> None:
    context = (Message("assistant", "Ready?"), Message("user", "yes"))
    questions = [
        Question("n", "One?", ("a", "b"), "Judge.", context),
        Question("n", "Two?", ("Yes", "No"), "Judge.", context),
    ]
    messages = question_messages(questions, as_json=False)
    assert messages == [
        Message("system", "Judge."),
        Message(
            "user",
            "Conversation:\nAssistant: Ready?\nUser: yes\n\nQuestion 1: One?\nA. a\nB. b\n\nQuestion 2: Two?\n\n"
            "Answer with one line for each question, without explanation:\n"
            "1: <the letter of one choice>\n2: <Yes or No>",
        ),
    ]
