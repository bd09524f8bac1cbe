"""Which recordings does a run use, and does it ask for what they lack?"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal

from autograph.errors import ModelError
from autograph.models.recordings_file import RecordingFile

if TYPE_CHECKING:
    from autograph.models.base import Model
    from autograph.models.recorded import RecordedModel

__all__ = ["MODES", "Mode", "Notify", "Recordings"]

Mode = Literal["none", "new", "all"]

MODES: tuple[Mode, ...] = ("none", "new", "all")
"""Never ask, ask for what is not recorded, or ask for everything anew."""

Notify = Callable[[str], None]
"""Is told, in a line, what is worth knowing."""


class Recordings:
    """The recordings of one run, each file read once; threads may share them.

    ``mode`` as of ``RecordedModel``. At the end of the run comes ``close``. Raises ``ModelError`` for another mode.
    """

    def __init__(self, mode: Mode = "none", notify: Notify | None = None) -> None:
        if mode not in MODES:
            raise ModelError(f'A recording has the mode "none", "new" or "all", not {mode!r}.')
        self.mode = mode
        self.notify = notify or _to_stderr
        self._files: dict[str, RecordingFile] = {}
        self._lock = Lock()

    def file(self, path: str | os.PathLike[str]) -> RecordingFile:
        """The file at ``path``. Raises ``ModelError`` if it cannot be read, or holds something else."""
        place = os.path.abspath(path)
        with self._lock:
            found = self._files.get(place)
            if found is None:
                asks = self.mode != "none"
                found = RecordingFile(Path(path), anew=self.mode == "all", may_be_absent=asks, notify=self.notify)
                self._files[place] = found
        return found

    def model(self, path: str | os.PathLike[str], live: Callable[[], tuple[Model, Model]]) -> RecordedModel:
        """The model that plays ``path`` back. ``live`` gives chatbot and classifier; it is called only to record.

        Raises ``ModelError``.
        """
        from autograph.models.recorded import RecordedModel

        chatbot, classifier = live() if self.mode != "none" else (None, None)
        return RecordedModel(path, chatbot, self.mode, classifier=classifier, within=self)

    def close(self, *, prune: bool = False) -> None:
        """End the run. ``prune``: with the mode ``all``, drop what was not asked again.

        Only for a run that has asked everything, and has come to its end.
        """
        if prune and self.mode == "all":
            for file in self._files.values():
                file.prune()


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)
