"""How far is it? One line on a terminal that is written again and again: a bar, counts, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import IO

from autograph.evaluation.rewritten_line import RewrittenLine

__all__ = ["ProgressLine"]

_EVERY = 0.1
"""Seconds between two pictures."""

_BAR = 24


class ProgressLine:
    """The progress of ``total`` conversations, ``begun`` of them done before; it shows on a terminal only.

    ``word`` says what those are that went well.
    """

    def __init__(
        self,
        stream: IO[str],
        total: int,
        begun: int = 0,
        *,
        shown: bool,
        clock: Callable[[], float] = monotonic,
        word: str = "success",
    ) -> None:
        self._total, self._begun, self._clock, self._word = total, begun, clock, word
        self._line = RewrittenLine(stream, shown=shown and stream.isatty())
        self._start = self._last = clock()

    def update(self, kept: int, succeeded: int) -> None:
        """``kept`` conversations have ended since the start, ``succeeded`` of them well."""
        now = self._clock()
        done = self._begun + kept
        if not self._line.shown or (now - self._last < _EVERY and done < self._total):
            return
        self._last = now
        self._line.write(progress_text(done, self._total, kept, succeeded, now - self._start, self._word))

    def close(self) -> None:
        """Wipe the line away."""
        self._line.close()


def progress_text(done: int, total: int, kept: int, succeeded: int, seconds: float, word: str = "success") -> str:
    """``[######------] 120/500  92% success  0:42 left``."""
    filled = _BAR * done // total if total else _BAR
    parts = [f"[{'#' * filled}{'-' * (_BAR - filled)}] {done:,}/{total:,}"]
    if kept:
        parts.append(f"{100 * succeeded / kept:.0f}% {word}")
        left = (total - done) * seconds / kept
        parts.append(f"{int(left) // 60}:{int(left) % 60:02d} left")
    return "  ".join(parts)
