"""How does a process give up all files and connections? Landlock with no rules: a second wall behind seccomp."""

from __future__ import annotations

import ctypes
import struct

__all__ = ["give_up_files"]

_CREATE, _RESTRICT = 444, 446  # the same on all architectures
_WANT_VERSION = 1

# How many of the rights there are in each version of the interface.
_FILE_RIGHTS = (0, 13, 14, 15, 15, 16)
_NET_RIGHTS = 2
_SCOPES = 2
_NET_SINCE, _SCOPES_SINCE = 4, 6


def give_up_files(libc: ctypes.CDLL) -> bool:
    """Handle every right that the kernel knows and allow none; False where the kernel has no landlock.

    ``no_new_privs`` must be set. Raises ``OSError`` if landlock is there but does not work.
    """
    version = libc.syscall(ctypes.c_long(_CREATE), None, ctypes.c_long(0), ctypes.c_long(_WANT_VERSION))
    if version < 1:
        return False
    files = (1 << _FILE_RIGHTS[min(version, len(_FILE_RIGHTS) - 1)]) - 1
    rules = struct.pack("=Q", files)
    if version >= _NET_SINCE:
        rules += struct.pack("=Q", (1 << _NET_RIGHTS) - 1)
    if version >= _SCOPES_SINCE:
        rules += struct.pack("=Q", (1 << _SCOPES) - 1)
    descriptor = libc.syscall(ctypes.c_long(_CREATE), rules, ctypes.c_size_t(len(rules)), ctypes.c_long(0))
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    if libc.syscall(ctypes.c_long(_RESTRICT), ctypes.c_long(descriptor), ctypes.c_long(0)) != 0:
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")
    return True
