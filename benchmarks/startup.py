"""How soon is it there? CPU time of ``import autograph``, time of ``autograph-chat --help``, and what they load."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from report import Bar

__all__ = ["bars"]

HEAVY = ("openai", "pandas", "networkx", "openpyxl")
IMPORT_SECONDS = 0.080
HELP_SECONDS = 0.3

BARE = "pass"
IMPORT = "import autograph"
CLOCK = "\nimport time; print(time.process_time())"
LOADED = "import json, sys, autograph; print(json.dumps(sorted(sys.modules)))"


def bars(rounds: int) -> list[Bar]:
    """The bars of starting up; the bare interpreter and the others take turns, the best of ``rounds`` counts."""
    bare, imported, helped = [], [], []
    command = help_command()
    for _ in range(rounds):
        bare.append(float(python(BARE + CLOCK)))
        imported.append(float(python(IMPORT + CLOCK)))
        start = perf_counter()
        run(command)
        helped.append(perf_counter() - start)
    loaded = set(json.loads(python(LOADED)))
    heavy = [name for name in HEAVY if name in loaded]
    over = 1000 * (min(imported) - min(bare))
    return [
        Bar("import autograph, CPU over a bare interpreter", over, 1000 * IMPORT_SECONDS, "ms", ratio=False),
        Bar(f"import autograph loads none of {', '.join(HEAVY)}", len(heavy), 0, "loaded"),
        Bar("autograph-chat --help, elapsed", min(helped), HELP_SECONDS, "s", ratio=False),
    ]


def help_command() -> list[str]:
    """The installed script, or the function behind it where the script is not on the path."""
    beside = Path(sys.executable).parent
    script = shutil.which("autograph-chat", path=f"{beside}{os.pathsep}{os.environ.get('PATH', '')}")
    if script:
        return [script, "--help"]
    return [sys.executable, "-c", "import sys; from autograph.cli.main import chat_main; chat_main()", "--help"]


def python(code: str) -> str:
    """What a fresh interpreter prints for ``code``."""
    return run([sys.executable, "-c", code])


def run(command: list[str]) -> str:
    """What a command prints. Raises ``RuntimeError`` with its error output if it fails."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"{command} ended with exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout
