"""Where do locked workers come from? From one helper process, which has imported everything and is forked.

So a worker is there in some ten milliseconds instead of half a second, and one that died is replaced at once. The
helper is started when the first worker is wanted, and ends with this process.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from autograph.locked.frames import read_frame
from autograph.locked.limits import MEGABYTE, Limits
from autograph.locked.lock import LockError, why_not_here
from autograph.locked.zygote import MESSAGE

__all__ = ["Birth", "Nursery", "can_lock", "nursery"]

ENTRY = "autograph.locked.worker:serve"

_START_SECONDS = 60.0
"""How long the helper may import, on a slow and busy machine."""

_PACKAGES = ("autograph", "lark", "regex", "pandas", "numpy", "dateutil", "pytz", "six", "tzdata")
_PROGRAM = (
    "import sys, json; d, e, t, p = json.loads(sys.argv[1]); sys.path.extend(p); "
    "from autograph.locked.zygote import main; main(d, e, t)"
)


@dataclass(frozen=True, slots=True)
class Birth:
    """A worker that was begun: its number among those of the helper, its process, and our end of its pipe."""

    number: int
    pid: int
    pipe: socket.socket


class Nursery:
    """The helper process. ``entry`` is what its workers run, ``tables`` whether they know pandas, ``path`` where
    further modules are found."""

    def __init__(self, tables: bool = False, entry: str = ENTRY, path: Sequence[str] = ()) -> None:
        reason = why_not_here()
        if reason is not None:
            raise LockError(reason)
        self.owner = os.getpid()
        self._lock = Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            what = json.dumps([theirs.fileno(), entry, tables, [*_folders(), *path]])
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _PROGRAM, what],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                    pass_fds=[theirs.fileno()], env=_environment(), cwd="/", start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise LockError(f"no process can be begun: {error.strerror}") from None
        atexit.register(self.close)
        self._wait()

    def _wait(self) -> None:
        """Wait until everything is imported. Raises ``LockError`` with what went wrong."""
        self._control.settimeout(_START_SECONDS)
        try:
            answer = self._control.recv(MESSAGE)
        except OSError:
            answer = b""
        said = b""
        if not answer:
            self._process.kill()
            said = self._process.communicate()[1] or b""
            self.close()
            last = said.decode(errors="replace").strip().rpartition("\n")[2]
            raise LockError(f"the helper process does not start: {last or 'it says nothing'}")

    def bear(self, limits: Limits) -> Birth:
        """Begin a worker. Raises ``LockError``."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        asked = {
            "memory": limits.memory_mb * MEGABYTE,
            "cpu_seconds": limits.cpu_seconds,
            "frame_bytes": limits.frame_bytes,
        }
        with theirs:
            try:
                answer = self._ask(asked, [theirs.fileno()])
                if "pid" not in answer:
                    raise LockError(str(answer["failed"]))
            except LockError:
                ours.close()
                raise
        return Birth(answer["number"], answer["pid"], ours)

    def kill(self, birth: Birth) -> None:
        """End a worker, whatever it does. Nothing happens if it has ended."""
        birth.pipe.close()
        try:
            self._ask({"kill": birth.number}, [])
        except LockError:
            return  # the helper has ended, and its workers with it

    def _ask(self, message: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        with self._lock:
            try:
                socket.send_fds(self._control, [json.dumps(message).encode()], list(descriptors))
                text = self._control.recv(MESSAGE)
            except OSError as error:
                self._process.kill()  # an answer that comes too late would be taken for that to the next message
                raise LockError(f"the helper process has ended ({error})") from None
        if not text:
            raise LockError("the helper process has ended")
        answer: dict[str, Any] = json.loads(text)
        return answer

    @property
    def alive(self) -> bool:
        """Whether it can bear workers, in this process."""
        return self.owner == os.getpid() and self._process.poll() is None

    def close(self) -> None:
        """End the helper and all its workers."""
        if self.owner != os.getpid():
            return
        atexit.unregister(self.close)
        self._control.close()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._process.kill()
        self._process.wait()


def _folders() -> list[str]:
    """Where the packages are that the helper imports."""
    found = []
    for name in _PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin:
            file = Path(spec.origin)
            folder = str(file.parent.parent if file.name == "__init__.py" else file.parent)
            if folder not in found:
                found.append(folder)
    return found


def _environment() -> dict[str, str]:
    """Nothing but what Python and numpy need to start; a worker has not even that."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "TZ", "PYTHONTZPATH") if name in os.environ}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}


# ---------------------------------------------------------------------- the nurseries of this process

_nurseries: dict[bool, Nursery] = {}
_starting = Lock()


def nursery(tables: bool) -> Nursery:
    """The helper of this process, shared by all bots; one with and one without pandas. Raises ``LockError``."""
    with _starting:
        found = _nurseries.get(tables)
        if found is None or not found.alive:
            if found is not None:
                found.close()
            found = _nurseries[tables] = Nursery(tables)
        return found


def can_lock() -> str | None:
    """Why no process can be locked on this system; None if it can be done, which is found out by doing it."""
    try:
        birth = nursery(False).bear(Limits())
        birth.pipe.settimeout(_START_SECONDS)
        try:
            answer = read_frame(birth.pipe.recv, MESSAGE)
        finally:
            nursery(False).kill(birth)
    except (LockError, OSError) as error:
        return str(error)
    if answer is None:
        return "the kernel ended a process that locked itself"
    return None if answer.get("is") == "ready" else str(answer.get("text"))
