"""Which nodes does a program go round in? The cycle at the end of a path."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["cycle_text"]

LONGEST = 40


def cycle_text(path: Sequence[str]) -> str:
    """The shortest sequence of names that repeats at the end of ``path``, as one line."""
    tail = list(path[-2 * LONGEST :])
    for length in range(1, len(tail) // 2 + 1):
        if tail[-length:] == tail[-2 * length : -length]:
            cycle = tail[-length:]
            return " → ".join([*cycle, cycle[0]])
    return " → ".join(dict.fromkeys(tail))
