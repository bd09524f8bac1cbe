"""Do conversations go to the messages of the OpenAI API and come back?"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from autograph.dialogue.messages import memory_of, messages_of, read_messages, turns_of, write_messages
from autograph.errors import StorageError
from autograph.memory import MemoryObject
from autograph.models import ScriptedModel

ROWS = [
    {"name": "start", "action": "set_prompt", "instruction": "You are kind.", "transitions": "hello"},
    {"name": "hello", "action": "chat_exact", "instruction": "Hello!", "transitions": "chat"},
    {"name": "chat", "action": "chat", "instruction": "Answer.", "transitions": "chat"},
]
TALK = [
    {"role": "assistant", "content": "Hello!"},
    {"role": "user", "content": "a"},
    {"role": "assistant", "content": "A"},
    {"role": "user", "content": "b"},
    {"role": "assistant", "content": "B"},
]


def talked() -> tuple[autograph.Autograph, MemoryObject]:
    bot = autograph.load(ROWS, model=ScriptedModel(replies=["A", "B", "C"]))
    _, memory = bot.reply()
    for text in ("a", "b"):
        _, memory = bot.reply(text, memory)
    return bot, memory


def test_what_was_said() -> None:
    _, memory = talked()
    assert messages_of(memory) == TALK
    assert messages_of(memory, prompt=True) == [{"role": "system", "content": "You are kind."}, *TALK]
    assert turns_of(memory) == [
        {"user": "", "system": "Hello!"}, {"user": "a", "system": "A"}, {"user": "b", "system": "B"},
    ]  # fmt: skip
    assert messages_of(MemoryObject()) == turns_of(MemoryObject()) == []
    assert messages_of(MemoryObject.from_json(memory.to_json())) == TALK


def test_a_program_goes_on_from_messages() -> None:
    _, memory = talked()
    model = ScriptedModel(replies=["C"])
    bot = autograph.load(ROWS, model=model)
    reply, after = bot.reply("c", memory_of(messages_of(memory, prompt=True), "chat"))
    assert reply == "C"
    said = [(message.role, message.content) for message in model.requests[0].messages]  # type: ignore[union-attr]
    assert said[:-1] == [("system", "You are kind."), *((entry["role"], entry["content"]) for entry in TALK)]
    assert messages_of(after)[-1] == {"role": "assistant", "content": "C"}


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=1, max_size=5), st.booleans())
def test_messages_come_back_as_they_were(turns: list[tuple[str, str]], unasked: bool) -> None:
    said = [
        {"role": role, "content": text}
        for user, agent in turns
        for role, text in (("user", user), ("assistant", agent))
    ][unasked:]
    memory = memory_of(said, "chat")
    assert messages_of(memory) == said
    assert messages_of(MemoryObject.from_dict(memory.to_dict())) == said


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    assert write_messages(path, [TALK, TALK[1:]]) == 2
    assert list(read_messages(path)) == [TALK, TALK[1:]]
    path.write_text('{"messages": []}\n\n[{"role": "user", "content": "hi"}]\n', "utf-8")
    assert list(read_messages(path)) == [[], [{"role": "user", "content": "hi"}]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"messages": []}\n{', "line 2: this is no JSON"),
        ('{"turns": []}', "line 1: no list of messages"),
        ('[{"role": "user"}]', "line 1: entry 0 is no message with a role and a content"),
    ],
)
def test_bad_files_are_told_with_their_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(StorageError, match=r".") as caught:
        list(read_messages(path))
    assert message in str(caught.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(StorageError, match="cannot be read"):
        list(read_messages("nowhere.jsonl"))


def test_what_is_no_json_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    good = [{"role": "user", "content": "hello"}]
    write_messages(file, [good])
    for bad in (float("nan"), object()):
        with pytest.raises(StorageError, match="conversation 2 is no JSON data"):
            write_messages(file, [good, [{"role": "user", "content": bad}]])
    assert list(read_messages(file)) == [good]
