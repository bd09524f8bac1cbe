"""Does one fault in a dialogue state give one problem, at the very place, whatever stands there?"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import autograph
from agent_support import state
from autograph.dialogue.state import export_state, import_state, validate_state
from autograph.dialogue.state_program import pack_memory, unpack_memory
from autograph.errors import AutographError, RunError, StorageError
from autograph.memory import MemoryObject

State = dict[str, Any]
Path = tuple[str | int, ...]

VALUES: list[Any] = [None, 5, "zzz", "", [], True, float("nan"), 10**400, 10**5000]


def mirrored(data: State, path: Path) -> Path | None:
    """Where the lists by speaker repeat what stands at ``path``."""
    if path[0] != "utterances" or len(path) < 2:
        return None
    who, index = data["utterances"][path[1]]["user"]["user_type"], int(path[1])
    before = sum(1 for item in data["utterances"][:index] if item["user"]["user_type"] == who)
    return (f"{who}_utterances", before, *path[2:])


def inside(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from inside(item, (*path, key))


def exchanged(data: State, path: Path, value: Any) -> None:
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value


def removed(data: State, path: Path) -> None:
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]


def errors(data: Any) -> list[tuple[str, str]]:
    return [(found.path, found.rule) for found in validate_state(data)]


PLACES = [path for path in inside(state(6)) if path and path[0] not in ("human_utterances", "bot_utterances")]


@pytest.mark.parametrize("path", [path for path in PLACES if len(path) < 4 or path[1] in (0, 3)], ids=str)
def test_one_wrong_value_is_one_problem_at_its_place(path: Path) -> None:
    for value in VALUES:
        data = state(6)
        for place in filter(None, (path, mirrored(data, path))):
            exchanged(data, place, copy.deepcopy(value))
        found = validate_state(data, warnings=True)
        assert all(str(problem) for problem in found)
        told = {problem.path for problem in found if problem.severity == "error"}
        if path == ("human", "user_external_id"):  # then every human utterance has another user
            assert told <= {"human/user_external_id", *(f"utterances/{n}/user/user_external_id" for n in (0, 2))}
        elif path != ("utterances",) or value != []:
            assert told <= {"/".join(map(str, path))}, value


@pytest.mark.parametrize("path", [path for path in PLACES if isinstance(path[-1], str)], ids=str)
def test_a_missing_key_is_one_problem_at_its_place(path: Path) -> None:
    data = state(6)
    for place in filter(None, (path, mirrored(data, path))):
        removed(data, place)
    assert {found for found, _ in errors(data)} <= {"/".join(map(str, path))}


COPIES = [path for path in inside(state(6)) if path and path[0] in ("human_utterances", "bot_utterances")]


@pytest.mark.parametrize("path", [path for path in COPIES if len(path) > 2 and isinstance(path[-1], str)], ids=str)
def test_a_copy_that_differs_is_one_problem_at_its_place(path: Path) -> None:
    where = [("/".join(map(str, path)), "R3")]
    data = state(6)
    removed(data, path)
    assert errors(data) == where
    data = state(6)
    exchanged(data, path, 987)
    assert errors(data) == where


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def test_what_is_nested_too_deeply_is_named_however_deep_it_is() -> None:
    data, deep = state(2), nested(100_000)
    for list_of in ("utterances", "human_utterances"):
        data[list_of][0]["annotations"] = {"deep": deep}
    [(path, rule)] = errors(data)
    assert (path[:29], rule) == ("utterances/0/annotations/deep", "R11")
    data["human_utterances"][0]["annotations"] = {"deep": nested(3)}
    assert [rule for _, rule in errors(data)] == ["R11", "R3"]


def test_numbers_beyond_all_bounds_are_named() -> None:
    data = state(2)
    for list_of, index in (("utterances", 1), ("bot_utterances", 0)):
        data[list_of][index]["confidence"] = 10**400
    [problem] = validate_state(data, warnings=True)
    assert str(problem) == ("utterances/1/confidence: it must be a finite number, not a number beyond all bounds [R9]")
    data = state(2)
    data["bot"]["persona"] = {"age": 10**5000}
    assert errors(data) == [("bot/persona/age", "R11")]
    data["bot"]["persona"] = {"age": 10**400}
    assert import_state(data).bot.persona == {"age": 10**400}


def test_an_endless_key_makes_no_endless_message() -> None:
    data = {**state(1), "x" * 1_000_000: 1}
    assert errors(data) == [("x" * 1_000_000, "R1")]
    with pytest.raises(StorageError) as caught:
        import_state(data)
    assert len(str(caught.value)) < 500


# ---------------------------------------------------------------------- programs

BOT = autograph.load(
    [
        {"name": "start1", "action": "chat_exact", "instruction": "Hello!", "transitions": "again"},
        {"name": "again", "action": "chat_exact", "instruction": "Really?", "transitions": "again"},
    ],
    model="offline",
)


def talked() -> MemoryObject:
    _, memory = BOT.reply("hi")
    return BOT.reply("yes", memory)[1]


def test_dates_with_an_offset_are_written_as_the_original_writes_them() -> None:
    started = datetime(2026, 5, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    data = export_state(talked(), "hello", started=started, seed="s")
    assert data["date_start"] == "2026-05-01 12:00:00"
    assert export_state(import_state(data)) == data


@pytest.mark.parametrize(
    ("candidate", "message"),
    [
        ({"text": "x", "skill_name": None}, "candidates/0/skill_name must be a text, not None"),
        ({"text": "x", "annotations": []}, "candidates/0/annotations must be an object, not list"),
        ({"text": "x", "human_attributes": 5}, "candidates/0/human_attributes must be an object, not int"),
        ({"text": "x", "confidence": 10**400}, "candidates/0/confidence must be a number, not a number beyond"),
    ],
)
def test_candidates_that_are_no_hypotheses_are_refused(candidate: dict[str, Any], message: str) -> None:
    with pytest.raises(RunError, match=message):
        export_state(talked(), "hello", candidates={1: [candidate]})


@pytest.mark.parametrize("key", ["version", "program", "fingerprint", "memory", "autograph"])
@pytest.mark.parametrize("value", [nested(100_000), 10**5000, "\ud800"], ids=["deep", "long", "half"])
def test_a_forged_state_is_refused_with_a_sentence_that_can_be_written(key: str, value: Any) -> None:
    packed = pack_memory(talked(), "hello", "f")
    with pytest.raises(AutographError) as caught:
        unpack_memory({**packed, key: value}, "hello", fingerprint="f")
    assert str(caught.value).encode()


def test_a_number_that_grows_too_long_is_told() -> None:
    packed = pack_memory(talked(), "hello", "f")
    forged = json.loads(packed["memory"]) | {"texts": int("9" * 4300)}
    memory = unpack_memory({**packed, "memory": json.dumps(forged)}, "hello")
    _, memory = BOT.reply("and now?", memory)
    with pytest.raises(StorageError, match="the memory of hello cannot be written"):
        pack_memory(memory, "hello", "f")
