"""What does each code mean? The texts behind ``autograph check --explain`` and ``docs/checks.md``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from autograph.errors import did_you_mean
from autograph.problems import KINDS

__all__ = ["AREAS", "Explanation", "explanation", "explanations", "find_kind"]

AREAS: Mapping[str, str] = MappingProxyType(
    {
        "AG0": "Files and cells",
        "AG1": "The structure of the program",
        "AG2": "Text and code in cells",
        "AG3": "Flow",
        "AG4": "Variables",
        "AG5": "What looks like a mistake",
        "AG6": "Stored conversations",
    }
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code explained: ``summary`` in a line, then why it matters, what it looks like, and what to do."""

    code: str
    kind: str
    severity: str
    summary: str
    why: str
    example: str
    remedy: str


@lru_cache(maxsize=1)
def explanations() -> Mapping[str, Explanation]:
    """All explanations by kind, in the order of the codes."""
    from autograph.check.explain_flow import FLOW
    from autograph.check.explain_loading import CELLS, FILES, STRUCTURE
    from autograph.check.explain_suspicious import STORED, SUSPICIOUS, VARIABLES

    texts = {**FILES, **STRUCTURE, **CELLS, **FLOW, **VARIABLES, **SUSPICIOUS, **STORED}
    found = {}
    for kind, (code, severity, summary) in sorted(KINDS.items(), key=lambda item: item[1][0]):
        why, example, remedy = texts[kind]
        found[kind] = Explanation(code, kind, severity, summary, why, example, remedy)
    return MappingProxyType(found)


def explanation(word: str) -> Explanation | None:
    """The explanation of a code (``AG104``, ``104``) or kind (``unknown-target``)."""
    kind = find_kind(word)
    return explanations()[kind] if kind else None


def find_kind(word: str) -> str | None:
    """The kind behind a code or kind as people type it; None if there is none."""
    plain = word.strip().upper()
    code = f"AG{int(plain):03}" if plain.isascii() and plain.isdigit() else plain
    lowered = word.strip().lower()
    return next((kind for kind, (number, _, _) in KINDS.items() if number == code or kind == lowered), None)


def suggestion(word: str) -> str:
    """The sentence about what was probably meant instead of a word that is no code."""
    codes = [code for code, _, _ in KINDS.values()]
    return did_you_mean(word.upper(), codes) or did_you_mean(word, KINDS) or "They are listed in docs/checks.md."
