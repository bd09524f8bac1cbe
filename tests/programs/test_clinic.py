"""Does the clinic book, watch for red flags, and never let an unclear answer past one?"""

from __future__ import annotations

from typing import Any

import pytest

from programs_support import Talk, babble, offline, scripted

NONE = "None of the above"
COMPLAINT = "My knee hurts when I climb stairs."
SAFE = (COMPLAINT, "no", "No.", "none of these")


@pytest.fixture(scope="module")
def bot() -> Any:
    return offline("clinic.yaml")


def test_a_booking(bot: Any) -> None:
    talk = Talk(bot)
    assert "call 112" in talk.replies[0]
    assert "Do you have numbness" in talk.say(COMPLAINT)
    assert "fever" in talk.say("no")
    assert "accident" in talk.say("no")
    assert talk.say("no") == "Good, none of these. Which health insurance do you have, if any?"
    assert talk.say("I'm with Helvia").startswith("Helvia pays 80 percent; the rest is on our bill.")
    assert "1. Tuesday 11:00 with Mr Osei\n2. Tuesday 16:00 with Ms Lind" in talk.say("tuesday")
    assert talk.say("2") == "What is your full name?"
    assert talk.say("I'm Ada Lovelace").startswith("How can we reach you")
    check = talk.say("555 0199")
    assert f"Ada Lovelace, 555 0199\nTuesday 16:00 with Ms Lind\nReason: {COMPLAINT}" in check
    assert "Tuesday at 16:00" in talk.say("yes")
    assert talk.finished
    assert talk["booking"]["booked"] is True
    taken = [(s["day"], s["time"]) for s in talk["slots"] if not s["free"]]
    assert taken == [("Monday", "15:30"), ("Tuesday", "16:00")]


@pytest.mark.parametrize("text", ["I have chest pain", "sudden BLEEDING", "I can't breathe well", "my bladder fails"])
def test_alarming_words_lead_to_the_emergency_text(bot: Any, text: str) -> None:
    talk = Talk(bot)
    assert "call 112 now" in talk.say(text)
    assert talk.finished


@pytest.mark.parametrize("answer", ["yes", "Yes, since yesterday", "yes but only a bit"])
def test_a_yes_to_the_first_question_is_an_emergency(bot: Any, answer: str) -> None:
    talk = Talk(bot)
    assert "call 112 now" in talk.say(COMPLAINT, answer)


def test_a_yes_to_a_later_question_means_a_doctor_first(bot: Any) -> None:
    talk = Talk(bot)
    assert "see a doctor first" in talk.say(COMPLAINT, "no", "yes")
    assert talk.finished


def test_only_a_clear_no_gets_past(bot: Any) -> None:
    talk = Talk(bot)
    assert "yes or no" in talk.say(COMPLAINT, "I am not sure")
    assert "fever" in talk.say("no")
    assert "yes or no" in talk.say("a little")
    assert "see a doctor first" in talk.say("maybe")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no", "no"), ("No, none of that.", "no"), ("nope", "no"), ("not at all", "no"), ("none", "no"),
        ("yes", "yes"), ("Yeah", "yes"), ("no wait, yes", "yes"), ("a bit", "unclear"), ("", "unclear"),
        ("no, but my foot is numb", "unclear"), ("I don't know", "unclear"), ("not sure", "unclear"), ("ok", "unclear"),
        ("no idea, maybe", "unclear"), ("no one has ever asked me such a strange thing before", "unclear"),
    ],
)  # fmt: skip
def test_yes_or_no(bot: Any, text: str, said: str) -> None:
    assert bot.apply_fn("yes_or_no()", [text]) == said


def test_a_model_has_no_say_in_red_flags() -> None:
    """Whatever a model answers, it is asked about interjections only."""
    bot = scripted("clinic.yaml", answers=[NONE] * 3)
    talk = Talk(bot)
    talk.say(COMPLAINT, "a little", "a little")
    assert "call 112 now" in talk.replies[-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Norda", "pays for the whole treatment"), ("civitas basic", "pays 50 percent"), ("none", "60 euros"),
        ("Acme Mutual", "cannot look that insurance up"), ("", "cannot look that insurance up"),
    ],
)  # fmt: skip
def test_insurance(bot: Any, text: str, words: str) -> None:
    talk = Talk(bot)
    assert words in talk.say(*SAFE, text)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("monday", ["09:00"]), ("Tuesday afternoon", ["16:00"]), ("morning", ["09:00", "11:00", "08:30"]),
        ("any time", ["09:00", "11:00", "16:00"]), ("saturday", []), ("monday afternoon", []),
        ("thursday or friday", ["08:30", "14:00"]),
    ],
)  # fmt: skip
def test_free_slots(bot: Any, text: str, times: list[str]) -> None:
    talk = Talk(bot)
    assert [slot["time"] for slot in bot.apply_fn("free_slots()", [talk["slots"], text])] == times


def test_nothing_free_then_offers_the_next_times(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say(*SAFE, "none", "sunday").startswith("There is nothing free then.")
    assert talk.say("other").startswith("Let us look for another time.")
    assert "1. Friday 14:00" in talk.say("friday")


def test_an_unclear_choice_is_asked_again_then_given_up(bot: Any) -> None:
    talk = Talk(bot)
    talk.say(*SAFE, "none", "any time")
    assert talk.say("hm").startswith("Sorry, I did not get which one.")
    assert talk.say("7").startswith("Sorry, I did not get which one.")
    assert talk.say("whatever").startswith("That did not work. You can also call us at 555 0100.")


def test_changes_keep_the_rest(bot: Any) -> None:
    talk = Talk(bot)
    talk.say(*SAFE, "none", "any time", "1", "Ada", "555 0199")
    talk.say("no", "the time", "friday", "1")
    assert "Ada, 555 0199\nFriday 14:00" in talk.replies[-1]
    talk.say("no", "my phone number", "hello", "a@b.org")
    assert "Ada, a@b.org\nFriday 14:00" in talk.replies[-1]
    talk.say("no", "the name", "Bo")
    assert "Bo, a@b.org\nFriday 14:00" in talk.replies[-1]
    assert talk.say("no", "cancel everything").startswith("I have booked nothing")
    assert talk.finished
    assert talk["booking"] == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [("can I talk to a human?", "555 0100"), ("what happens with my data?", "deleted if you ask")],
)
def test_interjections_resume(bot: Any, text: str, words: str) -> None:
    talk = Talk(bot)
    asked = talk.say(COMPLAINT, "no")
    reply = talk.say(text)
    assert words in reply
    assert reply.endswith(asked)
    assert "accident" in talk.say("no")


def test_a_number_is_an_answer_whatever_the_model_takes_it_for() -> None:
    for letter in "ABCD":
        answers = [NONE] * 6 + [letter]
        talk = Talk(scripted("clinic.yaml", answers=answers))
        assert talk.say(*SAFE, "none", "any time", "2") == "What is your full name?"


def test_danger_at_any_time() -> None:
    talk = Talk(scripted("clinic.yaml", answers=[NONE, "C"]))
    assert "call 112 now" in talk.say(COMPLAINT, "my left arm has gone numb and my face hangs")
    assert talk.finished


def test_stopping(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say(*SAFE, "stop, forget it").startswith("I have booked nothing")
    assert talk.finished


@pytest.mark.parametrize("text", ["No, nothing like that", "no, nothing", "none of that", "no, everything is fine"])
def test_a_no_to_a_red_flag_is_no_wish_to_leave(bot: Any, text: str) -> None:
    talk = Talk(bot)
    assert "numbness" in talk.say("my back hurts since last week")
    assert "fever" in talk.say(text)


def test_why_a_red_flag_is_asked_about(bot: Any) -> None:
    talk = Talk(bot)
    assert talk.say("my back hurts", "why do you ask?").startswith("I ask this to be sure")


@pytest.mark.parametrize("seed", range(3))
def test_no_text_whatever_raises(bot: Any, seed: int) -> None:
    babble(bot, seed, 60)
    babble(bot, seed, 60, [*SAFE, "none", "any time"])
