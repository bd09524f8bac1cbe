"""What crosses between parent and worker comes out as it went in, and what is no such thing is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from autograph.errors import LimitError, Location, ModelError, RunError, StatementError
from autograph.locked import data
from autograph.locked.checks import check_values, may_be_harmful
from autograph.locked.data import Malformed
from autograph.locked.errors import error_data, error_of
from autograph.locked.frames import HEADER, FrameError, pack, read_frame, unpack
from autograph.locked.given import answer_data, answer_of, containers
from autograph.memory.codec import encode_values
from autograph.models.base import Choice, GenerateRequest, Message, Question, Reply, Usage

texts = some.text(max_size=8)
jsons = some.recursive(
    some.none() | some.booleans() | some.integers() | texts | some.floats(allow_nan=False),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def through(value: dict[str, Any]) -> dict[str, Any]:
    frame = pack(value, 1 << 20)
    parts = [frame[at : at + 3] for at in range(0, len(frame), 3)]
    rest = bytearray(b"".join(parts))

    def read(length: int) -> bytes:
        taken = bytes(rest[: min(length, 7)])
        del rest[: len(taken)]
        return taken

    found = read_frame(read, 1 << 20)
    assert found is not None
    assert not rest
    return found


@given(some.dictionaries(texts, jsons, max_size=4))
def test_frames(value: dict[str, Any]) -> None:
    assert through(value) == value


@pytest.mark.parametrize(
    "text", ['a "quoted [ text', "\\", '\\"[', "\\\\[", "ends in \\", "\ud800 alone", "[" * 2000, "é∑"]
)
def test_texts_with_brackets_and_quotes(text: str) -> None:
    assert through({text: [text, {"x": text}]}) == {text: [text, {"x": text}]}


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"1", b"{", b'{"a": ' + b"[" * 1000 + b"]" * 1000 + b"}", b"{" * 100_000, b"\xff{}",
     b'{"a": ' + b"9" * 9999 + b"}"],
)  # fmt: skip
def test_what_is_no_frame(text: bytes) -> None:
    with pytest.raises(FrameError):
        unpack(text, 1 << 20)


def test_a_frame_has_so_many_parts_only() -> None:
    most = 1 << 16
    many = {"a": [[]] * 5_000}
    with pytest.raises(FrameError, match=r"5,002 lists and mappings are more than the 4,096 that may pass at once"):
        pack(many, most)
    with pytest.raises(FrameError, match=r"5,002 lists and mappings"):
        unpack(json.dumps(many).encode(), most)
    text = {"a": '"[' * 10_000}  # what stands in texts does not count
    assert unpack(pack(text, most)[HEADER:], most) == text


def test_frames_have_a_largest_size() -> None:
    with pytest.raises(FrameError, match="more than the 10 that may pass"):
        pack({"a": "x" * 20}, 10)
    with pytest.raises(FrameError, match="are announced where 10 may pass"):
        read_frame(lambda length: b"\x7f" * length, 10)
    with pytest.raises(FrameError, match="breaks off"):
        read_frame(_pieces(b"\0\0\0\5", b"{}", b""), 10)
    assert read_frame(lambda length: b"", 10) is None


def _pieces(*pieces: bytes) -> Any:
    left = list(pieces)
    return lambda length: left.pop(0)


def test_requests_and_answers() -> None:
    usage = Usage(1, 2, 3, 4, 5)
    messages = (Message("system", "a"), Message("user", "b\ud800"))
    request = GenerateRequest("n", messages, "thought", "i", "u", "s", 5, 1.5, 7)
    question = Question("n", "q?", ("a", "b"), "p", messages, "interjection", 1, False, 2.0, 3)
    for value, there, back in (
        (request, data.request_data, data.request_of),
        (GenerateRequest("n", ()), data.request_data, data.request_of),
        (question, data.question_data, data.question_of),
        (Reply("t", usage, "m"), data.reply_data, data.reply_of),
        (Reply(""), data.reply_data, data.reply_of),
        (Choice(1, 0.5, "x", usage, (0.5, 0.5)), data.choice_data, data.choice_of),
        (Choice(None), data.choice_data, data.choice_of),
        (None, data.choice_data, data.choice_of),
    ):
        assert back(json.loads(json.dumps(there(value)))) == value  # type: ignore[operator]


@given(jsons)
def test_nothing_else_is_a_request(value: Any) -> None:
    for read in (data.request_of, data.question_of, data.reply_of, error_of):
        with pytest.raises(Malformed):
            read(value)


def test_errors() -> None:
    error = StatementError("bad", node="n", location=Location("f", "s", 1, "c", "A1", None), trace=["a", "b"])
    error.add_note("noted")
    found = error_of(json.loads(json.dumps(error_data(error))))
    assert (type(found), str(found), found.node, found.location, found.trace, found.__notes__) == (  # type: ignore[attr-defined]
        StatementError, str(error), "n", error.location, ("a", "b"), ["noted"],
    )  # fmt: skip
    model = error_of(error_data(ModelError("no", retryable=True)))
    assert isinstance(model, ModelError)
    assert model.retryable

    class Mine(LimitError):
        pass

    assert type(error_of(error_data(Mine("x")))) is LimitError
    assert type(error_of(error_data(RunError("x")))) is RunError


def test_arguments_come_back() -> None:
    inner = [1]
    own: list[Any] = [inner, {"k": inner, "s": {1}}, (inner, 2)]
    assert containers(own) == [inner, own[1], own[1]["s"]]
    theirs, before = json.loads(json.dumps(encode_values(own))), encode_values(own)
    from autograph.memory.codec import decode_values

    copies = decode_values(theirs)
    given_there = containers(copies)
    copies[0].append(copies[1])
    copies[1]["s"].add(2)
    del copies[1]["k"]
    value = [copies[0], [copies[1]]]
    answer = json.loads(json.dumps(answer_data(value, given_there, before, copies)))
    found = answer_of(answer, containers(own))
    assert found[0] is own[0] is inner
    assert found[1][0] is own[1] is inner[1]
    assert own[1] == {"s": {1, 2}}
    assert own[2] == ([1, own[1]], 2)
    assert own[2][0] is inner


@pytest.mark.parametrize(
    "value",
    [
        {1, 2, (3, (4, frozenset({5}))), Fraction(1, 3)},
        {(i, i + 1): [{i}] for i in range(2000)},
        [{"a": {1.5 * i for i in range(1000)}}],
        {frozenset({(i, "x")}): {frozenset({i}): 1} for i in range(100)},
        {i * 2**40 for i in range(3000)},
        {f"k{i}": {i: "set"} for i in range(100)},
    ],
)
def test_honest_values_are_let_through(value: Any) -> None:
    text = json.dumps(encode_values([value]))
    assert may_be_harmful(text.encode())
    check_values(json.loads(text))


def _alike(count: int) -> list[int]:
    return [(2**61 - 1) * i for i in range(count)]


@pytest.mark.parametrize(
    "value",
    [
        {"$": "set", "items": _alike(60)},
        {"$": "dict", "items": [[{"$": "tuple", "items": [n, 1]}, 2] for n in _alike(60)]},
        {"$": "set", "items": [{"$": "tuple", "items": [{"$": "frozenset", "items": _alike(60)}]}]},
        {"m": [[{"$": "dict", "items": [[1, {"$": "dict", "items": [[n, 2] for n in _alike(60)]}]]}]]},
        {"$": "set", "items": [{"$": "int", "value": hex(n << 61)} for n in _alike(60)]},
        {"$": "set", "items": [[]] * 60},
        {"$": "set", "items": [{"$": "ref", "id": 1}] * 60},
        {"$": "Fraction", "value": [1, {"$": "int", "value": "0x" + "f" * 8001}]},
    ],
)
def test_harmful_values_are_refused(value: Any) -> None:
    with pytest.raises(Malformed):
        check_values([value])
