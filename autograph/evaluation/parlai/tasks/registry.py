"""Which task does a name mean, and who are its teachers? Shipped tasks, files, folders, packages, and tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from autograph.errors import did_you_mean
from autograph.evaluation.parlai.datatypes import Datatype
from autograph.evaluation.parlai.task_spec import TaskItem, parse_item, split_tasks, tag_key
from autograph.evaluation.parlai.tasks.files import dialogues_in, file_tasks, format_of
from autograph.evaluation.parlai.tasks.folder import TASK_FILE, folder_task, is_task_folder
from autograph.evaluation.parlai.tasks.packages import installed, load_entry, module_task
from autograph.evaluation.parlai.tasks.task import Opt, Task, fixed_teacher, refusal
from autograph.evaluation.parlai.teachers import MultiTaskTeacher, Teacher

__all__ = ["expand_tags", "find_task", "known_tasks", "teacher_for", "teachers_for"]

_ALL = "all"
_NO_OPTIONS: Mapping[str, Any] = {}


def teachers_for(
    spec: str,
    *,
    datatype: str = "train",
    options: Mapping[str, Any] = _NO_OPTIONS,
    folders: Sequence[Path] = (),
) -> tuple[Teacher, ...]:
    """The teachers of the tasks that ``spec`` names: names, paths and ``#tags`` with commas between them.

    ``options``: see ``Opt``; flags in the spec win over them. ``folders`` hold folders of tasks. Raises ``DataError``
    for unknown names and bad files, ``ValueError`` for an unknown datatype.
    """
    Datatype(datatype)
    opt = {**options, "datatype": datatype}
    found: list[Teacher] = []
    for text in expand_tags(split_tasks(spec), folders):
        item = _whole_path(parse_item(text))
        if "datatype" in item.flags:
            Datatype(str(item.flags["datatype"]))
        found.extend(find_task(item, folders).make(item, opt))
    if not found:
        names = ", ".join(task.name for task in _shipped())
        raise refusal("no task is named.", f"Name one with -t, for instance one of {names}.")
    return tuple(found)


def teacher_for(
    spec: str,
    *,
    datatype: str = "train",
    options: Mapping[str, Any] = _NO_OPTIONS,
    folders: Sequence[Path] = (),
    weights: Sequence[float] | Literal["stochastic"] = (1,),
    micro_average: bool = False,
) -> Teacher:
    """One teacher for all that ``spec`` names: the task's own, or a ``MultiTaskTeacher``. See ``teachers_for``."""
    found = teachers_for(spec, datatype=datatype, options=options, folders=folders)
    if len(found) == 1:
        return found[0]
    seed = options.get("seed")
    try:
        return MultiTaskTeacher(
            found, id=spec, datatype=datatype, weights=weights, seed=seed, micro_average=micro_average
        )
    except ValueError as error:
        raise refusal(str(error)) from error


def expand_tags(items: Iterable[str], folders: Sequence[Path] = ()) -> list[str]:
    """The items, ``#tag`` replaced by the tasks that have it, ``#name`` by the task. Raises ``DataError``."""
    found: list[str] = []
    for item in items:
        found.extend(_tagged(item[1:], folders) if item.startswith("#") else [item])
    return found


def _tagged(tag: str, folders: Sequence[Path]) -> list[str]:
    tasks, key = known_tasks(folders), tag_key(tag)
    if named := [task.name for task in tasks if tag_key(task.name) == key]:
        return named[:1]
    if key == _ALL:
        return [task.name for task in tasks if not task.needs]
    if having := [task.name for task in tasks if key in map(tag_key, task.tags)]:
        return having
    tags = [f"#{name}" for name in sorted({tag_key(name) for task in tasks for name in task.tags} | {_ALL})]
    hint = did_you_mean(f"#{key}", tags) or f"There are {', '.join(tags)}."
    raise refusal(f'there is no tag or task "#{tag}".', hint)


def known_tasks(folders: Sequence[Path] = ()) -> tuple[Task, ...]:
    """All tasks that have a name: shipped, in the folders, and installed. Raises ``DataError`` for a bad one."""
    found = {task.name: task for task in (*_shipped(), *file_tasks())}
    for folder in folders:
        for path in sorted(folder.glob(f"*/{TASK_FILE}")):
            task = folder_task(path.parent)
            found.setdefault(task.name, task)
    for name, entry in installed().items():
        if name not in found:
            found[name] = load_entry(entry)
    return tuple(found.values())


def _shipped() -> tuple[Task, ...]:
    from autograph.evaluation.parlai.tasks import booking, cloze, questions, smalltalk, stories

    return tuple(module.TASK for module in (stories, questions, booking, smalltalk, cloze))


def find_task(item: TaskItem, folders: Sequence[Path] = ()) -> Task:
    """The task that an item names: a path, a module with dots, or a name. Raises ``DataError``."""
    name, path = item.name, Path(item.name)
    named_as_path = "/" in name or "\\" in name
    if path.is_file() and (path.suffix or named_as_path):
        return _file_task(path)
    if path.is_dir() and (named_as_path or is_task_folder(path)):
        return _folder(path)
    if named_as_path:
        raise refusal(f'there is no file or folder "{name}".', _neighbour(Path(name)))
    if "." in name and Path(name).suffix.lower() not in (".txt", ".csv", ".tsv", ".jsonl", ".xlsx"):
        return module_task(name)
    return _named(name, folders)


def _named(name: str, folders: Sequence[Path]) -> Task:
    known = {task.name.lower(): task for task in (*_shipped(), *file_tasks())}
    for folder in folders:
        for path in sorted(folder.glob(f"*/{TASK_FILE}")):
            task = folder_task(path.parent)
            known.setdefault(task.name.lower(), task)
    entries = {entry.lower(): found for entry, found in installed().items()}
    key = name.lower()
    if key in known:
        return known[key]
    if key in entries:
        return load_entry(entries[key])
    if Path(name).is_dir():
        return _folder(Path(name))
    names = sorted({*known, *entries})
    hint = did_you_mean(name, names) or _neighbour(Path(name)) or f"There are {', '.join(names)}, and files by path."
    raise refusal(f'there is no task "{name}".', hint)


def _neighbour(path: Path) -> str:
    if not path.parent.is_dir():
        return ""
    return did_you_mean(path.name, [other.name for other in path.parent.iterdir()])


def _folder(path: Path) -> Task:
    if is_task_folder(path):
        return folder_task(path)
    hint = f"Write {TASK_FILE} with files: {{train: …, valid: …}}."
    if (path / "agents.py").is_file():
        hint = (
            "Python in a folder is not run: install it as a package with an entry point in autograph.tasks, "
            "or name its module in full, pkg.mod.agents:Class."
        )
    raise refusal(f'the folder "{path}" has no {TASK_FILE}.', hint)


def _file_task(path: Path) -> Task:
    """The task of a file that is named by its path."""

    def make(opt: Opt) -> Teacher:
        return fixed_teacher(dialogues_in(path, str(opt.get("format") or format_of(path)), opt), opt)

    return Task(str(path), {"DefaultTeacher": make})


def _whole_path(item: TaskItem) -> TaskItem:
    """The item with a path as its name, where the whole is one: a colon in it begins no teacher."""
    path = Path(item.id)
    is_file = path.is_file() and (path.suffix or len(path.parts) > 1)
    return replace(item, name=item.id, teacher="", arguments=()) if is_file or is_task_folder(path) else item
