"""Which stored conversations are in a folder, and which of them would not survive an edit of their program?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from autograph.check import Checked
from autograph.check.against import Edit
from autograph.cli.saved import read_conversation
from autograph.errors import Location, Problem, StorageError
from autograph.problems import problem
from autograph.program import Program

__all__ = ["stored_conversations"]


def stored_conversations(place: Path, old: Program, new: Program) -> dict[str, Checked]:
    """The findings by file, for a folder (and those inside it) or a single file. Raises ``click.UsageError``."""
    files = sorted(place.rglob("*.json")) if place.is_dir() else [place]
    if not files:
        raise click.UsageError(f"--conversations: there is no .json file in {place}.")
    edit = Edit(old, new)
    return {str(file): Checked(tuple(_looked_at(file, edit))) for file in files}


def _looked_at(file: Path, edit: Edit) -> Iterator[Problem]:
    try:
        memory = read_conversation(file).memory
    except StorageError as error:
        yield problem("bad-conversation", error.message, Location(str(file)), "Give only stored conversations.")
        return
    yield from edit.lost(memory, str(file))
