"""Which exit code means what?"""

from __future__ import annotations

from autograph.errors import AutographError, ModelError, ProgramError

__all__ = ["BAD_PROGRAM", "FOUND", "GOOD", "INTERRUPTED", "RUN_ERROR", "UNREACHABLE", "USAGE", "exit_code"]

GOOD = 0
FOUND = 1
"""A check or a test found something."""
USAGE = 2
BAD_PROGRAM = 65
UNREACHABLE = 69
"""The model could not be asked."""
RUN_ERROR = 70
INTERRUPTED = 130


def exit_code(error: AutographError) -> int:
    """The exit code of a command that ended with this error."""
    if isinstance(error, ProgramError):
        return BAD_PROGRAM
    if isinstance(error, ModelError):
        return UNREACHABLE
    return RUN_ERROR
