"""Has the program's file changed? Asked before a turn and while the terminal waits; cheap."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

__all__ = ["Watch"]

_CONFIGS = (".config.yaml", ".config.yml", ".config.json")


class Watch:
    """Looks at a program's file and at the configuration beside it.

    A file counts as changed when its content is another; its time and size only tell whether to look.
    A file that is not there at the moment, as while an editor replaces it, has not changed.
    """

    def __init__(self, source: str) -> None:
        path = Path(source)
        if not path.exists() and "#" in source:
            path = Path(source.rpartition("#")[0])
        self._program = path
        self._files = (path, *(path.with_suffix(suffix) for suffix in _CONFIGS))
        self._stamp = self._stamps()
        self._content = self._digest()

    def changed(self) -> bool:
        """Whether the content is another than when this was last asked."""
        stamp = self._stamps()
        if stamp == self._stamp:
            return False
        content = self._digest()
        if content is None:
            return False
        self._stamp = stamp
        if content == self._content:
            return False
        self._content = content
        return True

    def _stamps(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(map(_stamp, self._files))

    def _digest(self) -> str | None:
        digest = sha256()
        try:
            digest.update(self._program.read_bytes())
            for file in self._files[1:]:
                if file.exists():
                    digest.update(b"\0" + file.read_bytes())
        except OSError:
            return None  # about to be replaced; it is looked at again
        return digest.hexdigest()


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
