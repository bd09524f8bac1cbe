"""Is a message a dict in which nothing is overwritten by mistake?"""

from __future__ import annotations

import pytest

from autograph.evaluation.metric import Sum
from autograph.evaluation.parlai.message import Message


def test_a_field_is_set_once() -> None:
    message = Message(text="hello")
    message["reward"] = 1
    with pytest.raises(RuntimeError, match=r'already has a field "text".*force_set'):
        message["text"] = "bye"
    assert message == {"text": "hello", "reward": 1}
    message.force_set("text", "bye")
    message.force_set("new", 2)
    assert message == {"text": "bye", "reward": 1, "new": 2}


def test_a_copy_is_a_message_of_its_own() -> None:
    message = Message({"text": "hello"}, labels=["hi"])
    twin = message.copy()
    twin["id"] = "x"
    assert isinstance(twin, Message)
    assert message == {"text": "hello", "labels": ["hi"]}
    assert twin["labels"] is message["labels"]


def test_padding_stands_for_no_message() -> None:
    padding = Message.padding_example()
    assert padding == {"batch_padding": True, "episode_done": True}
    assert padding.is_padding()
    assert not Message(text="").is_padding()


def test_the_payload_has_all_but_the_metrics() -> None:
    message = Message(text="hello", metrics={"exs": Sum(1)}, anything=[1, {"a": None}])
    assert message.json_safe_payload() == {"text": "hello", "anything": [1, {"a": None}]}
    assert type(message.json_safe_payload()) is dict
    assert "metrics" in message
