"""ScriptedModel: what is popped, what is recorded, and what happens at the end of the script."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.errors import ModelError
from autograph.models import Choice, Model, Question, Reply, ScriptedModel
from autograph.models.scripted import pieces
from models_support import ask, interjection, three, yes_no


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("B", 1),
        ("b", 1),
        (" b. ", 1),
        ("green", 1),
        (" GREEN. ", 1),
        (1, 1),
        (0, 0),
        ("D", None),
        (3, None),
        (-1, None),
        (True, None),
        (None, None),
        (1.0, None),
        ("banana", None),
        ("", None),
        ("1", None),
    ],
)
def test_forms_of_an_answer(answer: Any, index: int | None) -> None:
    assert ScriptedModel(answers=[answer]).choose([three()]) == [Choice(index, text=str(answer))]


def test_an_answer_with_a_confidence() -> None:
    model = ScriptedModel(answers=[["B", 0.4], ("red", 1), [2, 0.5], ["no such", 0.9]])
    choices = [model.choose([three()])[0] for _ in range(4)]
    assert choices == [
        Choice(1, 0.4, "B"),
        Choice(0, 1.0, "red"),
        Choice(2, 0.5, "2"),
        Choice(None, 0.9, "no such"),
    ]


def test_a_label_wins_over_a_letter() -> None:
    vitamins = Question("n", "Which vitamin?", ("C", "B", "A"))
    model = ScriptedModel(answers=["A", "b", "C."])
    assert [model.choose([vitamins])[0].index for _ in range(3)] == [2, 1, 0]


def test_labels_may_be_numbers() -> None:
    assert ScriptedModel(answers=["3"]).choose([Question("n", "How many?", ("2", "3"))])[0].index == 1


def test_nothing_is_popped_after_an_interjection_that_decides() -> None:
    model = ScriptedModel(answers=["A", "B"])
    assert model.choose([interjection(), three()]) == [Choice(0, text="A"), None]
    assert model.requests == [interjection()]
    assert model.left == (0, 1)


def test_an_interjection_that_passes_on_leads_to_the_next_question() -> None:
    model = ScriptedModel(answers=["None of the above", "B"])
    assert [choice.index for choice in model.choose([interjection(), three()])] == [1, 1]
    assert model.requests == [interjection(), three()]


@pytest.mark.parametrize(("decides", "left"), [(True, 1), (False, 0)])
def test_an_unclear_interjection(decides: bool, left: int) -> None:
    model = ScriptedModel(answers=["what?", "B"])
    choices = model.choose([interjection(unclear_decides=decides), three()])
    assert choices[0] == Choice(None, text="what?")
    assert model.left == (0, left)


def test_an_answered_transition_question_does_not_end_the_round() -> None:
    model = ScriptedModel(answers=["A", "B"])
    assert [choice.index for choice in model.choose([three(), yes_no()])] == [0, 1]


def test_replies_and_requests_in_order() -> None:
    model = ScriptedModel(["Hi!", "Bye."], ["A"])
    assert model.generate(ask("one")) == Reply("Hi!", model="scripted")
    model.choose([three()])
    assert model.generate(ask("two", purpose="thought")).text == "Bye."
    assert [request.kind for request in model.requests] == ["generate", "choose", "generate"]
    assert model.requests[2].messages[-1].content == "two"


def test_the_end_of_the_replies_shows_the_request() -> None:
    model = ScriptedModel(["Hi!"])
    model.generate(ask())
    with pytest.raises(ModelError) as caught:
        model.generate(ask("And now?"))
    told = str(caught.value)
    assert 'node "greet"' in told
    assert "'And now?'" in told
    assert "It had 1 reply." in told
    assert not caught.value.retryable
    assert model.requests[-1] == ask("And now?")


def test_the_end_of_the_answers_shows_the_question() -> None:
    with pytest.raises(ModelError) as caught:
        ScriptedModel(answers=["None of the above"]).choose([interjection(), three()])
    told = str(caught.value)
    assert "'Which?' with the choices A. red, B. green, C. blue" in told
    assert "It had 1 answer." in told


def test_async_twins_and_streams() -> None:
    async def run() -> list[Any]:
        model = ScriptedModel(["one", "two three"], ["B"])
        reply = await model.agenerate(ask())
        choices = await model.achoose([three()])
        return [reply.text, choices[0].index, [item async for item in model.astream(ask())]]

    text, index, items = asyncio.run(run())
    assert (text, index) == ("one", 1)
    assert items == ["two ", "three", Reply("two three", model="scripted")]


@given(st.text(), st.integers(1, 9))
def test_pieces_are_the_text(text: str, count: int) -> None:
    cut = pieces(text, count)
    assert "".join(cut) == text
    assert len(cut) <= count
    assert all(cut)


def test_threads_never_get_the_same_reply() -> None:
    model = ScriptedModel([str(number) for number in range(400)])
    got: list[str] = []
    threads = [
        threading.Thread(target=lambda: got.extend(model.generate(ask()).text for _ in range(50))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got, key=int) == [str(number) for number in range(400)]
    assert len(model.requests) == 400


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.yaml", "replies: [yes, '1.10', 2026-01-01]\nanswers: [no, 1, [B, 0.4], '1']\n"),
        ("s.json", '{\n\t"replies": ["yes", "1.10", "2026-01-01"],\n\t"answers": ["no", 1, ["B", 0.4], "1"]\n}'),
    ],
)
def test_a_script_from_a_file(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    model = ScriptedModel.from_file(tmp_path / name)
    assert [model.generate(ask()).text for _ in range(3)] == ["yes", "1.10", "2026-01-01"]
    question = Question("n", "?", ("yes", "no"))
    assert [model.choose([question])[0] for _ in range(4)] == [
        Choice(1, text="no"),
        Choice(1, text="1"),
        Choice(1, 0.4, "B"),
        Choice(None, text="1"),
    ]


def test_an_empty_key_is_an_empty_script(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("replies:\nanswers: []\n")
    assert ScriptedModel.from_file(tmp_path / "s.yaml").left == (0, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- a\n", "must be a mapping"),
        ("replies: hello\n", "`replies` must be a list"),
        ("replies: [[a]]\n", "must be a text"),
        ("reply: [a]\n", "unknown key 'reply'"),
        ("replies: [a\n", "no valid YAML or JSON"),
    ],
)
def test_bad_script_files(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(ModelError, match=words):
        ScriptedModel.from_file(tmp_path / "s.yaml")


def test_a_missing_script_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        ScriptedModel.from_file(tmp_path / "none.yaml")


def test_it_is_a_model() -> None:
    assert isinstance(ScriptedModel(), Model)
