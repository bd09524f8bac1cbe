"""What can be asked for with ``autograph eval export`` and ``import``? Conversations go to other systems and back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

__all__ = ["ExportOptions", "ImportOptions", "export", "import_"]

FORMS = ("deeppavlov", "openai")

_EXPORT = """\b
Examples:
  autograph eval export talk.json --to deeppavlov -o state.json
  autograph eval export talk.json --to openai

\b
A conversation is saved with /save in autograph chat, or with its option --save.
Exit codes: 0 good, 2 usage, 65 bad program, 70 not a saved conversation.
"""

_IMPORT = """\b
Examples:
  autograph eval import state.json --from deeppavlov --program clinic.yaml -o talk.json
  autograph eval import messages.jsonl --from openai --program clinic.yaml --node complaint -o talk.json
  autograph chat clinic.yaml --load talk.json

\b
Exit codes: 0 good, 2 usage, 65 bad program, 70 not a dialog in this form, or one of another version of the program.
"""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The options of the command line, as click gives them."""

    saved: Path
    form: str
    output: Path | None
    program: str | None
    name: str | None
    user: str
    seed: str | None


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The options of the command line, as click gives them."""

    file: Path
    form: str
    output: Path
    program: str | None
    name: str | None
    node: str | None


_FILE = click.Path(dir_okay=False, path_type=Path)
_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.command("export", epilog=_EXPORT, context_settings=_SETTINGS)
@click.argument("saved", type=_FILE)
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="The form to write.")
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Where to. Without it: to stdout.")
@click.option("--program", metavar="FILE", help="The program that spoke. Without it: as the conversation says.")
@click.option("--name", metavar="NAME", help="The name of the skill. Without it: that of the program's file.")
@click.option("--user", default="user", show_default=True, metavar="NAME", help="The user's name in the dialog state.")
@click.option("--seed", metavar="TEXT", help="Make ids and dates from this, so that they are always the same.")
@click.option("--json", "as_json", is_flag=True, help="Accepted like everywhere: both forms are JSON anyway.")
@click.pass_context
def export(context: click.Context, /, as_json: bool, **options: Any) -> None:
    """Write the conversation in SAVED in the form of another system.

    deeppavlov: the dialogue state of DeepPavlov Agent, which a program can go on from elsewhere. openai: a line of
    messages, as files for fine-tuning have them.
    """
    from autograph.cli.exchange import export_conversation

    context.exit(export_conversation(ExportOptions(**options)))


@click.command("import", epilog=_IMPORT, context_settings=_SETTINGS)
@click.argument("file", type=_FILE)
@click.option("--from", "form", type=click.Choice(FORMS), required=True, help="The form of FILE.")
@click.option("-o", "--output", type=_FILE, required=True, metavar="SAVED", help="Where to write the conversation.")
@click.option("--program", metavar="FILE", help="The program that is to go on, which is then compared with the state.")
@click.option("--name", metavar="NAME", help="Which program's state is meant, if there are several.")
@click.option("--node", metavar="NODE", help="Where the conversation stands, if it was not held with a program.")
@click.option("--json", "as_json", is_flag=True, help="Accepted like everywhere; the note then stays away.")
@click.pass_context
def import_(context: click.Context, /, as_json: bool, **options: Any) -> None:
    """Make a conversation of the dialog in FILE, for autograph chat --load."""
    from autograph.cli.exchange import import_conversation

    context.exit(import_conversation(ImportOptions(**options), quiet=as_json))
