"""docs/graph.md and the help are complete, and the picture is current."""

from __future__ import annotations

import subprocess
import sys

from autograph.cli.graph import graph
from autograph.graph import FORMATS
from graph.conftest import ROOT

PAGE = (ROOT / "docs" / "graph.md").read_text("utf-8")


def test_the_picture_is_current() -> None:
    command = [sys.executable, "scripts/graph_picture.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_option_and_format_is_explained() -> None:
    options = {name for parameter in graph.params for name in parameter.opts if name.startswith("--")}
    told = {"--output", "--version", "--fold", "--title", "--json", "--no-color"}  # by the help alone
    assert [name for name in sorted(options - told) if f"{name}" not in PAGE] == []
    assert [form for form in FORMATS if f"`{form}`" not in PAGE] == []
