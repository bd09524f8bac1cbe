"""A chat at a pseudo-terminal: types like a person, reads what a person would see."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

from cli.environment import environment

ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()][0-9A-B]?)")
PROMPT = "you ›"
CTRL_C, CTRL_D, ALT_ENTER, TAB = "\x03", "\x04", "\x1b\r", "\t"

# The child makes the pseudo-terminal its controlling one, so that Ctrl-C becomes a signal.
_CHILD = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "from autograph.cli.main import chat_main; sys.argv[0] = 'autograph-chat'; chat_main()"
)


class PtyChat:
    """``autograph-chat`` with these arguments; leave the ``with`` block and it is gone."""

    def __init__(self, *args: object, state: Path, env: Mapping[str, str] | None = None, width: int = 100) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CHILD, *map(str, args)],
            stdin=slave, stdout=slave, stderr=slave, env=environment(state, **(env or {})), cwd=state,
            start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.raw = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._seen = 0

    def __enter__(self) -> PtyChat:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def screen(self) -> str:
        """Everything shown so far, without the codes of the terminal."""
        return ANSI.sub("", self.raw).replace("\r", "")

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False  # the child has closed its end
        self.raw += self._decode(data)
        return bool(data)

    def expect(self, text: str, seconds: float = 20) -> str:
        """Wait until ``text`` is shown after what was expected before; what was shown up to its end."""
        deadline = time.monotonic() + seconds
        while (position := self.screen.find(text, self._seen)) < 0:
            left = deadline - time.monotonic()
            if left <= 0 or (not self._read(min(left, 0.5)) and self._process.poll() is not None):
                raise AssertionError(f"{text!r} was not shown after:\n{self.screen[self._seen :]}")
        shown = self.screen[self._seen : position + len(text)]
        self._seen = position + len(text)
        return shown

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def say(self, line: str, answer: str, end: str = PROMPT) -> str:
        """Type a line, wait for ``answer`` and for the next prompt; what was shown."""
        self.type(f"{line}\r")
        return self.expect(answer) + (self.expect(end) if end else "")

    def end(self, seconds: float = 10) -> int:
        """Wait for the end; the exit code."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            self._read(0.1)
        while self._read(0.05):
            pass
        return self._process.wait(1)
