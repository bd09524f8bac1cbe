"""A worker that was taken over: it sends its parent whatever it was told to, in place of the answer to a turn."""

from __future__ import annotations

import json
import os
from typing import Any

from autograph.locked.worker import Pipe

GOOD: dict[str, Any] = {"is": "failed", "error": {"class": "RunError", "message": "well", "trace": [], "notes": []}}


def serve(pipe: Pipe) -> None:
    """The user's text of a turn is the frames to send, as JSON: a list of frames, or of raw texts."""
    while True:
        frame = pipe.receive()
        if frame["do"] == "program":
            pipe.send({"is": "compiled"})
        elif frame["do"] == "turn":
            _play(pipe, json.loads(frame["text"]))
        elif frame["do"] == "abort":
            pipe.send({"is": "aborted"})


def _play(pipe: Pipe, script: list[Any]) -> None:
    for item in script:
        if item == "die":
            os._exit(3)
        if item == "sleep":
            while True:
                pass
        if isinstance(item, str):
            data = item.encode()
            os.write(1, len(data).to_bytes(4, "big") + data)
        elif isinstance(item, int):
            os.write(1, item.to_bytes(4, "big"))
        elif item.get("is") == "endless":
            while True:
                pipe.send(item["frame"])
                if pipe.receive()["do"] == "abort":
                    pipe.send({"is": "aborted"})
                    return
        else:
            pipe.send(item)
            if item.get("is") == "ask" and pipe.receive()["do"] == "abort":
                pipe.send({"is": "aborted"})
                return
