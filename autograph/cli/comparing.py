"""How does a comparison of two on the same cases read? The difference, its chance, and who alone was right."""

from __future__ import annotations

from autograph.cli.style import Page, safe
from autograph.cli.wrap import wrap
from autograph.evaluation.comparison import Comparison

__all__ = ["comparison_lines"]

_LESS = 1e-3
_CHANCE = 0.05
"""A difference that comes by chance more often than this does not decide."""


def comparison_lines(found: Comparison, alone: str, page: Page) -> list[str]:
    """The comparison in words; ``alone`` says what one of them was and the other was not: ``right``."""
    first, other = safe(found.first), safe(found.other)
    p = f"p < {_LESS}" if found.p < _LESS else f"p = {found.p:.3f}"
    undecided = found.difference.low <= 0 <= found.difference.high or found.p > _CHANCE
    text = (
        f"{other} against {first}: {found.difference.text(sign=True)}, {p}. "
        f"Alone {alone}: {other} {found.pairs.only_b} times, {first} {found.pairs.only_a} times; "
        f"{'that does not decide which is better' if undecided else 'that is more than chance'}."
    )
    return wrap(text, page.width)
