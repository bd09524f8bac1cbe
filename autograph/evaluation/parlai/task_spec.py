"""Which tasks does ``-t`` name? ``stories:where:1:size=20,#qa``: tasks with teachers, arguments and flags, and tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["TaskItem", "flag_value", "parse_item", "split_tasks", "tag_key"]


@dataclass(frozen=True, slots=True)
class TaskItem:
    """One task as it was named: ``task:teacher:argument:key=value``.

    ``id`` is the whole without the flags; ``teacher`` is ``""`` where none was named.
    """

    id: str
    name: str
    teacher: str
    arguments: tuple[str, ...]
    flags: Mapping[str, Any]

    @property
    def teacher_class(self) -> str:
        """The name of the teacher's class: ``task_10k`` is ``Task10kTeacher``, none is ``DefaultTeacher``."""
        if not self.teacher:
            return "DefaultTeacher"
        first = self.teacher[0].upper() + self.teacher[1:]
        if "." in self.name or "Teacher" in first:
            return first
        return "".join(word[0].upper() + word[1:] for word in first.split("_") if word) + "Teacher"


def split_tasks(spec: str) -> list[str]:
    """The tasks and tags of a list with commas; empty ones are left out."""
    return [item.strip() for item in spec.split(",") if item.strip()]


def parse_item(text: str) -> TaskItem:
    """One task. Flags may stand anywhere behind the name; ``;`` in a flag's value means ``:``."""
    flags: dict[str, Any] = {}
    parts: list[str] = []
    for part in text.strip().split(":"):
        key, sign, value = part.partition("=")
        if sign and parts:
            flags[key.strip().replace("-", "_")] = flag_value(value.replace(";", ":"))
        else:
            parts.append(part)
    return TaskItem(":".join(parts), parts[0], parts[1] if len(parts) > 1 else "", tuple(parts[2:]), flags)


def flag_value(text: str) -> bool | int | float | str:
    """The value of a flag: ``true`` and ``false``, a number, or the text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def tag_key(name: str) -> str:
    """A tag or the name of a task as ``#…`` compares it: in small letters, without hyphens."""
    return name.lower().replace("-", "")
