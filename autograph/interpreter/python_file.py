"""A program written in Python: a ``.py`` file that sets ``nodes``, and perhaps ``config`` and ``modules``.

    # shop.py
    def price(item: str) -> int:
        return {"tea": 3, "cake": 4}[item]

    modules = {"price": price}
    config = {"agent_name": "Mia"}
    nodes = [
        {"name": "start1", "action": "chat_exact", "instruction": "Tea: ${price('tea')} coins.", "transitions": "quit"},
    ]

Loading such a file runs it with all the rights of the user, as ``python shop.py`` would: it is never done
for a program that is not trusted.
"""

from __future__ import annotations

import runpy
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph.errors import Location, ProgramError
from autograph.language.sandbox.exposure import as_modules, mark_of
from autograph.problems import problem

__all__ = ["PythonProgram", "host_functions_of", "run_python_file"]


@dataclass(frozen=True, slots=True)
class PythonProgram:
    """What a Python file sets: ``data`` as ``read_rows`` takes it, and the host functions."""

    data: Mapping[str, Any]
    modules: Mapping[str, Any]


def run_python_file(path: Path) -> PythonProgram:
    """Run the file and take what it sets. Raises ``ProgramError`` where it fails or sets no nodes."""
    found = _run(path)
    nodes = found.get("nodes")
    if not isinstance(nodes, (list, tuple, Mapping)):
        message = "the file sets no nodes"
        hint = 'Write nodes = [{"name": "start1", "action": "chat_exact", …}, …] in it.'
        raise ProgramError([problem("no-nodes", message, Location(str(path)), hint)])
    data = {"nodes": list(nodes) if isinstance(nodes, tuple) else nodes, "config": found.get("config") or {}}
    return PythonProgram(data, as_modules(found.get("modules")))


def host_functions_of(path: Path) -> dict[str, Any]:
    """Run a file for its host functions: its ``modules``, or else all functions marked with ``host_function``.

    Raises ``ProgramError`` where it fails or has none.
    """
    found = _run(path)
    modules = as_modules(found.get("modules"))
    if not modules:
        modules = as_modules([value for value in found.values() if mark_of(value) is not None])
    if not modules:
        message = "the file has no host functions"
        hint = "Mark them with @autograph.host_function, or set modules = {…} in it."
        raise ProgramError([problem("unreadable-file", message, Location(str(path)), hint)])
    return modules


def _run(path: Path) -> dict[str, Any]:
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        return runpy.run_path(str(path), run_name="autograph_program")
    except Exception as error:
        raise _failed(path, error) from error
    finally:
        sys.path.remove(folder)


def _failed(path: Path, error: Exception) -> ProgramError:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    if isinstance(error, OSError) and not lines:
        return ProgramError([problem("unreadable-file", f"the file cannot be read: {error}", Location(str(path)))])
    message = f"running the file failed: {type(error).__name__}: {error}"
    return ProgramError([problem("unreadable-file", message, Location(str(path), line=line), "Correct it there.")])
