"""Who computes the layout? Graphviz: the program ``dot`` where it is installed, else the wheel ``graphviz-pure``.

Both are programs, run with a time-out and with nothing but the text given to them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from autograph.errors import AutographError

__all__ = ["ENGINES", "DrawingError", "Engine", "LayoutFailed", "find_engine", "run_engine"]

ENGINES = ("dot", "graphviz-pure")
"""The layout programs, the preferred one first."""


class DrawingError(AutographError):
    """A drawing cannot be made: the message says why and what to do."""


class LayoutFailed(DrawingError):
    """The layout program gave up on one graph, or took too long; ``seconds`` is the limit it met, else None."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Engine:
    """A layout program: its name (one of ``ENGINES``) and its path."""

    name: str
    path: str


def find_engine(wanted: str = "auto") -> Engine:
    """The layout program: ``dot``, ``graphviz-pure``, or the first of them that is there (``auto``).

    Raises ``DrawingError`` if it is not installed.
    """
    for name in ENGINES if wanted == "auto" else (wanted,):
        path = _program(name)
        if path is not None:
            return Engine(name, path)
    which = 'neither "dot" nor "graphviz-pure" is' if wanted == "auto" else f'"{wanted}" is not'
    remedy = (
        "pip install graphviz-pure" if wanted != "dot" else "apt-get install graphviz, or leave the choice to autograph"
    )
    raise DrawingError(f"The layout program {which} installed. Remedy: {remedy}.")


def _program(name: str) -> str | None:
    """The path of a program: beside this Python (where pip puts it), else on the search path."""
    beside = Path(sysconfig.get_path("scripts")) / (f"{name}.exe" if os.name == "nt" else name)
    return str(beside) if name == "graphviz-pure" and beside.exists() else shutil.which(name)


def run_engine(engine: Engine, text: str, arguments: tuple[str, ...], seconds: float) -> bytes:
    """What the program makes of a DOT text. Raises ``LayoutFailed``."""
    try:
        done = subprocess.run(
            [engine.path, *arguments],
            input=text.encode("utf-8"),
            capture_output=True,
            timeout=max(seconds, 0.05),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LayoutFailed(f"{engine.name} took more than {seconds:.0f} s", seconds) from None
    except OSError as error:
        raise LayoutFailed(f"{engine.name} cannot be run: {error.strerror or error}") from error
    if done.returncode or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise LayoutFailed(f"{engine.name} ended with exit code {done.returncode}: {said[-1] if said else 'no output'}")
    return done.stdout
