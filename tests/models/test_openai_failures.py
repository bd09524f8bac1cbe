"""OpenAIModel: each way in which a server can fail, the sentence for it, and what is tried again."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from autograph.errors import ModelError
from autograph.models import OpenAIModel
from fake_openai import Answer, FakeServer, chunk, error, streamed, text
from models_support import ask, three

KEY = "sk-very-secret-0123"


@pytest.fixture
def models() -> Iterator[Any]:
    """A maker of models that are closed at the end."""
    made: list[OpenAIModel] = []

    def make(server: FakeServer, **settings: Any) -> OpenAIModel:
        made.append(OpenAIModel("m", server.url, KEY, **settings))
        return made[-1]

    yield make
    for model in made:
        model.close()


def failure(model: OpenAIModel, **request: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        model.generate(ask(**request))
    assert KEY not in str(caught.value)
    return caught.value


NOW = {"Retry-After": "0"}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_a_passing_failure_is_repeated(models: Any, status: int) -> None:
    with FakeServer(error(status, "busy", NOW), error(status, "busy", NOW), text("Hi")) as server:
        assert models(server).generate(ask()).text == "Hi"
    assert len(server.bodies) == 3


def test_the_same_for_questions_and_async_streams(models: Any) -> None:
    async def run(model: OpenAIModel) -> Any:
        return [item async for item in model.astream(ask())][-1].text

    with FakeServer(error(429, "busy", NOW), text('{"q1": "B"}'), error(500, "oops", NOW), streamed("Hi")) as server:
        assert models(server).choose([three()])[0].index == 1
        assert asyncio.run(run(OpenAIModel("m", server.url))) == "Hi"


def test_a_lasting_failure_ends_after_the_retries(models: Any) -> None:
    with FakeServer(*[error(500, "The server is on fire", NOW)] * 3) as server:
        told = failure(models(server))
    assert told.retryable
    assert "status 500" in str(told)
    assert "The server is on fire." in str(told)
    assert len(server.bodies) == 3


def test_retry_after_is_honoured(models: Any) -> None:
    with FakeServer(error(429, "slow down", {"Retry-After": "0.3"}), text("Hi")) as server:
        started = time.monotonic()
        models(server).generate(ask())
        assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize(("wait", "limit"), [("3600", None), ("5", 1.0)])
def test_a_wait_that_is_too_long_is_not_waited_for(models: Any, wait: str, limit: float | None) -> None:
    with FakeServer(error(429, "slow down", {"Retry-After": wait})) as server:
        started = time.monotonic()
        told = failure(models(server), timeout=limit)
        assert time.monotonic() - started < 1
    assert told.retryable
    assert "rate" in str(told)


def test_an_empty_account_is_not_asked_again(models: Any) -> None:
    with FakeServer(error(429, "You exceeded your quota", code="insufficient_quota", type="insufficient_quota")) as s:
        told = failure(models(s))
    assert not told.retryable
    assert "no quota left" in str(told)
    assert len(s.bodies) == 1


def test_time_out(models: Any) -> None:
    with FakeServer(Answer(delay=0.5, body={})) as server:
        told = failure(models(server, timeout=0.1))
    assert told.retryable
    assert "did not answer within 0.1 seconds" in str(told)
    assert len(server.bodies) == 1


def test_the_shorter_time_out_wins(models: Any) -> None:
    with FakeServer(Answer(delay=0.5, body={})) as server:
        assert "within 0.1 seconds" in str(failure(models(server), timeout=0.1))


def test_time_out_async_and_in_the_middle_of_a_stream(models: Any) -> None:
    async def run(model: OpenAIModel) -> list[Any]:
        return [piece async for piece in model.astream(ask(timeout=0.2))]

    with FakeServer(Answer(events=[chunk("a")], hang=True), Answer(events=[chunk("a")], hang=True)) as server:
        with pytest.raises(ModelError, match=r"within 0\.2 seconds"):
            asyncio.run(run(OpenAIModel("m", server.url)))
        with pytest.raises(ModelError, match=r"within 0\.2 seconds"):
            list(models(server).stream(ask(timeout=0.2)))


@pytest.mark.parametrize(
    ("refusal", "name"),
    [
        (error(400, "Unsupported value", param="temperature"), "temperature"),
        (error(400, "Unsupported parameter: 'temperature' is not supported with this model."), "temperature"),
        (error(422, "extra fields not permitted: seed"), "seed"),
        (error(400, "unknown", param="prompt_cache_key"), "prompt_cache_key"),
    ],
)
def test_a_refused_parameter_is_left_out_from_then_on(models: Any, refusal: Answer, name: str) -> None:
    with FakeServer(refusal, text("Hi"), text("Ho")) as server:
        model = models(server, temperature=0.5, prompt_cache_key="k")
        assert model.generate(ask(seed=1)).text == "Hi"
        assert model.generate(ask(seed=1)).text == "Ho"
    assert [name in body for body in server.bodies] == [True, False, False]


def test_another_model_object_does_not_know_of_it(models: Any) -> None:
    with FakeServer(error(400, "no", param="temperature"), text("Hi"), text("Ho")) as server:
        models(server, temperature=0.5).generate(ask())
        models(server, temperature=0.5).generate(ask())
    assert ["temperature" in body for body in server.bodies] == [True, False, True]


def test_max_completion_tokens_becomes_max_tokens(models: Any) -> None:
    refusal = error(400, "Unrecognized request argument supplied: max_completion_tokens")
    with FakeServer(refusal, text("Hi"), text("Ho")) as server:
        model = models(server)
        model.generate(ask(max_tokens=8))
        model.generate(ask(max_tokens=8))
    assert [(b.get("max_completion_tokens"), b.get("max_tokens")) for b in server.bodies] == [
        (8, None),
        (None, 8),
        (None, 8),
    ]


def test_stream_options_may_be_refused(models: Any) -> None:
    with FakeServer(error(400, "stream_options is not allowed"), streamed("Hi")) as server:
        assert next(models(server).stream(ask())) == "Hi"
    assert "stream_options" not in server.bodies[1]


def test_any_other_refusal_is_told(models: Any) -> None:
    with FakeServer(error(400, "messages[1] is odd", param="messages")) as server:
        told = failure(models(server, temperature=1))
    assert not told.retryable
    assert "messages[1] is odd." in str(told)
    assert len(server.bodies) == 1


def test_a_conversation_that_is_too_long(models: Any) -> None:
    with FakeServer(error(400, "maximum context length is 8192 tokens", code="context_length_exceeded")) as server:
        assert "max_prompt_tokens" in str(failure(models(server)))


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_told_and_not_shown(models: Any, status: int) -> None:
    with FakeServer(error(status, f"Incorrect API key provided: {KEY}")) as server:
        told = failure(models(server))
    assert not told.retryable
    assert f"refused the API key (status {status})" in str(told)
    assert "Set OPENAI_API_KEY" in str(told)
    assert told.__suppress_context__


def test_a_server_that_wants_a_key_where_none_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with FakeServer(error(401, "no")) as server:
        model = OpenAIModel("m", server.url)
        assert "none is set" in str(failure(model))
        model.close()
    assert server.keys == ["Bearer unused"]


def test_an_unknown_model(models: Any) -> None:
    with FakeServer(error(404, "The model `m` does not exist", code="model_not_found")) as server:
        told = failure(models(server))
    assert 'does not know the model "m"' in str(told)


def test_a_wrong_address(models: Any) -> None:
    with FakeServer(Answer(404, b"<html>Not here</html>", {"Content-Type": "text/html"})) as server:
        assert "usually ends with /v1" in str(failure(models(server)))


@pytest.mark.parametrize("asynchronous", [False, True])
def test_nobody_listens(asynchronous: bool) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    model = OpenAIModel("m", url)
    started = time.monotonic()
    with pytest.raises(ModelError) as caught:
        asyncio.run(model.agenerate(ask())) if asynchronous else model.generate(ask())
    assert time.monotonic() - started < 3
    model.close()
    assert f"No connection to {url}" in str(caught.value)
    assert caught.value.retryable


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (text(None, finish="length"), "reasoning tokens count"),
        (text("", finish="length"), "reasoning tokens count"),
        (text(None), "sent an empty answer"),
        (text("  \n"), "sent an empty answer"),
        (text(None, refusal="I cannot help with that."), "refused to answer: I cannot help with that."),
        (text("Some", finish="content_filter"), "content filter"),
    ],
)
def test_answers_without_words(models: Any, answer: Answer, words: str) -> None:
    with FakeServer(answer) as server:
        assert words in str(failure(models(server)))


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": None}, {"error": None}, {"choices": [{}]}, ["x"], "x", None]
)
def test_json_that_is_no_completion(models: Any, body: Any) -> None:
    with FakeServer(Answer(body=body)) as server:
        told = failure(models(server))
    assert "no chat completion" in str(told)
    assert told.retryable


def test_an_answer_that_is_a_web_page(models: Any) -> None:
    with FakeServer(Answer(body=b"<html>Sign in</html>", headers={"Content-Type": "text/html"})) as server:
        assert "no chat completion" in str(failure(models(server)))


def test_broken_json(models: Any) -> None:
    with FakeServer(Answer(body=b'{"choices": [')) as server:
        told = failure(models(server))
    assert "no valid JSON" in str(told)


def test_an_answer_that_breaks_off(models: Any) -> None:
    with FakeServer(Answer(body={"choices": []}, cut=True)) as server:
        told = failure(models(server))
    assert "broke off" in str(told)
    assert told.retryable


STREAM_FAULTS = [
    (Answer(events=[chunk("Hel"), "{broken"]), ["Hel"], "no valid JSON"),
    (Answer(events=[chunk("Hel")], cut=True), ["Hel"], "broke off"),
    (Answer(events=[chunk("Hel")]), ["Hel"], "cut off after 3 characters"),
    (Answer(events=[chunk("Hel"), {"error": {"message": "GPU lost"}}]), ["Hel"], "GPU lost"),
    (Answer(events=[chunk("Hel"), chunk(finish="content_filter")]), ["Hel"], "content filter"),
    (Answer(events=[chunk(finish="length")]), [], "reasoning tokens"),
    (Answer(events=[chunk(finish="stop"), "[DONE]"]), [], "empty answer"),
    (Answer(events=[]), [], "cut off after 0 characters"),
]


@pytest.mark.parametrize(("answer", "pieces", "words"), STREAM_FAULTS)
def test_streams_that_go_wrong(models: Any, answer: Answer, pieces: list[str], words: str) -> None:
    got: list[Any] = []
    with FakeServer(answer) as server, pytest.raises(ModelError, match=words):
        got.extend(models(server).stream(ask()))
    assert got == pieces


@pytest.mark.parametrize(("answer", "pieces", "words"), STREAM_FAULTS)
def test_async_streams_that_go_wrong(answer: Answer, pieces: list[str], words: str) -> None:
    got = []

    async def run(url: str) -> None:
        async for piece in OpenAIModel("m", url).astream(ask()):
            got.append(piece)

    with FakeServer(answer) as server, pytest.raises(ModelError, match=words):
        asyncio.run(run(server.url))
    assert got == pieces
