"""What can be wrong with a dialogue state? ``StateProblem``: a path, a sentence, the rule."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

__all__ = ["RULES", "StateProblem"]

RULES = MappingProxyType(
    {
        "R1": "every object has its required keys, of the right kinds, and no unknown ones",
        "R2": "user_type is human or bot",
        "R3": "human_utterances and bot_utterances are those of utterances, equal and in order",
        "R4": "utt_id is unique, 32 hexadecimal digits in small letters",
        "R5": "date_time is a date with a time, and never before the one of the utterance before",
        "R6": "date_start and date_finish are the dates of the first and the last utterance",
        "R7": "the user of a human utterance is the dialog's human",
        "R8": "a hypothesis has skill_name, text, annotations and a number as confidence",
        "R9": "a bot utterance has a number as confidence and, unless it was imported, an active_skill",
        "R10": "ids have 24 or 32 hexadecimal digits",
        "R11": "what is free in its form is JSON data",
        "W1": "human and bot take turns (they need not: a bot may speak unasked)",
        "W2": "active_skill is one of the skills that proposed a reply (not so for a last chance or a time-out)",
        "W3": "the profile has all usual keys (a skill may have replaced it)",
        "W4": "a confidence is between 0 and 1",
        "W5": "the profile has no unusual keys",
    }
)
"""The rules that a state is held against; those with a W only give warnings."""


@dataclass(frozen=True, slots=True)
class StateProblem:
    """One thing that is wrong or doubtful.

    ``path`` leads to it from the top, as in ``utterances/2/hypotheses/0/confidence``; ``rule`` is a key of ``RULES``.
    """

    path: str
    message: str
    rule: str

    @property
    def severity(self) -> Literal["error", "warning"]:
        """``error`` or ``warning``."""
        return "warning" if self.rule.startswith("W") else "error"

    def __str__(self) -> str:
        return f"{self.path or 'the state'}: {self.message} [{self.rule}]"
