"""What is a chatbot? From rows to typed, frozen nodes."""

from autograph.program.build import build
from autograph.program.node import Group, NodeSpec, Transition
from autograph.program.program import Program

__all__ = ["Group", "NodeSpec", "Program", "Transition", "build"]
