"""Which parts of the documentation are generated? Rewrites them, or with ``--check`` says whether they are stale.

    python scripts/docs.py            rewrite the parts between the markers
    python scripts/docs.py --check    exit 1 if a part is stale

A part stands between ``<!-- actions -->`` and ``<!-- /actions -->``. What it holds comes from the tables in
``autograph/vocabulary.py``, from ``autograph/config.py`` and from what ``scripts/docs_tables.py`` reads, so that the
documents say what the program does. The files in ``docs/schema`` are generated as a whole.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path

from autograph.config import DEFAULT_BUILT_INS, AutographConfig
from autograph.dialogue.state_shape import state_schema_text
from autograph.program.schema import schema_text
from autograph.testing.schema import tests_schema_text
from autograph.vocabulary import ACTIONS, ALIASES, FIELDS, Action, Field

sys.path.insert(0, str(Path(__file__).parent))  # also where this file is loaded by its path
from docs_checks import check_pages
from docs_tables import default_text, error_tree, event_table, problem_tables, settings_explained, table

DOCS = Path(__file__).parent.parent / "docs"
SCHEMAS: Mapping[Path, Callable[[], str]] = {
    DOCS / "schema" / "program.schema.json": schema_text,
    DOCS / "schema" / "chat-tests.schema.json": tests_schema_text,
    DOCS / "schema" / "dialogue-state.schema.json": state_schema_text,
}

_INSTRUCTION = {
    "model": "an instruction to the model",
    "text": "the text itself",
    "statement": "a Python statement",
    "call": "`[x =] f(…)`",
    "ignored": "none",
}
_KIND = {
    "name": "a name",
    "text": "text",
    "template": "text with `$variables`",
    "statement": "a Python expression",
    "list": "a list",
    "nodes": "a list of nodes",
    "number": "a number",
    "numbers": "a list of numbers",
    "word": "a word",
    "ignored": "–",
}
_NOT_FOR_SHEETS = frozenset({"python_modules"})


def actions() -> str:
    """The table of actions."""
    header = ("action", "what the node does", "its instruction is", "takes the user's text", "speaks")
    return table(header, map(_action, ACTIONS.values()))


def _action(action: Action) -> tuple[str, ...]:
    names = [action.name, *(short for short, name in ALIASES.items() if name == action.name)]
    return (
        " or ".join(f"`{name}`" for name in names),
        action.summary,
        _INSTRUCTION[action.instruction],
        "yes" if action.consumes else "no",
        "yes" if action.speaks else "no",
    )


def field_table() -> str:
    """The table of fields, the ignored ones left out."""
    return table(("field", "its cell is", "meaning"), (_field(f) for f in FIELDS.values() if f.kind != "ignored"))


def _field(field: Field) -> tuple[str, ...]:
    name = f"`{field.name}_a` … `_z`" if field.lettered else f"`{field.name}`"
    return (f"{name} (YAML: `{field.plural}`)" if field.plural else name, _KIND[field.kind], field.summary)


def built_ins() -> str:
    """The names of the builtins, several on a line."""
    return ", ".join(f"`{name}`" for name in DEFAULT_BUILT_INS) + "."


def settings() -> str:
    """The table of settings with their defaults."""
    config = AutographConfig()
    names = [f.name for f in fields(AutographConfig) if f.name not in _NOT_FOR_SHEETS]
    return table(("setting", "default"), ((f"`{name}`", default_text(getattr(config, name))) for name in names))


PARTS: Mapping[str, Callable[[], str]] = {
    "actions": actions,
    "fields": field_table,
    "builtins": built_ins,
    "settings": settings,
    "settings-explained": settings_explained,
    "problems": problem_tables,
    "checks": check_pages,
    "errors": error_tree,
    "events": event_table,
}


def refreshed(text: str) -> str:
    """``text`` with all generated parts made anew."""
    for name, make in PARTS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        part = make()
        text = pattern.sub(lambda found, part=part: f"{found[1]}\n{part}\n\n{found[2]}", text)  # type: ignore[misc]
    return text


def fresh(path: Path) -> str:
    """What a file should say."""
    return SCHEMAS[path]() if path in SCHEMAS else refreshed(path.read_text("utf-8"))


def stale(folder: Path = DOCS) -> list[Path]:
    """The files in which something generated is not as it should be."""
    files = [*sorted(folder.rglob("*.md")), *(SCHEMAS if folder == DOCS else [])]
    return [path for path in files if not path.exists() or fresh(path) != path.read_text("utf-8")]


def main(arguments: list[str]) -> int:
    """Rewrite the stale documents, or only name them (``--check``)."""
    if arguments not in ([], ["--check"]):
        print("usage: python scripts/docs.py [--check]", file=sys.stderr)
        return 2
    found = stale()
    for path in found:
        if arguments:
            print(f"{path.name} is stale. Run: python scripts/docs.py", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fresh(path), "utf-8")
            print(f"{path.name} was rewritten.")
    return 1 if found and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
