"""Where do typed lines come from? The protocol of readers, the plain one, and the file of past lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Protocol

__all__ = ["PROMPT", "Complete", "PlainReader", "Reader", "history_file"]

PROMPT = "you › "

Complete = Callable[[str], tuple[str, list[str]]]
"""From the line so far to the part that is completed and what may stand in its place."""

_KEPT_LINES = 1_000


class Reader(Protocol):
    """Reads what the user types."""

    def read(self, label: str = PROMPT) -> str:
        """The next line, asked for with ``label``. Raises ``EOFError`` (Ctrl-D) and ``KeyboardInterrupt`` (Ctrl-C)."""

    def close(self) -> None:
        """Keep the lines typed for the next time."""


def history_file() -> Path | None:
    """The file that keeps what was typed, readable by its owner only; None where none can be written."""
    if os.name == "nt":
        root = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        root = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = root / "autograph" / "chat_history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        return None  # a read-only home: past lines are then not kept
    return file


class PlainReader:
    """``input()``, with line editing, history and completion where Python has ``readline``."""

    def __init__(self, complete: Complete, *, coloured: bool) -> None:
        self._readline = _readline()
        self._coloured = coloured and self._readline is not None
        self._file = history_file() if self._readline else None
        if self._readline is not None:
            self._set_up(self._readline, complete)

    def _set_up(self, readline: ModuleType, complete: Complete) -> None:
        def candidate(_: str, state: int) -> str | None:
            # The word under the cursor is the whole line, since there are no delimiters.
            line = readline.get_line_buffer()
            part, words = complete(line)
            return line[: len(line) - len(part)] + words[state] if state < len(words) else None

        readline.set_completer(candidate)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")
        readline.set_history_length(_KEPT_LINES)
        if self._file is not None:
            with suppress(OSError):  # nothing was kept yet
                readline.read_history_file(self._file.with_suffix(".plain"))

    def read(self, label: str = PROMPT) -> str:
        """The next line."""
        sys.stdout.flush()
        colour = 36 if label == PROMPT else 33
        return input(f"\001\x1b[{colour}m\002{label.rstrip()}\001\x1b[0m\002 " if self._coloured else label)

    def close(self) -> None:
        """Write the lines typed to the history file."""
        if self._readline is not None and self._file is not None:
            with suppress(OSError):  # the home became read-only: past lines are then not kept
                self._readline.write_history_file(self._file.with_suffix(".plain"))


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None  # Windows
    return readline
