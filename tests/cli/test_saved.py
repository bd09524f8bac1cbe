"""Conversations in files: written whole, read with clear errors. And the watch over a program's file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import autograph
from autograph.cli.saved import read_conversation, write_conversation
from autograph.cli.watch import Watch
from autograph.errors import StorageError
from autograph.memory import MemoryObject


def test_what_was_written_is_read(calls: Path, tmp_path: Path) -> None:
    _, memory = autograph.load(calls, model="offline").reply()
    file = tmp_path / "talk.json"
    write_conversation(file, memory, "calls.csv")
    saved = read_conversation(file)
    assert saved.memory == memory
    assert saved.program == "calls.csv"
    assert sorted(os.listdir(tmp_path)) == ["calls.csv", "talk.json"]  # nothing half-written is left


def test_a_memory_without_an_envelope_is_read_too(calls: Path, tmp_path: Path) -> None:
    _, memory = autograph.load(calls, model="offline").reply()
    file = tmp_path / "plain.json"
    file.write_text(memory.to_json(), "utf-8")
    saved = read_conversation(file)
    assert (saved.memory, saved.program) == (memory, "")


def test_half_a_character_is_kept(tmp_path: Path) -> None:
    memory = MemoryObject()
    memory.last_user_reply = "\udc80 ü"
    write_conversation(tmp_path / "x.json", memory, "p")
    assert read_conversation(tmp_path / "x.json").memory.last_user_reply == "\udc80 ü"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "it is no JSON"),
        ("[]", "holds no stored conversation. Write one with /save FILE."),
        ('{"autograph": "conversation", "version": 9}', "written by a newer autograph"),
        ('{"autograph": "conversation", "version": 1, "memory": 3}', "is missing"),
        ('{"autograph": "memory", "version": 1}', "finished is missing"),
    ],
)
def test_what_is_no_conversation(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content, "utf-8")
    with pytest.raises(StorageError) as caught:
        read_conversation(file)
    assert str(file) in str(caught.value)
    assert message in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"cannot be written to .*: No such file or directory"):
        write_conversation(tmp_path / "no" / "x.json", MemoryObject(), "p")


def test_an_old_file_stays_when_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "x.json").mkdir()
    with pytest.raises(StorageError):
        write_conversation(tmp_path / "x.json", MemoryObject(), "p")
    assert os.listdir(tmp_path) == ["x.json"]


def test_watch_sees_contents_not_times(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text("a", "utf-8")
    watch = Watch(str(file))
    assert not watch.changed()
    os.utime(file, (1, 1))
    assert not watch.changed()
    file.write_text("b", "utf-8")
    assert watch.changed()
    assert not watch.changed()
    file.unlink()
    assert not watch.changed()  # an editor may be replacing it
    file.write_text("c", "utf-8")
    assert watch.changed()


def test_watch_sees_the_configuration_beside_and_knows_sheets(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text("a", "utf-8")
    watch = Watch(f"{file}#sheet")
    (tmp_path / "p.config.yaml").write_text(json.dumps({}), "utf-8")
    assert watch.changed()
