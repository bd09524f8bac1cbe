"""OfflineModel: plain speech from instructions, and answers by rules."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.models import GenerateRequest, Message, OfflineModel, Question
from autograph.models.realizer import spoken, thought, user_speech
from autograph.models.signals import has_email, has_number, is_question, polarity
from models_support import ask, interjection

LABELLED = Path(__file__).parent.parent.parent / "examples" / "questions.jsonl"


@pytest.mark.parametrize(
    ("instruction", "speech"),
    [
        ("Ask the user why they think Hamlet hesitated.", "Why do you think Hamlet hesitated?"),
        ("Ask the user if they are ready to begin", "Are you ready to begin?"),
        ("Ask the user whether they would like tea or coffee.", "Would you like tea or coffee?"),
        ("Ask the user if they have any allergies.", "Do you have any allergies?"),
        ("Ask the user if they have finished the worksheet", "Have you finished the worksheet?"),
        ("Ask the user if the user wants to stop", "Do you want to stop?"),
        ("Ask the user what their name is.", "What is your name?"),
        ("Ask the user how their day was, in a friendly way.", "How was your day?"),
        ("Politely ask the user what they did yesterday", "What did you do yesterday?"),
        ("Ask the user how many apples they bought", "How many apples did you buy?"),
        ("Ask the candidate why they decided to apply", "Why did you decide to apply?"),
        ("Ask the user what the main idea of the poem is.", "What is the main idea of the poem?"),
        ("Ask the user what happened next", "Could you tell me what happened next?"),
        ("Ask the user where they're from", "Where are you from?"),
        ("Ask the user for their name.", "What is your name?"),
        ("Ask the user for a number between 1 and 10.", "Could you give me a number between 1 and 10?"),
        ("Ask the user to describe their day.", "Please describe your day."),
        ("Ask the user: How are you?", "How are you?"),
        ("Ask the user if they remember you", "Do you remember me?"),
        ("Greet the user and introduce yourself as the tutor.", "Hello! I am the tutor."),
        ("Start by greeting the user, then ask them how they are", "Hello! How are you?"),
        ("Introduce yourself.", "I am a kind guide."),
        ("Tell the user: Your order has shipped.", "Your order has shipped."),
        ('Say "See you soon!"', "See you soon!"),
        ("Tell the user that they did well and that you are proud of them.", "You did well and I am proud of you."),
        ("Thank the user for their time and say goodbye.", "Thank you for your time! Goodbye!"),
        ("Welcome the user to the clinic.", "Welcome to the clinic!"),
        ("Offer to call them back", "I can call you back if you like."),
        ("Ask the user if they want to hear more. Be friendly and brief.", "Do you want to hear more?"),
        ("What is your favourite colour?", "What is your favourite colour?"),
    ],
)
def test_instructions_become_speech(instruction: str, speech: str) -> None:
    assert spoken(instruction, None, "You are a kind guide. Be brief.") == speech


@pytest.mark.parametrize("instruction", ["Explain photosynthesis to the user.", "Summarise the conversation."])
def test_what_needs_a_model_is_said_honestly(instruction: str) -> None:
    text = spoken(instruction)
    assert "no language model is configured" in text


def test_explaining_names_the_subject() -> None:
    assert spoken("Explain why bees matter to the user.") == (
        "(no language model is configured, so I cannot explain this in my own words: why bees matter)"
    )


def test_a_response_echoes_the_user() -> None:
    text = spoken("Respond to the user and ask how they feel.", "I lost my keys")
    assert text.startswith("You said: “I lost my keys”.")
    assert text.endswith("How do you feel?")


def test_a_question_is_not_thanked_for() -> None:
    for text in ("Is that right?", "how do you know that", "can you give me an example"):
        assert spoken("Answer the user's question.", text) == "That I cannot answer: no language model is configured."


def test_thoughts_are_not_made_up() -> None:
    assert thought("Summarise what they said") == (
        "(no language model is configured, so this was not thought about: Summarise what they said)"
    )


@pytest.mark.parametrize(
    ("instruction", "speech"),
    [
        ("Say that you want to quit", "I want to quit."),
        ("Ask the agent what their name is", "What is your name?"),
        ("ask if the bot is human", "Are you human?"),
        ('Say "no way"', "no way"),
        ("Agree to the offer", "Yes."),
        ("Refuse", "No."),
    ],
)
def test_simulated_users(instruction: str, speech: str) -> None:
    assert user_speech(instruction) == speech


@given(st.text(max_size=80), st.none() | st.text(max_size=20))
def test_something_is_always_said(instruction: str, user_text: str | None) -> None:
    assert spoken(instruction, user_text).strip()
    assert thought(instruction).strip()


def test_requests_go_by_their_purpose() -> None:
    model = OfflineModel()
    system = Message("system", "You are Ada.")
    chat = GenerateRequest("n", (system, Message("user", "x")), instruction="Introduce yourself.")
    assert model.generate(chat).text == "I am Ada."
    assert model.generate(ask(purpose="thought", instruction="Count.")).text.startswith("(no language model")
    assert model.generate(ask(purpose="user", instruction="Agree.")).text == "Yes."
    assert model.describe == "offline rules (no language model)"


def labelled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]


def test_accuracy_on_labelled_questions() -> None:
    """0.97 when written, on questions that were seen by then; on fresh ones expect far less."""
    right = 0
    for item in labelled():
        context = tuple(Message(turn["role"], turn["content"]) for turn in item["turns"])
        question = Question("n", item["question"], tuple(item["choices"]), context=context)
        choice = OfflineModel().choose([question])[0]
        assert choice.confidence is not None
        assert 0 < choice.confidence <= 0.9
        right += choice.index == item["answer"]
    assert right / len(labelled()) >= 0.9


TASK = ("answers the question", "asks for a hint", "wants to change the topic", "wants to stop")
FRESH = [
    ("Shall we go on?", "yep let's do it", "Does the user want to continue?", ("Yes", "No"), 0),
    ("Shall we go on?", "nope", "Does the user want to continue?", ("Yes", "No"), 1),
    ("Shall we go on?", "no thanks", "Does the user want to continue?", ("Yes", "No"), 1),
    ("Shall we go on?", "not yet", "Does the user want to continue?", ("No", "Yes"), 0),
    ("Shall we go on?", "sure", "Does the user agree?", ("Yes", "No"), 0),
    ("Solve it.", "I want to stop now", "Does the user want to stop?", ("Yes", "No"), 0),
    ("Solve it.", "2x", "Does the user want to stop?", ("Yes", "No"), 1),
    ("Solve it.", "can you give me a hint?", "What does the user do?", TASK, 1),
    ("Solve it.", "can we do something else", "What does the user do?", TASK, 2),
    ("Solve it.", "2x I think", "What does the user do?", TASK, 0),
    ("Solve it.", "ok bye, enough for today", "What does the user do?", TASK, 3),
    ("A number?", "seven", "What did the user give?", ("a number", "something else"), 0),
    ("A number?", "banana", "What did the user give?", ("a number", "something else"), 1),
    ("A number?", "let's take 42", "Which?", ("specified an actual number", "did not specify a number"), 0),
    ("A number?", "banana", "Which?", ("specified an actual number", "did not specify a number"), 1),
    ("Sushi or pizza?", "pizza", "Which?", ("sushi", "pizza"), 1),
    ("Sushi or pizza?", "b", "Which?", ("sushi", "pizza"), 1),
    ("Sushi or pizza?", "the first one please", "Which?", ("sushi", "pizza"), 0),
    ("Sushi or pizza?", "not pizza", "Which?", ("sushi", "pizza"), 0),
    ("What is 7 times 8?", "56", "Is the answer correct?", ("Yes", "No"), 0),
    ("What is 7 times 8?", "fifty", "Is the answer correct?", ("Yes", "No"), 1),
    ("Your e-mail?", "ada@example.org", "Did the user give an e-mail address?", ("Yes", "No"), 0),
    ("Your e-mail?", "I have none", "Did the user give an e-mail address?", ("Yes", "No"), 1),
    ("Your name?", "I'd rather not say", "Did the user tell their name?", ("Yes", "No"), 1),
]


@pytest.mark.parametrize(("before", "said", "question", "choices", "index"), FRESH)
def test_the_clear_cases(before: str, said: str, question: str, choices: tuple[str, ...], index: int) -> None:
    context = (Message("assistant", before), Message("user", said))
    choice = OfflineModel().choose([Question("n", question, choices, context=context)])[0]
    assert choice.index == index


def test_an_interjection_needs_evidence() -> None:
    def chosen(said: str) -> list[int | None]:
        asked = [interjection(), Question("n", "Well?", ("Yes", "No"), context=(Message("user", said),))]
        asked[0] = Question(
            "n",
            asked[0].question,
            asked[0].choices,
            purpose="interjection",
            passes_on=1,
            context=(Message("user", said),),
        )
        return [choice.index if choice else None for choice in OfflineModel().choose(asked)]

    assert chosen("yes, I like trains") == [1, 0]
    assert chosen("I want to quit") == [0, None]


@pytest.mark.parametrize(("said", "asks"), [("why", True), ("is it", True), ("I know why", False), ("so?", True)])
def test_question_form(said: str, asks: bool) -> None:
    assert is_question(said) is asks


@pytest.mark.parametrize(
    ("said", "sign"),
    [("yep", 1), ("Sure!", 1), ("no problem", 1), ("why not", 1), ("nope", -1), ("not yet", -1), ("trains", 0)],
)
def test_polarity(said: str, sign: int) -> None:
    lean = polarity(said)
    assert (lean > 0) - (lean < 0) == sign


def test_numbers_and_addresses() -> None:
    assert [has_number(t) for t in ("3", "twenty-one", "one", "this one", "none")] == [True, True, True, False, False]
    assert [has_email(t) for t in ("me@x.org", "me at x.org")] == [True, False]


@given(st.text(max_size=60), st.text(max_size=40), st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=6))
def test_an_index_always_comes_out(said: str, question: str, choices: list[str]) -> None:
    asked = Question("n", question, tuple(choices), context=(Message("user", said),))
    first, second = OfflineModel().choose([asked]), OfflineModel().choose([asked])
    assert first == second
    assert first[0].index in range(len(choices))
    assert 0 < first[0].confidence <= 0.9


def test_async_twins() -> None:
    async def run() -> tuple[str, str]:
        request = ask(instruction="Say hello.")
        items = [item async for item in OfflineModel().astream(request)]
        return (await OfflineModel().agenerate(request)).text, items[-1].text

    assert asyncio.run(run()) == ("Hello!", "Hello!")


def test_a_number_is_no_answer_to_an_interjection_question() -> None:
    question = Question(
        "ask", "Which is true?", ("The user wants a human.", "The user asks about privacy.", "None of the above"),
        context=(Message("assistant", "Which number?"), Message("user", "2")), purpose="interjection", passes_on=2,
    )  # fmt: skip
    (choice,) = OfflineModel().choose([question])
    assert choice is not None
    assert choice.index == 2


def test_words_before_a_suffix_are_short_and_say_nothing_of_the_instruction() -> None:
    first = GenerateRequest("a", (), instruction="Lead up to it: What is 1+1?", suffix="What is 1+1?")
    later = GenerateRequest("a", (), instruction="…", user_text="hi", suffix="What is 1+1?")
    assert [OfflineModel().generate(request).text for request in (first, later)] == ["", "I see."]


def test_a_user_called_by_name_is_asked() -> None:
    assert spoken("Ask Ada whether they want tea.") == "Do you want tea?"
    assert spoken("Ask Bo for the date of birth.") == spoken("Ask the user for the date of birth.")
