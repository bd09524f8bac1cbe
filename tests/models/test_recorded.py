"""RecordedModel: recording, playing back, misses, and what is asked when."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph.errors import ModelError
from autograph.models import Choice, RecordedModel, Reply, ScriptedModel, Usage
from autograph.models.base import GenerateRequest, Question
from autograph.models.recorded import recording_model
from models_support import ask, interjection, three


class Other(ScriptedModel):
    """A model with a name and a role of its own."""

    describe = "another model"
    instruction_role = "developer"


def test_what_was_recorded_is_played_back(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(["Hi!"], [["B", 0.7]]), "new")
    recorder.generate(ask())
    recorder.choose([three()])
    player = RecordedModel(path)
    assert player.generate(ask()) == Reply("Hi!", model="scripted")
    assert player.choose([three()]) == [Choice(1, 0.7, "B")]


def test_everything_of_an_answer_is_played_back(tmp_path: Path) -> None:
    usage = Usage(prompt=7, completion=3, cached=2, reasoning=1, requests=2)
    reply = Reply("  two\u2028lines\x85and \ud83d half a character\r\n", usage, "m-1")
    choice = Choice(2, 0.1 + 0.2, "C.", usage, (0.1, 0.2, 0.7))

    class Exact:
        def generate(self, request: GenerateRequest) -> Reply:
            return reply

        def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
            return [choice]

    recorder = RecordedModel(tmp_path / "r.jsonl", Exact(), "new")
    assert (recorder.generate(ask()), recorder.choose([three()])) == (reply, [choice])
    player = RecordedModel(tmp_path / "r.jsonl")
    assert (player.generate(ask()), player.choose([three()])) == (reply, [choice])


def test_the_pieces_of_a_stream_are_always_the_same(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    text = "One two three, four five six seven."
    recorded = list(RecordedModel(path, ScriptedModel([text]), "new").stream(ask()))
    assert "".join(piece for piece in recorded if isinstance(piece, str)) == text
    assert len(recorded) == 5
    assert list(RecordedModel(path).stream(ask())) == recorded


@pytest.mark.parametrize("mode", ["new", "all"])
def test_what_is_recorded_is_not_asked_again(tmp_path: Path, mode: Any) -> None:
    model = ScriptedModel(["one", "two"])
    recorder = RecordedModel(tmp_path / "r.jsonl", model, mode)
    assert [recorder.generate(ask(t)).text for t in ("a", "a", "b", "a")] == ["one", "one", "two", "one"]
    assert len(model.requests) == 2
    player = RecordedModel(tmp_path / "r.jsonl")
    assert [player.generate(ask(t)).text for t in ("b", "a", "a")] == ["two", "one", "one"]


@pytest.mark.parametrize(
    "other",
    [ask("a", seed=1), ask("a", max_tokens=9), ask("a", purpose="thought"), ask("a", suffix="!!"), ask("a ")],
    ids=["seed", "max_tokens", "purpose", "suffix", "text"],
)
def test_all_that_an_answer_depends_on_tells_requests_apart(tmp_path: Path, other: GenerateRequest) -> None:
    recorder = RecordedModel(tmp_path / "r.jsonl", ScriptedModel(["one", "two"]), "new")
    assert [recorder.generate(request).text for request in (ask("a"), other)] == ["one", "two"]


def test_nodes_and_timeouts_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(["Hi!"], ["B"]), "new")
    recorder.generate(ask())
    recorder.choose([three()])
    player = RecordedModel(path)
    assert player.generate(replace(ask(), node="other", timeout=3.0)).text == "Hi!"
    assert player.choose([replace(three(), node="other", timeout=3.0)]) == [Choice(1, None, "B")]


# ---------------------------------------------------------------------- questions


def test_questions_after_an_interjection(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(answers=["A"]), "new")
    assert recorder.choose([interjection(), three()])[1] is None
    assert RecordedModel(path).choose([interjection(), three()]) == [Choice(0, text="A"), None]


def test_only_the_questions_that_are_missing_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    RecordedModel(path, ScriptedModel(answers=["B"]), "new").choose([three()])
    model = ScriptedModel(answers=["B", "A"])
    recorder = RecordedModel(path, model, "new")
    assert recorder.choose([interjection(), three()]) == [Choice(1, text="B"), Choice(1, text="B")]
    assert [request.kind for request in model.requests] == ["choose"]


def test_a_model_that_answers_more_than_is_needed_records_as_it_plays(tmp_path: Path) -> None:
    class Eager(ScriptedModel):
        def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
            return [Choice(0, text="A") for _ in questions]

    asked = [interjection(), three()]
    recorded = RecordedModel(tmp_path / "r.jsonl", Eager(), "new").choose(asked)
    assert recorded == RecordedModel(tmp_path / "r.jsonl").choose(asked) == [Choice(0, text="A"), None]


def test_a_model_with_too_few_answers(tmp_path: Path) -> None:
    class Lazy(ScriptedModel):
        def choose(self, questions: Sequence[Question]) -> list[Choice | None]:
            return []

    with pytest.raises(ModelError, match="0 answers to 1 questions"):
        RecordedModel(tmp_path / "r.jsonl", Lazy(), "new").choose([three()])


def test_a_classifier_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    texts, questions = ScriptedModel(["Hi!"]), Other(answers=["C"])
    recorder = RecordedModel(path, texts, "new", classifier=questions)
    assert (recorder.generate(ask()).text, recorder.choose([three()])) == ("Hi!", [Choice(2, text="C")])
    assert (len(texts.requests), len(questions.requests)) == (1, 1)
    assert RecordedModel(path).describe == "recording r.jsonl of scripted"


# ---------------------------------------------------------------------- models


def test_a_recording_asks_in_the_role_in_which_it_was_recorded(tmp_path: Path) -> None:
    rows = [{"name": "start1", "action": "chat", "instruction": "Greet the user.", "transitions": "start1"}]
    model = RecordedModel(tmp_path / "r.jsonl", Other(["Hello!"]), "new")
    assert autograph.load(rows, model=model).reply()[0] == "Hello!"
    player = RecordedModel(tmp_path / "r.jsonl")
    assert player.instruction_role == "developer"
    assert autograph.load(rows, model=player).reply()[0] == "Hello!"


def test_another_model_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    told: list[str] = []
    RecordedModel(path, ScriptedModel(["one"]), "new", notify=told.append).generate(ask("a"))
    RecordedModel(path, ScriptedModel(["two"]), "new", notify=told.append).generate(ask("b"))
    assert told == []
    model = RecordedModel(path, Other(["three"]), "new", notify=told.append)
    assert [model.generate(ask(t)).text for t in "abc"] == ["one", "two", "three"]
    (line,) = told
    assert line.startswith(f"{path} was recorded with scripted. What is missing is asked of another model now;")
    assert RecordedModel(path).describe == "recording r.jsonl of another model"
    assert [RecordedModel(path).generate(ask(t)).text for t in "abc"] == ["one", "two", "three"]


def test_two_models_with_objects_of_their_own_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    told: list[str] = []
    for mode in ("new", "new", "all"):
        texts, questions = Other(["Hi!", "Bye!"]), ScriptedModel(answers=["C"])
        chatbot = RecordedModel(path, texts, mode, notify=told.append)  # type: ignore[arg-type]
        classifier = RecordedModel(path, questions, mode, notify=told.append)  # type: ignore[arg-type]
        assert chatbot.generate(ask("a")).text == "Hi!"
        assert classifier.choose([three()]) == [Choice(2, text="C")]
        assert chatbot.generate(ask("b")).text == "Bye!"
        player = RecordedModel(path)
        assert (player.instruction_role, player.generate(ask("b")).text) == ("developer", "Bye!")
    assert told == []


def test_the_default_is_told_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    RecordedModel(tmp_path / "r.jsonl", ScriptedModel(["one"]), "new").generate(ask())
    RecordedModel(tmp_path / "r.jsonl", Other(), "new")
    assert "was recorded with scripted" in capsys.readouterr().err


def test_a_model_with_asynchronous_methods_only(tmp_path: Path) -> None:
    class OnlyAsync:
        def __init__(self) -> None:
            model = ScriptedModel(["Hi!"], ["B"])
            self.agenerate, self.achoose = model.agenerate, model.achoose

    recorder = RecordedModel(tmp_path / "r.jsonl", OnlyAsync(), "new")  # type: ignore[arg-type]
    assert recorder.generate(ask()).text == "Hi!"
    assert recorder.choose([three()]) == [Choice(1, text="B")]


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(), "new")
    with pytest.raises(ModelError, match="run out"):
        recorder.generate(ask())
    assert not path.exists()


@pytest.mark.parametrize("spec", ["recorded:{}", "RECORDED: {}", "{}"])
def test_a_recording_by_its_spec(tmp_path: Path, spec: str) -> None:
    path = tmp_path / "r.jsonl"
    recording_model(spec.format(path), ScriptedModel(["Hi!"]), "new").generate(ask())
    assert recording_model(spec.format(path)).generate(ask()).text == "Hi!"
    assert recording_model(path).path == path


def test_how_it_may_be_made(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        RecordedModel(tmp_path / "none.jsonl")
    with pytest.raises(ModelError, match="`model`"):
        RecordedModel(tmp_path / "none.jsonl", mode="new")
    with pytest.raises(ModelError, match="not 'some'"):
        RecordedModel(tmp_path / "none.jsonl", mode="some")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="name of its file"):
        recording_model("recorded:")


# ---------------------------------------------------------------------- misses


def test_a_miss_shows_the_difference_to_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(["1", "2"]), "new")
    recorder.generate(ask("Tell me about whales"))
    recorder.generate(ask("zzz", seed=4, max_tokens=7))
    with pytest.raises(ModelError) as caught:
        RecordedModel(path).generate(ask("Tell me about sharks"))
    assert str(caught.value) == (
        f'{path}: nothing is recorded for this request of node "greet". The nearest one (node "greet") differs:\n'
        "- user: Tell me about whales\n"
        "+ user: Tell me about sharks\n"
        "Record it with --record new (or the mode `new`), which asks the model."
    )
    assert not caught.value.retryable


def test_a_miss_without_anything_like_it(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    RecordedModel(path, ScriptedModel(["1"]), "new").generate(ask())
    with pytest.raises(ModelError, match="no recording of a question at all"):
        RecordedModel(path).choose([three()])


def test_the_nearest_among_thousands(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    turns = " ".join(f"word{number}" for number in range(60))
    texts = [f"{turns}\nThe pupil asks for exercise {number} of unit {number % 7}." for number in range(3000)]
    recorder = RecordedModel(path, ScriptedModel(["ok"] * len(texts)), "new")
    for text in texts[::50]:
        recorder.generate(ask(text))
    with pytest.raises(ModelError) as caught:
        RecordedModel(path).generate(ask(texts[1250].replace("asks for", "wants")))
    assert str(caught.value).splitlines()[1:3] == [
        "- The pupil asks for exercise 1250 of unit 4.",
        "+ The pupil wants exercise 1250 of unit 4.",
    ]


def test_a_recording_of_the_same_node_is_rather_taken(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = RecordedModel(path, ScriptedModel(["1", "2"]), "new")
    recorder.generate(replace(ask("How are you today?"), node="other"))
    recorder.generate(ask("How are you tonight?"))
    with pytest.raises(ModelError, match=r'nearest one \(node "greet"\)'):
        RecordedModel(path).generate(ask("How are you, friend?"))


def test_long_lines_are_shown_where_they_differ(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    start = "Once upon a time there was a very long line. " * 12
    RecordedModel(path, ScriptedModel(["1"]), "new").generate(ask(f"{start}The end was good."))
    with pytest.raises(ModelError) as caught:
        RecordedModel(path).generate(ask(f"{start}The end was sad."))
    old, new = str(caught.value).splitlines()[1:3]
    assert old.startswith("- …")
    assert old.endswith("The end was good.")
    assert new.endswith("The end was sad.")


# ---------------------------------------------------------------------- asynchronous


def test_async(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    class OnlySync:
        def __init__(self) -> None:
            model = ScriptedModel(["Hi!"], ["B"])
            self.generate, self.choose = model.generate, model.choose

    async def run(model: RecordedModel) -> tuple[str, int | None, int]:
        text = (await model.agenerate(ask())).text
        (choice,) = await model.achoose([three()])
        assert choice is not None
        return text, choice.index, len([item async for item in model.astream(ask())])

    assert asyncio.run(run(RecordedModel(path, OnlySync(), "new"))) == ("Hi!", 1, 2)
    assert asyncio.run(run(RecordedModel(path))) == ("Hi!", 1, 2)


class Slow:
    """A model that answers in the order in which it is asked, after a while; each answer is another one."""

    describe = "slow"

    def __init__(self, fail_first: bool = False) -> None:
        self.asked = 0
        self._fails = fail_first

    async def agenerate(self, request: GenerateRequest) -> Reply:
        self.asked += 1
        number = self.asked
        await asyncio.sleep(0)
        if self._fails and number == 1:
            raise ModelError("the server is down", retryable=True)
        return Reply(f"answer {number}")

    async def achoose(self, questions: Sequence[Question]) -> list[Choice | None]:
        self.asked += 1
        number = self.asked
        await asyncio.sleep(0)
        return [Choice(number % 3) for _ in questions]


def test_hundreds_who_ask_the_same_at_once_get_the_same(tmp_path: Path) -> None:
    path, model = tmp_path / "r.jsonl", Slow()

    async def run(recorded: RecordedModel) -> list[Any]:
        texts = [recorded.agenerate(ask(f"question {number % 5}")) for number in range(300)]
        return await asyncio.gather(*texts, *(recorded.achoose([three()]) for _ in range(100)))

    got = asyncio.run(run(RecordedModel(path, model, "new")))  # type: ignore[arg-type]
    assert model.asked == 6
    assert asyncio.run(run(RecordedModel(path))) == got
    assert len({str(item) for item in got}) == 6


def test_who_waits_for_one_that_fails_asks_himself(tmp_path: Path) -> None:
    async def run() -> list[Any]:
        recorded = RecordedModel(tmp_path / "r.jsonl", Slow(fail_first=True), "new")  # type: ignore[arg-type]
        return await asyncio.gather(*(recorded.agenerate(ask()) for _ in range(3)), return_exceptions=True)

    first, *others = asyncio.run(run())
    assert isinstance(first, ModelError)
    assert others == [Reply("answer 2"), Reply("answer 2")]


def test_who_is_cancelled_does_not_stop_the_others(tmp_path: Path) -> None:
    async def run() -> list[Any]:
        recorded = RecordedModel(tmp_path / "r.jsonl", Slow(), "new")  # type: ignore[arg-type]
        tasks = [asyncio.create_task(recorded.agenerate(ask())) for _ in range(4)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[2].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    got = asyncio.run(run())
    assert [type(item).__name__ for item in got] == ["CancelledError", "Reply", "CancelledError", "Reply"]
    assert got[1] == got[3]
