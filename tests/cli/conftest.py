"""Programs and scripts of models for the tests of the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CAFE = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b
start1,chat_exact,Hello! What is your name?,keep,,,
keep,python_function,guest = _last_user_reply.strip(),ask,,,
ask,chat,Ask $guest whether they want tea.,"tea, bye",Do they want tea?,yes,no
tea,chat_exact,"Here is your tea, $guest.",bye,,,
bye,chat_exact,"Goodbye, $guest.",quit,,,
"""

CALLS = """\
name,action,instruction,transitions
start1,function,"total = order(2, what='tea')",done
"order(count, what)",chat_exact,How shall I make $count cups of $what?,back
back,transition,,return count * 2
done,chat_exact,That makes $total.,quit
"""

BROKEN = """\
name,action,instruction,transitions
start1,chta,Hello,tea
tea,chat_exact,Hello,nowhere
tea,chat_exact,Hello,quit
"""

SCRIPT = """\
replies: ["Would you like some tea?", "Tea, perhaps?", "More tea?"]
answers: [["yes", 0.9], ["no", 0.6], yes]
"""


@pytest.fixture
def cafe(tmp_path: Path) -> Path:
    """A program with a question, and ``model.yaml`` beside it."""
    (tmp_path / "model.yaml").write_text(SCRIPT, "utf-8")
    return _written(tmp_path / "cafe.csv", CAFE)


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """A program that talks inside a function."""
    return _written(tmp_path / "calls.csv", CALLS)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A program with three errors."""
    return _written(tmp_path / "broken.csv", BROKEN)


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs ``autograph`` in a process of its own, in ``tmp_path``."""
    from cli.environment import environment

    def run_it(*args: object, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        code = "from autograph.cli.main import main; main()"
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, args)],
            input=text, capture_output=True, encoding="utf-8", timeout=60,
            cwd=tmp_path, env=environment(tmp_path, **env),
        )  # fmt: skip

    return run_it
