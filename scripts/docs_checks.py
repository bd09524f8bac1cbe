"""How are the codes of ``autograph check`` listed in ``docs/checks.md``? From the texts behind ``--explain``."""

from __future__ import annotations

from autograph.check.explain import AREAS, Explanation, explanations

__all__ = ["check_pages"]


def check_pages() -> str:
    """All codes by area: what each means, an example, and the remedy."""
    parts = []
    for start, title in AREAS.items():
        found = [entry for entry in explanations().values() if entry.code.startswith(start)]
        parts.append("\n\n".join([f"## {title}", *map(_entry, found)]))
    return "\n\n".join(parts)


def _entry(found: Explanation) -> str:
    return "\n\n".join(
        [
            f"### {found.code} {found.kind}",
            f"*{found.severity.capitalize()}.* {found.summary} {_escaped(found.why)}",
            f"- Example: {_code(found.example)}\n- Remedy: {_escaped(found.remedy)}",
        ]
    )


def _code(text: str) -> str:
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}"


def _escaped(text: str) -> str:
    """Prose in which Markdown finds no marks that were not meant."""
    for sign in ("\\", "*", "_", "<", "`"):
        text = text.replace(sign, f"\\{sign}")
    return text
