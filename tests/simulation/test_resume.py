"""A run that is killed at any moment goes on, and ends with the same report as one that was not.

``AUTOGRAPH_EXAMPLES=20`` kills twenty times as often.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograph.simulation.folder import read_run

N = 60
KILLS = 3 * int(os.environ.get("AUTOGRAPH_EXAMPLES", "1"))

PROGRAM = """\
config:
  python_imports: [random]
  capabilities: [wait_and_add]
nodes:
  - {name: start1, action: python_function, instruction: "total = random.randint(1, 9)", transitions: ask}
  - name: ask
    action: chat_exact
    instruction: How many more than $total?
    transitions: [add, bye]
    transition_question: Is it goodbye?
    transition_choice_a: "no"
    transition_choice_b: "yes"
    transition_probs: [0.7, 0.3]
    user_instruction_transition_a: Say three.
    user_instruction_transition_b: Say goodbye.
  - name: add
    action: python_function
    instruction: "total = wait_and_add(total, len(_last_user_reply))"
    transitions: enough.*
  - {name: enough.a, action: transition, transitions: bye, boolean_condition: total > 60}
  - {name: enough.b, action: transition, transitions: ask}
  - {name: bye, action: chat_exact, instruction: "Goodbye, $total.", transitions: quit}
"""

HOST = """\
import asyncio

from autograph import host_function


@host_function
async def wait_and_add(one, other):
    await asyncio.sleep(0.01 + other % 5 / 200)
    return one + other
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program whose turns take a while, without a model."""
    (tmp_path / "sum.yaml").write_text(PROGRAM, "utf-8")
    (tmp_path / "host.py").write_text(HOST, "utf-8")
    return tmp_path / "sum.yaml"


def command(program: Path, *more: str) -> list[str]:
    begin = [sys.executable, "-m", "autograph", "simulate", str(program), "--json"]
    return [*begin, *more, "--concurrency", "8"]


def fresh(program: Path, out: Path) -> list[str]:
    options = [
        "--n",
        str(N),
        "--model",
        "offline",
        "--host",
        str(program.parent / "host.py"),
        "--allow",
        "wait_and_add",
    ]
    return command(program, *options, "--seed", "5", "--out", str(out))


def environment() -> dict[str, str]:
    return {**os.environ, "SOURCE_DATE_EPOCH": "1893456000", "PYTHONUTF8": "1"}


def finish(line: list[str], folder: Path) -> tuple[bytes, list[str]]:
    """The report of a run that goes to its end, without its folder's name, and the sorted records."""
    done = subprocess.run(line, capture_output=True, env=environment(), timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    records = [json.dumps(talk.to_dict()) for talk in read_run(folder).conversations]
    manifest = (folder / "manifest.json").read_text("utf-8")
    return done.stdout.replace(str(folder).encode(), b"FOLDER"), [manifest, *records]


def kill_after(line: list[str], lines: int, folder: Path) -> None:
    """Begin a run, and kill it when so many conversations have been written down."""
    path = folder / "conversations.jsonl"
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()) as process:
        while process.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < lines):
            time.sleep(0.002)
        process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))


def test_a_killed_run_ends_with_the_same_report(program: Path, tmp_path: Path) -> None:
    expected = finish(fresh(program, tmp_path / "whole"), tmp_path / "whole")
    assert len(expected[1]) == N + 1
    rng = random.Random(7)
    for kill in range(KILLS):
        folder = tmp_path / f"killed{kill}"
        at = 0
        kill_after(fresh(program, folder), at := at + rng.randint(1, N // 3), folder)
        kill_after(command(program, "--resume", str(folder)), at + rng.randint(1, N // 3), folder)
        if rng.random() < 0.5:  # a line that was cut off while it was written
            with (folder / "conversations.jsonl").open("ab") as file:
                file.write(b'{"version":1,"index":')
        report, records = finish(command(program, "--resume", str(folder)), folder)
        assert records[1:] == expected[1][1:]
        assert report == expected[0]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_ctrl_c_says_how_to_go_on(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    with subprocess.Popen(
        fresh(program, folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as run:
        path = folder / "conversations.jsonl"
        while run.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < 5):
            time.sleep(0.002)
        run.send_signal(signal.SIGINT)
        out, told = run.communicate(timeout=60)
    assert run.returncode == 130, told.decode()
    kept = len(read_run(folder).conversations)
    assert 5 <= kept < N
    assert out == b""
    assert f"Interrupted. {kept} of {N} conversations are saved. Go on with:" in told.decode()
    assert f"autograph simulate {program} --resume {folder}" in told.decode()
    report, records = finish(command(program, "--resume", str(folder)), folder)
    assert len(records) == N + 1
    assert json.loads(report)["complete"] is True
