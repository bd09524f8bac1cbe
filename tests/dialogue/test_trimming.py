"""Histories are shortened as pydialogue does it, and strictly within their budget."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.dialogue.trim_strictly import MARK, PART_TOKENS
from autograph.dialogue.trimming import ChatTrimmer, ChatTrimmerBase

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "pydialogue.json").read_text(encoding="utf-8"))["trim"]


class Words:
    """A token is a word; with ``special`` one more stands before a text."""

    def encode(self, text: str, special: bool = False) -> list[str]:
        words = text.split()
        return ["<s>", *words] if special else words

    def decode(self, tokens: list[str]) -> str:
        return " ".join(tokens)


def trimmer_of(case: dict[str, Any]) -> ChatTrimmer | ChatTrimmerBase:
    if case["class"] == "ChatTrimmer":
        return ChatTrimmer(Words(), case["max_input_tokens"], case["encode_kwargs"], case["per_message_overhead"])
    return ChatTrimmerBase(case["max_input_tokens"], case["chars_per_token"], case["per_message_overhead"])


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_as_pydialogue_trims(case: dict[str, Any]) -> None:
    messages = copy.deepcopy(case["messages"])
    assert trimmer_of(case).trim_messages(messages, case["preserve_system"]) == case["output"]
    assert messages == case["messages"]


def user(text: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def agent(text: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}


def test_what_is_kept_whole_is_the_same_object() -> None:
    messages = [system("s"), user("long " * 50), agent("yes")]
    kept = ChatTrimmerBase(30).trim_messages(messages)
    assert kept[0] is messages[0]
    assert kept[-1] is messages[-1]
    assert kept[1] == user(MARK + ("long " * 50)[-64:])


def test_fractions_are_added_up_as_in_pydialogue() -> None:
    messages = [user("four"), user("x" * 11), user("")]
    kept = ChatTrimmerBase(4.3, 4, 0.1).trim_messages(messages)  # 0.1 + 3.1 + 1.1 is a little more than 4.3
    assert kept == [user(MARK + "four"), *messages[1:]]


def test_no_messages() -> None:
    assert ChatTrimmerBase(3).trim_messages([]) == []
    assert ChatTrimmerBase(3, strict=True).trim_messages([]) == []


def test_a_tokenizer_is_given_its_options() -> None:
    plain, special = ChatTrimmer(Words(), 9), ChatTrimmer(Words(), 9, {"special": True})
    assert (plain.count_tokens("a b"), special.count_tokens("a b")) == (2, 3)
    assert special.encode_text("a b") == ["<s>", "a", "b"]
    assert special.decode_text(["a", "b"]) == "a b"
    assert plain.trim_messages([user("a b c d")]) == [user("[...] b c d")]


# ---------------------------------------------------------------------- strictly


def strict(budget: int, overhead: int = 1) -> ChatTrimmer:
    return ChatTrimmer(Words(), budget, None, overhead, strict=True)


def test_the_mark_is_counted_and_other_keys_stay() -> None:
    messages = [user("a b c d e", name="Ada"), agent("f"), user("g")]
    assert strict(8).trim_messages(messages) == [user("[...] d e", name="Ada"), agent("f"), user("g")]
    assert ChatTrimmer(Words(), 8, None, 1).trim_messages(messages)[0] == user("[...] c d e")


def test_words_are_whole() -> None:
    story = [user("the extraordinary adventure of the little cat")]
    assert ChatTrimmerBase(8, 4, 0, strict=True).trim_messages(story) == [user("[...] of the little cat")]
    assert ChatTrimmerBase(8, 4, 0).trim_messages(story) == [user(MARK + story[0]["content"][-32:])]


def test_a_word_that_is_too_long_is_cut_itself() -> None:
    assert ChatTrimmerBase(4, 4, 0, strict=True).trim_messages([user("子" * 40)]) == [user(MARK + "子" * 10)]


def test_all_system_messages_at_the_beginning_are_kept() -> None:
    head = [system("one"), {"role": "developer", "content": "two"}]
    kept = strict(8).trim_messages([*head, user("a b c d"), agent("e"), user("f g")])
    assert kept == [*head, user("f g")]
    assert strict(8).trim_messages([*head, user("f g")], preserve_system=False) == [*head, user("f g")]


def test_a_shortened_history_begins_with_the_user() -> None:
    messages = [user("a b c d"), agent("e f"), user("g h")]
    assert strict(7).trim_messages(messages) == [user("g h")]
    assert strict(99).trim_messages(messages[1:]) == messages[1:]


def test_an_answer_is_cut_only_where_it_is_the_newest() -> None:
    assert strict(4).trim_messages([user("a"), agent("b c d e f")]) == [agent("[...] e f")]
    assert strict(7).trim_messages([user("x"), agent("b c d e f"), user("g")]) == [user("g")]


def test_tools_stay_with_their_call() -> None:
    call = agent(None, tool_calls=[{"id": "1", "function": {"name": "f", "arguments": "{}"}}])
    answer = {"role": "tool", "tool_call_id": "1", "content": "42"}
    messages = [user("a b"), call, answer, agent("so"), user("c")]
    assert strict(100).trim_messages(messages) == messages
    cost = sum(1 + len(str(m["content"] or "").split()) for m in messages) + strict(1).count_tokens(
        json.dumps(call["tool_calls"])
    )
    assert strict(cost).trim_messages(messages) == messages
    assert strict(cost - 1).trim_messages(messages) == [user("c")]


def test_parts_of_a_content() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    message = user([{"type": "text", "text": "a b c"}, picture, {"type": "text", "text": "d e"}])
    assert strict(PART_TOKENS + 6).trim_messages([message]) == [message]
    kept = strict(PART_TOKENS + 5).trim_messages([message])
    assert kept == [user([{"type": "text", "text": "[...] c"}, picture, {"type": "text", "text": "d e"}])]
    assert strict(9).trim_messages([message]) == [user([{"type": "text", "text": "d e"}])]


def test_what_cannot_be_kept_is_an_error() -> None:
    with pytest.raises(ValueError, match="system messages alone take 4 tokens, and 3 are allowed"):
        strict(3).trim_messages([system("a b c")])
    with pytest.raises(ValueError, match="5 tokens leave no room for the newest message: the system messages take 4"):
        strict(5).trim_messages([system("a b c"), user("d e f")])


ROLES = st.sampled_from(["user", "assistant"])
MESSAGES = st.lists(st.fixed_dictionaries({"role": ROLES, "content": st.text(max_size=60)}), max_size=8)


@given(MESSAGES, st.integers(0, 60), st.sampled_from([0, 2, 4]), st.sampled_from([1, 2.5, 4]))
def test_the_budget_holds(messages: list[dict[str, str]], budget: int, overhead: int, characters: float) -> None:
    messages = [system("be brief"), *messages]
    trimmer = ChatTrimmerBase(budget, characters, overhead, strict=True)
    before = copy.deepcopy(messages)
    try:
        kept = trimmer.trim_messages(messages)
    except ValueError:
        return
    assert messages == before
    assert kept[0] is messages[0]
    assert sum(trimmer.count_tokens(message["content"]) + overhead for message in kept) <= budget
    for message, original in zip(kept[:0:-1], messages[:0:-1], strict=False):  # the newest ones, in order
        text = message["content"]
        assert message["role"] == original["role"]
        assert text == original["content"] or original["content"].endswith(text.removeprefix(MARK))
