"""Does the screening interview ask, follow up, understand salaries, and write its e-mail?"""

from __future__ import annotations

from typing import Any

import pytest

from programs_support import Talk, babble, offline, scripted

NONE = "None of the above"
LONG = "For six years I have written control software for microscopes, in a team of five people."


@pytest.fixture(scope="module")
def bot() -> Any:
    return offline("recruiter.csv")


def interviewed(bot: Any) -> Talk:
    talk = Talk(bot)
    talk.say("I'm Ada Lovelace.", "yes", LONG, LONG, LONG)
    return talk


def test_a_whole_interview(bot: Any) -> None:
    talk = Talk(bot)
    assert "What is your name?" in talk.replies[0]
    assert talk.say("Hi, I'm Ada Lovelace.") == "Nice to meet you, Ada Lovelace. Are you ready to begin?"
    assert talk.say("yes").startswith("Please tell me about your background")
    assert talk.say(LONG).endswith("what was your part in it?")
    assert talk.say(LONG).endswith("Why would you like to work for Kestrel Instruments?")
    assert talk.say(LONG).endswith("What are your salary expectations, per year before tax?")
    assert talk.say("about 60k") == "Thank you, that is within what we have planned. When could you start?"
    assert talk.say("in June").endswith("anything you would like to ask, or to add?")
    assert talk.say("no, thanks").endswith("Goodbye!")
    assert talk.finished
    assert [note["answer"] for note in talk["notes"]] == [LONG, LONG, LONG]


def test_the_email_to_the_manager(bot: Any) -> None:
    talk = interviewed(bot)
    talk.say("Do you have a canteen?", "60,000", "in June", "no")
    email = talk["email"]
    assert email.startswith("To: Ms Okafor\nSubject: Screening for software engineer: Ada Lovelace\n")
    assert f"  {LONG}\n" in email
    assert "Salary expectations: 60,000 EUR (within the planned range)" in email
    assert "Could start: in June" in email
    assert "- Do you have a canteen?" in email
    assert "Summary" not in email
    assert "language model" not in email


def test_with_a_model_the_email_has_a_summary() -> None:
    answers = [NONE, NONE, "yes", *[NONE] * 6]
    bot = scripted("recruiter.csv", ["She has written control software.", "Goodbye, Ada!"], answers)
    talk = Talk(bot)
    talk.say("Ada", "yes", LONG, LONG, LONG, "60k", "June")
    assert talk.say("no") == "Goodbye, Ada!"
    assert "Summary (written by a language model): She has written control software." in talk["email"]


def test_after_a_mere_greeting_the_name_is_asked_for_once_more(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say("Hi") == "And what is your name?"
    assert talk.say("Bob").startswith("Nice to meet you, Bob.")
    talk = Talk(bot)
    assert talk.say("Hello!", "I would rather not say") == "Are you ready to begin?"


def test_short_answers_are_followed_up_once(bot: Any) -> None:
    talk = Talk(bot)
    talk.say("Ada", "yes")
    assert "tell me a little more" in talk.say("I write code.")
    assert "most proud" in talk.say("Mostly Python.")
    assert talk["notes"][0]["answer"] == "I write code. / Mostly Python."
    talk.say("A compiler.", "no")
    assert talk["notes"][1]["answer"] == "A compiler."


def test_not_ready_yet(bot: Any) -> None:
    talk = Talk(bot)
    talk.say("Ada")
    assert talk.say("not yet").startswith("No hurry.")
    assert talk.say("ok, ready").startswith("Please tell me about your background")


def test_questions_are_answered_from_the_facts_and_resume(bot: Any) -> None:
    talk = Talk(bot)
    talk.say("Ada", "yes")
    asked = talk.replies[-1]
    assert talk.say("Can I work from home?") == f"Two days a week are in the office, the others are up to you. {asked}"
    assert talk.say("Is there a piano?") == f"That I do not know. I have noted the question for Ms Okafor. {asked}"
    assert talk.say("are you a human or a bot?").startswith("I am a program that asks the first questions")
    assert talk.say(LONG).endswith("what was your part in it?")


def test_a_question_during_the_follow_up(bot: Any) -> None:
    talk = Talk(bot)
    talk.say("Ada", "yes", "I write code.")
    reply = talk.say("How large is the team?")
    assert reply.startswith("You would join a team of seven.")
    assert "tell me a little more" in reply
    talk.say("Mostly Python.")
    assert talk["notes"][0]["answer"] == "I write code. / Mostly Python."


def test_a_long_answer_with_a_question_in_it_is_an_answer(bot: Any) -> None:
    talk = Talk(bot)
    answer = f"{LONG} Before that I built telescopes, and I taught for a year. How is that for a start?"
    talk.say("Ada", "yes", answer)
    assert talk["notes"][0]["answer"] == answer


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("60k", [60000, 60000]), ("60,000", [60000, 60000]), ("60.000 EUR", [60000, 60000]), ("€60k", [60000, 60000]),
        ("60'000", [60000, 60000]), ("55-65k", [55000, 65000]), ("between 55 and 65 thousand", [55000, 65000]),
        ("5000 a month", [60000, 60000]), ("5,500 per month", [66000, 66000]), ("around 70", [70000, 70000]),
        ("62.5k", [62500, 62500]), ("70,000-80,000", [70000, 80000]), ("45 an hour", None), ("it depends", None),
        ("", None), ("9" * 400, None), ("²³", None), ("3 years", None),
    ],
)  # fmt: skip
def test_amounts(bot: Any, text: str, amount: list[int] | None) -> None:
    assert bot.apply_fn("read_amount()", [text]) == amount


def test_salary_too_high_then_accepted_or_not(bot: Any) -> None:
    talk = interviewed(bot)
    assert talk.say("90k").startswith("That is more than we have planned for: the range is 55,000 to 68,000 EUR.")
    assert talk.say("yes") == "Good. When could you start?"
    talk.say("soon", "no")
    assert "Salary expectations: 90,000 EUR (within the planned range)" in talk["email"]
    talk = interviewed(bot)
    talk.say("90k", "no", "soon", "no")
    assert "Salary expectations: 90,000 EUR (not within the planned range)" in talk["email"]


def test_no_figure_even_when_asked_again(bot: Any) -> None:
    talk = interviewed(bot)
    assert talk.say("it depends").startswith("A rough figure is enough")
    assert talk.say("hard to say").startswith("Let me put it the other way round.")
    assert talk.say("sure").startswith("Good.")
    assert talk["salary"] == "the planned range will do"


def test_a_figure_with_a_question_mark_is_a_figure(bot: Any) -> None:
    talk = interviewed(bot)
    assert talk.say("60k?").startswith("Thank you, that is within")


def test_a_salary_below_the_range_is_noted(bot: Any) -> None:
    talk = interviewed(bot)
    assert talk.say("40k").startswith("Thank you, I have noted that.")


def test_yes_to_the_last_question_is_an_announcement(bot: Any) -> None:
    talk = interviewed(bot)
    assert talk.say("60k", "soon", "yes") == "Please go ahead."
    talk.say("I would like to work from home on Fridays.")
    assert talk.finished
    assert "Remark: I would like to work from home on Fridays." in talk["email"]


def test_an_answer_that_sounds_like_stopping_is_an_answer(bot: Any) -> None:
    talk = Talk(bot)
    answer = "I had enough of my old job, so I want to leave it behind, and learn something new."
    talk.say("Ada", "yes", answer)
    assert talk["notes"][0]["answer"] == answer
    talk.say("Short.", answer)
    assert talk["notes"][1]["answer"] == f"Short. / {answer}"


def test_a_long_follow_up_with_a_question_in_it_is_an_answer(bot: Any) -> None:
    talk = Talk(bot)
    answer = f"{LONG} Before that I built telescopes, and I taught for a year. How is that for a start?"
    talk.say("Ada", "yes", "I write code.", answer)
    assert talk["notes"][0]["answer"] == f"I write code. / {answer}"


@pytest.mark.parametrize("before", [[], ["Ada", "yes"], ["Ada", "yes", "short"], ["Ada", "yes", LONG]])
def test_stopping_anywhere_ends_and_still_writes_the_email(bot: Any, before: list[str]) -> None:
    talk = Talk(bot)
    talk.say(*before)
    assert "Goodbye!" in talk.say("I want to stop")
    assert talk.finished
    assert len(talk.memory.stack) == 1
    assert "The interview was stopped before its end." in talk["email"]


def test_a_host_sets_its_own_vacancy(bot: Any) -> None:
    given = {
        "company": "Acme", "role": "welder", "low": 30000, "high": 35000, "currency": "GBP", "recruiter": "Kim",
        "manager": "Mr Cole", "questions": ["What have you welded?"], "facts": {},
    }  # fmt: skip
    reply, memory = bot.reply("", bot.start(variables=given), set_state="start2")
    assert reply.startswith("Hello! I am Kim, the interview assistant of Acme.")
    for text in ("Bo", "yes"):
        reply, memory = bot.reply(text, memory)
    assert reply == "What have you welded?"
    assert "The role is welder." in memory.stack[0].prompt


@pytest.mark.parametrize("seed", range(3))
def test_no_text_whatever_raises(bot: Any, seed: int) -> None:
    babble(bot, seed, 60)
