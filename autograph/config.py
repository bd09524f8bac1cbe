"""What can be set: ``AutographConfig``.

Names follow AutoGRAMS; a sheet may bring its own configuration (sheet ``config`` of a workbook,
``NAME.config.yaml`` beside ``NAME.csv``, ``config:`` in YAML). What is set explicitly in Python
wins over the sheet, which wins over the defaults below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from autograph.errors import AutographError

__all__ = ["DEFAULT_BUILT_INS", "DEFAULT_IMPORTS", "AutographConfig"]

# fmt: off
DEFAULT_BUILT_INS: tuple[str, ...] = (
    "int", "float", "complex", "bool", "str", "bytes", "list", "tuple", "dict", "set", "frozenset", "range", "sum",
    "pow", "abs", "max", "min", "len", "ord", "chr", "round", "reversed", "sorted", "enumerate", "map", "filter",
    "zip", "any", "all", "divmod", "isinstance", "type", "print", "next", "iter", "hex", "format",
)
# fmt: on
DEFAULT_IMPORTS: tuple[str, ...] = ("math", "operator", "functools", "ast")

_WHOLE = (
    "statement_fuel",
    "statement_items",
    "statement_characters",
    "statement_depth",
    "turn_fuel",
    "turn_bytes",
    "max_steps",
    "max_depth",
    "max_prompt_tokens",
    "default_transition_context",
    "language",
)
_NUMBERS = ("statement_seconds", "default_probability_interjection", "default_primary_prob_delta")
_OPTIONAL_WHOLE = ("max_response_tokens", "seed")


@dataclass(frozen=True)
class AutographConfig:
    """How a program is loaded and run. Every field may be given by keyword.

    Names and prompts
        ``default_prompt``, ``default_user_prompt``: the prompts of a fresh level. ``agent_name``,
        ``user_name``: who speaks. ``instruction_template`` and ``user_instruction_template``: how the
        last user text (``<last_response>``), the ``<agent_name>`` and the ``<instruction>`` are put
        together. ``instruction_role``: ``auto``, ``user``, ``developer`` or ``system``; which role
        the instruction is given in. ``reply_start_type``: ``none`` or ``suffix``.
    Questions
        ``default_question_prompt``, ``default_transition_context`` (turns), ``interjection_question``,
        ``interjection_default_answer``, ``on_unclear_interjection`` (``error`` or ``none``).
    Statements
        ``python_built_ins``: the builtins that exist. ``python_imports``: names of curated modules.
        ``python_modules``: host functions and exposed modules, name to value.
        ``statement_fuel`` (units of work per statement, 200,000), ``statement_seconds`` (1.0).
        ``statement_items`` and ``statement_characters``: the longest collection (200,000) and text (1,000,000) that
        a statement makes; ``statement_depth``: how deep data that it compares, writes out or puts in is nested (200,
        at most 1,000).
        ``capabilities``: what the program asks of its host beside plain expressions: names of host functions.
    Limits
        ``turn_fuel`` (units, 8,000,000) and ``turn_bytes`` (512,000,000): the work that all statements of a turn may
        do, and how much text, collections and tables they may make, in all. ``max_steps`` nodes per turn,
        ``max_depth`` levels, ``max_prompt_tokens`` (tokens, about four characters each), ``max_response_tokens``
        (None: the model's own limit).
    Models
        ``chatbot``, ``classifier``: model strings such as ``openai:gpt-5-mini``, ``local``, ``offline``;
        None: ``auto``. ``seed`` is passed to models that take one.
    Simulation
        ``end_signal``, ``default_probability_interjection``, ``default_primary_prob_delta``.

    ``language`` is the version of the language the program is written in. ``variables``: names of variables
    that the host sets or reads, so that ``autograph check`` does not take them for mistakes.
    """

    default_prompt: str = "You are an agent."
    default_user_prompt: str = "You are a user."
    agent_name: str = "Agent"
    user_name: str = "User"
    start_state: str = "start1"
    end_signal: str = "<end>"
    instruction_template: str = "<last_response>\n\nInstruction for <agent_name>: <instruction>"
    user_instruction_template: str = "<last_response>\n\nInstruction for <user_name>: <instruction>"
    instruction_role: str = "auto"
    reply_start_type: str = "none"
    reply_start_template: str = "<agent_name>'s reply:"
    default_question_prompt: str = "Answer a multiple-choice question about the conversation below."
    default_transition_context: int = 1
    interjection_question: str = "Which of the following is true?"
    interjection_default_answer: str = "None of the above"
    on_unclear_interjection: str = "error"
    python_built_ins: Sequence[str] = DEFAULT_BUILT_INS
    python_imports: Sequence[str] = DEFAULT_IMPORTS
    python_modules: Mapping[str, Any] = field(default_factory=dict)
    statement_fuel: int = 200_000
    statement_seconds: float = 1.0
    statement_items: int = 200_000
    statement_characters: int = 1_000_000
    statement_depth: int = 200
    turn_fuel: int = 8_000_000
    turn_bytes: int = 512_000_000
    max_steps: int = 10_000
    max_depth: int = 1_000
    max_prompt_tokens: int = 8_000
    max_response_tokens: int | None = None
    chatbot: str | None = None
    classifier: str | None = None
    seed: int | None = None
    default_probability_interjection: float = 0.05
    default_primary_prob_delta: float = 0.3
    self_referential: bool = False
    language: int = 1
    variables: Sequence[str] = ()
    capabilities: Sequence[str] = ()

    def __new__(cls, *args: Any, **given: Any) -> AutographConfig:
        self = super().__new__(cls)
        object.__setattr__(self, "_given", frozenset(given) | {f.name for f, _ in zip(fields(cls), args, strict=False)})
        return self

    def __post_init__(self) -> None:
        """Refuse values of the wrong type where they are given. Raises ``AutographError``."""
        for name in _WHOLE:
            self._require(name, int, "a whole number")
        for name in _NUMBERS:
            self._require(name, (int, float), "a number")
        for name in _OPTIONAL_WHOLE:
            if getattr(self, name) is not None:
                self._require(name, int, "a whole number or None")

    def _require(self, name: str, kind: Any, words: str) -> None:
        value = getattr(self, name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise AutographError(f"the setting {name} must be {words}, not {value!r}")

    @property
    def given(self) -> frozenset[str]:
        """Names of the fields that were set explicitly."""
        return self._given  # type: ignore[attr-defined, no-any-return]

    def over(self, sheet: Mapping[str, Any]) -> AutographConfig:
        """This configuration laid over a sheet's own: explicit fields win, the sheet's come next."""
        merged = {name: value for name, value in sheet.items() if name not in self.given}
        result = replace(self, **merged)
        object.__setattr__(result, "_given", self.given | set(merged))
        return result
