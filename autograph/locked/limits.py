"""How much may a stranger's program have? ``Limits``; the language's own limits hold besides."""

from __future__ import annotations

from dataclasses import dataclass, fields

from autograph.errors import RunError

__all__ = ["Limits"]

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program that is not trusted may use; given as ``trust=Limits(…)``.

    ``memory_mb``: memory of a worker beyond what it has before it sees the program. ``seconds``: computing
    between two answers of the outer world (a model's, an asynchronous function's); time that models and host
    functions take does not count. ``requests``: requests to models, and asynchronous calls, in a turn.
    ``calls``: calls of other host functions in a turn. ``frame_mb``: size of a message between the two sides,
    so also of a conversation with all its values. ``workers``: processes for one program; further turns wait.
    ``idle_seconds``: a worker that had nothing to do for so long is ended, and begun anew when it is needed.
    ``cpu_seconds``: CPU time after which the system ends a worker, whatever it does; None: no such limit.

    Raises ``RunError`` for a limit that is not positive.
    """

    memory_mb: int = 256
    seconds: float = 10.0
    requests: int = 1_000
    calls: int = 100_000
    frame_mb: int = 8
    workers: int = 2
    idle_seconds: float = 300.0
    cpu_seconds: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and not value > 0:
                raise RunError(f"the limit {field.name} must be a positive number, not {value!r}")

    @property
    def frame_bytes(self) -> int:
        """Most bytes of one message."""
        return self.frame_mb * MEGABYTE
