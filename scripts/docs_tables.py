"""Which tables of the documentation come from the settings, the problems, the errors and the events?

``scripts/docs.py`` puts them into the documents; how a table is written is said here, too.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from dataclasses import fields

from autograph import errors
from autograph.config import DEFAULT_BUILT_INS, AutographConfig
from autograph.interpreter import events
from autograph.problems import KINDS

__all__ = ["default_text", "error_tree", "event_table", "problem_tables", "settings_explained", "table"]

MEANINGS = {
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
    "reply_start_type": "`suffix`: the field `reply_start` stands at the end of the last message; `none`: it is unused",
    "reply_start_template": "the words before it",
    "default_question_prompt": "what the classifier is told before a question, unless the node has a `question_prompt`",
    "default_transition_context": "how many turns the classifier sees, unless the node has a `transition_context`",
    "interjection_question": "the question about interjections",
    "interjection_default_answer": "its last choice: no interjection",
    "on_unclear_interjection": "what an unclear answer to it means: `error`, or `none` (no interjection)",
    "python_built_ins": "the builtins that statements may use",
    "python_imports": "the modules that statements may use; only names of this list",
    "python_modules": "host functions and exposed modules by name; only from Python, and the same as `modules=`",
    "statement_fuel": "how much work one statement may do, in small steps",
    "statement_seconds": "how long one statement may run",
    "max_steps": "how many nodes one turn may enter",
    "max_depth": "how deep calls may be nested",
    "max_prompt_tokens": "how long a prompt may be; older turns are left out (a token is taken for four characters)",
    "max_response_tokens": "how long a reply of the model may be; without it the model's own limit",
    "chatbot": "the model that writes texts, as a model string; without it `auto`",
    "classifier": "the model that answers questions; without it the same as the chatbot",
    "seed": "passed to models that take one; also makes the draws of simulated users repeatable",
    "default_probability_interjection": "how often a simulated user triggers interjections without a number",
    "default_primary_prob_delta": "how much more often a simulated user aims at the first transition (from 0 to 1)",
    "self_referential": "accepted for older sheets; it has no effect",
    "language": "the version of the language that the program is written in",
}
"""What each setting means. A setting without an entry is an error, so that none is forgotten."""

_PARTS = (("AG0", "Files and cells"), ("AG1", "The structure of the program"), ("AG2", "Text and code in cells"))


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    head = [f" {cell} " for cell in header]
    lines = ["|".join(["", *head, ""]), "|" + "---|" * len(head)]
    lines.extend("|".join(["", *(f" {cell.replace('|', chr(92) + '|')} " for cell in row), ""]) for row in rows)
    return "\n".join(lines)


def default_text(value: object) -> str:
    """The default of a setting as a document shows it."""
    if value is None or value == {}:
        return "–"
    if value is DEFAULT_BUILT_INS:
        return "see section 7"
    if isinstance(value, (tuple, list)):
        return ", ".join(f"`{item}`" for item in value)
    shown = str(value).lower() if isinstance(value, bool) else str(value).replace("\n", "\\n")
    return f"`{shown}`"


def settings_explained() -> str:
    """All settings with default and meaning."""
    config = AutographConfig()
    rows = []
    for field in fields(AutographConfig):
        value = getattr(config, field.name)
        default = "[these](language.md#7-statements)" if value is DEFAULT_BUILT_INS else default_text(value)
        rows.append((f"`{field.name}`", default, MEANINGS[field.name]))
    return table(("setting", "default", "meaning"), rows)


def problem_tables() -> str:
    """All kinds of problems, in three tables."""
    parts = []
    for start, title in _PARTS:
        rows = [(code, f"`{kind}`", severity, text) for kind, (code, severity, text) in KINDS.items() if start in code]
        parts.append(f"{title}:\n\n{table(('code', 'kind', 'severity', 'meaning'), sorted(rows))}")
    return "\n\n".join(parts)


def error_tree() -> str:
    """The tree of errors, as the docstring of ``autograph/errors.py`` draws it."""
    doc = inspect.getdoc(errors) or ""
    tree = [line for line in doc.splitlines() if line.startswith("    ")]
    return f"```text\n{textwrap.dedent(chr(10).join(tree)).replace('``', '')}\n```"


def event_table() -> str:
    """The kinds of events with what they hold."""
    rows = []
    for name in events.__all__:
        cls = getattr(events, name)
        if not inspect.isclass(cls) or cls is events.Event or not issubclass(cls, events.Event):
            continue
        own = [f"`.{f.name}`" for f in fields(cls) if f.name != "node"]
        meaning = " ".join((inspect.getdoc(cls) or "").split()).replace("``", "`")
        rows.append((f"`{cls.__name__}`", ", ".join(own) or "–", meaning))
    return table(("event", "holds, beside `.node`", "meaning"), rows)
