"""What is wrong with a file of tests, and where?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograph.errors import AutographError

__all__ = ["Fault", "SuiteError"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file of tests.

    ``line`` counts from 1 (0: the file as a whole); in a sheet it is the row, as ``unit`` says. ``hint`` is the
    remedy in one sentence, or ``""``.
    """

    message: str
    file: str
    line: int = 0
    hint: str = ""
    unit: str = "line"

    def __str__(self) -> str:
        where = f"{self.file}, {self.unit} {self.line}" if self.line else self.file
        return f"{where}: {self.message} {self.hint}".rstrip()


class SuiteError(AutographError):
    """A file of tests cannot be read. ``faults`` holds everything that was found."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))
