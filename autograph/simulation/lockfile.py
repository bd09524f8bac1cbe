"""Is somebody else at work here? A lock that the system lets go of when its process ends, however it ends."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

__all__ = ["FolderLock", "LockedError"]


class LockedError(OSError):
    """Another process holds the lock."""


class FolderLock:
    """Holds the file ``path`` locked while the block runs. Raises ``LockedError`` if another process holds it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def __enter__(self) -> FolderLock:
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            raise LockedError(f"{self._path} is locked") from error
        self._handle = handle
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _lock(handle: int) -> None:
    """Lock the file without waiting. Raises ``OSError`` if it is locked."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
