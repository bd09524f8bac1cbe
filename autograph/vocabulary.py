"""Which actions and fields exist? The two tables that validation, schema, docs and dispatch read.

Adding an action is one row here, one class in ``interpreter/nodes`` and one test program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

__all__ = [
    "ACTIONS",
    "ALIASES",
    "FIELDS",
    "RESERVED_NAMES",
    "RESERVED_VARIABLES",
    "Action",
    "Field",
    "choice_index",
    "field_names",
    "is_field",
    "letter",
    "normalise_action",
    "normalise_header",
]

Instruction = Literal["model", "text", "statement", "call", "ignored"]
FieldKind = Literal["name", "text", "template", "statement", "list", "nodes", "number", "numbers", "word", "ignored"]

RESERVED_NAMES = frozenset({"return", "quit", "resume"})
RESERVED_VARIABLES = frozenset({"_last_user_reply", "_last_state", "_last_variable_output"})


@dataclass(frozen=True, slots=True)
class Action:
    """One kind of node.

    ``instruction`` says what its instruction is: an instruction to the ``model``, a ``text`` used as
    it is, a Python ``statement``, a graph ``call``, or ``ignored``. ``speaks``: its value goes to the
    user and the turn ends. ``consumes``: it takes the pending user text. ``scope`` of a call:
    ``local``, ``normal`` or ``global``. ``required``: it makes no sense without an instruction.
    """

    name: str
    summary: str
    instruction: Instruction
    speaks: bool = False
    consumes: bool = False
    scope: str | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a sheet, or one key of a YAML node.

    ``kind`` says how its text is read; ``lettered`` fields occur once per transition, with a letter
    (``transition_choice_a``) and in YAML also as a list under ``plural``.
    """

    name: str
    kind: FieldKind
    summary: str
    lettered: bool = False
    plural: str = ""


def _actions() -> Iterator[Action]:
    yield Action("chat", "the model answers the user by the instruction", "model", speaks=True, consumes=True)
    yield Action("chat_exact", "the instruction is the reply, word for word", "text", speaks=True, consumes=True)
    yield Action("chat_suffix", "the model's reply, ending in this text", "text", speaks=True, consumes=True)
    yield Action("thought", "the model answers by the instruction; the user does not see it", "model", consumes=True)
    yield Action("thought_exact", "a fixed thought, seen by later model calls", "text", consumes=True)
    yield Action("thought_qa", "as thought; the value holds instruction and answer", "model", consumes=True)
    yield Action("python_function", "a Python statement in the sandbox", "statement")
    yield Action("function", "calls a function that sees the caller's variables and turns", "call", scope="normal")
    yield Action("local_function", "calls a function that sees only its arguments", "call", scope="local")
    yield Action("global_function", "calls a function whose changes the caller keeps", "call", scope="global")
    yield Action("set_prompt", "replaces the system prompt", "text")
    yield Action("append_prompt", "adds a line to the system prompt", "text")
    yield Action("set_user_prompt", "replaces the prompt of a simulated user", "text")
    yield Action("append_user_prompt", "adds a line to the prompt of a simulated user", "text")
    yield Action("transition", "does nothing but go on", "ignored", required=False)


def _fields() -> Iterator[Field]:
    yield Field("name", "name", "the node's name; f(a, b=2) makes it a function")
    yield Field("action", "word", "what the node does")
    yield Field("instruction", "template", "what to say, think, compute or call")
    yield Field("transitions", "list", "where to go next; several need a question")
    yield Field("transition_question", "template", "the question that chooses among several transitions")
    yield Field("transition_choice", "template", "the answer that leads to this transition", True, "transition_choices")
    yield Field("boolean_condition", "statement", "the condition of a variant in a .* group")
    yield Field("state_category", "word", "a category for conv_scope and for drawing")
    yield Field("conv_scope", "list", "the model sees only turns of these categories")
    yield Field("notes", "text", "remarks; not used by the program")
    yield Field("question_prompt", "template", "the text before the question, for the classifier")
    yield Field("transition_context", "number", "how many turns the classifier sees (default 1)")
    yield Field("transition_probs", "numbers", "how often a simulated user takes each transition")
    yield Field(
        "user_instruction_transition",
        "template",
        "what a simulated user is told so that this transition follows",
        True,
        "user_instruction_transitions",
    )
    yield Field("condition_interjection", "template", "when to jump here from any chat node")
    yield Field("example_interjection", "template", "examples shown before the interjection question")
    yield Field("user_interjection", "template", "what a simulated user says to trigger the interjection")
    yield Field("probability_interjection", "number", "how often a simulated user triggers it")
    yield Field("prerequisite_states", "nodes", "score −10000 if none of these was visited")
    yield Field("blocking_states", "nodes", "score −10000 if one of these was visited")
    yield Field("up_weight_states", "nodes", "score +1 per visit of these")
    yield Field("down_weight_states", "nodes", "score −1 per visit of these")
    yield Field("required_revisit", "nodes", "call only if each was visited since the last return")
    yield Field("instruction_template", "text", "how instruction and last user text are put together")
    yield Field("reply_start", "template", "words with which the reply is to begin")
    yield Field("on_unclear", "word", "error, a node, or a choice letter when no choice was given")
    yield Field("min_confidence", "number", "a choice below this confidence counts as unclear")
    yield Field("allowed_targets", "list", "the only targets that a $name transition may lead to")
    yield Field("formerly", "list", "earlier names of the node, for stored conversations")
    yield Field("model", "word", "the model that this node asks, instead of the program's")
    for name in ("instruction_short", "conv_context", "lineno", "def_type"):
        yield Field(name, "ignored", "accepted for older sheets and ignored")


ACTIONS: MappingProxyType[str, Action] = MappingProxyType({a.name: a for a in _actions()})
ALIASES: MappingProxyType[str, str] = MappingProxyType({"python": "python_function"})
FIELDS: MappingProxyType[str, Field] = MappingProxyType({f.name: f for f in _fields()})

_LETTERED = re.compile(r"(transition_choice|user_instruction_transition)_([a-z])")


def normalise_action(text: str) -> str:
    """The action behind a cell as people type it: case does not count, and ``python`` is short for its action."""
    word = text.strip().lower()
    return ALIASES.get(word, word)


def normalise_header(text: str) -> str:
    """The field name behind a header as people type it: case, blanks, hyphens and line breaks do not count."""
    return re.sub(r"[\s_\-\u00a0\u200b\ufeff]+", "_", text.strip(" \t\r\n\u00a0\u200b\ufeff").lower())


def is_field(name: str) -> bool:
    """Whether a normalised header names a field; lettered fields need their letter."""
    found = FIELDS.get(name)
    return (found is not None and not found.lettered) or _LETTERED.fullmatch(name) is not None


def field_names() -> list[str]:
    """All field names for suggestions; a lettered field stands with its first letter."""
    return [f"{f.name}_a" if f.lettered else f.name for f in FIELDS.values()]


def choice_index(name: str) -> tuple[str, int] | None:
    """``("transition_choice", 1)`` for ``transition_choice_b``; None for a field without a letter."""
    match = _LETTERED.fullmatch(name)
    return (match[1], ord(match[2]) - ord("a")) if match else None


def letter(index: int) -> str:
    """``A`` … ``Z``, then ``AA``, ``AB`` … as spreadsheets name their columns; ``index`` counts from 0."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
