"""Which task is in a folder? ``task.yaml`` says what it is called, its tags, and which files have its dialogues.

Such a folder holds data only: no Python in it is ever run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Any

from autograph.errors import Location, Problem, ProgramError, did_you_mean
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.datatypes import FOLDS, Datatype
from autograph.evaluation.parlai.task_spec import flag_value
from autograph.evaluation.parlai.tasks.files import FORMATS, dialogues_in, format_of
from autograph.evaluation.parlai.tasks.task import Opt, Task, TeacherFactory, fixed_teacher, refusal
from autograph.evaluation.parlai.teachers import Teacher
from autograph.tables.decode import decode
from autograph.tables.tree import Entries, Tree, parse_tree, plain

__all__ = ["TASK_FILE", "folder_task", "is_task_folder"]

TASK_FILE = "task.yaml"
_FIELDS = ("name", "description", "tags", "format", "files", "options", "teachers")
_OWN = ("format", "files", "options")


def is_task_folder(path: Path) -> bool:
    """Whether a folder is a task."""
    return (path / TASK_FILE).is_file()


@dataclass(frozen=True, slots=True)
class _Source:
    """A ``task.yaml``: its fields, the line of each (``teachers.hard.files``), and the faults that are found."""

    path: Path
    data: dict[str, Any]
    lines: Mapping[str, int | None]
    faults: list[Fault] = dataclass_field(default_factory=list)

    def fault(self, name: str, message: str, hint: str = "") -> None:
        """Note a fault of a field; where it has no line of its own, it is that of the field around it."""
        around = name
        while around and around not in self.lines:
            around = around.rpartition(".")[0]
        self.faults.append(Fault(Location(str(self.path), line=self.lines.get(around)), f'"{name}" {message}', hint))


def folder_task(folder: Path) -> Task:
    """The task in a folder. Raises ``DataError`` with everything that is wrong in its ``task.yaml``.

    ``files`` maps ``train``, ``valid`` and ``test`` to files in the folder; ``format`` is one of the ``FORMATS``, told
    by the file where it is left out; ``options`` are those of the format. ``teachers`` maps further teachers to their
    own files, format and options.
    """
    source = _read(folder / TASK_FILE)
    data = source.data
    _check(source, data, _FIELDS, "")
    teachers: dict[str, TeacherFactory] = {}
    if data.get("files"):
        teachers["DefaultTeacher"] = _teacher(source, data, "")
    for name, entry in _mapping(source, "teachers", data.get("teachers")).items():
        where = f"teachers.{name}"
        if not isinstance(entry, dict):
            source.fault(where, "is no mapping.", "Write files: and the file names below it.")
            continue
        _check(source, entry, _OWN, f"{where}.")
        inherited = {"format": data.get("format"), "options": data.get("options") or {}, **entry}
        made = _teacher(source, inherited, f"{where}.")
        teachers["".join(word[:1].upper() + word[1:] for word in name.split("_")) + "Teacher"] = made
        teachers.setdefault("DefaultTeacher", made)
    if not teachers and not source.faults:
        source.fault("files", "is missing.", "Write files: {train: train.txt, valid: valid.txt}.")
    if source.faults:
        raise DataError(source.faults)
    tags = data.get("tags") or []
    told = (tags,) if isinstance(tags, str) else tuple(map(str, tags))
    return Task(str(data.get("name") or folder.resolve().name), teachers, told, str(data.get("description") or ""))


def _read(path: Path) -> _Source:
    problems: list[Problem] = []
    try:
        tree = parse_tree(decode(path.read_bytes(), str(path), problems), str(path), problems, json=False)
    except OSError as error:
        raise refusal(f"the file cannot be read: {error.strerror or error}.", where=Location(str(path))) from error
    except ProgramError as error:
        raise DataError(Fault(found.location, found.message, found.hint) for found in error.problems) from error
    if wrong := [found for found in problems if found.severity == "error"]:
        raise DataError(Fault(found.location, found.message, found.hint) for found in wrong)
    data = plain(tree)
    if not isinstance(data, dict):
        raise refusal("the file holds no mapping.", "Write name:, tags: and files:.", Location(str(path)))
    return _Source(path, data, dict(_lines(tree, "")))


def _lines(tree: Tree, inside: str) -> Iterator[tuple[str, int | None]]:
    """The line of each field, by its path."""
    if isinstance(tree, Entries):
        for key, value in tree.entries:
            yield f"{inside}{key.text}", key.line
            yield from _lines(value, f"{inside}{key.text}.")


def _mapping(source: _Source, name: str, value: Any) -> dict[str, Any]:
    if value and not isinstance(value, dict):
        source.fault(name, "is no mapping.", "Write name: value.")
    return value if isinstance(value, dict) else {}


def _check(source: _Source, data: Mapping[str, Any], known: tuple[str, ...], inside: str) -> None:
    """Note unknown fields, an unknown format, and options that are no mapping."""
    for name in data:
        if name not in known:
            hint = did_you_mean(name, known) or f"The fields are {', '.join(known)}."
            source.fault(inside + name, "is no field of a task.", hint)
    form = data.get("format")
    if form is not None and form not in FORMATS:
        hint = did_you_mean(str(form), FORMATS) or f"It is one of {', '.join(FORMATS)}."
        source.fault(f"{inside}format", f'is "{form}".', hint)
    _mapping(source, f"{inside}options", data.get("options"))


def _teacher(source: _Source, data: Mapping[str, Any], inside: str) -> Callable[[Opt], Teacher]:
    """What makes a teacher of the files that are named in ``data``."""
    files, folder = _files(source, data.get("files"), f"{inside}files"), source.path.parent
    options: dict[str, Any] = data["options"] if isinstance(data.get("options"), dict) else {}

    def make(opt: Opt) -> Teacher:
        fold = Datatype(opt.get("datatype", "train")).fold
        if fold not in files:
            hint = f"It has {', '.join(files)}: choose with -dt, or name a file in {source.path}."
            raise refusal(f'the task "{opt["task"]}" has no data for "{fold}".', hint)
        file = folder / files[fold]
        own = {name: flag_value(text) if isinstance(text, str) else text for name, text in options.items()}
        told = {**own, **{name: value for name, value in opt.items() if value is not None}}
        return fixed_teacher(dialogues_in(file, data.get("format") or format_of(file), told), opt)

    return make


def _files(source: _Source, value: Any, name: str) -> dict[str, str]:
    """The file of each part of the data; one file alone is that of all parts."""
    files = dict.fromkeys(FOLDS, value) if isinstance(value, str) and value else value
    if not isinstance(files, dict) or not files:
        source.fault(name, "names no file.", "Write {train: train.txt, valid: valid.txt}.")
        return {}
    folder = source.path.parent.resolve()
    for fold, file in files.items():
        if fold not in FOLDS:
            hint = did_you_mean(fold, FOLDS) or f"They are {', '.join(FOLDS)}."
            source.fault(f"{name}.{fold}", "is no part of the data.", hint)
        elif not isinstance(file, str) or not (folder / file).resolve().is_relative_to(folder):
            source.fault(f"{name}.{fold}", f'is "{file}", outside of the folder.', "Put the file in it.")
    return files
