"""Which tables of the documentation come from the settings, the problems, the errors and the events?

``scripts/docs.py`` puts them into the documents; how a table is written is said here, too.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from dataclasses import fields

from autograph import errors
from autograph.check.explain import AREAS
from autograph.config import DEFAULT_BUILT_INS, AutographConfig
from autograph.interpreter import events
from autograph.problems import KINDS
from autograph.program.setting_kinds import MEANINGS

__all__ = ["default_text", "error_tree", "event_table", "problem_tables", "settings_explained", "table"]


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    head = [f" {cell} " for cell in header]
    lines = ["|".join(["", *head, ""]), "|" + "---|" * len(head)]
    lines.extend("|".join(["", *(f" {cell.replace('|', chr(92) + '|')} " for cell in row), ""]) for row in rows)
    return "\n".join(lines)


def default_text(value: object) -> str:
    """The default of a setting as a document shows it."""
    if value in (None, {}, ()):
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
    """All kinds of problems, in a table for each area."""
    parts = []
    for start, title in AREAS.items():
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
