"""How do conversations go to other systems and come back? What ``autograph eval export`` and ``import`` do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from autograph.cli.eval_exchange import ExportOptions, ImportOptions
from autograph.cli.exits import GOOD
from autograph.cli.render import json_line
from autograph.cli.report import report
from autograph.cli.saved import Saved, read_conversation, write_conversation
from autograph.dialogue.messages import memory_of, messages_of, read_messages
from autograph.dialogue.state import export_state, import_state, memory_from_state
from autograph.errors import AutographError, ProgramChanged, StorageError, did_you_mean
from autograph.memory import MemoryObject
from autograph.program import Program

__all__ = ["export_conversation", "import_conversation", "read_json", "write_text"]


def read_json(path: Path) -> Any:
    """The JSON data in a file. Raises ``StorageError``."""
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path} holds no JSON: {error}") from error


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises ``click.UsageError``."""
    try:
        path.write_text(text, "utf-8", newline="\n", errors="backslashreplace")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror or error}.") from error


def _name_of(program: str | None) -> str:
    """The name of a skill: that of its file, in letters, digits and underscores."""
    stem = Path((program or "").partition("#")[0]).stem
    return re.sub(r"\W+", "_", stem).strip("_") or "autograph"


def _program(file: str) -> Program:
    """The program in a file. Raises ``ProgramError``; its conversations need no model here."""
    from autograph.interpreter.loading import load

    return load(file).program


# ---------------------------------------------------------------------- out


def export_conversation(options: ExportOptions) -> int:
    """Write a saved conversation in another form; the exit code. Raises ``click.UsageError``."""
    try:
        saved = read_conversation(options.saved)
        forms: Mapping[str, Callable[[Saved, ExportOptions], Any]] = {"deeppavlov": _state, "openai": _messages}
        text = json_line(forms[options.form](saved, options)) + "\n"
    except AutographError as error:
        return report(error)
    if options.output is None:
        click.echo(text, nl=False)
    else:
        write_text(options.output, text)
        click.echo(f"Wrote {options.output}.", err=True)
    return GOOD


def _messages(saved: Saved, options: ExportOptions) -> Any:
    return {"messages": messages_of(saved.memory, prompt=True)}


def _state(saved: Saved, options: ExportOptions) -> Any:
    known = options.program or saved.program
    readable = bool(options.program) or (Path(known.partition("#")[0]).is_file() and not known.endswith(".py"))
    if not readable:
        note = f"note: without the program{f' {known}' if known else ''}, the state has no fingerprint of it; name it "
        click.echo(f"{note}with --program, so that nobody goes on with another version.", err=True)
    fingerprint = _program(known).fingerprint if readable else ""
    name = options.name or _name_of(known)
    return export_state(saved.memory, name, fingerprint=fingerprint, user=options.user, seed=options.seed)


# ---------------------------------------------------------------------- in


def import_conversation(options: ImportOptions, *, quiet: bool = False) -> int:
    """Make a saved conversation of a dialog in another form; the exit code. Raises ``click.UsageError``."""
    try:
        program = _program(options.program) if options.program else None
        _check_node(options, program)
        memory = _from_state(options, program) if options.form == "deeppavlov" else _from_messages(options)
        write_conversation(options.output, memory, options.program or "")
    except AutographError as error:
        return report(error)
    if not quiet:
        stands = "It has ended." if memory.finished else f'It stands at "{memory.current}".'
        click.echo(f"Wrote {options.output}. {stands}", err=True)
    return GOOD


def _check_node(options: ImportOptions, program: Program | None) -> None:
    if options.node is not None and program is not None and options.node not in program.nodes:
        hint = did_you_mean(options.node, program.nodes)
        raise click.UsageError(f'--node: there is no node "{options.node}" in {options.program}. {hint}'.rstrip())


def _from_state(options: ImportOptions, program: Program | None) -> MemoryObject:
    data = read_json(options.file)
    try:
        return memory_from_state(
            import_state(data),
            options.name,
            fingerprint=program.fingerprint if program else None,
            nodes=program.nodes.keys() if program else None,
            node=options.node,
        )
    except StorageError as error:
        raise StorageError(f"{options.file}: {error.message}") from error
    except ProgramChanged as error:
        raise ProgramChanged(f"{options.file}: {error.message}, or {options.program} is another one") from error


def _from_messages(options: ImportOptions) -> MemoryObject:
    if options.node is None:
        raise click.UsageError("--node: messages do not say where the conversation stands. Name the node.")
    found = list(read_messages(options.file))
    if len(found) != 1:
        raise StorageError(f"{options.file} holds {len(found)} conversations. Give a file with one.")
    try:
        return memory_of(found[0], options.node)
    except ValueError as error:
        raise StorageError(f"{options.file}: {error}") from None
