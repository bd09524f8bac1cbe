"""What is said about conditions that always hold and comparisons that never do."""

from __future__ import annotations

import pytest

from autograph.check import check
from autograph.config import AutographConfig


def said(condition: str) -> tuple[str, str]:
    """The message and the remedy of the one problem of a condition."""
    rows = [
        {"name": "start1", "action": "chat_exact", "instruction": "Well?", "transitions": "t.*"},
        {
            "name": "t.a", "action": "chat_exact", "instruction": "A", "transitions": "quit",
            "boolean_condition": condition,
        },
        {"name": "t.b", "action": "chat_exact", "instruction": "B", "transitions": "quit"},
    ]  # fmt: skip
    (found,) = check(rows, config=AutographConfig(variables=("text",))).problems
    assert found.location.column == "boolean_condition"
    return found.message, found.hint


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("text == 'a' or 'b'", "Write text in (…, 'b'), or compare text with it, too."),
        ("'a' in _last_user_reply or 'b'", "Write 'b' in _last_user_reply."),
        ("'b' or 'a' in _last_user_reply.lower()", "Write 'b' in _last_user_reply.lower()."),
    ],
)
def test_a_bare_text(condition: str, hint: str) -> None:
    assert said(condition) == ("'b' by itself always holds", hint)


def test_a_text_is_never_a_number() -> None:
    message, hint = said("_last_user_reply == 5")
    assert message == 'in "_last_user_reply == 5" the two are never equal: a text is never a number'
    assert hint == "Write '5', or make a number of the text with int(…)."
    assert said("_last_user_reply.strip() != 5.5")[0].endswith("a text is never a number")
