"""Can a file be written that is wanted in the end? Asked before a long run, so that its results are not lost."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import click

__all__ = ["PICTURES", "refuse_picture", "refuse_unwritable"]

PICTURES = (".png", ".svg", ".pdf")


def refuse_unwritable(option: str, path: Path | None) -> None:
    """Raise ``click.UsageError`` if there is no folder for the file, or it is one."""
    if path is None:
        return
    if not path.absolute().parent.is_dir():
        raise click.UsageError(f"{option}: there is no folder {path.parent} to write {path.name} into.")
    if path.is_dir():
        raise click.UsageError(f"{option}: {path} is a folder. Name a file.")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise click.UsageError(f"{option}: {path} must not be written. Name a file elsewhere.")


def refuse_picture(option: str, path: Path | None) -> None:
    """As ``refuse_unwritable``, also for an ending of no picture, and without matplotlib."""
    if path is None:
        return
    if path.suffix.lower() not in PICTURES:
        raise click.UsageError(f"{option}: {path} must end in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}.")
    refuse_unwritable(option, path)
    if find_spec("matplotlib") is None:
        raise click.UsageError(f'{option} needs the package matplotlib: pip install "autograph-bots[eval]"')
