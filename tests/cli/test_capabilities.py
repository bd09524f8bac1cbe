"""``autograph chat`` says what a program asks for before it runs, and needs ``--allow``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ASKING = """
config: {capabilities: [search]}
nodes:
  start1: {action: python_function, instruction: "x = search('tea')", transitions: [say]}
  say: {action: chat_exact, instruction: "$x", transitions: [quit]}
"""
TOOLS = "import autograph\n\n@autograph.host_function\ndef search(word):\n    return word.upper()\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "asking.yaml").write_text(ASKING, "utf-8")
    (tmp_path / "tools.py").write_text(TOOLS, "utf-8")
    return tmp_path


def test_it_says_what_is_asked_for_and_does_not_run(run: Run, files: Path) -> None:
    done = run("chat", "asking.yaml", "--host", "tools.py")
    assert (done.stdout, done.returncode) == ("", 65)
    assert "AG131" in done.stderr
    assert "capabilities: the program asks for" in done.stderr
    assert "--allow search" in done.stderr


@pytest.mark.parametrize("allow", ["search", "all", "pay, search"])
def test_allowed_and_given_it_runs(run: Run, files: Path, allow: str) -> None:
    done = run("chat", "asking.yaml", "--host", "tools.py", "--allow", allow)
    assert (done.stdout, done.returncode) == ("TEA\n", 0)


def test_allowed_but_not_given_it_says_so_on_use(run: Run, files: Path) -> None:
    done = run("chat", "asking.yaml", "--allow", "search")
    assert done.returncode == 70
    assert "is not given to the program" in " ".join(done.stderr.split())


def test_a_missing_host_file(run: Run, files: Path) -> None:
    done = run("chat", "asking.yaml", "--host", "no.py")
    assert (done.returncode, "there is no file no.py" in done.stderr) == (2, True)


def test_a_python_file_has_its_own_functions(run: Run, files: Path) -> None:
    program = "def price(item):\n    return 3\n\nmodules = {'price': price}\n"
    program += "nodes = [{'name': 'a', 'action': 'chat_exact', 'instruction': '${price(1)}', 'transitions': 'quit'}]\n"
    (files / "shop.py").write_text(program, "utf-8")
    done = run("chat", "shop.py")
    assert (done.stdout, done.returncode) == ("3\n", 0)
    refused = run("chat", "shop.py", "--untrusted")
    assert (refused.returncode != 0, "Python file" in refused.stderr) == (True, True)
