"""Which words may come next in a line that begins with a slash?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from autograph.cli.commands import COMMANDS
from autograph.cli.session import Session

__all__ = ["completions"]


def completions(session: Session, line: str) -> tuple[str, list[str]]:
    """The part of ``line`` that is completed, and what may stand in its place."""
    if not line.startswith("/") or line.startswith("//") or "\n" in line:
        return "", []
    name, blank, argument = line.partition(" ")
    if not blank:
        return name, [command for command in COMMANDS if command.startswith(name)]
    sources = _ARGUMENTS.get(name)
    if sources is None:
        return "", []
    argument = argument.lstrip()
    lowered = argument.lower()
    return argument, [word for word in sources(session, argument) if word.lower().startswith(lowered)]


def _nodes(session: Session, argument: str) -> Iterable[str]:
    return (name for name, node in session.bot.nodes.items() if not node.spec.callable)


def _all_nodes(session: Session, argument: str) -> Iterable[str]:
    return session.bot.nodes


def _variables(session: Session, argument: str) -> Iterable[str]:
    return sorted(session.memory.variables)


def _models(session: Session, argument: str) -> Iterable[str]:
    return ("auto", "offline", "openai:", "local", "local:", "scripted:", "recorded:")


def _files(session: Session, argument: str) -> Iterable[str]:
    folder = os.path.dirname(argument)
    try:
        entries = sorted(os.scandir(os.path.expanduser(folder) or "."), key=lambda entry: entry.name)
    except OSError:
        return  # no such folder: there is nothing to complete
    for entry in entries:
        if not entry.name.startswith("."):
            yield os.path.join(folder, entry.name) + (os.sep if entry.is_dir() else "")


_ARGUMENTS: Mapping[str, Callable[[Session, str], Iterable[str]]] = MappingProxyType(
    {
        "/goto": _nodes,
        "/break": _all_nodes,
        "/vars": _variables,
        "/model": _models,
        "/save": _files,
        "/load": _files,
        "/test": _files,
    }
)
