"""Who asks the questions and knows the answers? Teachers: over fixed dialogues, and over several tasks."""

from autograph.evaluation.fixed_teacher import FixedDialogTeacher
from autograph.evaluation.multi_teacher import MultiTaskTeacher
from autograph.evaluation.teacher import Teacher

__all__ = ["FixedDialogTeacher", "MultiTaskTeacher", "Teacher"]
