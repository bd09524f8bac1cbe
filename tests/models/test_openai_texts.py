"""OpenAIModel: texts, streams, usage, and what happens when a client goes away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from autograph.errors import ModelError
from autograph.models import OpenAIModel, Reply, Usage
from fake_openai import Answer, FakeServer, chunk, error, streamed, text
from models_support import ask, three


@pytest.fixture
def models() -> Iterator[Any]:
    """A maker of models that are closed at the end."""
    made: list[OpenAIModel] = []

    def make(server: FakeServer, **settings: Any) -> OpenAIModel:
        made.append(OpenAIModel("m", server.url, "sk-secret-key", **settings))
        return made[-1]

    yield make
    for model in made:
        model.close()


def test_a_text_with_its_usage(models: Any) -> None:
    with FakeServer(text("Hi!")) as server:
        reply = models(server).generate(ask(max_tokens=50, seed=3))
    assert reply == Reply("Hi!", Usage(20, 7, 5, 3), "m-2026")
    assert server.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "You are kind."}, {"role": "user", "content": "Hello"}],
            "max_completion_tokens": 50,
            "seed": 3,
        }
    ]
    assert server.keys == ["Bearer sk-secret-key"]


def test_settings_are_sent(models: Any) -> None:
    with FakeServer(text("Hi!")) as server:
        model = models(
            server,
            temperature=0.2,
            max_tokens=9,
            reasoning_effort="low",
            prompt_cache_key="tutor",
            extra_body={"top_k": 1},
        )
        model.generate(ask())
    sent = server.bodies[0]
    assert sent["temperature"] == 0.2
    assert sent["max_completion_tokens"] == 9
    assert sent["reasoning_effort"] == "low"
    assert sent["prompt_cache_key"] == "tutor"
    assert sent["top_k"] == 1


def test_both_ways_of_asking_send_the_same(models: Any) -> None:
    with FakeServer(text("Hi!"), text("Hi!")) as server:
        model = models(server, temperature=0.2, extra_body={"top_k": 1, "temperature": 0.5})
        plain = model.generate(ask())
        assert asyncio.run(model.agenerate(ask())) == plain
    assert server.bodies[0] == server.bodies[1]
    assert server.bodies[0]["temperature"] == 0.5


def test_usage_and_cost_add_up(models: Any) -> None:
    with FakeServer(text("a"), text("b", usage=None), text('{"q1": "B"}'), streamed("c")) as server:
        model = models(server, prices={"prompt": 1.0, "completion": 10.0, "cached": 0.5})
        assert model.usage == Usage(requests=0)
        model.generate(ask())
        assert model.generate(ask()).usage is None
        model.choose([three()])
        list(model.stream(ask()))
    assert model.usage == Usage(60, 21, 15, 9, requests=4)
    assert model.cost == pytest.approx((45 * 1.0 + 15 * 0.5 + 21 * 10.0) / 1e6)


def test_cost_is_unknown_without_prices() -> None:
    assert OpenAIModel("m", "http://127.0.0.1:1/v1").cost is None


def test_a_stream_gives_pieces_then_the_reply(models: Any) -> None:
    with FakeServer(streamed("Hel", "", "lo ", "you")) as server:
        items = list(models(server).stream(ask()))
    assert items == ["Hel", "lo ", "you", Reply("Hello you", Usage(20, 7, 5, 3), "m")]
    assert server.bodies[0]["stream"] is True
    assert server.bodies[0]["stream_options"] == {"include_usage": True}


def test_async_text_questions_and_stream() -> None:
    async def run(model: OpenAIModel) -> tuple[Any, ...]:
        reply = await model.agenerate(ask())
        choices = await model.achoose([three()])
        items = [item async for item in model.astream(ask())]
        return reply.text, choices[0].index, items[:-1], items[-1].text

    with FakeServer(text("Hi!"), text('{"q1": "C"}'), streamed("a", "b")) as server:
        assert asyncio.run(run(OpenAIModel("m", server.url))) == ("Hi!", 2, ["a", "b"], "ab")


def test_one_model_serves_several_event_loops() -> None:
    with FakeServer(*[text(str(number)) for number in range(4)]) as server:
        model = OpenAIModel("m", server.url)
        assert [asyncio.run(model.agenerate(ask())).text for _ in range(3)] == ["0", "1", "2"]
        assert model.generate(ask()).text == "3"
        model.close()
    assert not model._async_clients._kept


def test_a_loop_that_ends_rudely_leaves_nothing_in_the_way() -> None:
    async def closed(model: OpenAIModel) -> str:
        reply = await model.agenerate(ask())
        await model.aclose()
        return reply.text

    with FakeServer(text("a"), text("b")) as server:
        model = OpenAIModel("m", server.url)
        for expected in ("a", "b"):
            loop = asyncio.new_event_loop()
            assert loop.run_until_complete(closed(model)) == expected
            loop.close()


def test_threads_share_one_client(models: Any) -> None:
    with FakeServer(*[text("x")] * 8) as server:
        model = models(server)
        threads = [threading.Thread(target=model.generate, args=(ask(),)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert model.usage == Usage(160, 56, 40, 24, requests=8)


@pytest.mark.parametrize("after", [1, 2, 3])
def test_closing_a_stream_ends_the_request(models: Any, after: int) -> None:
    with FakeServer(Answer(events=[chunk("a"), chunk("b"), chunk("c")], hang=True)) as server:
        stream = models(server).stream(ask())
        assert [next(stream) for _ in range(after)] == ["a", "b", "c"][:after]
        stream.close()
        assert server.client_left.wait(5)


@pytest.mark.parametrize("after", [1, 2, 3])
def test_closing_an_async_stream_ends_the_request(after: int) -> None:
    async def run(model: OpenAIModel, server: FakeServer) -> bool:
        stream = model.astream(ask())
        assert [await anext(stream) for _ in range(after)] == ["a", "b", "c"][:after]
        await stream.aclose()
        return await asyncio.to_thread(server.client_left.wait, 5)

    with FakeServer(Answer(events=[chunk("a"), chunk("b"), chunk("c")], hang=True)) as server:
        assert asyncio.run(run(OpenAIModel("m", server.url), server))


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_cancelling_a_task_ends_the_request(after: int) -> None:
    async def run(model: OpenAIModel, server: FakeServer) -> bool:
        seen = asyncio.Event()
        got: list[Any] = []

        async def consume() -> None:
            async for piece in model.astream(ask()):
                got.append(piece)
                if len(got) == after:
                    seen.set()

        task = asyncio.create_task(consume())
        if after:
            await seen.wait()
        else:
            while not server.bodies:
                await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.to_thread(server.client_left.wait, 5)

    events = [chunk("a"), chunk("b"), chunk("c")][:after]
    with FakeServer(Answer(events=events, hang=True)) as server:
        assert asyncio.run(run(OpenAIModel("m", server.url), server))


def test_a_developer_message_is_folded_in_when_the_role_is_refused(models: Any) -> None:
    from autograph.models import GenerateRequest, Message

    request = GenerateRequest(
        "n", (Message("system", "S"), Message("user", "U"), Message("developer", "Say hi.")), instruction="Say hi."
    )
    refusal = error(400, "Unexpected message role: developer")
    with FakeServer(refusal, text("Hi"), text("Hi")) as server:
        model = models(server)
        model.generate(request)
        model.generate(request)
    folded = [{"role": "system", "content": "S"}, {"role": "user", "content": "U\n\nSay hi."}]
    assert [body["messages"] for body in server.bodies[1:]] == [folded, folded]


@pytest.mark.parametrize(
    ("base_url", "role"),
    [
        (None, "developer"),
        ("https://api.openai.com/v1", "developer"),
        ("https://eu.api.openai.com/v1", "developer"),
        ("http://127.0.0.1:8080/v1", "user"),
        ("https://api.openai.com.example.org/v1", "user"),
    ],
)
def test_the_role_for_instructions(monkeypatch: pytest.MonkeyPatch, base_url: str | None, role: str) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert OpenAIModel("m", base_url).instruction_role == role


def test_without_a_key_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match="Set OPENAI_API_KEY"):
        OpenAIModel("m").generate(ask())


def test_a_password_in_the_address_is_not_shown() -> None:
    model = OpenAIModel("m", "http://ann:secret@127.0.0.1:1/v1?token=hidden", "sk-abcdef")
    shown = f"{model!r} {model.describe}"
    assert "secret" not in shown
    assert "hidden" not in shown
    assert "sk-abcdef" not in shown
    assert model.describe == "m at http://127.0.0.1:1/v1"
