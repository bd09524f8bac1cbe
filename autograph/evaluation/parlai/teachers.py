"""Who asks the questions and knows the answers? Teachers: over fixed dialogues, and over several tasks."""

from autograph.evaluation.parlai.fixed_teacher import FixedDialogTeacher
from autograph.evaluation.parlai.multi_teacher import MultiTaskTeacher
from autograph.evaluation.parlai.teacher import Teacher

__all__ = ["FixedDialogTeacher", "MultiTaskTeacher", "Teacher"]
