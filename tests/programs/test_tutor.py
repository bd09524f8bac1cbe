"""Does the tutor of fractions teach, judge and end as it should, with rules only and with a model?"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from programs_support import Talk, babble, offline, scripted

NONE = "None of the above"


@pytest.fixture(scope="module")
def bot() -> Any:
    return offline("tutor.csv")


def right(variables: Any) -> str:
    exercise = variables["exercise"]
    return f"{exercise['n']}/{exercise['d']}"


def wrong(_variables: Any) -> str:
    return "97/89"


def at_exercise(bot: Any, *, name: str = "Ada", known: str = "no") -> Talk:
    talk = Talk(bot)
    talk.say(name, known, "ok")
    assert talk["stage"] == "exercise"
    return talk


# ---------------------------------------------------------------------- whole conversations


def test_a_good_pupil_goes_through_all_units(bot: Any) -> None:
    talk = Talk(bot)
    assert "What shall I call you?" in talk.replies[0]
    assert talk.say("Hi, I'm Ada").startswith("Nice to meet you, Ada!")
    assert talk.say("yes, at school").startswith("Unit 1: what a fraction is.")
    for unit in range(1, 6):
        assert talk.say("clear!").startswith("Exercise 1 of 3:")
        talk.say(right, right)
        reply = talk.say(right)
        if unit < 5:
            assert f"Unit {unit}," in reply
            assert "3 of 3 right at the first try" in reply
            assert talk.say("yes").startswith(f"Unit {unit + 1}:")
    assert talk.finished
    assert "You did 15 exercises, solved 15 and had 15 right at the first try without a hint." in talk.replies[-1]
    assert talk.replies[-1].endswith("Goodbye, Ada, and thank you for working with me!")


def test_no_exercise_comes_twice_in_a_row_and_all_are_different_from_their_neighbours(bot: Any) -> None:
    talk = at_exercise(bot)
    tasks = []
    for _ in range(24):
        tasks.append(talk["exercise"]["task"])
        talk.say(right)
        if talk["stage"] == "end":
            talk.say("more please")
    assert all(first != second for first, second in pairwise(tasks))
    assert len(set(tasks)) > 12


def test_a_pupil_who_knows_little_gets_hints_then_the_solution(bot: Any) -> None:
    talk = at_exercise(bot)
    first, second, _ = talk["exercise"]["hints"]
    assert first in talk.say(wrong)
    assert second in talk.say(wrong)
    solution = talk["exercise"]["solution"]
    reply = talk.say(wrong)
    assert f"Let me show you: {solution}" in reply
    assert "Exercise 2 of 3:" in reply
    assert talk["results"] == [{"unit": 1, "first": False, "solved": False}]


def test_it_gets_harder_with_success_and_easier_after_failure(bot: Any) -> None:
    talk = at_exercise(bot)
    assert talk["level"] == 1
    talk.say(right, right)
    assert talk["level"] == 3
    talk.say(wrong, wrong, wrong)
    assert talk["stage"] == "end"
    assert "2 of 3" in talk.replies[-1]


def test_hints_run_out_and_the_solution_is_shown_on_request(bot: Any) -> None:
    talk = at_exercise(bot)
    hints = talk["exercise"]["hints"]
    for number, hint in enumerate(hints, 1):
        assert talk.say("can I have a hint?").startswith(f"Hint {number}: {hint}")
    assert talk.say("help").startswith("You have had all my hints.")
    assert talk.say("solution").startswith("Let me show you:")


def test_a_right_answer_after_a_hint_is_solved_but_not_first(bot: Any) -> None:
    talk = at_exercise(bot)
    talk.say("hint", right)
    assert talk["results"] == [{"unit": 1, "first": False, "solved": True}]


def test_an_impatient_pupil_may_stop_at_any_time(bot: Any) -> None:
    talk = Talk(bot)
    talk.say("Bo", "no", "stop")
    assert talk.finished
    assert "We did not get to any exercise this time." in talk.replies[-1]
    talk = at_exercise(bot)
    talk.say(right, "this is boring, enough")
    assert talk.finished
    assert "You did 1 exercise, solved 1" in talk.replies[-1]


def test_nonsense_is_answered_kindly_and_then_shown(bot: Any) -> None:
    talk = at_exercise(bot)
    assert talk.say("blub").startswith("It is your turn:")
    assert talk.say("blub blub").startswith("Sorry, I still cannot find an answer")
    assert talk.say("grmpf").startswith("I only understand numbers here.")
    assert talk.say("blub").startswith("Let us leave this one. Let me show you:")
    assert talk["tries"] == 0


def test_another_unit_on_request(bot: Any) -> None:
    talk = at_exercise(bot)
    assert talk.say("can we do multiplication instead?").startswith("Unit 4: multiplying.")
    talk.say("ok")
    assert "×" in talk["exercise"]["task"]
    assert talk.say("I'd like to change the topic").startswith("Which unit would you like?")
    assert talk.say("5").startswith("Unit 5: dividing.")
    assert talk["unit"] == 5
    assert "unit.5" in talk.path


def test_after_a_jump_the_next_unit_is_the_first_unseen_one(bot: Any) -> None:
    talk = at_exercise(bot)
    talk.say("let's go to unit 3", "ok", right, right, right)
    assert "Shall we go on with unit 2" in talk.replies[-1]
    assert talk.say("sure").startswith("Unit 2:")


def test_questions_are_answered_from_the_glossary(bot: Any) -> None:
    talk = at_exercise(bot)
    task = talk["task"]
    reply = talk.say("what is a denominator?")
    assert reply.startswith("The denominator is the number below the line.")
    assert reply.endswith(task)


def test_what_the_rules_cannot_answer_is_said_honestly(bot: Any) -> None:
    talk = at_exercise(bot)
    reply = talk.say("why is pi irrational?")
    assert "no language model is configured" in reply
    assert talk["exercise"]["task"] in reply
    assert talk.say(right)
    assert talk["results"][0]["first"]


def test_a_question_before_the_first_exercise_resumes(bot: Any) -> None:
    talk = Talk(bot)
    reply = talk.say("what is a fraction?")
    assert reply.startswith("A fraction is a part of a whole")
    assert reply.endswith(talk.replies[0])


def test_repeat_and_who(bot: Any) -> None:
    talk = at_exercise(bot)
    assert talk.say("say that again please").endswith(talk["task"])
    assert talk.say("are you a robot?").startswith("I am a program, not a person")
    assert talk.replies[-1].endswith(talk["task"])


def test_a_question_after_the_lesson_leads_into_the_exercises(bot: Any) -> None:
    talk = Talk(bot)
    reply = talk.say("Ada", "no", "what is a numerator?")
    assert reply.startswith("The numerator is the number above the line.")
    assert "Exercise 1 of 3:" in reply


def test_a_pupil_who_did_not_get_the_lesson_is_encouraged(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say("Ada", "no", "no, I don't understand").startswith("Then let us look at it together")


def test_announcing_a_question(bot: Any) -> None:
    talk = at_exercise(bot)
    assert talk.say("I have a question").startswith("Ask me!")
    assert talk.say("what is a reciprocal?").endswith(talk["task"])


def test_an_unknown_question_before_the_first_unit(bot: Any) -> None:
    talk = Talk(bot)
    assert "no language model is configured" in talk.say("Ada", "why is pi irrational?")
    assert talk.say("ok").startswith("Unit 1:")


def test_no_at_the_end_of_a_unit_asks_for_another(bot: Any) -> None:
    talk = at_exercise(bot)
    talk.say(right, right, right)
    assert talk.say("no").startswith("Which unit would you like?")
    assert talk.say("hm").startswith("Which unit would you like?")
    assert talk.say("simplifying").startswith("Unit 2:")


def test_next_after_the_last_unit_ends(bot: Any) -> None:
    talk = at_exercise(bot)
    for unit in range(2, 6):
        assert talk.say(f"unit {unit} please").startswith(f"Unit {unit}:")
    assert talk.say("next unit please").startswith("Here is where we got to.")
    assert talk.finished


# ---------------------------------------------------------------------- reading and judging


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/4", "3/4"), ("it is 3/4!", "3/4"), ("3 / 4", "3/4"), ("3\\4", "3/4"), ("-1/2", "-1/2"), ("1 1/2", "3/2"),
        ("1-1/2", "3/2"), ("-1 1/2", "-3/2"), ("0.75", "3/4"), ("0,75", "3/4"), (".5", "1/2"), ("75%", "3/4"),
        ("three quarters", "3/4"), ("three-quarters", "3/4"), ("one and a half", "3/2"), ("half", "1/2"),
        ("two over three", "2/3"), ("3 out of 4", "3/4"), ("½", "1/2"), ("2½", "5/2"), ("7", "7"), ("seven", "7"),
        ("1/2 + 1/4 = 3/4", "3/4"), ("not 1/2, it is 1/3", "1/3"), ("3/-4", "-3/4"), ("0/5", "0"), ("3/ 4.", "3/4"),
    ],
)  # fmt: skip
def test_numbers_are_read(bot: Any, text: str, value: str) -> None:
    found = bot.apply_fn("read_number()", [text])
    assert Fraction(found["n"], found["d"]) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    ["", "I don't know", "x" * 5000, "9" * 5000, "3//4", "1/2/3", "-", "/", "=", "²/³", "٣/٤", "another one please"],
)
def test_texts_without_a_number(bot: Any, text: str) -> None:
    assert bot.apply_fn("read_number()", [text]) is None


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("5/6", "right", "It is 5/6."), ("10/12", "right", "more simply as 5/6"), ("0.8333", "again", "rounded"),
        ("5/0", "again", "cannot be 0"), ("2/5", "wrong", "added the denominators"), ("6/5", "wrong", "upside down"),
        ("-5/6", "wrong", "not negative"), ("5/7", "wrong", "numerator is right"), ("1/9", "wrong", "Not quite"),
    ],
)  # fmt: skip
def test_verdicts(bot: Any, text: str, kind: str, words: str) -> None:
    exercise = {"n": 5, "d": 6, "traps": [[2, 5, "It looks as if you added the denominators as well."]]}
    given = bot.apply_fn("read_number()", [text])
    verdict = bot.apply_fn("judge()", [exercise, given, False])
    assert verdict["kind"] == kind
    assert words in verdict["say"]


def test_simplifying_asks_for_lowest_terms(bot: Any) -> None:
    exercise = {"n": 3, "d": 4, "traps": []}
    verdict = bot.apply_fn("judge()", [exercise, {"n": 6, "d": 8, "form": "fraction"}, True])
    assert verdict["kind"] == "again"
    verdict = bot.apply_fn("judge()", [exercise, {"n": 3, "d": 4, "form": "decimal"}, True])
    assert verdict["kind"] == "again"


@pytest.mark.parametrize("unit", range(1, 6))
@pytest.mark.parametrize("level", range(1, 4))
def test_every_exercise_is_right(bot: Any, unit: int, level: int) -> None:
    """Solutions, by arithmetic of our own; no trap is the right answer; the solution names it."""
    before = ""
    for k in range(1, 36):
        exercise = bot.apply_fn("make_exercise()", [unit, level, k])
        task, answer = exercise["task"], Fraction(exercise["n"], exercise["d"])
        assert task != before
        before = task
        assert len(exercise["hints"]) == 3
        words = task.rstrip("?.").split()
        if unit == 2:
            assert Fraction(words[1]) == answer
            assert answer.denominator == exercise["d"]
        elif unit > 2:
            left, sign, second = words[-3:]
            results = {
                "+": Fraction(left) + Fraction(second),
                "×": Fraction(left) * Fraction(second),
                "÷": Fraction(left) / Fraction(second),
            }
            assert results[sign] == answer
        verdict = bot.apply_fn("judge()", [exercise, bot.apply_fn("read_number()", [str(answer)]), unit == 2])
        assert verdict["kind"] == "right", (task, answer)
        shown = (str(answer), f"{exercise['n']}/{exercise['d']}")
        assert exercise["solution"].rstrip(".").endswith(shown)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hi there im Zoë", "Zoë"),
        ("Good evening. My name is Dr. Margaret O'Neill-Smith.", "Margaret"),
        ("Mr Li", "Li"),
        ("Hi,I'm Bo", "Bo"),
        ("Miriam", "Miriam"),
        ("I'm not telling you", None),
        ("Hello there, how are you today?", None),
    ],
)
def test_names_are_read(bot: Any, text: str, name: str | None) -> None:
    talk = Talk(bot)
    talk.say(text)
    assert talk["name"] == name


def test_after_a_mere_greeting_the_name_is_asked_for_once_more(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say("Good evening!") == "Hello! And what is your name?"
    assert talk.say("hi").startswith("There are five units")


def test_a_yes_with_the_word_fractions_in_it_is_no_question(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say("Bo", "yes of course, I'm great at fractions").startswith("Unit 1:")
    assert talk["level"] == 2


def test_the_exercise_is_repeated_word_for_word(bot: Any) -> None:
    talk = at_exercise(bot)
    task = talk["task"]
    for text in ("say it again please", "what was the question?", "could you repeat that?"):
        assert talk.say(text) == task, text
    assert talk.say("how do you know that?").endswith(f"Back to our exercise. {task}")


def test_why_is_a_question_even_if_it_names_a_unit(bot: Any) -> None:
    talk = at_exercise(bot)
    assert talk.say("Could you please explain why we simplify?").startswith("To simplify, divide")
    assert talk["unit"] == 1


def test_next_is_the_next_exercise_and_the_next_unit_only_if_it_says_so(bot: Any) -> None:
    talk = at_exercise(bot)
    assert "Exercise 2 of 3:" in talk.say("ok next")
    assert "Exercise 3 of 3:" in talk.say("ok whats next")
    assert talk.say("on to the next unit, please").startswith("Unit 2:")


def test_a_denominator_of_zero_is_asked_about(bot: Any) -> None:
    assert "can never be zero" in at_exercise(bot).say("what if the denominator is zero?")


def test_how_it_stands_so_far(bot: Any) -> None:
    talk = at_exercise(bot)
    reply = talk.say(right, "what's my score?")
    assert reply.startswith("So far you did 1 exercise, 1 of them right at the first try")
    assert reply.endswith(talk["task"])


def test_a_tired_pupil_may_go(bot: Any) -> None:
    assert at_exercise(bot).say("i need a break").startswith("Here is where we got to.")


# ---------------------------------------------------------------------- with a model


def test_a_model_that_takes_an_answer_for_an_interjection_does_no_harm() -> None:
    for letter in "ABCDE":
        bot = scripted("tutor.csv", answers=[NONE, NONE, "yes", NONE, letter])
        talk = Talk(bot)
        talk.say("Ada", "yes", "ok", right)
        assert talk["results"] == [{"unit": 1, "first": True, "solved": True}], letter


def test_the_model_explains_what_the_glossary_does_not_know() -> None:
    bot = scripted("tutor.csv", ["Because it never repeats."], [NONE, NONE, "no", NONE, "C", NONE])
    talk = Talk(bot)
    assert talk.say("Ada", "no", "ok", "why is pi irrational?") == "Because it never repeats."
    assert "explain.b" in talk.path
    assert talk.say(right).startswith("Exactly!") or talk["results"]


def test_an_unclear_answer_about_experience_means_a_gentle_start() -> None:
    bot = scripted("tutor.csv", answers=[NONE, NONE, "perhaps"])
    talk = Talk(bot)
    talk.say("Ada", "perhaps")
    assert "fresh" in talk.path


@pytest.mark.parametrize("seed", range(3))
def test_no_text_whatever_raises(bot: Any, seed: int) -> None:
    babble(bot, seed, 60)
