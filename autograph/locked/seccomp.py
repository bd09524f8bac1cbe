"""Which system calls may a locked process make? An allow-list as a BPF program for Linux' seccomp.

Everything else fails with ``EPERM``; calls of another architecture's ABI end the process.
"""

from __future__ import annotations

import ctypes
import platform
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["ABIS", "Abi", "abi", "filter_program", "install_filter"]

_LOAD = 0x20
_EQUAL = 0x15
_AT_LEAST = 0x35
_ANY_BIT = 0x45
_RETURN = 0x06

_KILL = 0x80000000
_REFUSE = 0x00050000 | 1  # ERRNO, EPERM
_ALLOW = 0x7FFF0000

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_PROT_EXEC = 4

_SET_MODE_FILTER, _ALL_THREADS = 1, 1


@dataclass(frozen=True, slots=True)
class Abi:
    """The numbers of an architecture: its mark, the calls allowed, and the calls made while locking."""

    audit: int
    calls: Mapping[str, int]
    seccomp: int
    capset: int
    other_abi: int | None = None
    """Numbers from here on belong to another ABI of the same architecture (x32)."""


def _numbers(text: str) -> Mapping[str, int]:
    parts = text.split()
    return MappingProxyType(dict(zip(parts[::2], map(int, parts[1::2]), strict=True)))


ABIS: Mapping[str, Abi] = MappingProxyType(
    {
        "x86_64": Abi(
            0xC000003E,
            _numbers(
                "read 0 write 1 mmap 9 mprotect 10 munmap 11 brk 12 rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 "
                "sched_yield 24 mremap 25 madvise 28 nanosleep 35 setitimer 38 exit 60 gettimeofday 96 time 201 "
                "futex 202 restart_syscall 219 clock_gettime 228 clock_getres 229 clock_nanosleep 230 exit_group 231 "
                "getrandom 318"
            ),
            seccomp=317,
            capset=126,
            other_abi=0x40000000,
        ),
        "aarch64": Abi(
            0xC00000B7,
            _numbers(
                "read 63 write 64 mmap 222 mprotect 226 munmap 215 brk 214 rt_sigaction 134 rt_sigprocmask 135 "
                "rt_sigreturn 139 sched_yield 124 mremap 216 madvise 233 nanosleep 101 setitimer 103 exit 93 "
                "gettimeofday 169 futex 98 restart_syscall 128 clock_gettime 113 clock_getres 114 "
                "clock_nanosleep 115 exit_group 94 getrandom 278"
            ),
            seccomp=277,
            capset=91,
        ),
    }
)


def abi() -> Abi | None:
    """The numbers for this machine; None if they are not known."""
    return ABIS.get(platform.machine()) if struct.calcsize("P") == 8 else None


_Line = tuple[int, int, int, int]


def filter_program(numbers: Abi, reads: int, writes: int) -> bytes:
    """The filter: ``read`` from the descriptor ``reads`` only, ``write`` to ``writes`` only, no executable memory."""
    calls = dict(numbers.calls)
    lines: list[_Line] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, numbers.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if numbers.other_abi is not None:
        lines += [(_AT_LEAST, 0, 1, numbers.other_abi), (_RETURN, 0, 0, _KILL)]
    for name, descriptor in (("read", reads), ("write", writes)):
        lines += _with_argument(calls.pop(name), 0, (_EQUAL, 0, 1, descriptor), _ALLOW, _REFUSE)
    for name in ("mmap", "mprotect"):
        lines += _with_argument(calls.pop(name), 2, (_ANY_BIT, 0, 1, _PROT_EXEC), _REFUSE, _ALLOW)
    for number in calls.values():
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    lines.append((_RETURN, 0, 0, _REFUSE))
    return _assemble(lines)


def _with_argument(number: int, index: int, test: _Line, then: int, otherwise: int) -> list[_Line]:
    """A call that is decided by the lower half of one of its arguments (both architectures are little-endian)."""
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _ARGUMENTS + 8 * index),
        test,
        (_RETURN, 0, 0, then),
        (_RETURN, 0, 0, otherwise),
    ]


def _assemble(lines: Iterable[_Line]) -> bytes:
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def install_filter(libc: ctypes.CDLL, numbers: Abi, program: bytes) -> int:
    """Put the filter in force for all threads of this process, for good; 0, or the error's number."""
    what = _Program(len(program) // 8, program)
    done = libc.syscall(
        ctypes.c_long(numbers.seccomp), ctypes.c_long(_SET_MODE_FILTER), ctypes.c_long(_ALL_THREADS), ctypes.byref(what)
    )
    return 0 if done == 0 else ctypes.get_errno() or done
