"""What runs in the nursery process? It imports everything once, then forks a worker whenever it is asked to.

It is asked over a socket, by JSON messages, with the worker's end of a pipe beside it. It never sees a program; each
worker locks itself before it does.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
from importlib import import_module
from selectors import EVENT_READ, DefaultSelector
from typing import Any

__all__ = ["MESSAGE", "main"]

MESSAGE = 4096
"""Most bytes of a message."""


def main(descriptor: int, entry: str, tables: bool) -> None:
    """Serve the parent at the other end of the socket. ``entry`` is ``module:function``, what workers run."""
    control = socket.socket(fileno=descriptor)
    from autograph.locked.warm import warm_up

    kept = warm_up(tables)
    module, _, function = entry.partition(":")
    serve = getattr(import_module(module), function)
    sys.stdin = sys.stdout = sys.stderr = None  # the worker's descriptors are for frames
    gc.collect()
    gc.freeze()
    control.send(json.dumps({"ready": len(kept)}).encode())
    _Nursery(control, serve).run()


class _Nursery:
    def __init__(self, control: socket.socket, serve: Any) -> None:
        self._control = control
        self._serve = serve
        self._children: dict[int, int] = {}
        self._born = 0
        self._wakes, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._wakes, False)
        signal.set_wakeup_fd(self._wake)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)  # it need only wake the loop

    def run(self) -> None:
        """Answer until the parent has gone; the children then end, too."""
        with DefaultSelector() as selector:
            selector.register(self._control, EVENT_READ)
            selector.register(self._wakes, EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._wakes in ready:
                    os.read(self._wakes, MESSAGE)
                self._reap()
                if self._control in ready and not self._answer():
                    return

    def _answer(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE, 1)
        if not message:
            return False
        asked = json.loads(message)
        if "kill" in asked:
            child = self._children.get(asked["kill"])
            if child is not None:
                os.kill(child, signal.SIGKILL)
            answer: dict[str, Any] = {}
        else:
            answer = self._fork(descriptors[0], asked)
        self._control.send(json.dumps(answer).encode())
        return True

    def _fork(self, pipe: int, asked: dict[str, Any]) -> dict[str, Any]:
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError as error:
            return {"failed": f"no process can be begun: {error.strerror}"}
        if child:
            os.close(pipe)
            self._born += 1
            self._children[self._born] = child
            return {"pid": child, "number": self._born}
        try:
            self._become_a_worker(pipe, parent, asked)
        finally:
            os._exit(1)

    def _become_a_worker(self, pipe: int, parent: int, asked: dict[str, Any]) -> None:
        from autograph.locked.lock import READS, WRITES, LockError, lock_process
        from autograph.locked.worker import Pipe

        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(pipe, READS)
        os.dup2(pipe, WRITES)
        to_parent = Pipe(asked["frame_bytes"])
        try:
            lock_process(asked["memory"], parent, asked["cpu_seconds"])
        except (LockError, OSError, ValueError) as error:
            to_parent.send({"is": "refused", "text": str(error)})
            return
        to_parent.send({"is": "ready"})
        self._serve(to_parent)

    def _reap(self) -> None:
        while self._children:
            try:
                child, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if child == 0:
                return
            self._children = {number: pid for number, pid in self._children.items() if pid != child}
