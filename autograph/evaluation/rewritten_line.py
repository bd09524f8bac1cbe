"""How does a terminal show what changes? On one line, which is written again and again and wiped away in the end."""

from __future__ import annotations

from typing import IO

__all__ = ["RewrittenLine"]


class RewrittenLine:
    """One line on ``stream``; nothing is written unless ``shown``."""

    def __init__(self, stream: IO[str], *, shown: bool) -> None:
        self._stream, self.shown = stream, shown
        self._width = 0

    def write(self, text: str) -> None:
        """Write it anew."""
        if self.shown:
            self._stream.write(f"\r{text}{' ' * (self._width - len(text))}")
            self._stream.flush()
            self._width = len(text)

    def close(self) -> None:
        """Wipe it away."""
        if self._width:
            self.write("")
            self._stream.write("\r")
            self._stream.flush()
