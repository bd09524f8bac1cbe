"""What does a conversation know? Levels, turns, trajectory, and their JSON form."""

from autograph.memory.level import UNSET, Level
from autograph.memory.memory import LastTurn, MemoryObject
from autograph.memory.turns import Turn

__all__ = ["UNSET", "LastTurn", "Level", "MemoryObject", "Turn"]
