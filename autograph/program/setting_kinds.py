"""What may each setting be, and what does it mean? Read by the loader, the JSON Schema and the documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Literal

from autograph.config import AutographConfig

__all__ = ["CHOICES", "MEANINGS", "NOT_FROM_A_FILE", "Kind", "kind_of", "setting_names"]

Kind = Literal["text", "choice", "whole", "number", "flag", "list"]

NOT_FROM_A_FILE = frozenset({"python_modules"})
"""What only Python can set."""

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "instruction_role": ("auto", "user", "developer", "system"),
        "reply_start_type": ("none", "suffix"),
        "on_unclear_interjection": ("error", "none"),
    }
)
"""The words that a setting may be."""

_WHOLE_OR_NONE = frozenset({"max_response_tokens", "seed"})
_DEFAULTS = AutographConfig()


def setting_names() -> list[str]:
    """The settings that a program's file may have."""
    return [field.name for field in fields(AutographConfig) if field.name not in NOT_FROM_A_FILE]


def kind_of(name: str) -> Kind:
    """What a setting takes, told by its default; ``text`` for one that does not exist."""
    default = getattr(_DEFAULTS, name, "")
    if isinstance(default, bool):
        return "flag"
    if isinstance(default, tuple):
        return "list"
    if isinstance(default, int) or name in _WHOLE_OR_NONE:
        return "whole"
    if isinstance(default, float):
        return "number"
    return "choice" if name in CHOICES else "text"


MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "default_prompt": "the system prompt with which a conversation, and each local call, begins",
        "default_user_prompt": "the same for a simulated user",
        "agent_name": "who the bot is; `<agent_name>` in templates",
        "user_name": "who the user is; `<user_name>` in templates",
        "start_state": "the node at which a conversation begins; the first row if there is none of this name",
        "end_signal": "the text with which a simulated user ends",
        "instruction_template": "how the user's last text, the bot's name and the instruction make the last message",
        "user_instruction_template": "the same for a simulated user",
        "instruction_role": "the role in which the model gets the instruction: `user` (in one message with the user's "
        "text), `developer` or `system` (a message of its own), or `auto` (what the model takes best)",
        "reply_start_type": "`suffix`: the field `reply_start` stands at the end of the last message; "
        "`none`: it is unused",
        "reply_start_template": "the words before it",
        "default_question_prompt": "what the classifier is told before a question, unless the node has a "
        "`question_prompt`",
        "default_transition_context": "how many turns the classifier sees, unless the node has a `transition_context`",
        "interjection_question": "the question about interjections",
        "interjection_default_answer": "its last choice: no interjection",
        "on_unclear_interjection": "what an unclear answer to it means: `error`, or `none` (no interjection)",
        "python_built_ins": "the builtins that statements may use",
        "python_imports": "the modules that statements may use; only names of this list",
        "python_modules": "host functions and exposed modules by name; only from Python, and the same as `modules=`",
        "statement_fuel": "how much work one statement may do, in small steps",
        "statement_seconds": "how long one statement may run",
        "statement_items": "how many items a list, tuple, set, dict or range may have that a statement makes",
        "statement_characters": "how long a text may be that a statement makes",
        "statement_depth": "how deep data may be nested that a statement compares or writes out; at most 1,000",
        "turn_fuel": "how much work all statements of one turn may do, in small steps",
        "turn_bytes": "how much text, lists, tables … all statements of one turn may make, in bytes",
        "max_steps": "how many nodes one turn may enter",
        "max_depth": "how deep calls may be nested",
        "max_prompt_tokens": "how long a prompt may be; older turns are left out "
        "(a token is taken for four characters)",
        "max_response_tokens": "how long a reply of the model may be; without it the model's own limit",
        "chatbot": "the model that writes texts, as a model string; without it `auto`",
        "classifier": "the model that answers questions; without it the same as the chatbot",
        "seed": "passed to models that take one; also makes the draws of simulated users repeatable",
        "default_probability_interjection": "how often a simulated user triggers interjections without a number",
        "default_primary_prob_delta": "how much more often a simulated user aims at the first transition (from 0 to 1)",
        "self_referential": "accepted for older sheets; it has no effect",
        "language": "the version of the language that the program is written in",
        "variables": "names of variables that the host sets or reads, so that `autograph check` knows them",
        "capabilities": "what the program asks of its host: names of host functions, which then have to be allowed",
    }
)
"""What each setting means, in Markdown. A setting without an entry is an error, so that none is forgotten."""
