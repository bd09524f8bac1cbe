"""Which task is in a folder? ``task.yaml`` says what it is called, its tags, and which files have its dialogues.

Such a folder holds data only: no Python in it is ever run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograph.errors import Location, Problem, ProgramError, did_you_mean
from autograph.evaluation.datatypes import FOLDS, Datatype
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.task_spec import flag_value
from autograph.evaluation.tasks.files import FORMATS, dialogues_in, format_of
from autograph.evaluation.tasks.task import Opt, Task, TeacherFactory, fixed_teacher, refusal
from autograph.evaluation.teachers import Teacher

__all__ = ["TASK_FILE", "folder_task", "is_task_folder"]

TASK_FILE = "task.yaml"
_FIELDS = ("name", "description", "tags", "format", "files", "options", "teachers")
_OWN = ("format", "files", "options")


def is_task_folder(path: Path) -> bool:
    """Whether a folder is a task."""
    return (path / TASK_FILE).is_file()


def folder_task(folder: Path) -> Task:
    """The task in a folder. Raises ``DataError`` with everything that is wrong in its ``task.yaml``.

    ``files`` maps ``train``, ``valid`` and ``test`` to files in the folder; ``format`` is one of the ``FORMATS``, told
    by the file where it is left out; ``options`` are those of the format. ``teachers`` maps further teachers to their
    own files, format and options.
    """
    path = folder / TASK_FILE
    data = _read(path)
    faults: list[Fault] = []
    _check(data, _FIELDS, path, "", faults)
    teachers: dict[str, TeacherFactory] = {}
    if data.get("files"):
        teachers["DefaultTeacher"] = _teacher(data, path, "", faults)
    own = data.get("teachers") or {}
    if not isinstance(own, dict):
        faults.append(_fault(path, "teachers", "is no mapping.", "Write teacher: {files: …}."))
        own = {}
    for name, entry in own.items():
        where = f"teachers.{name}"
        if not isinstance(entry, dict):
            faults.append(_fault(path, where, "is no mapping.", "Write files: and the file names below it."))
            continue
        _check(entry, _OWN, path, where, faults)
        inherited = {"format": data.get("format"), "options": data.get("options") or {}, **entry}
        made = _teacher(inherited, path, where, faults)
        teachers["".join(word[:1].upper() + word[1:] for word in str(name).split("_")) + "Teacher"] = made
        teachers.setdefault("DefaultTeacher", made)
    if not teachers and not faults:
        faults.append(_fault(path, "files", "is missing.", "Write files: {train: train.txt, valid: valid.txt}."))
    if faults:
        raise DataError(faults)
    tags = data.get("tags") or []
    name = str(data.get("name") or folder.resolve().name)
    told = (tags,) if isinstance(tags, str) else tuple(map(str, tags))
    return Task(name, teachers, told, str(data.get("description") or ""))


def _read(path: Path) -> dict[str, Any]:
    from autograph.tables.decode import decode
    from autograph.tables.tree import parse_tree, plain

    problems: list[Problem] = []
    try:
        data = plain(parse_tree(decode(path.read_bytes(), str(path), problems), str(path), problems, json=False))
    except OSError as error:
        raise refusal(f"the file cannot be read: {error.strerror or error}.", where=Location(str(path))) from error
    except ProgramError as error:
        problems.extend(found for found in error.problems if found not in problems)
        data = None
    if wrong := [found for found in problems if found.severity == "error"]:
        raise DataError(Fault(found.location, found.message, found.hint) for found in wrong)
    if not isinstance(data, dict):
        raise refusal("the file holds no mapping.", "Write name:, tags: and files:.", Location(str(path)))
    return data


def _fault(path: Path, field: str, message: str, hint: str = "") -> Fault:
    return Fault(Location(str(path)), f'"{field}" {message}', hint)


def _check(data: Mapping[str, Any], known: tuple[str, ...], path: Path, inside: str, faults: list[Fault]) -> None:
    for name in data:
        if name not in known:
            hint = did_you_mean(name, known) or f"The fields are {', '.join(known)}."
            faults.append(_fault(path, f"{inside}.{name}" if inside else name, "is no field of a task.", hint))
    form = data.get("format")
    if form is not None and form not in FORMATS:
        hint = did_you_mean(str(form), FORMATS) or f"It is one of {', '.join(FORMATS)}."
        faults.append(_fault(path, f"{inside}.format" if inside else "format", f'is "{form}".', hint))
    if not isinstance(data.get("options") or {}, dict):
        faults.append(
            _fault(path, f"{inside}.options" if inside else "options", "is no mapping.", "Write name: value.")
        )


def _teacher(data: Mapping[str, Any], path: Path, inside: str, faults: list[Fault]) -> Callable[[Opt], Teacher]:
    """What makes a teacher of the files that are named in ``data``."""
    files, field = data.get("files"), f"{inside}.files" if inside else "files"
    options: dict[str, Any] = data.get("options") or {}
    if isinstance(files, str):
        files = dict.fromkeys(FOLDS, files)
    if not isinstance(files, dict) or not files:
        faults.append(_fault(path, field, "names no file.", "Write {train: train.txt, valid: valid.txt}."))
        files = {}
    for fold, name in files.items():
        if fold not in FOLDS:
            hint = did_you_mean(fold, FOLDS) or f"They are {', '.join(FOLDS)}."
            faults.append(_fault(path, f"{field}.{fold}", "is no part of the data.", hint))
        elif not (path.parent / str(name)).resolve().is_relative_to(path.parent.resolve()):
            faults.append(
                _fault(path, f"{field}.{fold}", f'is "{name}", outside of the folder.', "Put the file in it.")
            )

    def make(opt: Opt) -> Teacher:
        fold = Datatype(opt.get("datatype", "train")).fold
        if fold not in files:
            hint = f"It has {', '.join(files)}: choose with -dt, or name a file in {path}."
            raise refusal(f'the task "{opt["task"]}" has no data for "{fold}".', hint)
        file = path.parent / str(files[fold])
        own = {name: flag_value(text) if isinstance(text, str) else text for name, text in options.items()}
        told = {**own, **{name: value for name, value in opt.items() if value is not None}}
        return fixed_teacher(dialogues_in(file, data.get("format") or format_of(file), told), opt)

    return make
