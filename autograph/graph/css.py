"""Which colours has the drawing in the light and in the dark? CSS from the table of looks."""

from __future__ import annotations

from collections.abc import Iterator

from autograph.graph.style import ACCENT, DARK_INK, DARK_PAGE, INK, LOOKS, dark, dark_ink, mix

__all__ = ["page_css", "svg_css"]

_TONES = {
    "page": ("#ffffff", DARK_PAGE),
    "ink": (INK, DARK_INK),
    "soft": ("#303844", "#c3ccd8"),
    "line": ("#5b6472", "#8b98a9"),
    "teal": ("#0b665f", dark_ink("#0b665f")),
    "block": ("#f3faf9", mix("#0b665f", DARK_PAGE, 0.12)),
    "frame": ("#8a5a10", "#b98c4a"),
    "frame-ink": ("#6f480c", "#d9b679"),
    "frame-fill": ("#fffaf2", mix("#8a5a10", DARK_PAGE, 0.1)),
    "accent": (ACCENT, "#fb923c"),
    "added": ("#1a6b33", "#6fd08c"),
    "removed": ("#b91c1c", "#f19a9a"),
    "changed": ("#92540a", "#e9b872"),
    "soft-page": ("#f6f8fa", "#151b23"),
    "edge": ("#d5dae1", "#2b323c"),
    "rim": ("#838c98", "#6e7885"),
}
"""Name of a colour to its value in the light and in the dark theme."""

_RULES = """
.drawing .page{fill:var(--page)}
.drawing text{fill:var(--ink)}
.drawing .label,.drawing .exit text,.drawing .count text{fill:var(--soft)}
.drawing .gap{fill:var(--page)}
.drawing .edge>path{stroke:var(--line)}
.drawing .edge>.tip{fill:var(--line);stroke:none}
.drawing .call>path{stroke:var(--teal)}
.drawing .call>.tip{fill:var(--teal)}
.drawing .frame{fill:var(--block);stroke:var(--teal)}
.drawing .head .title,.drawing .closed .title{fill:var(--teal)}
.drawing .fold{stroke:var(--teal)}
.drawing .group rect{fill:var(--frame-fill);stroke:var(--frame)}
.drawing .group .title{fill:var(--frame-ink)}
.drawing .cond{font-style:italic}
.drawing .exit rect,.drawing .count rect{fill:var(--page);stroke:var(--line)}
.drawing .badge text{fill:#fff}
.drawing .start{fill:var(--ink)}
.drawing .missed{opacity:.45}
.drawing .node.added .shape,.drawing .edge.added>path{stroke:var(--added);stroke-width:2.5}
.drawing .node.removed .shape,.drawing .edge.removed>path{stroke:var(--removed);stroke-width:2.5;stroke-dasharray:3 3}
.drawing .node.changed .shape,.drawing .edge.changed>path{stroke:var(--changed);stroke-width:2.5}
.drawing .node.removed{opacity:.7}
.drawing .edge.added>.tip{fill:var(--added);stroke:none}
.drawing .edge.removed>.tip{fill:var(--removed);stroke:none}
""".strip()


def _looks(theme: str) -> Iterator[str]:
    for name, look in LOOKS.items():
        fill, stroke = (look.fill, look.stroke) if theme == "light" else dark(look)
        yield f"--f-{name}:{fill};--s-{name}:{stroke}"


def _theme(theme: str, selector: str) -> str:
    """All colours of a theme, set on what ``selector`` names."""
    tones = (f"--{name}:{pair[0 if theme == 'light' else 1]}" for name, pair in _TONES.items())
    return f"{selector}{{color-scheme:{theme};{';'.join(tones)};{';'.join(_looks(theme))}}}"


def _rules() -> str:
    """How the drawing uses the colours."""
    looks = "".join(
        f".a-{name} .shape{{fill:var(--f-{name});stroke:var(--s-{name})}}"
        f".a-{name} .inner{{stroke:var(--s-{name})}}.drawing .a-{name} .word{{fill:var(--s-{name})}}\n"
        for name in LOOKS
    )
    closed = ".closed .shape{fill:var(--f-entry);stroke:var(--s-entry)}\n"
    return looks + closed + _RULES


def svg_css() -> str:
    """The style within an SVG that stands alone: it follows the reader's preference."""
    dark_theme = _theme("dark", "svg.drawing")
    return f"{_theme('light', 'svg.drawing')}\n{_rules()}\n@media (prefers-color-scheme:dark){{{dark_theme}}}"


def page_css() -> str:
    """The colours of the page and of the drawing in it: the reader's preference, unless a theme was chosen."""
    media = f"@media (prefers-color-scheme:dark){{{_theme('dark', ':root:not([data-theme=light])')}}}"
    return f"{_theme('light', ':root')}\n{media}\n{_theme('dark', ':root[data-theme=dark]')}\n{_rules()}\n"
