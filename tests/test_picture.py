"""The README's picture shows what the tutor really says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_picture_is_current() -> None:
    done = subprocess.run([sys.executable, "scripts/picture.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
