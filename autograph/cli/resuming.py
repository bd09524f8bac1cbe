"""With which options does a run go on? Those it was begun with, unless they are given again."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from autograph.cli.simulate import SimulateOptions

__all__ = ["completed", "kept_options", "resume_command"]

_KEPT = (
    "n", "personas", "user", "user_model", "model", "classifier", "seed", "max_turns", "stuck_after", "repeat",
    "success", "price", "record", "recording", "compare", "variables", "config", "hosts", "allow", "untrusted",
)  # fmt: skip
"""The options that a manifest keeps; the others say how quickly, and what is shown."""


def kept_options(options: SimulateOptions) -> dict[str, Any]:
    """What a manifest keeps of the options, as JSON data."""
    found = {name: getattr(options, name) for name in _KEPT}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def completed(options: SimulateOptions, given: Collection[str]) -> SimulateOptions:
    """The options of a run, those of the run that is resumed filled in. ``given`` are the names of those written out.

    Raises ``click.UsageError`` for options that do not go together, or if there is nothing to resume.
    """
    if options.resume is None:
        return options
    from autograph.simulation.folder import FolderError, read_manifest

    if options.out is not None:
        raise click.UsageError("--out names a new folder and --resume one to go on with; give one of them.")
    try:
        saved = read_manifest(Path(options.resume)).command
    except FolderError as error:
        raise click.UsageError(str(error)) from None
    filled: dict[str, Any] = {name: value for name, value in saved.items() if name in _KEPT and name not in given}
    plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in filled.items()}
    return replace(options, **plain)


_PLAIN = re.compile(r"[^\s<>&|;()'\"$*?]+")
"""What needs no quotes on a command line."""

_ASKED_FOR = ("rate", "budget", "fail_if", "html")
"""Options that a manifest does not keep, and that the run which goes on should not lack: its limits, what it is for."""


def resume_command(options: SimulateOptions, folder: Path) -> str:
    """The command that goes on with the run in ``folder``."""
    parts = ["autograph", "simulate", options.program, "--resume", str(folder)]
    for name in _ASKED_FOR:
        value = getattr(options, name)
        if value is not None:
            parts += [f"--{name.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    return " ".join(part if _PLAIN.fullmatch(part) else f'"{part}"' for part in parts)
