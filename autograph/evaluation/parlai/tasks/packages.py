"""Which tasks are Python? Installed packages (entry points ``autograph.tasks``), and modules named in full.

Both run code, so nothing is found by looking around: a package was installed, a module was spelt out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from autograph.errors import did_you_mean
from autograph.evaluation.parlai.tasks.task import Task, TeacherFactory, refusal
from autograph.evaluation.spelt_out import ModuleError, spelt_out

__all__ = ["GROUP", "installed", "load_entry", "module_task", "package_task"]

GROUP = "autograph.tasks"


def installed() -> dict[str, EntryPoint]:
    """The entry points by their names; nothing is loaded yet."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load_entry(entry: EntryPoint) -> Task:
    """The task of an entry point: a ``Task``, a function that returns one, or a package (see ``package_task``)."""
    try:
        found = entry.load()
    except Exception as error:
        message = f'the installed task "{entry.name}" ({entry.value}) cannot be loaded: {error}.'
        raise refusal(message, "Install it again, or uninstall it.") from error
    if isinstance(found, ModuleType):
        return package_task(entry.name, found)
    task = found() if callable(found) and not isinstance(found, Task) else found
    if not isinstance(task, Task):
        hint = "Let the entry point name a Task, a function that returns one, or a package with a module agents."
        raise refusal(f'the installed task "{entry.name}" is a {type(task).__name__}, not a task.', hint)
    return task


def package_task(name: str, package: ModuleType) -> Task:
    """The task of a package: module ``agents`` (classes ``…Teacher``, made with the options), ``build`` (a function
    ``build(folder)``) and ``worlds`` if there are any, and the texts ``TAGS`` and ``DESCRIPTION``.
    """
    agents = _part(package, "agents")
    if agents is None:
        raise refusal(f'the task "{name}" has no module {package.__name__}.agents.', "Put its teachers there.")
    build, worlds = _part(package, "build"), _part(package, "worlds")
    function: Callable[[Path], Path] | None = getattr(build, "build", build if callable(build) else None)
    return Task(
        name,
        _classes(agents, "Teacher"),
        tuple(getattr(package, "TAGS", ())),
        str(getattr(package, "DESCRIPTION", "")),
        function,
        _classes(worlds, "World") if worlds is not None else None,
    )


def _part(package: ModuleType, name: str) -> Any:
    """A module of a package, or what it has under this name; None if there is neither."""
    full = f"{package.__name__}.{name}"
    try:
        return import_module(full)
    except ModuleNotFoundError as error:
        if error.name not in (full, package.__name__):
            raise refusal(f"the module {full} cannot be imported: {error}.", "Install what it needs.") from error
        return getattr(package, name, None)


def _classes(module: Any, ending: str) -> Mapping[str, TeacherFactory]:
    own = {name: value for name, value in vars(module).items() if name.endswith(ending) and callable(value)}
    return {name: value for name, value in own.items() if getattr(value, "__module__", "") == module.__name__} or own


def module_task(name: str) -> Task:
    """The task of a module that is named in full, ``pkg.mod.agents``: its classes ``…Teacher``."""
    try:
        module = spelt_out(name)
    except ModuleError as error:
        hint = "Is it in this folder, or installed? A file or folder is named by its path."
        raise refusal(f"{error}.", hint) from error
    teachers = {n: v for n, v in vars(module).items() if isinstance(v, type) and not n.startswith("_")}
    if not teachers:
        near = did_you_mean("DefaultTeacher", vars(module))
        raise refusal(f'the module "{name}" has no teacher.', near or "Write a class DefaultTeacher in it.")
    parent, _, last = name.rpartition(".")
    worlds = _part(import_module(parent), "worlds") if parent and last == "agents" else None
    return Task(name, teachers, worlds=_classes(worlds, "World") if worlds is not None else None)
