"""What do the values of options mean? ``--config`` and ``--var``, read without guessing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from autograph.config import AutographConfig

__all__ = ["read_config", "read_hosts", "read_model", "read_variables"]

_SETTING = re.compile(r"([A-Za-z][\w -]*?)\s*=(.*)", re.DOTALL)
_VARIABLE = re.compile(r"([^=:]*?)(:?=)(.*)", re.DOTALL)


def read_config(entries: Iterable[str], seed: int | None) -> AutographConfig:
    """The configuration of ``--config`` entries, ``key=value`` or a YAML or JSON file; later ones win.

    Raises ``click.UsageError`` for a bad entry, ``ProgramError`` for what is wrong in a file.
    """
    config = AutographConfig() if seed is None else AutographConfig(seed=seed)
    for entry in reversed(list(entries)):
        match = _SETTING.fullmatch(entry)
        if match and not Path(entry).exists():
            config = _lay(config, {match[1].strip(): match[2].strip()}, {}, None)
        else:
            config = _from_file(config, entry)
    return config


def _from_file(config: AutographConfig, name: str) -> AutographConfig:
    from autograph.errors import ProgramError
    from autograph.tables.config_source import config_from_tree
    from autograph.tables.decode import decode
    from autograph.tables.tree import parse_tree

    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise click.UsageError(
            f"--config: {name} cannot be read ({error.strerror or error}). Give key=value, or a YAML or JSON file."
        ) from error
    problems: list[Any] = []
    text = decode(data, name, problems)
    if not text.strip():
        return config
    found = config_from_tree(parse_tree(text, name, problems, json=name.endswith(".json")), name, problems)
    if any(problem.severity == "error" for problem in problems):
        raise ProgramError(problems)
    return _lay(config, found.values, found.places, name)


def _lay(config: AutographConfig, values: Any, places: Any, file: str | None) -> AutographConfig:
    """``config`` over these values; what is set in it already wins."""
    from autograph.errors import ProgramError
    from autograph.program.settings import read_settings
    from autograph.tables import Origin, Rows

    rows = Rows((), Origin(file), config=values, config_places=places)
    result, problems = read_settings(rows, config)
    if problems and file is None:
        raise click.UsageError(f"--config: {problems[0].message}. {problems[0].hint}".rstrip())
    if problems:
        raise ProgramError(problems)
    return result


def read_variables(entries: Sequence[str]) -> dict[str, Any]:
    """The variables of ``--var`` entries: ``name=text``, or ``name:=JSON`` for numbers, lists and so on.

    Raises ``click.UsageError``.
    """
    variables: dict[str, Any] = {}
    for entry in entries:
        match = _VARIABLE.fullmatch(entry)
        if match is None or not match[1].strip().isidentifier():
            raise click.UsageError(f'--var: "{entry}" is no variable. Write name=text, or name:=3 for a number.')
        name, sign, text = match[1].strip(), match[2], match[3]
        try:
            variables[name] = json.loads(text) if sign == ":=" else text
        except ValueError:
            raise click.UsageError(
                f'--var: {text!r} is no JSON value. Write {name}={text} for a text, or quote it: {name}:="…".'
            ) from None
    return variables


def read_model(spec: str | None, role: str, notify: Any) -> Any:
    """The model of ``--model`` or ``--classifier``; None leaves the choice to the program.

    Raises ``click.UsageError`` for what is no model or names a file that cannot be read, ``ModelError`` for a
    model that cannot be used now.
    """
    if spec is None:
        return None
    from autograph.errors import ModelError
    from autograph.models.resolve import resolve_model

    try:
        return resolve_model(spec, role=role, notify=notify)
    except ModelError as error:
        kind, _, rest = spec.strip().partition(":")
        if kind.lower() in ("local", "auto") or (kind.lower() == "openai" and rest.strip()):
            raise
        raise click.UsageError(str(error)) from None


def read_hosts(files: Sequence[str]) -> dict[str, Any]:
    """The host functions of all ``--host`` files. Raises ``ProgramError``, ``UsageError``."""
    from pathlib import Path

    from autograph.interpreter.python_file import host_functions_of

    found: dict[str, Any] = {}
    for file in files:
        if not Path(file).is_file():
            raise click.UsageError(f"--host: there is no file {file}.")
        found.update(host_functions_of(Path(file)))
    return found
