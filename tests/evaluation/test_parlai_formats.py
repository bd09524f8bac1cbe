"""Are ParlAI's three file formats read and written as ParlAI does it?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.evaluation.fault import DataError
from autograph.evaluation.metric import Average
from autograph.evaluation.parlai.conversation_format import (
    examples_of,
    read_conversations,
    read_metadata,
    save_conversations,
)
from autograph.evaluation.parlai.fb_format import CLOZE_PREFIX, read_candidates, read_fb_format
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import msg_to_str, read_parlai_text, str_to_msg, write_parlai_text
from autograph.evaluation.parlai.row_dialogues import read_row_dialogues

DATA = json.loads((Path(__file__).parent.parent / "data" / "parlai-formats.json").read_text("utf-8"))


def refused(error: pytest.ExceptionInfo[DataError]) -> list[tuple[int | None, str]]:
    """The line and the text of each fault."""
    return [(fault.location.line, f"{fault.message} {fault.hint}".strip()) for fault in error.value.faults]


# ---------------------------------------------------------------------- lines


@pytest.mark.parametrize("vector", DATA["str_to_msg"], ids=lambda vector: vector["line"][:30])
def test_a_line_is_read(vector: dict[str, Any]) -> None:
    assert str_to_msg(vector["line"]) == vector["message"]


@pytest.mark.parametrize("vector", DATA["msg_to_str"], ids=lambda vector: vector["line"][:30])
def test_a_message_is_written(vector: dict[str, Any]) -> None:
    assert msg_to_str(vector["message"]) == vector["line"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("episode_done:False", {"episode_done": True}),
        ("text:a:b", {"text": "a:b", "episode_done": False}),
        ("abc", {"ab": "abc", "episode_done": False}),
        (" text:a", {" text": "a", "episode_done": False}),
        ("text:a\t", {"text": "a", "episode_done": False}),
        ("text:a|b\ttext_candidates:a|", {"text": "a|b", "text_candidates": ["a", ""], "episode_done": False}),
        ("reward:1_0\tid:a\\nb", {"reward": 10, "id": "a\nb", "episode_done": False}),
        ("text:a\\\\n", {"text": "a\\\n", "episode_done": False}),
        ("text:a\r", {"text": "a\r", "episode_done": False}),
    ],
)
def test_rules_of_reading(line: str, message: dict[str, Any]) -> None:
    assert str_to_msg(line) == message


def test_fields_can_be_left_out() -> None:
    assert str_to_msg("text:a\tid:b\tfoo:c\t", "id,foo") == {"text": "a", "": "", "episode_done": False}
    assert msg_to_str({"text": "a", "id": "b", "": "c"}, "id") == "text:a\t:c"
    assert msg_to_str({"text": "a", "": "c"}) == "text:a"
    assert str_to_msg(None) is None


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ({"reward": 0.0, "text": None, "episode_done": 0}, "text:None\tepisode_done:0"),
        ({"labels": ("a|b", "c\td"), "reward": -1}, "labels:a__PIPE__b|c\\td\treward:-1"),
        ({"text": ["a", "b"], "x": {"b", "a"}, "y": {"k": 1}}, "text:a|b\tx:a|b\ty:{'k': 1}"),
        ({}, ""),
    ],
)
def test_rules_of_writing(message: dict[str, Any], line: str) -> None:
    assert msg_to_str(message) == line


@pytest.mark.parametrize(
    ("line", "episode_done"),
    [("episode_done:False", False), ("episode_done:true\r", True), ("episode_done:", False), ("text:a", False)],
)
def test_strict_reading_takes_words_at_their_word(line: str, episode_done: bool) -> None:
    message = str_to_msg(line, strict=True)
    assert message is not None
    assert message["episode_done"] is episode_done


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("text:a\tabc", 'the field "abc" has no colon'),
        (" text:a", "blanks around it"),
        ("text:a\ttext:b", '"text" occurs twice'),
        ("episode_done:perhaps", "Write True or False"),
        ("reward:much", "'much', which is no number"),
    ],
)
def test_strict_reading_refuses(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        str_to_msg(line, strict=True)


@pytest.mark.parametrize(
    "message",
    [{"text": "a\\nb"}, {"text": "__PIPE__"}, {"n": 3}, {"labels": []}, {"x": ["a"]}, {"a:b": "c"}, {"id": None}],
)
def test_strict_writing_refuses_what_would_not_come_back(message: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="would not be read back as it is"):
        msg_to_str(message, strict=True)


TEXTS = st.text(st.characters(codec="utf-8")).map(lambda text: text.replace("\\", "/").replace("_", "-"))
NAMES = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
MESSAGES = st.fixed_dictionaries(
    {"text": TEXTS, "episode_done": st.booleans()},
    optional={
        "id": TEXTS,
        "labels": st.lists(TEXTS, min_size=1),
        "label_candidates": st.lists(TEXTS, min_size=1),
        "text_candidates": st.lists(TEXTS, min_size=1),
        "reward": st.one_of(st.integers(), st.floats(allow_nan=False)).filter(bool),
    },
)


@given(MESSAGES, st.dictionaries(NAMES, TEXTS))
def test_what_is_written_is_read_back(message: dict[str, Any], others: dict[str, str]) -> None:
    whole = {**others, **message}
    assert str_to_msg(msg_to_str(whole)) == whole


@given(st.text(st.sampled_from("text:labels\t|\\n_PIPE ré\r1")))
def test_every_line_without_a_reward_is_a_message(line: str) -> None:
    message = str_to_msg(line, "reward")
    assert (message is None) == (line == "")
    assert message is None or isinstance(message["episode_done"], bool)


@given(MESSAGES)
def test_what_is_written_strictly_is_read_back_strictly(message: dict[str, Any]) -> None:
    whole = {**message, "end": "."}
    assert str_to_msg(msg_to_str(whole, strict=True), strict=True) == whole


# ---------------------------------------------------------------------- ParlAI text


def test_dialogues_end_by_the_field_or_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "d.txt"
    path.write_bytes("\ufefftext:1\tlabels:a\n\ntext:2\tlabels:b\tepisode_done:False\ntext:3\tlabels:c\r\n".encode())
    assert read_parlai_text(path) == [
        [
            {"text": "1", "labels": ["a"], "episode_done": False},
            {"text": "2", "labels": ["b"], "episode_done": True},
        ],
        [{"text": "3", "labels": ["c\r"], "episode_done": True}],
    ]
    assert [message["labels"] for message in read_parlai_text(path, strict=True)[0]] == [["a"], ["b"], ["c"]]


def test_every_bad_line_is_told(tmp_path: Path) -> None:
    path = tmp_path / "d.txt"
    path.write_text("text:1\tlabels:a\ntext:2\n\nlabels:c\teval_labels:c\ntext:3\tlabels:c\treward:x\n", "utf-8")
    with pytest.raises(DataError) as error:
        read_parlai_text(path)
    assert refused(error) == [
        (2, 'the field "labels" is missing. Write the right answers as labels:….|….'),
        (
            4,
            'the field "eval_labels" stands in no file. '
            'Call it "labels"; where they are not for learning, the teacher turns them into eval_labels.',
        ),
        (4, 'the field "text" is missing. Write what is said as text:….'),
        (5, "\"reward\" is 'x', which is no number. Write one like 1 or 0.5."),
    ]
    assert str(error.value).startswith(f"{path}, line 2: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    empty, bytes_ = tmp_path / "e.txt", tmp_path / "b.txt"
    empty.write_text("\n\n", "utf-8")
    bytes_.write_bytes(b"text:a\tlabels:b\ntext:\xff\n")
    for path, line, message in (
        (empty, None, "holds no example"),
        (bytes_, 2, "no UTF-8 text"),
        (tmp_path / "none.txt", None, "No such file"),
    ):
        with pytest.raises(DataError, match=message) as error:
            read_parlai_text(path)
        assert error.value.faults[0].location.line == line


@settings(max_examples=30)
@given(episodes=st.lists(st.lists(MESSAGES.map(lambda m: {"labels": ["x"], **m}), min_size=1), min_size=1))
def test_files_are_read_back(tmp_path_factory: pytest.TempPathFactory, episodes: list[list[dict[str, Any]]]) -> None:
    path = tmp_path_factory.mktemp("text") / "deep" / "d.txt"
    write_parlai_text(path, episodes, strict=False)
    done = [[{**act, "episode_done": act is episode[-1]} for act in episode] for episode in episodes]
    found = read_parlai_text(path)
    assert [len(episode) for episode in found] == [len(episode) for episode in done]
    assert [[m["text"] for m in episode] for episode in found] == [[m["text"] for m in episode] for episode in done]


# ---------------------------------------------------------------------- numbered lines


def numbered(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "fb.txt"
    path.write_text(text, "utf-8", newline="")
    return path


def test_a_line_that_is_only_a_number_says_it(tmp_path: Path) -> None:
    path = numbered(tmp_path, "1 a\r\n2\r\n3 b\tc\r\n")
    assert read_fb_format(path) == [[{"text": "a\n2\nb", "labels": ["c"], "reward": 0, "episode_done": True}]]


def test_what_is_not_answered_is_gathered(tmp_path: Path) -> None:
    path = numbered(tmp_path, "4 x\t\t0.5\n5 y\\nz\t a | b \t1\n\n6 left\n6 over \t\t2\n")
    assert read_fb_format(path) == [
        [
            {"text": "x\ny\nz", "labels": ["a ", " b"], "reward": 1.5, "episode_done": False},
            {"text": "left", "reward": 0, "episode_done": True},
        ],
        [{"text": "over", "reward": 2.0, "episode_done": True}],
    ]


def test_the_sentence_for_gaps_and_common_candidates(tmp_path: Path) -> None:
    path = numbered(tmp_path, "1 x\ta\n2 y\tz\t\tz|q\n")
    found = read_fb_format(path, cloze=True, candidates=["a", "b"])
    assert [message["text"] for message in found[0]] == [CLOZE_PREFIX + "x", "y"]
    assert [message["label_candidates"] for message in found[0]] == [["a", "b"], ["a", "b", "z"]]


def test_candidates_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    for text, found in (
        ("kitchen\n\nhall\\nway\n", ["kitchen", "hall\nway"]),
        ("1 kitchen\n2 hall way\n", ["kitchen", "hall way"]),
        ("1 said\n2 where?\tkitchen\t1\n3 who?\t\n4 which?\tyou\n", ["kitchen", "you"]),
    ):
        path.write_text(text, "utf-8")
        assert read_candidates(path) == found


def test_bad_numbered_lines_are_told(tmp_path: Path) -> None:
    path = numbered(tmp_path, "x y\n1 a\tb\tmuch\n2 a\tb\t1\tc|d\n3 a\tb\t\tb\tpicture.png\n1\tx y\n")
    with pytest.raises(DataError) as error:
        read_fb_format(path)
    assert refused(error) == [
        (1, 'the line begins with "x", not with a number and a blank.'),
        (2, 'the reward is "much", which is no number.'),
        (3, 'the answer "b" is none of the candidates. Add it to them.'),
        (4, "the line has a fifth part, a picture, which is not read. Delete it."),
        (5, 'the line begins with "1\tx", not with a number and a blank.'),
    ]
    with pytest.raises(DataError, match="holds no example"):
        read_fb_format(numbered(tmp_path, " \n"))


# ---------------------------------------------------------------------- conversations


def test_turns_are_flat_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    line = {"dialog": [{"id": "a", "text": "x"}, [[{"text": "y", "n": 1}]]], "context": [{"id": "context"}], "k": 2}
    path.write_text(json.dumps(line) + "\n\n", "utf-8")
    (found,) = read_conversations(path)
    assert found.turns == ({"id": "a", "text": "x"}, {"id": None, "text": "y", "n": 1})
    assert found.context == ({"id": "context"},)
    assert found.info == {"k": 2}
    assert found.location.line == 1


def test_bad_conversations_are_told(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"dialog": [["x"]]}\n{]\n[]\n{"dialog": {}}\n', "utf-8")
    with pytest.raises(DataError) as error:
        read_conversations(path)
    assert [line for line, _ in refused(error)] == [1, 2, 3, 4]
    assert "a turn is 'x', which is no object" in str(error.value)
    assert "no JSON" in str(error.value)
    path.write_text('{"dialog": [[{"id": "p1", "text": null}]]}\n', "utf-8")
    with pytest.raises(DataError, match=r'line 1: a turn of "p1" has no text'):
        examples_of(read_conversations(path))
    with pytest.raises(ValueError, match='Did you mean "firstspeaker"'):
        examples_of([], "first_speaker")


def test_conversations_that_are_hostile_are_told(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    deep = "[" * 100_000
    file.write_text(f'{{"dialog": [], "context": 5}}\n{deep}\n{{"dialog": {"1" * 5000}}}\n', "utf-8")
    with pytest.raises(DataError) as error:
        read_conversations(file)
    assert [fault.location.line for fault in error.value.faults] == [1, 2, 3]
    assert '"context" is 5, which is no list.' in str(error.value)
    rows = tmp_path / "r.jsonl"
    rows.write_text(f"{deep}\n", "utf-8")
    with pytest.raises(DataError, match=r"r\.jsonl, line 1: this is no JSON"):
        read_row_dialogues(rows)


def test_conversations_are_written(tmp_path: Path) -> None:
    acts = [
        [
            [Message(id="context", text="Hi!"), Message(id="context", text="")],
            [Message(id="p1", text="a", metrics={"f1": Average(1, 4)}), Message(text="b", thing=object())],
            [],
        ],
        [],
        [[Message(id="p2", text="c"), Message(id="p1", text="d", s={1})]],
    ]
    path = save_conversations(acts, tmp_path / "new" / "log.txt", {"task": "t"}, self_chat=True, note="n")
    assert path == tmp_path / "new" / "log.jsonl"
    beside = str(tmp_path / "new" / "log.metadata")
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == [
        {
            "dialog": [
                [
                    {"id": "p1", "text": "a", "metrics": {"f1": 0.25}},
                    {"text": "b", "thing": "<not serializable>", "id": None},
                ]
            ],
            "context": [{"id": "context", "text": "Hi!"}, {"id": "context", "text": ""}],
            "metadata_path": beside,
        },
        {
            "dialog": [[{"id": "p2", "text": "c"}, {"id": "p1", "text": "d", "s": "<not serializable>"}]],
            "context": [],
            "metadata_path": beside,
        },
    ]
    about = read_metadata(path)
    assert about is not None
    assert (about.self_chat, about.speakers, about.version) == (True, ("p1", None, "p2"), "0.1")
    assert (about.opt, about.extra) == ({"task": "t"}, {"note": "n"})
    assert [len(c.turns) for c in read_conversations(path)] == [2, 2]


def test_only_some_fields_are_written(tmp_path: Path) -> None:
    path = save_conversations([[[{"id": "a", "text": "x", "n": 1}]]], tmp_path / "x", {}, "text,reward", "context,b")
    turn = json.loads(path.read_text("utf-8"))["dialog"][0][0]
    assert turn == {"text": "x", "reward": "", "id": "a"}


def test_the_file_beside_can_be_missing_or_bad(tmp_path: Path) -> None:
    assert read_metadata(tmp_path / "c.jsonl") is None
    for text, message in (("{", "no JSON object"), ("[]", "no JSON object"), ('{"date": ""}', "'opt' is missing")):
        (tmp_path / "c.metadata").write_text(text, "utf-8")
        with pytest.raises(DataError, match=message):
            read_metadata(tmp_path / "c.jsonl")


def test_a_text_that_is_none_is_told(tmp_path: Path) -> None:
    rows = tmp_path / "r.jsonl"
    rows.write_text('{"text": 5, "labels": "x"}\n', "utf-8")
    with pytest.raises(DataError, match=r'line 1, column "text": the field "text" is 5, which is no text'):
        read_row_dialogues(rows)
