"""How does one process at a time write to a file? It is locked, and the others wait."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["alone"]


@contextmanager
def alone(path: Path) -> Iterator[IO[bytes]]:
    """The file, open for appending, while other processes wait."""
    while True:
        with path.open("a+b", buffering=0) as file:
            _lock(file)
            try:
                if _is_at(file, path):  # else it was replaced while we waited
                    yield file
                    return
            finally:
                _unlock(file)


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.fstat(file.fileno()).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    _FAR = 1 << 40  # a byte that no file has: what is locked cannot be read by others

    def _lock(file: IO[bytes]) -> None:
        import msvcrt

        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)

    def _unlock(file: IO[bytes]) -> None:
        import msvcrt

        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _lock(file: IO[bytes]) -> None:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX)

    def _unlock(file: IO[bytes]) -> None:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_UN)
