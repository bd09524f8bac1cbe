"""Tasks by their names: files and folders of dialogues, installed packages, and those that ship here."""

from autograph.evaluation.parlai.tasks.registry import known_tasks, teacher_for, teachers_for
from autograph.evaluation.parlai.tasks.task import Task

__all__ = ["Task", "known_tasks", "teacher_for", "teachers_for"]
