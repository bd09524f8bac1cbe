"""RecordedModel: recording, playing back, misses, and secrets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from autograph.errors import ModelError
from autograph.models import Choice, RecordedModel, Reply, ScriptedModel
from models_support import ask, interjection, three


def test_what_was_recorded_is_played_back(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(["Hi!"], [["B", 0.7]]), "new")
    recorder.generate(ask())
    recorder.choose([three()])
    player = RecordedModel(path)
    assert player.generate(ask()) == Reply("Hi!", model="scripted")
    assert player.choose([three()]) == [Choice(1, 0.7, "B")]
    assert [type(item).__name__ for item in player.stream(ask())] == ["str", "Reply"]


def test_what_is_recorded_is_not_asked_again(tmp_path: Path) -> None:
    model = ScriptedModel(["one", "two"])
    recorder = RecordedModel(tmp_path / "r.jsonl", model, "new")
    assert [recorder.generate(ask(t)).text for t in ("a", "a", "b")] == ["one", "one", "two"]
    assert len(model.requests) == 2


def test_everything_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    RecordedModel(path, ScriptedModel(["old", "gone"]), "new").generate(ask("a"))
    RecordedModel(path, ScriptedModel(["new"]), "all").generate(ask("a"))
    assert RecordedModel(path).generate(ask("a")).text == "new"
    assert len(path.read_text().splitlines()) == 1


def test_the_node_may_be_renamed(tmp_path: Path) -> None:
    from dataclasses import replace

    path = tmp_path / "r.jsonl"
    RecordedModel(path, ScriptedModel(["Hi!"]), "new").generate(ask())
    assert RecordedModel(path).generate(replace(ask(), node="other")).text == "Hi!"


def test_questions_after_an_interjection(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(answers=["A"]), "new")
    assert recorder.choose([interjection(), three()])[1] is None
    assert RecordedModel(path).choose([interjection(), three()]) == [Choice(0, text="A"), None]


def test_a_miss_shows_the_difference_to_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(["1", "2"]), "new")
    recorder.generate(ask("Tell me about whales"))
    recorder.generate(ask("zzz", seed=4, max_tokens=7))
    with pytest.raises(ModelError) as caught:
        RecordedModel(path).generate(ask("Tell me about sharks"))
    told = str(caught.value)
    assert 'node "greet"' in told
    assert '-   "content": "Tell me about whales"' in told
    assert '+   "content": "Tell me about sharks"' in told
    assert not caught.value.retryable


def test_a_miss_without_anything_like_it(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("")
    with pytest.raises(ModelError, match="no recording of its kind"):
        RecordedModel(path).choose([three()])


def test_secrets_are_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.jsonl"
    monkeypatch.setenv("MY_API_KEY", "hunter2hunter2")
    said = "key sk-abcdefghijklmnop1234 and hunter2hunter2 and Bearer abcdef0123456789xyz"
    recorder = RecordedModel(path, ScriptedModel([f"You said {said}"]), "new")
    assert recorder.generate(ask(said)).text == f"You said {said}"
    stored = path.read_text()
    for secret in ("sk-abcdefghijklmnop1234", "hunter2hunter2", "abcdef0123456789xyz"):
        assert secret not in stored
    assert RecordedModel(path).generate(ask(said)).text == "You said key *** and *** and Bearer ***"


def test_async(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    class OnlySync:
        """A model without asynchronous twins."""

        def __init__(self) -> None:
            model = ScriptedModel(["Hi!"], ["B"])
            self.generate, self.choose = model.generate, model.choose

    async def run(model: RecordedModel) -> tuple[str, int | None, int]:
        text = (await model.agenerate(ask())).text
        choices = await model.achoose([three()])
        return text, choices[0].index, len([item async for item in model.astream(ask())])

    assert asyncio.run(run(RecordedModel(path, OnlySync(), "new"))) == ("Hi!", 1, 2)
    assert asyncio.run(run(RecordedModel(path))) == ("Hi!", 1, 2)


def test_each_line_is_an_object(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    RecordedModel(path, ScriptedModel(["Grüße\n"]), "new").generate(ask())
    (line,) = path.read_text("utf-8").splitlines()
    assert json.loads(line)["answer"]["text"] == "Grüße\n"


@pytest.mark.parametrize("line", ["{", "[]", '{"key": "x"}'])
def test_a_broken_recording(tmp_path: Path, line: str) -> None:
    (tmp_path / "r.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(ModelError, match="line 2"):
        RecordedModel(tmp_path / "r.jsonl")


def test_how_it_may_be_made(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        RecordedModel(tmp_path / "none.jsonl")
    with pytest.raises(ModelError, match="`model`"):
        RecordedModel(tmp_path / "none.jsonl", mode="new")
    with pytest.raises(ModelError, match="not 'some'"):
        RecordedModel(tmp_path / "none.jsonl", mode="some")  # type: ignore[arg-type]
