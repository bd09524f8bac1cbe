"""What is a task? A name, tags, and what makes its teachers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph.errors import AutographError, Location, did_you_mean
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.task_spec import TaskItem
from autograph.evaluation.parlai.teachers import FixedDialogTeacher, Teacher

__all__ = ["Opt", "Task", "TeacherFactory", "fixed_teacher", "refusal"]

Opt = Mapping[str, Any]
"""The options that a teacher is made with: ``task`` (its id), ``datatype``, ``seed``, ``batchsize``, ``hide_labels``,
``tokenize``, ``metrics``, ``datapath``, those of the task, and whatever else was given."""

TeacherFactory = Callable[[Opt], Teacher | Sequence[Teacher]]
_PASSED_ON = ("seed", "batchsize", "hide_labels", "tokenize", "metrics")


@dataclass(frozen=True, slots=True)
class Task:
    """A task. ``teachers`` maps the name of a class, ``DefaultTeacher`` among them, to what makes a teacher or several.

    ``build(folder)`` writes the data to a folder below the one given, and returns it. ``worlds`` maps the name of a
    class, like ``DefaultWorld``, to a world of the task's own. ``needs`` says which option the task cannot do without.
    """

    name: str
    teachers: Mapping[str, TeacherFactory]
    tags: tuple[str, ...] = ()
    description: str = ""
    build: Callable[[Path], Path] | None = None
    worlds: Mapping[str, Any] | None = None
    needs: str = ""

    def make(self, item: TaskItem, opt: Opt) -> tuple[Teacher, ...]:
        """The teachers of the task as it was named. Raises ``DataError`` if there is no such teacher."""
        factory = self.teachers.get(item.teacher_class)
        if factory is None:
            folded = {name.lower(): name for name in self.teachers}
            factory = self.teachers.get(folded.get(item.teacher_class.lower(), ""))
        if factory is None:
            known = [name.removesuffix("Teacher").lower() for name in self.teachers if name != "DefaultTeacher"]
            hint = did_you_mean(item.teacher, known) or f"It has {', '.join(known) or 'none but the usual one'}."
            raise refusal(f'the task "{self.name}" has no teacher "{item.teacher}".', hint)
        made = self._made(factory, item, {**opt, **item.flags, "task": item.id})
        return (made,) if isinstance(made, Teacher) else tuple(made)

    def _made(self, factory: TeacherFactory, item: TaskItem, opt: Opt) -> Teacher | Sequence[Teacher]:
        """What a factory makes, which may be anybody's code."""
        try:
            return factory(opt)
        except (AutographError, ValueError):
            raise
        except Exception as error:
            told = f"{type(error).__name__}: {error}".removesuffix(": ")
            raise refusal(f'the task "{item.id}": {item.teacher_class} cannot be made ({told}).') from error


def fixed_teacher(
    episodes: Sequence[Sequence[Message]], opt: Opt, id: str = "", *, stream_ends: bool = False
) -> FixedDialogTeacher:
    """A teacher over dialogues, with the options that all teachers have."""
    given = {name: opt[name] for name in _PASSED_ON if opt.get(name) is not None}
    name, datatype = id or opt["task"], opt.get("datatype", "train")
    return FixedDialogTeacher(episodes, id=name, datatype=datatype, stream_ends=stream_ends, **given)


def refusal(message: str, hint: str = "", where: Location = Location()) -> DataError:
    """A ``DataError`` of one fault, to be raised."""
    return DataError([Fault(where, message, hint)])
