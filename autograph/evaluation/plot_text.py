"""How do names stand in a picture? As they are: not as formulas, and in a font that has their letters."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

__all__ = ["lettering", "plain"]

_USUAL = "DejaVu Sans"
_EAST_ASIAN = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
    "Microsoft YaHei", "SimHei", "PingFang SC", "Hiragino Sans", "Arial Unicode MS",
)  # fmt: skip
"""Fonts for what the usual one lacks, of which systems have one or another."""
_FIRST_EAST_ASIAN = "\u2e80"


def plain(name: str) -> str:
    """A name as a label: ``$`` begins no formula, and one that begins with ``_`` is not left out of the legend."""
    label = name.replace("$", r"\$")
    return f" {label}" if label.startswith("_") else label


@contextmanager
def lettering(names: Iterable[str]) -> Iterator[None]:
    """While a picture with these names is drawn and written. A letter that no font has is a box, without a warning."""
    from matplotlib import font_manager, rc_context

    families = [_USUAL]
    if any(letter >= _FIRST_EAST_ASIAN for name in names for letter in name):
        installed = {font.name for font in font_manager.fontManager.ttflist}
        families += [family for family in _EAST_ASIAN if family in installed]
    with rc_context({"font.family": families}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        yield
