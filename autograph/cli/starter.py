"""What does a new program consist of? The rows and settings of the starter, in one place for all file formats."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COLUMNS", "CONFIG", "ROWS", "used_fields"]

CONFIG: Mapping[str, str] = MappingProxyType(
    {
        "default_prompt": "You are a friendly barista. You answer in one or two short sentences.",
        "language": "1",
    }
)

COLUMNS = (
    "name",
    "action",
    "instruction",
    "transitions",
    "transition_question",
    "transition_choice_a",
    "transition_choice_b",
    "condition_interjection",
    "notes",
)


def _row(name: str, action: str, instruction: str, transitions: str, **rest: str) -> Mapping[str, str]:
    fields = {"name": name, "action": action, "instruction": instruction, "transitions": transitions, **rest}
    return MappingProxyType({column: fields.get(column, "") for column in COLUMNS})


ROWS: tuple[Mapping[str, str], ...] = (
    _row(
        "start1",
        "chat_exact",
        "Welcome to the cafe! What is your name?",
        "remember_name",
        notes="The conversation begins here. chat_exact says its instruction word for word.",
    ),
    _row(
        "remember_name",
        "python_function",
        "guest = _last_user_reply.strip().rstrip('.!')",
        "ask_drink",
        notes="Keeps what the user said in the variable guest.",
    ),
    _row(
        "ask_drink",
        "chat_exact",
        "Nice to meet you, $guest. Would you like tea or coffee?",
        "tea, coffee",
        transition_question="Which drink does the user want?",
        transition_choice_a="tea",
        transition_choice_b="coffee",
        notes="The model answers the question, and its answer chooses the transition.",
    ),
    _row("tea", "python_function", "drink = 'green tea'", "serve"),
    _row("coffee", "python_function", "drink = 'fresh coffee'", "serve"),
    _row(
        "serve",
        "chat",
        "Tell the user that their $drink is ready. Ask if they would like another drink.",
        "menu, bye",
        transition_question="Does the user want another drink?",
        transition_choice_a="yes",
        transition_choice_b="no",
        notes="chat lets the model write the reply by the instruction.",
    ),
    _row(
        "menu",
        "chat_exact",
        "We have green tea and fresh coffee, both for 2 euros. Which one would you like?",
        "tea, coffee",
        transition_question="Which drink does the user want?",
        transition_choice_a="tea",
        transition_choice_b="coffee",
        condition_interjection="The user asks for the menu or for a price",
        notes="Also an interjection: reached from any chat node when its condition holds.",
    ),
    _row("bye", "chat_exact", "Goodbye?{, $guest}. Come back soon!", "quit", notes="quit ends the conversation."),
)


def used_fields(row: Mapping[str, str]) -> dict[str, str]:
    """The fields of a row that hold something, in column order."""
    return {column: text for column, text in row.items() if text}
