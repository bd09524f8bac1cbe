"""Where do the messages of a policy go that somebody wants to keep?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["save_messages"]


def save_messages(file: str | PathLike[str], messages: Sequence[Mapping[str, Any]]) -> None:
    """Add messages to a file, one a line: as JSON if its name ends in ``.jsonl``, else as ``(role, content)``."""
    as_json = str(file).endswith(".jsonl")
    with Path(file).open("a", encoding="utf-8", newline="\n") as out:
        for message in messages:
            line = json.dumps(message, ensure_ascii=False) if as_json else f"({message['role']}, {message['content']})"
            out.write(f"{line}\n")
