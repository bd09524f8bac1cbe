"""The environment in which the tests run commands."""

from __future__ import annotations

import os
from pathlib import Path


def environment(state: Path, **more: str) -> dict[str, str]:
    """An environment without models, colours or a home of its own."""
    dropped = ("OPENAI", "AUTOGRAPH", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    fixed = {"TERM": "xterm-256color", "XDG_STATE_HOME": str(state), "HOME": str(state), "PROMPT_TOOLKIT_NO_CPR": "1"}
    return {**kept, **fixed, "PYTHONUTF8": "1", **more}
