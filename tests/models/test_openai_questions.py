"""OpenAIModel: questions, how they are put, and what is made of good and bad answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from autograph.errors import ModelError
from autograph.models import Choice, Message, OpenAIModel, Question, Usage
from fake_openai import FakeServer, error, text
from models_support import interjection, three, yes_no


@pytest.fixture
def models() -> Iterator[Any]:
    """A maker of models that are closed at the end."""
    made: list[OpenAIModel] = []

    def make(server: FakeServer, **settings: Any) -> OpenAIModel:
        made.append(OpenAIModel("m", server.url, **settings))
        return made[-1]

    yield make
    for model in made:
        model.close()


def test_a_question_is_put_with_its_context_and_a_closed_choice(models: Any) -> None:
    question = three(question_prompt="Judge the conversation.")
    with FakeServer(text('{"q1": "B"}')) as server:
        choices = models(server).choose([question])
    assert choices == [Choice(1, text="B", usage=Usage(20, 7, 5, 3))]
    system, user = server.bodies[0]["messages"]
    assert system == {"role": "system", "content": "Judge the conversation."}
    assert user["content"] == (
        "Conversation:\nUser: hm\n\nQuestion: Which?\nA. red\nB. green\nC. blue\n\n"
        'Answer with JSON only, in the form {"q1": "<the letter of one choice>"}.'
    )
    schema = server.bodies[0]["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["properties"] == {"q1": {"type": "string", "enum": ["A", "B", "C"]}}
    assert schema["schema"]["required"] == ["q1"]
    assert schema["schema"]["additionalProperties"] is False


def test_yes_and_no_are_asked_by_the_word(models: Any) -> None:
    with FakeServer(text('{"q1": "No"}')) as server:
        assert models(server).choose([yes_no()])[0].index == 1
    schema = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["q1"]["enum"] == ["Yes", "No"]
    assert "A. Yes" not in server.bodies[0]["messages"][-1]["content"]


def test_two_questions_of_a_moment_go_in_one_request(models: Any) -> None:
    with FakeServer(text('{"q1": "B", "q2": "C"}')) as server:
        choices = models(server).choose([interjection(), three()])
    assert [choice.index for choice in choices] == [1, 2]
    assert len(server.bodies) == 1
    content = server.bodies[0]["messages"][-1]["content"]
    assert content.count("Conversation:") == 1
    assert "Question 1: Which is true?" in content
    assert "Question 2: Which?" in content


def test_an_interjection_that_decides_leaves_the_rest_unanswered(models: Any) -> None:
    with FakeServer(text('{"q1": "A", "q2": "nonsense"}')) as server:
        choices = models(server).choose([interjection(), three()])
    assert choices[0].index == 0
    assert choices[1] is None
    assert len(server.bodies) == 1


def test_questions_with_different_contexts_keep_them(models: Any) -> None:
    second = Question("start1", "Which?", ("a", "b"), context=(Message("assistant", "Hi"), Message("user", "hm")))
    with FakeServer(text('{"q1": "B", "q2": "A"}')) as server:
        models(server).choose([interjection(), second])
    assert server.bodies[0]["messages"][-1]["content"].count("Conversation:") == 2


def test_a_refused_schema_falls_back_to_letters_and_is_remembered(models: Any) -> None:
    refusal = error(400, "This model does not support response_format json_schema", param="response_format")
    with FakeServer(refusal, text("B"), text("c.")) as server:
        model = models(server)
        assert model.choose([three()])[0].index == 1
        assert model.choose([three()])[0].index == 2
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    assert server.bodies[1]["messages"][-1]["content"].endswith(
        "Answer with the letter of one choice only, without explanation."
    )


def test_two_plain_answers_are_read_line_by_line(models: Any) -> None:
    with FakeServer(error(400, "no json_schema here"), text("1: B\n2: Yes")) as server:
        choices = models(server).choose([interjection(), yes_no()])
    assert [choice.index for choice in choices] == [1, 0]


def test_a_server_that_ignores_the_schema_is_asked_again_with_the_bad_answer(models: Any) -> None:
    with FakeServer(text("I would say it is probably green."), text("green")) as server:
        choices = models(server).choose([three()])
    assert choices == [Choice(1, text="green", usage=Usage(40, 14, 10, 6, requests=2))]
    retry = server.bodies[1]["messages"]
    assert retry[-2] == {"role": "assistant", "content": "I would say it is probably green."}
    assert '"I would say it is probably green."' in retry[-1]["content"]
    assert "none of the choices A, B, C" in retry[-1]["content"]


def test_an_answer_that_stays_bad_is_unclear(models: Any) -> None:
    with FakeServer(text("dunno"), text("really dunno")) as server:
        choices = models(server).choose([three()])
    assert choices[0].index is None
    assert choices[0].text == "really dunno"
    assert len(server.bodies) == 2


def test_only_the_bad_answer_of_two_is_replaced(models: Any) -> None:
    with FakeServer(text('{"q1": "B", "q2": "perhaps"}'), text('{"q1": "A", "q2": "C"}')) as server:
        choices = models(server).choose([interjection(), three()])
    assert [choice.index for choice in choices] == [1, 2]
    assert 'to question 2, "perhaps"' in server.bodies[1]["messages"][-1]["content"]


def test_an_empty_answer_is_asked_again_then_unclear(models: Any) -> None:
    with FakeServer(text(""), text(None)) as server:
        assert models(server).choose([three()])[0].index is None
    assert len(server.bodies) == 2


def test_an_answer_lost_to_reasoning_is_an_error(models: Any) -> None:
    with FakeServer(text(None, finish="length")) as server, pytest.raises(ModelError, match="reasoning tokens"):
        models(server).choose([three()])


def test_thoughts_before_the_answer_are_skipped(models: Any) -> None:
    with FakeServer(text("<think>A? no, B</think>\n\nB")) as server:
        assert models(server).choose([three()])[0].index == 1


def test_more_than_26_choices_have_two_letters(models: Any) -> None:
    question = Question("n", "Which?", tuple(f"choice {number}" for number in range(30)))
    with FakeServer(text('{"q1": "AB"}')) as server:
        assert models(server).choose([question])[0].index == 27
    assert "AD. choice 29" in server.bodies[0]["messages"][-1]["content"]


def test_confidence_from_log_probabilities(models: Any) -> None:
    def token(words: str, **top: float) -> dict[str, Any]:
        alternatives = [{"token": t, "logprob": math.log(p), "bytes": None} for t, p in top.items()]
        return {"token": words, "logprob": -0.1, "bytes": None, "top_logprobs": alternatives}

    tokens = [token('{"q1": "'), token("B", A=0.2, B=0.6, z=0.1), token('"}')]
    with FakeServer(text('{"q1": "B"}', logprobs=tokens)) as server:
        choice = models(server, logprobs=True).choose([three()])[0]
    assert server.bodies[0]["top_logprobs"] == 20
    assert choice.confidence == pytest.approx(0.75)
    assert choice.probabilities == pytest.approx((0.25, 0.75, 0.0))


def test_refused_log_probabilities_are_done_without(models: Any) -> None:
    refusal = error(400, "logprobs are not supported with reasoning models", param="logprobs")
    with FakeServer(refusal, text('{"q1": "A"}')) as server:
        choice = models(server, logprobs=True).choose([three()])[0]
    assert (choice.index, choice.confidence) == (0, None)
    assert "logprobs" not in server.bodies[1]
    assert "top_logprobs" not in server.bodies[1]


def test_no_question_is_no_request(models: Any) -> None:
    with FakeServer() as server:
        assert models(server).choose([]) == []
    assert server.bodies == []
