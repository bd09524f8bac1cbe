"""What can be wrong with the data of an evaluation? ``DataError``: everything that was found, each with its address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograph.errors import AutographError, Location

__all__ = ["DataError", "Fault"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file of sayings or questions: where, what, and the remedy (or "")."""

    location: Location
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = str(self.location)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text} {self.hint}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """The fault as JSON data."""
        place = self.location
        return {
            "message": self.message,
            "hint": self.hint,
            "file": place.file,
            "sheet": place.sheet,
            "row": place.row,
            "column": place.column,
            "cell": place.cell,
            "line": place.line,
        }


class DataError(AutographError):
    """A file of sayings or questions cannot be used. ``faults`` lists all that was found."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))
