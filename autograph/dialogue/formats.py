r"""How is a turn written as text? Formats with ``{source}`` for the user and ``{target}`` for the system.

``\N`` in a format is a *capital newline*: a newline, unless nothing stands before it or one is there already.
Source: unitxt's ``SystemFormat`` and its catalog, as observed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from autograph.errors import did_you_mean

__all__ = ["FORMATS", "SystemFormat", "apply_capital_new_line_notation", "format_named"]


@dataclass(frozen=True, slots=True)
class SystemFormat:
    """How one turn is written (``demo_format``), and how a whole prompt is.

    ``{source}`` is what the user said, ``{target}`` what the system answered; ``{target_prefix}`` is left empty
    in dialogues. Other placeholders are keys of the turn. Only ``demo_format`` matters for dialogues.
    """

    demo_format: str = "{source}\\N{target_prefix}{target}\n\n"
    model_input_format: str = "{system_prompt}\\N{instruction}\\N{demos}{source}\\N{target_prefix}"


FORMATS: Mapping[str, SystemFormat] = MappingProxyType(
    {
        "formats.empty": SystemFormat(),
        "formats.user_agent": SystemFormat("User: {source}\nAgent: {target_prefix}{target}\n\n"),
        "formats.user_assistant": SystemFormat("<|user|>\n{source}\n<|assistant|>\n {target_prefix}{target}\n\n"),
    }
)
"""The formats that have a name."""


def format_named(name: str) -> SystemFormat:
    """The format of this name, with or without ``formats.``. Raises ``ValueError``."""
    full = name if name.startswith("formats.") else f"formats.{name}"
    if full not in FORMATS:
        hint = did_you_mean(full, FORMATS) or f"The formats are {', '.join(FORMATS)}."
        raise ValueError(f'there is no format "{name}". {hint}')
    return FORMATS[full]


_LEADING = re.compile(r"\A(?:\n|\\N)*\\N")
_LATER = re.compile(r"(?:\n|\\N)*\\N")
_LATER_AS_ORIGINAL = re.compile(r"[\n(\\N)]*\\N")


def apply_capital_new_line_notation(text: str, *, compatible: bool = False) -> str:
    r"""``text`` with its capital newlines resolved.

    A run of newlines and ``\N`` at the beginning that ends in ``\N`` goes; any other such run becomes one newline.
    ``compatible``: as the original, which also swallows the characters ``(``, ``)``, ``N`` and ``\`` in front.
    """
    later = _LATER_AS_ORIGINAL if compatible else _LATER
    return later.sub("\n", _LEADING.sub("", text))
