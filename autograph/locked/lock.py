"""How does a process lock itself? For good, on Linux, without compiled code; then it tries the doors.

Afterwards the process can compute, use a bounded amount of memory, and read and write its two pipes.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from autograph.locked.landlock import give_up_files
from autograph.locked.seccomp import Abi, abi, filter_program, install_filter

__all__ = ["READS", "WRITES", "LockError", "lock_process", "why_not_here"]

READS, WRITES = 0, 1
"""The only descriptors that are left."""

_PDEATHSIG, _DUMPABLE, _NO_NEW_PRIVS = 1, 4, 38
_CAPABILITY_VERSION = 0x20080522


class LockError(Exception):
    """This process cannot be locked; the text says why."""


def why_not_here() -> str | None:
    """Why no process can be locked on this platform; None if it is worth trying."""
    if sys.platform != "linux":
        return f"processes can be locked on Linux only, and this is {sys.platform}"
    if abi() is None:
        return f"processes can be locked on x86_64 and aarch64 only, and this is {os.uname().machine}"
    if sys.byteorder != "little" or not sys.executable:
        return "there is no Python interpreter that could be started"
    return None


def lock_process(memory: int, parent: int, cpu_seconds: int | None = None) -> None:
    """Lock this process: its first two descriptors stay, and ``memory`` bytes more than it has now.

    ``parent`` is the process with which this one has to end. Raises ``LockError``; the process must then end.
    """
    numbers = abi()
    if numbers is None:
        raise LockError(why_not_here() or "the platform is unknown")
    libc = ctypes.CDLL(None, use_errno=True)
    space = _space_in_use() + memory
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _control(libc, _PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise LockError("the process that wanted it is gone")
    os.environ.clear()
    _control(libc, _DUMPABLE, 0)
    _control(libc, _NO_NEW_PRIVS, 1)
    os.closerange(max(READS, WRITES) + 1, 1 << 20)
    try:
        give_up_files(libc)
    except OSError as error:
        raise LockError(f"landlock does not work here ({_text(error.errno)})") from None
    _drop_capabilities(libc, numbers)
    _limit(space, cpu_seconds)
    failed = install_filter(libc, numbers, filter_program(numbers, READS, WRITES))
    if failed:
        raise LockError(f"the kernel or the container does not allow a seccomp filter ({_text(failed)})")
    _try_the_doors(libc)


def _control(libc: ctypes.CDLL, option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    if libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero) != 0:
        raise LockError(f"prctl({option}) does not work here ({_text(ctypes.get_errno())})")


def _drop_capabilities(libc: ctypes.CDLL, numbers: Abi) -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    if libc.syscall(ctypes.c_long(numbers.capset), header, none) != 0:
        raise LockError(f"the capabilities cannot be dropped ({_text(ctypes.get_errno())})")


def _limit(space: int, cpu_seconds: int | None) -> None:
    import resource

    limits = [
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, max(READS, WRITES) + 1),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ]
    if cpu_seconds is not None:
        limits.append((resource.RLIMIT_CPU, cpu_seconds))
    for which, most in limits:
        resource.setrlimit(which, (most, most))


def _space_in_use() -> int:
    """Bytes of address space that this process has."""
    import resource

    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError as error:
        raise LockError(f"the memory in use is unknown: /proc cannot be read ({_text(error.errno)})") from None


# ---------------------------------------------------------------------- the test


def _try_the_doors(libc: ctypes.CDLL) -> None:
    """Raise ``LockError`` unless files, sockets, processes, programs and signals are refused."""
    doors: tuple[tuple[str, Callable[[], object]], ...] = (
        ("a file can be opened", lambda: os.open("/proc/self/status", os.O_RDONLY)),
        ("a folder can be listed", lambda: os.listdir("/")),
        ("a process can be begun", _fork),
        ("a program can be started", lambda: os.execv("/autograph/no/such/program", ["none"])),
        ("a signal can be sent", lambda: os.kill(os.getpid(), 0)),
        ("a socket can be made", lambda: _call(libc.socket, 2, 1, 0)),
        ("a child can be traced", lambda: _call(libc.ptrace, 0, 0, 0, 0)),
        ("a pipe can be made", os.pipe),
    )
    for what, door in doors:
        try:
            door()
        except OSError as error:
            if error.errno in (errno.EPERM, errno.EACCES):
                continue
            raise LockError(f"it is not known whether {what} ({_text(error.errno)})") from None
        raise LockError(f"{what} in a process that should be locked")


def _fork() -> None:
    if os.fork() == 0:
        os._exit(1)


def _call(function: Any, *arguments: int) -> None:
    if function(*map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _text(number: int | None) -> str:
    return f"{errno.errorcode.get(number or 0, number)}: {os.strerror(number or 0)}"
