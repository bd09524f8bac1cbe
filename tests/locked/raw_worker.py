"""A worker without a language layer: it runs whatever code it is sent, with all builtins, in a locked process."""

from __future__ import annotations

import mmap  # noqa: F401 - so that attacks need not import them
import socket  # noqa: F401
import subprocess  # noqa: F401
import threading  # noqa: F401
from typing import Any

from autograph.locked.worker import Pipe


def serve(pipe: Pipe) -> None:
    """Run the code of each frame; what it leaves in ``result`` is sent back, or its error."""
    while True:
        scope: dict[str, Any] = {"result": None}
        try:
            exec(pipe.receive()["code"], scope)
            answer = {"result": repr(scope["result"])}
        except BaseException as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        pipe.send(answer)
