"""What is a service sent, and how is its answer read, if its formatter has a name? Those of DeepPavlov Agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from autograph.errors import RunError

__all__ = ["DIALOG_FORMATTERS", "RESPONSE_FORMATTERS", "DialogFormatter", "ResponseFormatter"]

DialogFormatter = Callable[[dict[str, Any]], list[Any]]
"""Of a dialog makes the payloads that the service gets, one request for each."""

ResponseFormatter = Callable[[Any], Any]


def _newest(dialog: Mapping[str, Any]) -> Mapping[str, Any]:
    newest: Mapping[str, Any] = dialog["utterances"][-1]
    return newest


def _text_as(name: str) -> DialogFormatter:
    return lambda dialog: [{name: [_newest(dialog)["text"]]}]


def _one_by_one(dialog: dict[str, Any]) -> list[Any]:
    return [{"x": [hypothesis["text"]]} for hypothesis in _newest(dialog)["hypotheses"]]


def _all_hypotheses(dialog: dict[str, Any]) -> list[Any]:
    return [{"hypotheses": _newest(dialog)["hypotheses"]}]


def _with_confidence(payload: Any) -> Any:
    if not payload:
        raise RunError("the service has answered with nothing")
    return [{"text": payload[0], "confidence": 0.5}]


def _entities(payload: Any) -> Any:
    if len(payload) != 2:
        raise RunError(f"a list of tokens and one of tags is expected, not {len(payload)} parts")
    return {"tokens": payload[0], "tags": payload[1]}


DIALOG_FORMATTERS: Mapping[str, DialogFormatter] = MappingProxyType(
    {
        "base_last_utterances_formatter_in": _text_as("x"),
        "chitchat_formatter_in": _text_as("q"),
        "odqa_formatter_in": _text_as("question_raw"),
        "base_hypotheses_formatter_in": _one_by_one,
        "all_hypotheses_formatter_in": _all_hypotheses,
    }
)


def _skill_for(payload: Any) -> Any:
    """The skill for a class of texts."""
    if not payload:
        raise RunError("the service has answered with nothing")
    return ["chitchat"] if payload[0] in ("speech", "negative") else ["odqa"]


def _named(payload: Any) -> Any:
    if len(payload) != 3:
        raise RunError(f"text, confidence and name are expected, not {len(payload)} parts")
    return [{"text": payload[0], "confidence": payload[1], "name": payload[2]}]


RESPONSE_FORMATTERS: Mapping[str, ResponseFormatter] = MappingProxyType(
    {
        "add_confidence_formatter_out": _with_confidence,
        "ner_formatter_out": _entities,
        "sentiment_formatter_out": lambda payload: payload,
        "chitchat_odqa_formatter_out": _skill_for,
        "chitchat_example_formatter_out": _named,
    }
)
